/** Results of calls that did not run, or that the user's message answers. */
import type {
  CallOutcome,
  Message,
  ResultPart,
  ShownResult,
  ToolCallBlock,
  ToolResultBlock,
} from "../../shared/message.ts";
import type { Host } from "../ports/host.ts";
import * as replies from "../prompts/replies.ts";
import type { ToolSet } from "../tools/set/tool-set.ts";

export function resultMessage(
  host: Host,
  registry: ToolSet,
  call: ToolCallBlock,
  outcome: CallOutcome,
  parts: ResultPart[],
  shown?: ShownResult,
  more: Partial<Pick<ToolResultBlock, "removed" | "pictures">> = {},
): Message {
  return {
    id: host.newId(),
    role: "tool",
    createdAt: host.clock.now().toISOString(),
    blocks: [
      {
        type: "tool-result",
        callId: call.id,
        name: call.name,
        label: registry.label(call),
        outcome,
        parts,
        ...(shown ? { shown } : {}),
        ...more,
      },
    ],
  };
}

/** The result of a call that will not run. */
export function closedResult(
  host: Host,
  registry: ToolSet,
  call: ToolCallBlock,
  why: "stopped" | "started" | "rejected-before" | "turn-over" | "cut-off" | "user-replied",
): Message {
  const outcome: CallOutcome = why === "started" ? "interrupted" : "not-run";
  return resultMessage(host, registry, call, outcome, [{ type: "text", text: replies.NOT_RUN[why] }]);
}

/** True if a call of the last answer failed. A command that ends with another exit code than 0 counts too. */
export function hasFailedCall(messages: readonly Message[]): boolean {
  const answer = messages.findLastIndex(({ role }) => role === "assistant");
  return messages
    .slice(answer + 1)
    .flatMap(({ blocks }) => blocks)
    .some(
      (block) =>
        block.type === "tool-result" && (block.outcome !== "done" || (block.shown?.exitCode ?? 0) !== 0),
    );
}

/** The message without the contents of removed files and images of rows, which listeners do not need; they stay on disk. */
export function withoutStoredContents(message: Message): Message {
  const hasStored = message.blocks.some(
    (block) => block.type === "tool-result" && (block.removed || block.pictures),
  );
  if (!hasStored) return message;
  const blocks = message.blocks.map((block) => {
    if (block.type !== "tool-result") return block;
    const { removed: _removed, pictures: _pictures, ...rest } = block;
    return rest;
  });
  return { ...message, blocks };
}
