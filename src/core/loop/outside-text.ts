/**
 * Whether a task has read text from outside the project. Such text can ask the model for anything, so what outlives the task asks the
 * user from then on.
 */
import { findMentions, type Mention } from "../../shared/mentions.ts";
import type { Message, ToolResultBlock } from "../../shared/message.ts";
import { readTerminal } from "../tools/read-terminal.ts";
import type { Tool } from "../tools/tool.ts";
import { mayBePrompt } from "./from-servers.ts";

type FindTool = (name: string) => Pick<Tool, "name" | "access" | "reaches"> | undefined;

/** All messages count, also those that requests leave out. `find`: the tool that a name means. */
export function hasOutsideText(messages: readonly Message[], find: FindTool): boolean {
  return messages.some(
    ({ display, blocks }) =>
      (display !== undefined && namesOutside(display)) ||
      blocks.some((block) => block.type === "tool-result" && isFromOutside(block, find)),
  );
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
