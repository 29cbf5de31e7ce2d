/** How large a request would be, for one model and one frame, in the tokens that the endpoint counts. */
import type { Message } from "../../shared/message.ts";
import { estimateTokens } from "../context/tokens.ts";
import type { ModelProfile } from "../provider/model-profile.ts";
import type { ModelRequest } from "../provider/provider.ts";
import type { TokenMeter } from "./token-meter.ts";
import { requestMessages, totalTokens, type WindowState } from "./window.ts";

/** Shares of the budget: room is made down to `goal`; `keep` of it stays whole at the end. */
export const goal = 0.5;
export const keep = 0.2;
/** Share of the budget that one result may fill. */
const resultShare = 0.25;

/** What stays the same from request to request. */
export type Frame = Pick<ModelRequest, "system" | "tools" | "protocol"> & { profile: ModelProfile };

/** What a request would leave out, and the tokens that it would have. */
export interface Plan {
  state: WindowState;
  tokens: number;
}

/** Sizes of one frame's requests. */
export class Sizer {
  readonly meter: TokenMeter;
  readonly budget: number;
  readonly #fixed: number;
  readonly #withTools: boolean;
  readonly #cap: number;

  constructor(frame: Frame, meter: TokenMeter, budget: number) {
    this.budget = budget;
    this.meter = meter;
    // Under the XML protocol the tools are documented in the system prompt instead of being sent as schemas.
    this.#withTools = frame.tools.length > 0 || frame.protocol === "xml";
    this.#fixed = estimateTokens(frame.system) + fixedTokens(frame.tools);
    this.#cap = Math.floor(budget * resultShare);
  }

  derive(messages: readonly Message[], state: WindowState): Message[] {
    return requestMessages(messages, state, this.#cap);
  }

  /** Estimated tokens of the whole prompt. */
  raw(messages: readonly Message[], state: WindowState): number {
    return this.#fixed + totalTokens(this.derive(messages, state));
  }

  /** Tokens of a prompt whose messages are estimated as `messages`. */
  predict(messages: number): number {
    return this.meter.predict(this.#fixed + messages, this.#withTools);
  }

  /**
   * Tokens below which a prompt of this estimate is hardly counted: with the smaller buffer, tools or not. A request is
   * refused by this figure alone, since a small window often holds what the larger buffer says that it does not.
   */
  least(raw: number): number {
    return this.meter.predict(raw, false);
  }

  /** Tokens of the least prompt: instructions and tools alone. */
  get leastFixed(): number {
    return this.least(this.#fixed);
  }

  /** Tokens of a text within a prompt. */
  size(text: string): number {
    return Math.ceil((estimateTokens(text) * this.predict(0)) / Math.max(1, this.#fixed));
  }

  plan(messages: readonly Message[], state: WindowState): Plan {
    return { state, tokens: this.meter.predict(this.raw(messages, state), this.#withTools) };
  }

  /** Estimated tokens that the messages may have so that the prompt fills this share of the budget. */
  rawFor(share: number): number {
    const ratio = this.predict(0) / Math.max(1, this.#fixed);
    return Math.max(0, (share * this.budget) / ratio - this.#fixed);
  }

  /** What `shorten` and `prune` need beside the messages. */
  input(plan: Plan): { state: WindowState; goal: number; protect: number; cap: number } {
    return { state: plan.state, goal: this.rawFor(goal), protect: this.rawFor(keep), cap: this.#cap };
  }
}

const toolSizes = new WeakMap<ModelRequest["tools"], number>();

function fixedTokens(tools: ModelRequest["tools"]): number {
  let size = toolSizes.get(tools);
  if (size === undefined) {
    size = tools.length === 0 ? 0 : estimateTokens(JSON.stringify(tools));
    toolSizes.set(tools, size);
  }
  return size;
}
