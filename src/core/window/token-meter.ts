/** Learns from each answer how many tokens the endpoint's own tokenizer makes of what we estimate. */
import { tokenBuffer } from "../context/tokens.ts";

/** A correction outside of these is a fault of the report (or of a proxy that counts something else), not of ours. */
const leastRatio = 0.3;
const mostRatio = 4;
/** Share of the newest observation in what has been learnt. */
const newest = 0.5;
/** A prompt must grow by so many estimated tokens to tell how new text is counted. */
const tellingGrowth = 50;

/** Growth of so many estimated tokens without any of the count tells of a prompt that is cut. */
const cutGrowth = 400;
/** A first prompt that is counted as less than this share of its estimate is not whole. */
const wholeShare = 0.5;
/** A prompt is taken for cut when it is counted as less than this share of what is expected of it. */
const cutShare = 0.75;
/** Fewer tokens than this are no window: such a report leaves out what the endpoint had in its cache. */
const leastWindow = 1_024;

/** What a task has learnt, as it is kept with the session. */
export interface MeterState {
  /** Counted tokens for an estimated one, for the whole prompt and for the text that was added last. */
  ratio: number;
  growth: number;
}

interface Observation {
  raw: number;
  counted: number;
}

/**
 * For one model. `raw` is the estimate of a whole prompt (system, tools and messages) by `estimateTokens`; the meter
 * gives and takes raw figures and the endpoint's `usage`.
 */
export class TokenMeter {
  #state: MeterState | undefined;
  #anchor: Observation | undefined;
  /** The last one that surely was of a whole prompt. */
  #whole: Observation | undefined;

  constructor(state?: MeterState) {
    this.#state = state;
  }

  get state(): MeterState | undefined {
    return this.#state;
  }

  /** Whether anything was learnt; until then predictions carry the full buffer. */
  get corrected(): boolean {
    return this.#state !== undefined;
  }

  /** Tokens that a prompt of this estimate will be counted as; before anything is learnt, with the full buffer. */
  predict(raw: number, withTools: boolean): number {
    if (!this.#state) return Math.ceil(raw * (withTools ? tokenBuffer.withTools : tokenBuffer.plain));
    return Math.ceil(this.#from(this.#anchor, raw));
  }

  /** The likeliest count of such a prompt, where all of it is counted. */
  expect(raw: number): number {
    return this.#from(this.#whole, raw);
  }

  /** What a prompt has in common with the one that was observed is known; only the difference is estimated. */
  #from(known: Observation | undefined, raw: number): number {
    const { ratio, growth } = this.#state ?? { ratio: 1, growth: 1 };
    return known && raw >= known.raw ? known.counted + (raw - known.raw) * growth : raw * ratio;
  }

  /**
   * The endpoint counted `counted` tokens for a prompt that was estimated as `raw`. Gives back what was expected where it
   * is so much more that the endpoint must have cut the prompt.
   */
  observe(raw: number, counted: number): number | undefined {
    if (raw <= 0 || counted <= 0) return undefined;
    const expected = this.expect(raw);
    if (this.#isCut(raw, counted)) {
      if (this.#state) this.#anchor = { raw, counted };
      return counted >= leastWindow && counted < expected * cutShare ? expected : undefined;
    }
    if (!plausible(counted / raw)) return undefined;
    const ratio = counted / raw;
    const grown = this.#anchor ? raw - this.#anchor.raw : 0;
    // The first prompt is mostly the tools' descriptions: how they are counted says little about what follows.
    let growth = this.#state?.growth ?? Math.max(1, ratio);
    if (this.#anchor && grown >= tellingGrowth) {
      const seen = (counted - this.#anchor.counted) / grown;
      if (plausible(seen)) growth += (seen - growth) * newest;
    }
    this.#state = { ratio, growth };
    this.#anchor = { raw, counted };
    this.#whole = this.#anchor;
    return undefined;
  }

  /** Whether the count stayed behind the prompt: from then on it says nothing about how text is counted. */
  #isCut(raw: number, counted: number): boolean {
    const whole = this.#whole;
    if (!whole || raw < whole.raw) return counted < raw * wholeShare * (this.#state?.ratio ?? 1);
    const grown = raw - whole.raw;
    return grown >= cutGrowth && (counted - whole.counted) / grown < leastRatio;
  }
}

function plausible(ratio: number): boolean {
  return ratio >= leastRatio && ratio <= mostRatio;
}
