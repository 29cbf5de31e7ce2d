/** Learns from each answer how many tokens the endpoint's own tokenizer makes of what we estimate. */
import { tokenBuffer } from "./tokens.ts";

/** A correction outside of these is a fault of the report (or of a proxy that counts something else), not of ours. */
const leastRatio = 0.3;
const mostRatio = 4;
/** Share of the newest observation in what has been learnt. */
const newest = 0.5;
/** A prompt must grow by so many estimated tokens to tell how new text is counted. */
const tellingGrowth = 50;

/** What a task has learnt, as it is kept with the session. */
export interface MeterState {
  /** Counted tokens for an estimated one, for the whole prompt and for the text that was added last. */
  ratio: number;
  growth: number;
}

/**
 * For one model. `raw` is the estimate of a whole prompt (system, tools and messages) by `estimateTokens`; the meter
 * gives and takes raw figures and the endpoint's `usage`.
 */
export class TokenMeter {
  #state: MeterState | undefined;
  #anchor: { raw: number; counted: number } | undefined;

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

  /** Tokens that a prompt of this estimate will be counted as. */
  predict(raw: number, withTools: boolean): number {
    if (!this.#state) return Math.ceil(raw * (withTools ? tokenBuffer.withTools : tokenBuffer.plain));
    const { ratio, growth } = this.#state;
    const anchor = this.#anchor;
    // What the last prompt had in common with this one is known; only the difference is estimated.
    if (anchor && raw >= anchor.raw) return Math.ceil(anchor.counted + (raw - anchor.raw) * growth);
    return Math.ceil(raw * ratio);
  }

  /** The endpoint counted `counted` tokens for a prompt that was estimated as `raw`. */
  observe(raw: number, counted: number): void {
    if (raw <= 0 || !plausible(counted / raw)) return;
    const ratio = counted / raw;
    const grown = this.#anchor ? raw - this.#anchor.raw : 0;
    let growth = this.#state?.growth ?? ratio;
    if (this.#anchor && grown >= tellingGrowth) {
      const seen = (counted - this.#anchor.counted) / grown;
      if (plausible(seen)) growth += (seen - growth) * newest;
    }
    this.#state = { ratio, growth };
    this.#anchor = { raw, counted };
  }
}

function plausible(ratio: number): boolean {
  return ratio >= leastRatio && ratio <= mostRatio;
}
