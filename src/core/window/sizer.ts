/** Predicts the size of requests for one model and one frame, in tokens as the endpoint counts them. */
import type { Message } from "../../shared/message.ts";
import { estimateTokens } from "../context/tokens.ts";
import type { ModelProfile } from "../provider/model-profile.ts";
import type { ModelRequest } from "../provider/provider.ts";
import type { Wording } from "../tools/set/tool-set.ts";
import { requestMessages, totalTokens, type WindowState } from "./request-messages.ts";
import type { TokenMeter } from "./token-meter.ts";

/** Shares of the budget: the target size after shortening, and the end of the conversation that stays unshortened. */
export const GOAL = 0.5;
export const KEEP = 0.2;
/** Share of the budget that one result may fill. */
const RESULT_SHARE = 0.25;

/** The parts that stay the same from request to request. */
export type RequestFrame = Pick<ModelRequest, "system" | "tools" | "protocol"> & {
  profile: ModelProfile;
  /** Of the instructions and the tools. */
  wording?: Wording;
};

/** What a request would omit, its messages then, and the tokens of its prompt: as they are estimated, and as predicted. */
export interface Plan {
  state: WindowState;
  messages: Message[];
  raw: number;
  tokens: number;
}

export class Sizer {
  readonly meter: TokenMeter;
  readonly budget: number;
  readonly #fixed: number;
  readonly #withTools: boolean;
  readonly #cap: number;

  /** `estimate`: tokens of a text. */
  constructor(
    frame: RequestFrame,
    meter: TokenMeter,
    budget: number,
    estimate: (text: string) => number = estimateTokens,
  ) {
    this.budget = budget;
    this.meter = meter;
    // Under the XML protocol the tools are documented in the system prompt instead of being sent as schemas.
    this.#withTools = frame.tools.length > 0 || frame.protocol === "xml";
    this.#fixed = estimate(frame.system) + fixedTokens(frame.tools);
    this.#cap = Math.floor(budget * RESULT_SHARE);
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
   * A lower bound of the tokens of a prompt with this estimate: uses the smaller buffer, with tools or without. Only this
   * bound rejects a request, because prompts that exceed a small window by the larger buffer often fit.
   */
  least(raw: number): number {
    return this.meter.predict(raw, false);
  }

  /** The lower bound for a prompt with only instructions and tools. */
  get leastFixed(): number {
    return this.least(this.#fixed);
  }

  /** Tokens of a text within a prompt. */
  size(text: string): number {
    return Math.ceil((estimateTokens(text) * this.predict(0)) / Math.max(1, this.#fixed));
  }

  plan(messages: readonly Message[], state: WindowState): Plan {
    const derived = this.derive(messages, state);
    const raw = this.#fixed + totalTokens(derived);
    return { state, messages: derived, raw, tokens: this.meter.predict(raw, this.#withTools) };
  }

  /** Estimated tokens of the messages with which the prompt fills this share of the budget. */
  rawFor(share: number): number {
    const ratio = this.predict(0) / Math.max(1, this.#fixed);
    return Math.max(0, (share * this.budget) / ratio - this.#fixed);
  }

  /** The input of `shorten` and `prune`, except the messages. */
  input(plan: Plan): { state: WindowState; goal: number; protect: number; cap: number } {
    return { state: plan.state, goal: this.rawFor(GOAL), protect: this.rawFor(KEEP), cap: this.#cap };
  }
}

const toolSizes = new WeakMap<ModelRequest["tools"], number>();

/** Estimated tokens of the tools' schemas. */
export function fixedTokens(tools: ModelRequest["tools"]): number {
  let size = toolSizes.get(tools);
  if (size === undefined) {
    size = tools.length === 0 ? 0 : estimateTokens(JSON.stringify(tools));
    toolSizes.set(tools, size);
  }
  return size;
}
