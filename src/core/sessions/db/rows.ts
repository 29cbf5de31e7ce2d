/**
 * A message as a row: its short texts are readable in `content`, its calls and results are JSON, and `body` contains
 * what is needed to reassemble the identical message.
 */
import * as z from "zod";
import type { StoredMessage } from "../journal/records.ts";

export const messageRowSchema = z.object({
  id: z.string(),
  timestamp: z.string(),
  role: z.string(),
  content: z.string(),
  tool_calls: z.string().nullable(),
  tool_results: z.string().nullable(),
  body: z.string(),
});
export type MessageRow = z.infer<typeof messageRowSchema>;

/** The columns of such a row, for queries on `messages`. */
export const MESSAGE_COLUMNS = "id, timestamp, role, content, tool_calls, tool_results, body";

/** A block that is stored in another column: a text by its length in `content`, a call or result by its order. */
const placeSchema = z.discriminatedUnion("at", [
  z.object({ at: z.literal("content"), length: z.number(), rest: z.record(z.string(), z.unknown()) }),
  z.object({ at: z.literal("tool_calls") }),
  z.object({ at: z.literal("tool_results") }),
  z.object({ at: z.literal("here"), block: z.unknown() }),
]);
type Place = z.infer<typeof placeSchema>;

const bodySchema = z.object({ blocks: z.array(placeSchema), rest: z.record(z.string(), z.unknown()) });

const textBlockSchema = z.looseObject({ type: z.literal("text"), text: z.string() });
const typedSchema = z.object({ type: z.string() });

/** Separates two texts in `content`. */
const SEPARATOR = "\n";

export function toRow(message: StoredMessage): MessageRow {
  const { id, createdAt, role, blocks, ...rest } = message;
  const texts: string[] = [];
  const calls: unknown[] = [];
  const results: unknown[] = [];
  const places = blocks.map((block): Place => {
    const type = typedSchema.safeParse(block).data?.type;
    if (type === "tool-call") {
      calls.push(block);
      return { at: "tool_calls" };
    }
    if (type === "tool-result") {
      results.push(block);
      return { at: "tool_results" };
    }
    const text = textBlockSchema.safeParse(block).data;
    if (!text || !survivesAsText(text.text)) return { at: "here", block };
    const { text: words, ...others } = text;
    texts.push(words);
    return { at: "content", length: words.length, rest: others };
  });
  return {
    id,
    timestamp: createdAt,
    role,
    content: texts.join(SEPARATOR),
    tool_calls: calls.length > 0 ? JSON.stringify(calls) : null,
    tool_results: results.length > 0 ? JSON.stringify(results) : null,
    body: JSON.stringify({ blocks: places, rest }),
  };
}

/** False: no text of the message is in a payload, and none looks like a reference to one. */
export function mayNeedPayloads({ body, tool_calls, tool_results }: MessageRow): boolean {
  return [body, tool_calls, tool_results].some(
    (json) => json !== null && /"\$(?:payload|escaped)"/.test(json),
  );
}

/** Returns the message, with its references to payloads. Throws if the row is not a valid message. */
export function fromRow(row: MessageRow): Record<string, unknown> {
  const body = bodySchema.parse(JSON.parse(row.body));
  const calls = z.array(z.unknown()).parse(JSON.parse(row.tool_calls ?? "[]"));
  const results = z.array(z.unknown()).parse(JSON.parse(row.tool_results ?? "[]"));
  let at = 0;
  const blockAt = (place: Place): unknown => {
    switch (place.at) {
      case "content": {
        const text = row.content.slice(at, at + place.length);
        at += place.length + SEPARATOR.length;
        return { ...place.rest, text };
      }
      case "tool_calls":
        return calls.shift();
      case "tool_results":
        return results.shift();
      case "here":
        return place.block;
    }
  };
  const blocks = body.blocks.map(blockAt);
  return { ...body.rest, id: row.id, role: row.role, createdAt: row.timestamp, blocks };
}

/**
 * SQLite truncates text at a NUL when reading it back and drops a leading byte-order mark, and UTF-8 has no lone
 * surrogates. JSON escapes these characters, or contains them in the middle.
 */
function survivesAsText(text: string): boolean {
  return !/\0|\ufeff|\p{Surrogate}/u.test(text);
}
