/** A command that the sandbox blocked, which the user lets run outside it. */
import { type Message, toolCalls } from "../../shared/message.ts";
import type { ApprovedCommand } from "../loop/calls/approvals.ts";
import type { Host } from "../ports/host.ts";
import { namedScripts } from "../tools/scripts/named-scripts.ts";
import type { ToolSet } from "../tools/set/tool-set.ts";

/** The command of the call, if the sandbox blocked something that it did. */
export function blockedCommand(
  messages: readonly Message[],
  registry: Pick<ToolSet, "resolve">,
  callId: string,
): string | undefined {
  const isBlocked = messages.some(({ blocks }) =>
    blocks.some(
      (block) => block.type === "tool-result" && block.callId === callId && block.shown?.sandbox?.block,
    ),
  );
  if (!isBlocked) return undefined;
  const call = messages.flatMap(toolCalls).find(({ id }) => id === callId);
  const resolved = call && registry.resolve(call);
  const command = resolved?.ok ? resolved.params.command : undefined;
  return typeof command === "string" ? command : undefined;
}

/** The user's approval of a command, with the files that it would run now. */
export async function approvedCommand(
  command: string,
  { files, workspace }: Pick<Host, "files" | "workspace">,
): Promise<ApprovedCommand> {
  const coverage = await namedScripts(command, workspace.root ?? "", files, workspace);
  // Only the view finds the files that those which the command names run in turn.
  await coverage.view();
  return { command, coverage };
}
