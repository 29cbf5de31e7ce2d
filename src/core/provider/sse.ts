/**
 * Parses server-sent events as model endpoints write them. Accepts more than the standard, because endpoints deviate
 * from it: an error on its own line without `data:`, data lines without an empty line between them, a body whose last
 * event is unterminated.
 */
import { BOUNDS, tooLarge } from "./received.ts";

export type ServerEvent =
  /** Data, which should be JSON. Whoever reads it parses it, because most of a long answer is understood without that. */
  | { type: "data"; text: string }
  /** A comment: the endpoint is alive but has no data yet. */
  | { type: "alive" }
  /** `[DONE]`. */
  | { type: "done" };

/**
 * Yields the events of a body, those of one piece together: what has arrived is handed over at once, and nothing waits for more.
 * Throws what reading the body throws, and ProviderError if a line is too long.
 */
export async function* serverEvents(body: AsyncIterable<string>): AsyncGenerator<ServerEvent[]> {
  const lines = new LineReader();
  const reader = new EventReader();
  for await (const piece of body) {
    const events = lines.push(piece).flatMap((line) => reader.push(line));
    if (events.length > 0) yield events;
    if (lines.openLength > BOUNDS.line) throw tooLarge(`${BOUNDS.line} characters in one line`);
  }
  const last = [...lines.end().flatMap((line) => reader.push(line)), ...reader.end()];
  if (last.length > 0) yield last;
}

/** Reads the lines of a body as events. */
class EventReader {
  /** The data of the open event. */
  #data: string[] = [];

  push(line: string): ServerEvent[] {
    if (line === "") return this.#flush();
    if (line.startsWith(":")) return [{ type: "alive" }];
    if (line.startsWith("data:")) this.#data.push(line.slice(5).trim());
    else if (line.startsWith("error:")) this.#data.push(`{"error":${line.slice(6).trim()}}`);
    else if (line.startsWith("{")) this.#data.push(line);
    return [];
  }

  /** An incomplete event at the end of the body was cut off and contains nothing usable. */
  end(): ServerEvent[] {
    return this.#flush().filter((event) => event.type !== "data" || isJson(event.text));
  }

  #flush(): ServerEvent[] {
    const data = this.#data;
    if (data.length === 0) return [];
    this.#data = [];
    const whole = data.join("\n");
    return data.length === 1 || isJson(whole) ? [eventOf(whole)] : data.map(eventOf);
  }
}

function eventOf(text: string): ServerEvent {
  return text === "[DONE]" ? { type: "done" } : { type: "data", text };
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** Reads the lines of a text that arrives in pieces, scanning each piece once. Lines end with LF, CR LF or CR. */
class LineReader {
  #open: string[] = [];
  #afterReturn = false;
  /** Length of the line that has not ended. */
  openLength = 0;

  /** Returns the lines that the piece ends. */
  push(piece: string): string[] {
    if (piece === "") return [];
    // The second half of a CR LF that was split between two pieces.
    const text = this.#afterReturn && piece.startsWith("\n") ? piece.slice(1) : piece;
    this.#afterReturn = piece.endsWith("\r");
    const lines = text.split(text.includes("\r") ? /\r\n|\r|\n/ : "\n");
    const open = lines.pop() ?? "";
    const [first] = lines;
    if (first !== undefined) {
      this.#open.push(first);
      lines[0] = this.#takeOpen();
    }
    if (open !== "") this.#open.push(open);
    this.openLength += open.length;
    return lines;
  }

  /** Returns the last line, if the text does not end with the end of a line. */
  end(): string[] {
    return this.#open.length > 0 ? [this.#takeOpen()] : [];
  }

  #takeOpen(): string {
    const line = this.#open.join("");
    this.#open = [];
    this.openLength = 0;
    return line;
  }
}

/** Yields a response's body as text, chunk by chunk. */
export async function* decodedText(body: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  for await (const bytes of body) yield decoder.decode(bytes, { stream: true });
  yield decoder.decode();
}
