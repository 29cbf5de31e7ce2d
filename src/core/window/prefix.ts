/**
 * Checks that each request begins with the previous one, because prompt caches match by prefix: everything after the first
 * difference is processed and paid for again.
 */

import type { Message } from "../../shared/message.ts";
import type { PrefixBreak, PrefixBreakCause } from "../../shared/totals.ts";
import { estimateTokens } from "../context/tokens.ts";
import type { RequestPlan } from "../provider/adaptations.ts";
import { messageTokens } from "./request-messages.ts";
import { fixedTokens, type RequestFrame } from "./sizer.ts";

/** A request as it is sent, and what may change its beginning. */
export interface SentPrompt {
  frame: RequestFrame;
  plan: Pick<RequestPlan, "quirks" | "withImages" | "maxImages" | "withheld">;
  messages: readonly Message[];
  /** Identifies the tools of the task, whether they are schemas or documented in the instructions. */
  toolSet: unknown;
  /** Number of steps so far that shortened the conversation, see `WindowBlock`. */
  windowSteps: number;
}

export class PrefixMonitor {
  #last: SentPrompt | undefined;

  /** Returns how a request differs from the beginning of the last answered one; undefined: it continues it. */
  compare(next: SentPrompt): PrefixBreak | undefined {
    const last = this.#last;
    if (!last) return undefined;
    const cause = frameChange(last, next);
    if (cause !== undefined) return { cause, tokens: totalTokens(last, 0) + frameTokens(last.frame) };
    const from = last.messages.findIndex((message, index) => !isSame(message, next.messages[index]));
    if (from < 0) return undefined;
    return { cause: messagesChange(last, next), tokens: totalTokens(last, from) };
  }

  /** The last answered request. */
  get last(): SentPrompt | undefined {
    return this.#last;
  }

  /** The endpoint answered this request, so its cache may contain it. */
  answered(sent: SentPrompt): void {
    this.#last = sent;
  }
}

/** A change of what precedes the messages, or of the form of everything. */
function frameChange(last: SentPrompt, next: SentPrompt): PrefixBreakCause | undefined {
  if (last.frame.profile !== next.frame.profile) return "model";
  if (last.frame.protocol !== next.frame.protocol) return "protocol";
  // The window turned out to be small.
  if (last.frame.wording !== next.frame.wording) return "window";
  if (last.plan.quirks.size !== next.plan.quirks.size) return "form";
  const toolsChanged = last.frame.tools !== next.frame.tools;
  if (last.frame.system !== next.frame.system)
    return last.toolSet === next.toolSet ? "instructions" : "tools";
  return toolsChanged && JSON.stringify(last.frame.tools) !== JSON.stringify(next.frame.tools)
    ? "tools"
    : undefined;
}

function messagesChange(last: SentPrompt, next: SentPrompt): PrefixBreakCause {
  if (last.windowSteps !== next.windowSteps) return "window";
  const isLeftOut =
    last.plan.withImages !== next.plan.withImages ||
    last.plan.withheld.size !== next.plan.withheld.size ||
    // Where the number is limited, older images are left out as new ones come.
    next.plan.maxImages < Number.POSITIVE_INFINITY;
  return isLeftOut ? "refused" : "unknown";
}

/** Requests share messages that did not change; copies have the same content. */
function isSame(message: Message, next: Message | undefined): boolean {
  return message === next || JSON.stringify(message) === JSON.stringify(next);
}

function frameTokens({ system, tools }: RequestFrame): number {
  return estimateTokens(system) + fixedTokens(tools);
}

function totalTokens({ messages }: SentPrompt, from: number): number {
  return messages.slice(from).reduce((sum, message) => sum + messageTokens(message), 0);
}
