/** Decides when an answer that broke off or is empty is requested again without the user. */
import type { Message } from "../../../shared/message.ts";
import type { ErrorCode } from "../../../shared/models/request-error.ts";
import { ProviderError } from "../../errors.ts";
import { retryDelay } from "../../provider/adaptations.ts";
import { saysFailedCall } from "../../provider/failures.ts";

/** Number of retries in a row, for each kind of failure. */
const MAX_IN_A_ROW = { broken: 2, empty: 1 } as const;

/** Failures that can interrupt an answer and may not occur again. */
const PASSING: ReadonlySet<ErrorCode> = new Set([
  "connection-lost",
  "idle-timeout",
  "server-error",
  "rate-limited",
  "bad-response",
  "answer-cut",
]);

interface BrokenAnswersDeps {
  /** Nobody can retry. Otherwise every failure ends the run, except for a call that the endpoint could not read. */
  unattended?: boolean | undefined;
  conversation: { readonly messages: readonly Message[] };
  requests: {
    abandonStreams(): Promise<void>;
    waitForRetry(delayMs: number, error: ProviderError, attempt: number, signal: AbortSignal): Promise<void>;
  };
  random(): number;
}

/** Counts consecutive failures of a run. */
export class BrokenAnswers {
  #broken = 0;
  #empty = 0;
  readonly #deps: BrokenAnswersDeps;

  constructor(deps: BrokenAnswersDeps) {
    this.#deps = deps;
  }

  /** Resolves as `send` does. After a failure that is worth a retry, waits and resolves with false. */
  async request(send: () => Promise<boolean>, signal: AbortSignal): Promise<boolean> {
    try {
      const result = await send();
      this.#broken = 0;
      this.#empty = 0;
      return result;
    } catch (error) {
      const attempt = error instanceof ProviderError ? this.#next(error) : undefined;
      if (!(error instanceof ProviderError) || attempt === undefined) throw error;
      const { requests, random } = this.#deps;
      await requests.abandonStreams();
      await requests.waitForRetry(retryDelay(error, attempt, random), error, attempt + 1, signal);
      return false;
    }
  }

  /** Returns how often it has failed now; undefined: the failure ends the run. */
  #next(error: ProviderError): number | undefined {
    const { code } = error.view;
    const { unattended, conversation } = this.#deps;
    if (!unattended && !saysFailedCall(error)) return undefined;
    if (code === "empty-response") return ++this.#empty > MAX_IN_A_ROW.empty ? undefined : this.#empty;
    // The received part is stored, and the model continues from there.
    const last = conversation.messages.at(-1);
    const hasPart = last?.role === "assistant" && last.interrupted === true;
    if (!hasPart || !(PASSING.has(code) || saysFailedCall(error)) || ++this.#broken > MAX_IN_A_ROW.broken)
      return undefined;
    return this.#broken;
  }
}
