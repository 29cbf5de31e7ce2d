/** Finds text in the last answer that looks like a call but could not be read as one. */
import type { Message } from "../../shared/message.ts";
import { type AnswerPart, type Attempt, findAttempts } from "../assistant/attempts.ts";
import { unreadCalls } from "../prompts/replies.ts";
import type { Protocol } from "../provider/provider.ts";
import type { ToolSet } from "../tools/set/tool-set.ts";
import type { Transcript } from "./transcript.ts";

const known = new WeakMap<Message, Attempt[]>();

/** Whether the last answer of `messages` contains an unreadable call. */
export function hasUnreadableCall(messages: readonly Message[], registry: ToolSet): boolean {
  return attemptsInLast(messages, registry).length > 0;
}

/** The reply to unreadable calls, as texts of the next message: none or one. */
export function unreadReply(
  { conversation, registry }: { conversation: Pick<Transcript, "messages">; registry: ToolSet },
  protocol: Protocol,
): string[] {
  const attempts = attemptsInLast(conversation.messages, registry);
  if (attempts.length === 0) return [];
  const meant = attempts
    .map(({ tool, suggestions }) => tool ?? suggestions[0])
    .find((name) => name !== undefined);
  return [unreadCalls(attempts, protocol === "xml" ? registry.usage(meant ?? "") : "")];
}

function attemptsInLast(messages: readonly Message[], registry: ToolSet): Attempt[] {
  const last = messages.findLast((message) => message.role === "assistant");
  return last === undefined || last.interrupted ? [] : attemptsIn(last, registry);
}

/** Cached, because messages never change. */
function attemptsIn(message: Message, registry: ToolSet): Attempt[] {
  let attempts = known.get(message);
  if (attempts === undefined) {
    const parts = message.blocks.map(
      (block): AnswerPart =>
        block.type === "text" || block.type === "reasoning"
          ? { type: block.type, text: block.text }
          : { type: "other" },
    );
    attempts = findAttempts(parts, registry.grammar());
    known.set(message, attempts);
  }
  return attempts;
}
