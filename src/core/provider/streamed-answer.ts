/** What streaming an answer has in common in all APIs: deadlines, bounds, and errors. */
import { Interrupt, ProviderError } from "../errors.ts";
import type { Endpoint } from "./api.ts";
import { Deadline } from "./deadline.ts";
import type { StreamPart } from "./provider.ts";
import { BOUNDS, tooLarge } from "./received.ts";

/** One request under way. */
export interface RequestAttempt {
  /** Aborts at a Stop or a deadline. */
  readonly signal: AbortSignal;
  /** The endpoint accepted the request; what fails from here on is its answer. */
  accepted: boolean;
  /** Part of the answer arrived. */
  heard: boolean;
}

/**
 * Yields the parts of an answer. `send` requests it; its "alive" means that something arrived, even if it is no part of
 * the answer. Rejects with ProviderError, for which `asProviderError` converts what `send` rejects with; with Interrupt
 * when `signal` aborts.
 */
export async function* streamedAnswer(
  { provider, model, clock }: Endpoint,
  signal: AbortSignal,
  send: (attempt: RequestAttempt) => AsyncIterable<StreamPart | "alive">,
  asProviderError: (error: unknown, attempt: RequestAttempt) => ProviderError,
): AsyncGenerator<StreamPart> {
  const deadline = new Deadline(clock, signal, provider.firstTokenTimeout, provider.idleTimeout);
  const attempt: RequestAttempt = { signal: deadline.signal, accepted: false, heard: false };
  let length = 0;
  try {
    for await (const part of send(attempt)) {
      if (part === "alive") {
        deadline.alive();
        continue;
      }
      if (part.type !== "usage") deadline.token();
      attempt.heard = true;
      length += lengthOf(part);
      if (length > BOUNDS.answer) throw tooLarge(`${BOUNDS.answer} characters`);
      yield part;
    }
  } catch (error) {
    if (signal.aborted) throw new Interrupt();
    if (deadline.passed) throw deadline.error();
    throw asProviderError(error, attempt);
  } finally {
    deadline.dispose();
  }
  if (!attempt.heard)
    throw new ProviderError({ code: "empty-response", subject: model }, { transient: true });
}

/** Throws ProviderError if the address or the model is not set. */
export function requireTarget({ connection, model }: Pick<Endpoint, "connection" | "model">): void {
  if (connection.baseUrl.trim() === "") throw new ProviderError({ code: "no-endpoint" });
  if (model.trim() === "") throw new ProviderError({ code: "no-model" });
}

/** Returns how many characters of the answer a part contains. */
function lengthOf(part: StreamPart): number {
  switch (part.type) {
    case "text":
    case "reasoning":
      return part.delta.length;
    case "signed-reasoning":
      return JSON.stringify(part.signed).length;
    case "reasoning-details":
      return JSON.stringify(part.items).length;
    case "tool-calls":
      return part.deltas.reduce(
        (sum, { name = "", arguments: args = "" }) => sum + name.length + args.length,
        0,
      );
    // No part of the answer.
    case "usage":
    case "finish":
      return 0;
  }
}
