/** A branch shares the messages before its fork point with the session that it came from. Nothing is copied. */
import * as z from "../../../shared/zod.ts";
import type { Database } from "./database.ts";
import { MESSAGE_COLUMNS, type MessageRow, messageRowSchema } from "./rows.ts";

const countSchema = z.object({ count: z.number() });
const linkSchema = z.object({ id: z.string(), forked_from: z.nullable(z.string()), forked_at: z.number() });

interface Segment {
  session: string;
  /** The last position that belongs to the session; undefined: all positions do. */
  upTo: number | undefined;
}

/** Returns the sessions whose messages make up this one, oldest first, each with its last position. */
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

/**
 * Returns the SQL after FROM for the messages of a segment. A message with a damaged position still belongs to its own
 * session.
 */
function messagesOf(
  { session, upTo }: Segment,
  lastPosition = upTo,
): { from: string; params: (string | number)[] } {
  const from = "messages WHERE session_id = ?";
  return lastPosition === undefined
    ? { from, params: [session] }
    : { from: `${from} AND position <= ?`, params: [session, lastPosition] };
}

const placedSchema = z.extend(messageRowSchema, { position: z.optional(z.int()) });
/** Only the message's position is lost, not its content: it sorts last. */
const misplacedSchema: z.ZodMiniType<z.infer<typeof placedSchema>> = messageRowSchema;

/** Returns all messages of a session in order, including shared ones. */
export function messageRows(db: Database, id: string): MessageRow[] {
  return lineage(db, id).flatMap((segment) => {
    const { from, params } = messagesOf(segment);
    return rowsOf(db, `${from} ORDER BY position, timestamp, id`, params);
  });
}

function rowsOf(db: Database, from: string, params: (string | number)[]): MessageRow[] {
  return db.all(placedSchema, `SELECT ${MESSAGE_COLUMNS}, position FROM ${from}`, params, misplacedSchema);
}

/** Counts the messages of a session, including shared ones. */
export function countMessages(db: Database, id: string): number {
  return lineage(db, id).reduce((sum, segment) => sum + countOf(db, segment), 0);
}

function countOf(db: Database, segment: Segment, lastPosition = segment.upTo): number {
  const { from, params } = messagesOf(segment, lastPosition);
  return db.first(countSchema, `SELECT count(*) AS count FROM ${from}`, params)?.count ?? 0;
}

/** Returns up to `count` of these rows, in the same order, before the last `skip` rows. */
export function newestRows(db: Database, id: string, skip: number, count: number): MessageRow[] {
  const rows: MessageRow[][] = [];
  let toSkip = skip;
  let remaining = count;
  for (const segment of lineage(db, id).reverse()) {
    if (remaining <= 0) break;
    const size = countOf(db, segment);
    if (toSkip >= size) {
      toSkip -= size;
      continue;
    }
    const { from, params } = messagesOf(segment);
    const order = "ORDER BY position DESC, timestamp DESC, id DESC LIMIT ? OFFSET ?";
    const newest = rowsOf(db, `${from} ${order}`, [...params, remaining, toSkip]);
    // Unreadable rows count too, so that pages do not overlap.
    remaining -= Math.min(remaining, size - toSkip);
    toSkip = 0;
    rows.unshift(newest.reverse());
  }
  return rows.flat();
}

const placeSchema = z.object({ position: z.int(), session_id: z.string() });

/** The branch shares the `count` messages of the session `from` up to the position `at`. */
export interface StoredForkPoint {
  from: string;
  at: number;
  count: number;
}

/** Returns the fork point of a branch that shares all messages. */
export function forkAtEnd(db: Database, id: string): StoredForkPoint {
  return { from: id, at: nextPosition(db, id) - 1, count: countMessages(db, id) };
}

/**
 * Returns the fork point of a branch that omits this message and all after it; undefined if it is not in the session.
 */
export function forkBefore(db: Database, id: string, messageId: string): StoredForkPoint | undefined {
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

/** SQL condition: the position is a number that can be incremented. Only damage produces any other. */
export const isPosition = (column: string) =>
  `(typeof(${column}) = 'integer' AND abs(${column}) < 4503599627370496)`;

/** Returns the position of a session's next message: after all its own and all shared messages. */
export function nextPosition(db: Database, id: string): number {
  const sql = `SELECT max(
      ifnull((SELECT position FROM messages WHERE session_id = ? AND ${isPosition("position")} ORDER BY position DESC LIMIT 1), 0),
      ifnull((SELECT forked_at FROM sessions WHERE id = ? AND ${isPosition("forked_at")}), 0)) + 1 AS position`;
  return db.first(positionSchema, sql, [id, id])?.position ?? 1;
}
