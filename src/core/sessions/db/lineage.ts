/** A branch shares the messages before it with the session it came from; nothing is copied. */
import * as z from "zod";
import type { Database } from "./database.ts";
import { type MessageRow, messageColumns, messageRowSchema } from "./rows.ts";

const countSchema = z.object({ count: z.number() });
const linkSchema = z.object({ id: z.string(), forked_from: z.string().nullable(), forked_at: z.number() });

interface Segment {
  session: string;
  /** The last position of it that belongs to the session; undefined: all of it does. */
  upTo: number | undefined;
}

/** The sessions whose messages make up this one, oldest first, each up to a position. */
function lineage(db: Database, id: string): Segment[] {
  const segments: Segment[] = [];
  const seen = new Set<string>();
  let session: string | null = id;
  let upTo: number | undefined;
  while (session !== null && !seen.has(session)) {
    seen.add(session);
    segments.unshift({ session, upTo });
    const link: z.infer<typeof linkSchema> | undefined = db.first(
      linkSchema,
      "SELECT id, forked_from, forked_at FROM sessions WHERE id = ?",
      [session],
    );
    upTo = Math.min(upTo ?? Number.MAX_SAFE_INTEGER, link?.forked_at ?? 0);
    session = link?.forked_from ?? null;
  }
  return segments;
}

/** What follows FROM for the messages of a segment: a message whose position is damaged still belongs to its own session. */
function messagesOf({ session, upTo }: Segment, most = upTo): { from: string; params: (string | number)[] } {
  const from = "messages WHERE session_id = ?";
  return most === undefined
    ? { from, params: [session] }
    : { from: `${from} AND position <= ?`, params: [session, most] };
}

const placedSchema = messageRowSchema.extend({ position: z.number().int().optional() });
/** Its place is lost, not what it says: it comes last. */
const misplacedSchema: z.ZodType<z.infer<typeof placedSchema>> = messageRowSchema;

/** All messages of a session in their order, those it shares included. */
export function messageRows(db: Database, id: string): MessageRow[] {
  return lineage(db, id).flatMap((segment) => {
    const { from, params } = messagesOf(segment);
    return rowsOf(db, `${from} ORDER BY position, timestamp, id`, params);
  });
}

function rowsOf(db: Database, from: string, params: (string | number)[]): MessageRow[] {
  return db.all(placedSchema, `SELECT ${messageColumns}, position FROM ${from}`, params, misplacedSchema);
}

/** How many messages a session has, those it shares included. */
export function countMessages(db: Database, id: string): number {
  return lineage(db, id).reduce((sum, segment) => sum + countOf(db, segment), 0);
}

function countOf(db: Database, segment: Segment, most = segment.upTo): number {
  const { from, params } = messagesOf(segment, most);
  return db.first(countSchema, `SELECT count(*) AS count FROM ${from}`, params)?.count ?? 0;
}

/** Of these rows, in the same order, those before the last `skip`, up to `count` of them. */
export function newestRows(db: Database, id: string, skip: number, count: number): MessageRow[] {
  const rows: MessageRow[][] = [];
  let toSkip = skip;
  let left = count;
  for (const segment of lineage(db, id).reverse()) {
    if (left <= 0) break;
    const size = countOf(db, segment);
    if (toSkip >= size) {
      toSkip -= size;
      continue;
    }
    const { from, params } = messagesOf(segment);
    const order = "ORDER BY position DESC, timestamp DESC, id DESC LIMIT ? OFFSET ?";
    const found = rowsOf(db, `${from} ${order}`, [...params, left, toSkip]);
    // Unreadable rows count, too, so that pages do not overlap.
    left -= Math.min(left, size - toSkip);
    toSkip = 0;
    rows.unshift(found.reverse());
  }
  return rows.flat();
}

const placeSchema = z.object({ position: z.number().int(), session_id: z.string() });

/** The branch shares the `count` messages of the session `from` up to the position `at`. */
export interface ForkPoint {
  from: string;
  at: number;
  count: number;
}

/** Where a branch that leaves out this message and all after it branches off; undefined: it is not in the session. */
export function forkBefore(db: Database, id: string, messageId: string): ForkPoint | undefined {
  const sql = "SELECT position, session_id FROM messages WHERE id = ?";
  const place = db.first(placeSchema, sql, [messageId]);
  const segments = lineage(db, id);
  if (
    !place ||
    !segments.some(
      ({ session, upTo }) => session === place.session_id && place.position <= (upTo ?? place.position),
    )
  )
    return undefined;
  const at = place.position - 1;
  const counts = segments.map((segment) => countOf(db, segment, Math.min(segment.upTo ?? at, at)));
  return { from: id, at, count: counts.reduce((sum, count) => sum + count, 0) };
}

const positionSchema = z.object({ position: z.number() });

/** A position that can be counted on from: of another one, nothing but damage is the cause. */
export const isPosition = (column: string) =>
  `(typeof(${column}) = 'integer' AND abs(${column}) < 4503599627370496)`;

/** The position of a session's next message: after all of its own, and all that it shares. */
export function nextPosition(db: Database, id: string): number {
  const sql = `SELECT max(
      ifnull((SELECT max(position) FROM messages WHERE session_id = ? AND ${isPosition("position")}), 0),
      ifnull((SELECT forked_at FROM sessions WHERE id = ? AND ${isPosition("forked_at")}), 0)) + 1 AS position`;
  return db.first(positionSchema, sql, [id, id])?.position ?? 1;
}
