/**
 * Server-sent events as model endpoints write them. More is understood than the standard asks for, because endpoints
 * write more: an error on a line of its own without `data:`, data lines without an empty line between them, a body
 * whose last event has no end.
 */
import { bounds, tooLarge } from "./received.ts";

export type ServerEvent =
  /** A value that was sent; `text` is how it was written. */
  | { type: "value"; value: unknown; text: string }
  /** Something that is not JSON. */
  | { type: "unreadable"; text: string }
  /** A comment: the endpoint lives, and has nothing to say yet. */
  | { type: "alive" }
  /** `[DONE]`. */
  | { type: "done" };

/** The events of a body. Throws what reading the body throws, and ProviderError where a line is too long. */
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
  // An event that is not whole where the body ends was cut off, and says nothing.
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

/** The lines of a text that comes in pieces, each looked at once; they end with LF, CR LF or CR. */
async function* linesOf(body: AsyncIterable<string>): AsyncGenerator<string> {
  let open: string[] = [];
  let length = 0;
  let afterReturn = false;
  for await (const piece of body) {
    let from = 0;
    for (const { 0: end, index } of piece.matchAll(/\r\n|\r|\n/g)) {
      // The second half of a CR LF that was split between two pieces.
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
      if (length > bounds.line) throw tooLarge(`${bounds.line} characters in one line`);
    }
    afterReturn = piece.endsWith("\r");
  }
  if (open.length > 0) yield open.join("");
}

/** A response's body as text, piece by piece. */
export async function* textOf(body: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  for await (const bytes of body) yield decoder.decode(bytes, { stream: true });
  yield decoder.decode();
}
