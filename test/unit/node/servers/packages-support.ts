/** How long calls of packaged servers may take, and the text of their results. */
import type { ServerContent } from "../../../../src/core/ports/servers.ts";
import { neverAborted } from "./support.ts";

export const options = { signal: neverAborted, timeoutMs: 30_000 };

export const textOf = (content: readonly ServerContent[]) =>
  content.map((part) => (part.type === "text" ? part.text : "")).join("\n");
