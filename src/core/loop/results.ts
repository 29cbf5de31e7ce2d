/** Results that no tool made: what the model is told when a call did not run, or when the person speaks instead. */
import type {
  CallOutcome,
  Message,
  RemovedFile,
  ResultPart,
  ShownResult,
  ToolCallBlock,
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
  removed?: RemovedFile[],
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
        ...(removed ? { removed } : {}),
      },
    ],
  };
}

/** The result of a call that will not run any more. */
export function closedResult(
  host: Host,
  registry: ToolSet,
  call: ToolCallBlock,
  why: "stopped" | "started" | "rejected-before" | "turn-over" | "cut-off" | "spoke",
): Message {
  const outcome: CallOutcome = why === "started" ? "interrupted" : "not-run";
  return resultMessage(host, registry, call, outcome, [{ type: "text", text: replies.notRun[why] }]);
}

/** What a call removed stays on the disk: nobody who listens needs it. */
export function withoutRemoved(message: Message): Message {
  if (!message.blocks.some((block) => block.type === "tool-result" && block.removed)) return message;
  const blocks = message.blocks.map((block) => {
    if (block.type !== "tool-result") return block;
    const { removed: _, ...rest } = block;
    return rest;
  });
  return { ...message, blocks };
}
