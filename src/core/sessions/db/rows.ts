/**
 * A message as a row: its short texts are readable in `content`, its calls and results are JSON, and `body` contains
 * what is needed to reassemble the identical message.
 */
import * as z from "../../../shared/zod.ts";
import type { StoredMessage } from "../journal/records.ts";

export const messageRowSchema = z.object({
  id: z.string(),
  timestamp: z.string(),
  role: z.string(),
  content: z.string(),
  tool_calls: z.nullable(z.string()),
  tool_results: z.nullable(z.string()),
  body: z.string(),
});
export type MessageRow = z.infer<typeof messageRowSchema>;

/** The columns of such a row, for queries on `messages`. */
export const MESSAGE_COLUMNS = "id, timestamp, role, content, tool_calls, tool_results, body";

/** A block that is stored in another column: a text by its length in `content`, a call or result by its order. */
type Place =
  | { at: "content"; length: number; rest: Record<string, unknown> }
  | { at: "tool_calls" }
  | { at: "tool_results" }
  | { at: "here"; block: unknown };

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

/**
 * Returns the message, with its references to payloads. Throws if the row is not a message's. Sessions have thousands of rows, so
 * they are not parsed with zod here: the schema of messages validates what this returns.
 */
export function fromRow(row: MessageRow): Record<string, unknown> {
  const { blocks: places, rest } = expectObject(JSON.parse(row.body), "body");
  const calls = listOf(row.tool_calls, "tool_calls");
  const results = listOf(row.tool_results, "tool_results");
  let [at, call, result] = [0, 0, 0];
  const blocks = expectList(places, "body.blocks").map((place): unknown => {
    const { at: column, length, rest: others, block } = expectObject(place, "body.blocks");
    switch (column) {
      case "content": {
        if (typeof length !== "number")
          throw new Error("the length of a text in body.blocks is not a number");
        const text = row.content.slice(at, at + length);
        at += length + SEPARATOR.length;
        return { ...expectObject(others, "body.blocks"), text };
      }
      case "tool_calls":
        return calls[call++];
      case "tool_results":
        return results[result++];
      case "here":
        return block;
      default:
        throw new Error(`a block in body.blocks is in an unknown column: ${String(column)}`);
    }
  });
  return { ...expectObject(rest, "body.rest"), id: row.id, role: row.role, createdAt: row.timestamp, blocks };
}

function listOf(json: string | null, column: string): unknown[] {
  return json === null ? [] : expectList(JSON.parse(json), column);
}

function expectList(value: unknown, where: string): unknown[] {
  if (!Array.isArray(value)) throw new Error(`${where} is not a list`);
  return value;
}

function expectObject(value: unknown, where: string): Record<string, unknown> {
  if (!isObject(value)) throw new Error(`${where} is not an object`);
  return value;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/**
 * SQLite truncates text at a NUL when reading it back and drops a leading byte-order mark, and UTF-8 has no lone
 * surrogates. JSON escapes these characters, or contains them in the middle.
 */
function survivesAsText(text: string): boolean {
  return !/\0|\ufeff|\p{Surrogate}/u.test(text);
}
