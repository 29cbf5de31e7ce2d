/**
 * Parses server-sent events as model endpoints write them. Accepts more than the standard, because endpoints deviate
 * from it: an error on its own line without `data:`, data lines without an empty line between them, a body whose last
 * event is unterminated.
 */
import { BOUNDS, tooLarge } from "./received.ts";

export type ServerEvent =
  /** A value; `text` is its source. */
  | { type: "value"; value: unknown; text: string }
  /** Data that is not JSON. */
  | { type: "unreadable"; text: string }
  /** A comment: the endpoint is alive but has no data yet. */
  | { type: "alive" }
  /** `[DONE]`. */
  | { type: "done" };

/** Yields the events of a body. Throws what reading the body throws, and ProviderError if a line is too long. */
export async function* serverEvents(body: AsyncIterable<string>): AsyncGenerator<ServerEvent> {
  let data: string[] = [];
  for await (const line of linesOf(body)) {
    if (line === "") {
      yield* eventsOf(data);
      data = [];
    } else if (line.startsWith(":")) yield { type: "alive" };
    else if (/^(?:data|error):/.test(line)) {
      const text = line.slice(line.indexOf(":") + 1).trim();
      data.push(line.startsWith("error") ? `{"error":${text}}` : text);
    } else if (line.startsWith("{")) data.push(line);
  }
  // An incomplete event at the end of the body was cut off and contains nothing usable.
  for (const event of eventsOf(data)) if (event.type !== "unreadable") yield event;
}

function* eventsOf(data: readonly string[]): Generator<ServerEvent> {
  if (data.length === 0) return;
  const whole = eventOf(data.join("\n"));
  if (whole.type !== "unreadable" || data.length === 1) yield whole;
  else for (const line of data) yield eventOf(line);
}

function eventOf(text: string): ServerEvent {
  if (text === "[DONE]") return { type: "done" };
  try {
    return { type: "value", value: JSON.parse(text), text };
  } catch {
    return { type: "unreadable", text };
  }
}

/** Yields the lines of a text that arrives in chunks, scanning each chunk once. Lines end with LF, CR LF or CR. */
async function* linesOf(body: AsyncIterable<string>): AsyncGenerator<string> {
  let open: string[] = [];
  let length = 0;
  let afterReturn = false;
  for await (const piece of body) {
    let from = 0;
    for (const { 0: end, index } of piece.matchAll(/\r\n|\r|\n/g)) {
      // The second half of a CR LF that was split between two chunks.
      const rest = afterReturn && index === 0 && end === "\n";
      if (!rest) {
        open.push(piece.slice(from, index));
        yield open.join("");
        open = [];
        length = 0;
      }
      from = index + end.length;
      afterReturn = false;
    }
    if (piece === "") continue;
    if (from < piece.length) {
      open.push(piece.slice(from));
      length += piece.length - from;
      if (length > BOUNDS.line) throw tooLarge(`${BOUNDS.line} characters in one line`);
    }
    afterReturn = piece.endsWith("\r");
  }
  if (open.length > 0) yield open.join("");
}

/** Yields a response's body as text, chunk by chunk. */
export async function* decodedText(body: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  for await (const bytes of body) yield decoder.decode(bytes, { stream: true });
  yield decoder.decode();
}
