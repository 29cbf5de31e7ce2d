/** Reads the body of an answer, whether it is streamed or not. */
import type { Clock } from "../ports/system.ts";
import { badResponse } from "./failures.ts";
import { BOUNDS, tooLarge } from "./received.ts";
import { decodedText, type ServerEvent, serverEvents } from "./sse.ts";

/** Milliseconds to wait for the end of a body after the end of its answer. */
const END_MS = 100;

type Body = ReadableStreamDefaultReader<Uint8Array>;

export type AnswerEvent = ServerEvent | { type: "whole"; value: unknown; text: string };

/**
 * Yields the events of a streamed answer, those that arrived together at once, or one `whole` if the endpoint answers without
 * streaming. The first character determines which, because some endpoints send no content type or a wrong one. Throws ProviderError if a whole answer
 * is not JSON; its text is quoted without the secrets. If the reader stops at `done`, the body is read to its end, so that the
 * connection can be used for the next request.
 */
export async function* answerEvents(
  response: Response,
  secrets: readonly string[],
  clock: Clock,
): AsyncGenerator<AnswerEvent[]> {
  if (!response.body) return;
  const body: Body = response.body.getReader();
  let isDone = false;
  try {
    for await (const events of eventsIn(decodedText(chunksOf(body)), secrets)) {
      const done = events.findIndex(({ type }) => type === "done");
      // A reader that stops at an error does not stop at `done`.
      if (done > 0) yield events.slice(0, done);
      isDone ||= done >= 0;
      yield done > 0 ? events.slice(done) : events;
    }
  } finally {
    if (isDone) await endOf(body, clock);
    // Of a body that failed, its reader has the error.
    await body.cancel().catch(() => undefined);
  }
}

async function* chunksOf(body: Body): AsyncGenerator<Uint8Array> {
  for (;;) {
    const { done, value } = await body.read();
    if (done) return;
    yield value;
  }
}

/** Resolves at the end of the body, or when the endpoint takes too long for it. Never rejects. */
function endOf(body: Body, clock: Clock): Promise<void> {
  return new Promise((resolve) => {
    const timer = clock.after(END_MS, resolve);
    const end = () => {
      timer.dispose();
      resolve();
    };
    const next = (): Promise<void> => body.read().then(({ done }) => (done ? end() : next()));
    next().catch(end);
  });
}

async function* eventsIn(
  body: AsyncGenerator<string>,
  secrets: readonly string[],
): AsyncGenerator<AnswerEvent[]> {
  const { first, all } = await peek(body);
  if (!/^[{[<]/.test(first)) {
    yield* serverEvents(all);
    return;
  }
  let text = "";
  for await (const piece of all) {
    text += piece;
    if (text.length > BOUNDS.document) throw tooLarge(`${BOUNDS.document} characters`);
  }
  yield [{ type: "whole", value: wholeAnswer(text, secrets), text }];
}

/** Returns the text unchanged, and its first non-blank characters. */
async function peek(text: AsyncGenerator<string>): Promise<{ first: string; all: AsyncGenerator<string> }> {
  let start = "";
  for (;;) {
    const { value, done } = await text.next();
    if (done) break;
    // Blank lines that keep a connection alive are dropped, however many arrive.
    start = value.trimStart();
    if (start !== "") break;
  }
  async function* all(): AsyncGenerator<string> {
    yield start;
    yield* text;
  }
  return { first: start, all: all() };
}

/** Returns what an event says. Throws ProviderError if that is not JSON; its text is quoted without the secrets. */
export function valueIn(event: Extract<AnswerEvent, { text: string }>, secrets: readonly string[]): unknown {
  if (event.type === "whole") return event.value;
  try {
    return JSON.parse(event.text);
  } catch (cause) {
    throw badResponse(event.text, secrets, cause);
  }
}

function wholeAnswer(text: string, secrets: readonly string[]): unknown {
  try {
    const value: unknown = JSON.parse(text);
    return Array.isArray(value) ? value[0] : value;
  } catch (cause) {
    throw badResponse(text, secrets, cause);
  }
}
