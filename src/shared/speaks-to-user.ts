// Beside tool-presentation.ts, because that one is part of the page's entry, whose size is limited.
import { presentationOf, type ToolPresentations } from "./tool-presentation.ts";

/** Whether rows of the tool's calls show what the agent says to the user. All other calls are its work. */
export function speaksToUser(faces: ToolPresentations, tool: string): boolean {
  const row = presentationOf(faces, tool)?.row ?? "tool";
  return row !== "tool" && row !== "command";
}
