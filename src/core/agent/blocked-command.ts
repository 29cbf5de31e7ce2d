/** A command that the sandbox blocked, to which the user gives the network, or which they let run outside. */
import { type Message, type SandboxBlock, toolCalls } from "../../shared/message.ts";
import type { ApprovedCommand } from "../loop/calls/approvals.ts";
import type { Host } from "../ports/host.ts";
import { placeFor } from "../tools/sandbox-block.ts";
import { namedScripts } from "../tools/scripts/named-scripts.ts";
import type { ToolSet } from "../tools/set/tool-set.ts";

export interface BlockedCommand {
  command: string;
  block: SandboxBlock;
}

/** The command of the call, if the sandbox blocked something that it did. */
export function blockedCommand(
  messages: readonly Message[],
  registry: Pick<ToolSet, "resolve">,
  callId: string,
): BlockedCommand | undefined {
  const block = messages
    .flatMap(({ blocks }) => blocks)
    .flatMap((each) => (each.type === "tool-result" && each.callId === callId ? [each.shown?.sandbox] : []))
    .find((sandbox) => sandbox?.block)?.block;
  if (block === undefined) return undefined;
  const call = messages.flatMap(toolCalls).find(({ id }) => id === callId);
  const resolved = call && registry.resolve(call);
  const command = resolved?.ok ? resolved.params.command : undefined;
  return typeof command === "string" ? { command, block } : undefined;
}

/** The user's approval of a command, with the files that it would run now. It lets through no more than what was blocked. */
export async function approvedCommand(
  { command, block }: BlockedCommand,
  { files, workspace }: Pick<Host, "files" | "workspace">,
): Promise<ApprovedCommand> {
  const coverage = await namedScripts(command, workspace.root ?? "", files, workspace);
  // Only the view finds the files that those which the command names run in turn.
  await coverage.view();
  return { command, place: placeFor(block), coverage };
}
