/** Informs the user when a request does not begin with the one before it. */
import type { EventBody } from "../../shared/event.ts";
import { groupedDigits } from "../../shared/text/grouped-digits.ts";
import type { PrefixBreak, PrefixBreakCause } from "../../shared/totals.ts";
import { missCost } from "../provider/catalog/price.ts";
import type { ModelProfile } from "../provider/model-profile.ts";
import { PrefixMonitor, type SentPrompt } from "../window/prefix.ts";

/** Tokens below which endpoints cache nothing, so that a break costs nothing. */
const LEAST_CACHED = 1_024;

/** Causes that have a row of their own. */
const HAVE_ROWS: ReadonlySet<PrefixBreakCause> = new Set(["window", "refused"]);

export class PrefixReports {
  readonly #monitor = new PrefixMonitor();
  readonly #notify: (notice: Extract<EventBody, { type: "notice" }>) => void;
  readonly #newId: () => string;
  #sent: SentPrompt | undefined;
  #broken: PrefixBreak | undefined;
  /** The cause of the break that the user was informed of, until a request is answered. */
  #announced: PrefixBreakCause | undefined;

  constructor(notify: (notice: Extract<EventBody, { type: "notice" }>) => void, newId: () => string) {
    this.#notify = notify;
    this.#newId = newId;
  }

  /** Call before a request is sent, again or for the first time. */
  sending(sent: SentPrompt): void {
    this.#sent = sent;
    const broken = this.#monitor.compare(sent);
    const cost = broken && missCost(broken.tokens, sent.frame.profile.facts);
    this.#broken =
      broken && broken.tokens >= LEAST_CACHED
        ? { ...broken, ...(cost === undefined ? {} : { cost }) }
        : undefined;
    if (!this.#broken) return;
    const { cause, tokens } = this.#broken;
    if (HAVE_ROWS.has(cause) || cause === this.#announced) return;
    this.#announced = cause;
    this.#notify({
      type: "notice",
      id: this.#newId(),
      code: "prefix-broken",
      values: [cause, rounded(tokens), ...(cost === undefined ? [] : [cost.toFixed(4)])],
    });
  }

  /** The model whose endpoint may have the last request in its cache. */
  get cachedFor(): ModelProfile | undefined {
    return this.#monitor.last?.frame.profile;
  }

  /** Call when the last sent request is answered. Returns the break that was paid for. */
  answered(): PrefixBreak | undefined {
    if (this.#sent) this.#monitor.answered(this.#sent);
    const broken = this.#broken;
    this.#broken = undefined;
    this.#announced = undefined;
    return broken;
  }
}

/** An estimate, with two significant digits. */
function rounded(tokens: number): string {
  return groupedDigits(Number(tokens.toPrecision(2)));
}
