/**
 * Whether a task has read text from outside the project. Such text can ask the model for anything, so what outlives the task asks the
 * user from then on.
 */
import { findMentions, type Mention } from "../../shared/mentions.ts";
import type { Message, ToolCallBlock, ToolResultBlock } from "../../shared/message.ts";
import { ToolError } from "../errors.ts";
import type { Workspace } from "../ports/workspace.ts";
import { folderPaths, isInside } from "../roots.ts";
import { readTerminal } from "../tools/read-terminal.ts";
import type { Tool } from "../tools/tool.ts";
import { resolvePath } from "../tools/tool-paths.ts";
import { mayBePrompt } from "./from-servers.ts";

type FindTool = (name: string) => Pick<Tool, "name" | "access" | "reaches"> | undefined;

/** All messages count, also those that requests leave out. `find`: the tool that a name means. */
export function hasOutsideText(messages: readonly Message[], find: FindTool, workspace: Workspace): boolean {
  return messages.some(
    ({ display, blocks }) =>
      (display !== undefined && namesOutside(display)) ||
      blocks.some(
        (block) =>
          (block.type === "tool-result" && isFromOutside(block, find)) ||
          (block.type === "tool-call" && readsOutside(block, find, workspace)),
      ),
  );
}

/** Whether the call reads a file or folder outside the project. */
function readsOutside({ name, params }: ToolCallBlock, find: FindTool, workspace: Workspace): boolean {
  const { path } = params;
  if (find(name)?.access !== "read" || typeof path !== "string") return false;
  try {
    const absolute = resolvePath(workspace, path);
    return !folderPaths(workspace).some((folder) => isInside(folder, absolute));
  } catch (error) {
    // Such a call has read nothing.
    if (error instanceof ToolError) return false;
    throw error;
  }
}

const OUTSIDE_KINDS: readonly Mention["kind"][] = ["url", "resource", "terminal"];

/** Pages, what servers supply, and terminals, in which anything may have been printed. */
function namesOutside(text: string): boolean {
  return mayBePrompt(text) || findMentions(text).some(({ kind }) => OUTSIDE_KINDS.includes(kind));
}

function isFromOutside({ name, outcome, parts, shown, foreign }: ToolResultBlock, find: FindTool): boolean {
  if (foreign !== undefined || parts.some((part) => part.type === "text" && part.origin === "remote"))
    return true;
  const tool = find(name);
  // A subtask may have read anything.
  if (tool?.reaches !== undefined || tool?.name === readTerminal.name) return true;
  const hasRun = outcome !== "rejected" && outcome !== "not-run" && shown?.note !== "refused";
  // In the sandbox, a command has no network, unless the user gave it one.
  return (
    tool?.access === "command" && hasRun && (shown?.sandbox === undefined || shown.sandbox.network === true)
  );
}
