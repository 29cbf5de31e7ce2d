/** What streaming an answer has in common in all APIs: deadlines, bounds, and errors. */
import { Interrupt, ProviderError } from "../errors.ts";
import type { AnswerEvent } from "./answer-body.ts";
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
 * Yields the parts of an answer. `send` requests it, and yields the parts that arrived together; a list without parts means
 * that something arrived that is no part of the answer. Rejects with ProviderError, for which `asProviderError` converts what
 * `send` rejects with; with Interrupt when `signal` aborts.
 */
export async function* streamedAnswer(
  { provider, model, clock }: Endpoint,
  signal: AbortSignal,
  send: (attempt: RequestAttempt) => AsyncIterable<readonly StreamPart[]>,
  asProviderError: (error: unknown, attempt: RequestAttempt) => ProviderError,
): AsyncGenerator<StreamPart> {
  const deadline = new Deadline(clock, signal, provider.firstTokenTimeout, provider.idleTimeout);
  const attempt: RequestAttempt = { signal: deadline.signal, accepted: false, heard: false };
  let length = 0;
  try {
    for await (const parts of send(attempt)) {
      deadline.alive();
      for (const part of withJoinedCalls(parts)) {
        // Whoever reads the answer may stop it between two parts that arrived together.
        attempt.signal.throwIfAborted();
        if (part.type !== "usage") deadline.token();
        attempt.heard = true;
        length += lengthOf(part);
        if (length > BOUNDS.answer) throw tooLarge(`${BOUNDS.answer} characters`);
        yield part;
      }
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

/**
 * Yields the parts that `read` makes of events, those of events that arrived together at once. `read` adds them to `parts`, and
 * returns true at the end of the answer, after which nothing is read. What it made before it throws comes before the error.
 */
export async function* partsOfEvents(
  batches: AsyncIterable<readonly AnswerEvent[]>,
  read: (event: AnswerEvent, parts: StreamPart[]) => boolean,
): AsyncGenerator<StreamPart[]> {
  for await (const events of batches) {
    const parts: StreamPart[] = [];
    let ended = false;
    try {
      ended = events.some((event) => read(event, parts));
    } catch (error) {
      yield parts;
      throw error;
    }
    yield parts;
    if (ended) return;
  }
}

/**
 * Makes one part of neighboring pieces of calls. A call may arrive in pieces of a few characters, and each part passes
 * through every reader of the answer. The pieces stay as they are, because a piece may repeat earlier ones.
 */
function withJoinedCalls(parts: readonly StreamPart[]): StreamPart[] {
  const joined: StreamPart[] = [];
  for (const part of parts) {
    const last = joined.at(-1);
    if (part.type !== "tool-calls") joined.push(part);
    else if (last?.type === "tool-calls") last.deltas.push(...part.deltas);
    else joined.push({ ...part, deltas: [...part.deltas] });
  }
  return joined;
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
