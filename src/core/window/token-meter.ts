/** Corrects token estimates with the endpoint's counts. */
import { TOKEN_BUFFER } from "../context/tokens.ts";

/** Bounds of a plausible correction. Outside them, the report is wrong, or a proxy counts something else. */
const LEAST_RATIO = 0.3;
const MOST_RATIO = 4;
/** Weight of the newest observation. */
const NEWEST = 0.5;
/** Estimated tokens of growth that are needed to measure how new text is counted. */
const MEASURED_GROWTH = 50;

/** Estimated tokens of growth after which a count that does not grow indicates a cut prompt. */
const CUT_GROWTH = 400;
/** A first prompt whose count is below this share of its estimate was cut. */
const WHOLE_SHARE = 0.5;
/** A cut is reported if the count is below this share of the expected count. */
const CUT_SHARE = 0.75;
/** A count below this does not indicate a cut prompt: the endpoint did not count cached tokens. */
const LEAST_WINDOW = 1_024;

/** The learned correction. */
interface MeterState {
  /** Counted tokens per estimated token, for the whole prompt and for the text added last. */
  ratio: number;
  growth: number;
}

interface Observation {
  raw: number;
  counted: number;
}

/**
 * The meter of one model. `raw` is the estimate of a whole prompt (system, tools and messages) by `estimateTokens`; counts
 * come from the endpoint's `usage`.
 */
export class TokenMeter {
  #state: MeterState | undefined;
  #anchor: Observation | undefined;
  /** The last observation of a prompt that was certainly not cut. */
  #whole: Observation | undefined;

  /** Whether there was an observation; until then predictions include the full buffer. */
  get corrected(): boolean {
    return this.#state !== undefined;
  }

  /** The predicted count of a prompt with this estimate; before the first observation, with the full buffer. */
  predict(raw: number, withTools: boolean): number {
    if (!this.#state) return Math.ceil(raw * (withTools ? TOKEN_BUFFER.withTools : TOKEN_BUFFER.plain));
    return Math.ceil(this.#from(this.#anchor, raw));
  }

  /** The expected count of such a prompt if it is not cut. */
  expect(raw: number): number {
    return this.#from(this.#whole, raw);
  }

  /** Takes the count of the part that is common with the observed prompt, and estimates only the difference. */
  #from(known: Observation | undefined, raw: number): number {
    const { ratio, growth } = this.#state ?? { ratio: 1, growth: 1 };
    return known && raw >= known.raw ? known.counted + (raw - known.raw) * growth : raw * ratio;
  }

  /**
   * Takes the endpoint's count of a prompt with the estimate `raw`. Returns the expected count if it is so much higher that
   * the endpoint must have cut the prompt.
   */
  observe(raw: number, counted: number): number | undefined {
    if (raw <= 0 || counted <= 0) return undefined;
    const expected = this.expect(raw);
    if (this.#isCut(raw, counted)) {
      if (this.#state) this.#anchor = { raw, counted };
      return counted >= LEAST_WINDOW && counted < expected * CUT_SHARE ? expected : undefined;
    }
    if (!plausible(counted / raw)) return undefined;
    const ratio = counted / raw;
    const grown = this.#anchor ? raw - this.#anchor.raw : 0;
    // The first prompt is mostly tool descriptions, whose ratio says little about later text.
    let growth = this.#state?.growth ?? Math.max(1, ratio);
    if (this.#anchor && grown >= MEASURED_GROWTH) {
      const seen = (counted - this.#anchor.counted) / grown;
      if (plausible(seen)) growth += (seen - growth) * NEWEST;
    }
    this.#state = { ratio, growth };
    this.#anchor = { raw, counted };
    this.#whole = this.#anchor;
    return undefined;
  }

  /** Whether the count did not grow with the prompt. Counts of cut prompts are not used as corrections. */
  #isCut(raw: number, counted: number): boolean {
    const whole = this.#whole;
    if (!whole || raw < whole.raw) return counted < raw * WHOLE_SHARE * (this.#state?.ratio ?? 1);
    const grown = raw - whole.raw;
    return grown >= CUT_GROWTH && (counted - whole.counted) / grown < LEAST_RATIO;
  }
}

function plausible(ratio: number): boolean {
  return ratio >= LEAST_RATIO && ratio <= MOST_RATIO;
}
