/** Malformed calls: text in the last answer that looks like a call but could not be read as one. */
import { type Message, type ToolCallBlock, toolCalls } from "../../shared/message.ts";
import { type AnswerPart, type CallAttempt, findAttempts } from "../assistant/attempts.ts";
import { malformedCalls } from "../prompts/replies.ts";
import type { Protocol } from "../provider/provider.ts";
import type { ToolSet } from "../tools/set/tool-set.ts";
import type { Transcript } from "./transcript.ts";

const attemptsByMessage = new WeakMap<Message, CallAttempt[]>();

/** Whether the last answer of `messages` contains a malformed call. */
export function hasMalformedCall(messages: readonly Message[], registry: ToolSet): boolean {
  return attemptsInLast(messages, registry).length > 0;
}

/** The reply to malformed calls, as texts of the next message: none or one. */
export function malformedCallReply(
  { conversation, registry }: { conversation: Pick<Transcript, "messages">; registry: ToolSet },
  protocol: Protocol,
): string[] {
  const attempts = attemptsInLast(conversation.messages, registry);
  if (attempts.length === 0) return [];
  const toolName = attempts
    .map(({ tool, suggestions }) => tool ?? suggestions[0])
    .find((name) => name !== undefined);
  return [malformedCalls(attempts, protocol === "xml" ? registry.usage(toolName ?? "") : "")];
}

/** A message's only call, which is malformed. */
export interface MalformedCall {
  /** The name of the tool that it is of. */
  tool: string;
  /** The call as far as it was read; undefined: it is text. */
  block: ToolCallBlock | undefined;
}

/** Returns the message's only call, if it is malformed and its tool is known. */
export function soleMalformedCall(message: Message, registry: ToolSet): MalformedCall | undefined {
  const [block, ...others] = toolCalls(message);
  if (block) {
    const tool = registry.find(block.name)?.name;
    const failed = others.length === 0 && (block.partial || block.malformed !== undefined);
    return failed && tool !== undefined ? { tool, block } : undefined;
  }
  const [attempt, ...more] = attemptsIn(message, registry);
  const tool = attempt?.tool ?? attempt?.suggestions[0];
  return more.length === 0 && tool !== undefined ? { tool, block: undefined } : undefined;
}

function attemptsInLast(messages: readonly Message[], registry: ToolSet): CallAttempt[] {
  const last = messages.findLast((message) => message.role === "assistant");
  return last === undefined || last.interrupted ? [] : attemptsIn(last, registry);
}

/** Cached, because messages never change. */
function attemptsIn(message: Message, registry: ToolSet): CallAttempt[] {
  // The constrained call has replaced what the text attempts.
  if (message.blocks.some((block) => block.type === "tool-call" && block.constrained)) return [];
  let attempts = attemptsByMessage.get(message);
  if (attempts === undefined) {
    const parts = message.blocks.flatMap((block): AnswerPart[] => {
      if (block.type !== "text" && block.type !== "reasoning") return [{ type: "other" }];
      // A block that only carries a signature counts as no part of the answer.
      return block.type === "reasoning" && block.text === "" ? [] : [{ type: block.type, text: block.text }];
    });
    attempts = findAttempts(parts, registry.grammar());
    attemptsByMessage.set(message, attempts);
  }
  return attempts;
}
