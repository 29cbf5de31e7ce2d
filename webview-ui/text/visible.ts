export { codePointName, type VisibleSegment, visible, visibleSegments } from "../../src/shared/visible.ts";
