/** The presentations of our own tools, for views that no agent created. */
import { defaultTools } from "../../src/core/tools/registry.ts";
import type { ToolPresentations } from "../../src/shared/tool-presentation.ts";
import { type ChatView, emptyView } from "../../src/shared/view/reducer.ts";

export const ownPresentations: ToolPresentations = Object.fromEntries(
  defaultTools.map(({ name, presentation }) => [name, presentation]),
);

/** An empty view that knows our tools, like a host's after they were called. */
export const viewWithPresentations: ChatView = { ...emptyView, faces: ownPresentations };
