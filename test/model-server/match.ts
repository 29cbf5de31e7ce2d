import type { Conversation } from "./conversation.ts";
import { type Match, type ParsedScript, type ParsedTurn, toRegExp } from "./script.ts";

/** Whether a conversation meets every condition. */
function matches(match: Match, conversation: Conversation): boolean {
  const { toolResult } = match;
  return (
    textMatches(match.lastUser, conversation.lastUser) &&
    textMatches(match.firstUser, conversation.firstUser) &&
    textMatches(match.said, conversation.said.at(-1)?.text ?? "") &&
    (match.anyMessage === undefined ||
      conversation.texts.some((text) => textMatches(match.anyMessage, text))) &&
    textMatches(match.system, conversation.system) &&
    textMatches(match.model, conversation.model) &&
    (match.request === undefined || match.request === conversation.request) &&
    (match.protocol === undefined || (match.protocol === "native") === conversation.native) &&
    (match.mode === undefined || match.mode === conversation.mode) &&
    (match.stream === undefined || match.stream === conversation.stream) &&
    (toolResult === undefined || hasResult(toolResult, conversation))
  );
}

function hasResult(wanted: NonNullable<Match["toolResult"]>, conversation: Conversation): boolean {
  const { tool, text, ever } =
    typeof wanted === "string" ? { tool: wanted, text: undefined, ever: false } : wanted;
  return conversation.toolResults.some(
    (result) =>
      result.tool === tool &&
      textMatches(text, result.text) &&
      (ever || result.message > conversation.lastAssistant),
  );
}

function textMatches(pattern: string | undefined, text: string): boolean {
  if (pattern === undefined) return true;
  return toRegExp(pattern)?.test(text) ?? text.includes(pattern);
}

export interface Choice {
  turn: ParsedTurn;
  index: number;
  /** Whether the turn's fault applies to this use. */
  faulty: boolean;
}

/** Selects turns in the order of the script: the first that matches and has uses left. */
export class TurnPicker {
  readonly #script: ParsedScript;
  readonly #uses = new Map<string, number>();

  constructor(script: ParsedScript) {
    this.#script = script;
  }

  /** Consumes one use of the selected turn; undefined when none matches. */
  pick(conversation: Conversation): Choice | undefined {
    const scope = this.#script.scope === "server" ? "" : conversation.key;
    for (const [index, turn] of this.#script.turns.entries()) {
      const counter = `${scope}:${index}`;
      const used = this.#uses.get(counter) ?? 0;
      const faults = turn.fault === undefined ? 0 : (turn.fault.times ?? Number.POSITIVE_INFINITY);
      const limit = turn.times === true ? Number.POSITIVE_INFINITY : turn.times + (turn.fault?.times ?? 0);
      if (used >= limit || !matches(turn.match ?? {}, conversation)) continue;
      this.#uses.set(counter, used + 1);
      return { turn, index, faulty: used < faults };
    }
    return undefined;
  }
}
