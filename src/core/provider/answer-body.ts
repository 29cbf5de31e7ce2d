/** Reads the body of an answer, whether it is streamed or not. */
import { badResponse } from "./failures.ts";
import { BOUNDS, tooLarge } from "./received.ts";
import { type ServerEvent, serverEvents, textOf } from "./sse.ts";

export type AnswerEvent = ServerEvent | { type: "whole"; value: unknown; text: string };

/**
 * Yields the events of a streamed answer, or one `whole` if the endpoint answers without streaming. The first character
 * determines which, because some endpoints send no content type or a wrong one. Throws ProviderError if a whole answer
 * is not JSON; its text is quoted without the secrets.
 */
export async function* answerEvents(
  response: Response,
  secrets: readonly string[],
): AsyncGenerator<AnswerEvent> {
  if (!response.body) return;
  const { first, all } = await peek(textOf(response.body));
  if (!/^[{[<]/.test(first)) {
    yield* serverEvents(all);
    return;
  }
  let text = "";
  for await (const piece of all) {
    text += piece;
    if (text.length > BOUNDS.document) throw tooLarge(`${BOUNDS.document} characters`);
  }
  yield { type: "whole", value: wholeAnswer(text, secrets), text };
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

function wholeAnswer(text: string, secrets: readonly string[]): unknown {
  try {
    const value: unknown = JSON.parse(text);
    return Array.isArray(value) ? value[0] : value;
  } catch (cause) {
    throw badResponse(text, secrets, cause);
  }
}
