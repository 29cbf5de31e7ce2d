/**
 * Parses ripgrep's `--json` lines as they stream. A line longer than `WHOLE_LIMIT` (a minified file is one line) is never
 * buffered completely: only its beginning, and the line number and the match position that follow the text.
 */
import * as z from "../../shared/zod.ts";

const WHOLE_LIMIT = 256 * 1024;
/** Bytes kept from the beginning of a line that is too long, for its type. */
const HEAD_LENGTH = 16 * 1024;
/** Bytes kept after the text of such a line, which contain its number and first match. */
const FACTS_LENGTH = 4096;

export type RipgrepEvent =
  | { type: "begin"; path: string }
  | { type: "line"; match: boolean; number: number; text: string; start: number }
  /** A line that was not kept; `offset`: the byte of its match in the file. */
  | { type: "long-line"; match: boolean; number: number; offset: number }
  | { type: "summary" };

const anyText = z.union([
  z.pipe(
    z.object({ text: z.string() }),
    z.transform(({ text }) => text),
  ),
  // Text that is not UTF-8 is shown with replacement characters.
  z.pipe(
    z.object({ bytes: z.string() }),
    z.transform(({ bytes }) => Buffer.from(bytes, "base64").toString("utf8")),
  ),
]);

const lineSchema = z.discriminatedUnion("type", [
  z.object({ type: z.literal("begin"), data: z.object({ path: anyText }) }),
  z.object({
    type: z.enum(["match", "context"]),
    data: z.object({
      lines: anyText,
      line_number: z.nullable(z.number()),
      /** Byte offsets in the line. */
      submatches: z.array(z.object({ start: z.number() })),
    }),
  }),
  z.object({ type: z.literal("end") }),
  z.object({ type: z.literal("summary") }),
]);

export class RipgrepReader {
  #chunks: Buffer[] = [];
  #size = 0;
  #long: LongLine | undefined;

  /** Events of the lines that this chunk completes. */
  push(chunk: Buffer): RipgrepEvent[] {
    const events: RipgrepEvent[] = [];
    let at = 0;
    for (let end = chunk.indexOf(10); end >= 0; end = chunk.indexOf(10, at)) {
      this.#add(chunk.subarray(at, end));
      events.push(...this.#finish());
      at = end + 1;
    }
    this.#add(chunk.subarray(at));
    return events;
  }

  #add(part: Buffer): void {
    if (this.#long) {
      this.#long.add(part);
      return;
    }
    if (part.length > 0) this.#chunks.push(part);
    this.#size += part.length;
    if (this.#size <= WHOLE_LIMIT) return;
    this.#long = new LongLine(Buffer.concat(this.#chunks));
    this.#chunks = [];
  }

  #finish(): RipgrepEvent[] {
    const events = this.#long ? this.#long.events() : eventsOf(Buffer.concat(this.#chunks).toString("utf8"));
    this.#chunks = [];
    this.#size = 0;
    this.#long = undefined;
    return events;
  }
}

function eventsOf(line: string): RipgrepEvent[] {
  const parsed = lineSchema.safeParse(line === "" ? undefined : JSON.parse(line)).data;
  switch (parsed?.type) {
    case "begin":
      return [{ type: "begin", path: parsed.data.path }];
    case "match":
    case "context": {
      const { lines, line_number: number, submatches } = parsed.data;
      const starts = submatches.map(({ start }) => start);
      return linesOf(lines, number ?? 0, parsed.type === "match" ? starts : undefined);
    }
    case "summary":
      return [{ type: "summary" }];
    case undefined:
    case "end":
      return [];
  }
}

/** A match that spans lines comes with all of them; each line in which one starts is a match. `starts`: in bytes. */
function linesOf(lines: string, first: number, starts: readonly number[] | undefined): RipgrepEvent[] {
  const texts = lines.replace(/\n$/, "").split("\n");
  let from = 0;
  return texts.map((whole, index) => {
    const bytes = Buffer.from(whole);
    const to = from + bytes.length;
    const start = starts?.find((at) => at >= from && at <= to);
    const match = starts !== undefined && (start !== undefined || texts.length === 1);
    const before = bytes.subarray(0, (start ?? from) - from).toString("utf8").length;
    from = to + 1;
    return { type: "line", match, number: first + index, text: whole.replace(/\r$/, ""), start: before };
  });
}

/** Quotes in the JSON text are escaped, so this can only occur after the text. */
const AFTER_TEXT = '"},"line_number":';

class LongLine {
  readonly #head: string;
  /** The last bytes seen, until the end of the text is found. */
  #tail = Buffer.alloc(0);
  #facts: string | undefined;

  constructor(start: Buffer) {
    this.#head = start.subarray(0, HEAD_LENGTH).toString("latin1");
    this.add(start);
  }

  add(part: Buffer): void {
    if (this.#facts !== undefined) {
      if (this.#facts.length < FACTS_LENGTH) this.#facts += part.subarray(0, FACTS_LENGTH).toString("latin1");
      return;
    }
    const seen = Buffer.concat([this.#tail, part]);
    const at = seen.lastIndexOf(AFTER_TEXT);
    if (at >= 0) {
      this.#facts = seen.subarray(at, at + FACTS_LENGTH).toString("latin1");
      return;
    }
    this.#tail = Buffer.from(seen.subarray(Math.max(0, seen.length - AFTER_TEXT.length)));
  }

  events(): RipgrepEvent[] {
    const type = /^\{"type":"(match|context)"/.exec(this.#head)?.[1];
    const facts = /"line_number":(\d+),"absolute_offset":(\d+)/.exec(this.#facts ?? "");
    if (type === undefined || !facts) return [];
    // The matched text itself may be too long to find its offset; then the line's beginning is used.
    const start = /^[^[]*\[\{"match":\{"(?:text|bytes)":"(?:[^"\\]|\\.)*"\},"start":(\d+)/.exec(
      this.#facts ?? "",
    )?.[1];
    const offset = Number(facts[2]) + Number(start ?? 0);
    return [{ type: "long-line", match: type === "match", number: Number(facts[1]), offset }];
  }
}
