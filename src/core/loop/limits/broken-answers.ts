/** When an answer that broke off or is empty is requested again although the user does not ask for it. */
import type { Message } from "../../../shared/message.ts";
import type { ErrorCode } from "../../../shared/models/request-error.ts";
import { ProviderError } from "../../errors.ts";
import { retryDelay } from "../../provider/adaptations.ts";
import { saysFailedCall } from "../../provider/failures.ts";

/** How often in a row, of each kind. */
const MAX_IN_A_ROW = { broken: 2, empty: 1 } as const;

/** Failures of an answer that began well, which may not come again. */
const PASSING: ReadonlySet<ErrorCode> = new Set([
  "connection-lost",
  "idle-timeout",
  "server-error",
  "rate-limited",
  "bad-response",
  "answer-cut",
]);

interface BrokenAnswersDeps {
  /** Nobody can retry; otherwise every failure ends the run, but for a call that the endpoint could not read. */
  unattended?: boolean | undefined;
  conversation: { readonly messages: readonly Message[] };
  requests: {
    abandonStreams(): Promise<void>;
    waitForRetry(delayMs: number, error: ProviderError, attempt: number, signal: AbortSignal): Promise<void>;
  };
  random(): number;
}

/** The failures of a run that followed each other. */
export class BrokenAnswers {
  #broken = 0;
  #empty = 0;
  readonly #deps: BrokenAnswersDeps;

  constructor(deps: BrokenAnswersDeps) {
    this.#deps = deps;
  }

  /** Resolves with what `send` does; with false after a failure and a wait, if another request is due. */
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
    // What was received is kept, and the model continues from there.
    const last = conversation.messages.at(-1);
    const began = last?.role === "assistant" && last.interrupted === true;
    if (!began || !(PASSING.has(code) || saysFailedCall(error)) || ++this.#broken > MAX_IN_A_ROW.broken)
      return undefined;
    return this.#broken;
  }
}
