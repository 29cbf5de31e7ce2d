/** What the tests of both tiers of mentions share. */
import type { FileHit } from "../../../src/shared/protocol.ts";
import { input } from "./suite.ts";

export const value = () => input().inputValue();
export const files = (...paths: string[]): FileHit[] =>
  paths.map((path) => ({ path, kind: path.endsWith("/") ? "folder" : "file", positions: [0, 1] }));
