/** A branch shares the messages before it with the session it came from; nothing is copied. */
import * as z from "zod";
import type { Database } from "./database.ts";
import { type MessageRow, messageColumns, messageRowSchema } from "./rows.ts";

const countSchema = z.object({ count: z.number() });
const linkSchema = z.object({ forked_from: z.string().nullable(), forked_at: z.number() });

/** The sessions whose messages make up this one, oldest first, each up to a position. */
function lineage(db: Database, id: string): { session: string; upTo: number }[] {
  const segments: { session: string; upTo: number }[] = [];
  const seen = new Set<string>();
  let session: string | null = id;
  let upTo = Number.MAX_SAFE_INTEGER;
  while (session !== null && !seen.has(session)) {
    seen.add(session);
    segments.unshift({ session, upTo });
    const link: z.infer<typeof linkSchema> | undefined = db.first(
      linkSchema,
      "SELECT forked_from, forked_at FROM sessions WHERE id = ?",
      [session],
    );
    upTo = Math.min(upTo, link?.forked_at ?? 0);
    session = link?.forked_from ?? null;
  }
  return segments;
}

/** All messages of a session in their order, those it shares included. */
export function messageRows(db: Database, id: string): MessageRow[] {
  return lineage(db, id).flatMap(({ session, upTo }) =>
    db.all(
      messageRowSchema,
      `SELECT ${messageColumns} FROM messages WHERE session_id = ? AND position <= ?
       ORDER BY position, timestamp, id`,
      [session, upTo],
    ),
  );
}

/** Of these rows, in the same order, those before the last `skip`, up to `count` of them. */
export function newestRows(db: Database, id: string, skip: number, count: number): MessageRow[] {
  const rows: MessageRow[][] = [];
  let toSkip = skip;
  let left = count;
  for (const { session, upTo } of lineage(db, id).reverse()) {
    if (left <= 0) break;
    const own = "FROM messages WHERE session_id = ? AND position <= ?";
    const of = [session, upTo];
    const size = toSkip > 0 ? (db.first(countSchema, `SELECT count(*) AS count ${own}`, of)?.count ?? 0) : 0;
    if (toSkip > 0 && toSkip >= size) {
      toSkip -= size;
      continue;
    }
    const order = "ORDER BY position DESC, timestamp DESC, id DESC LIMIT ? OFFSET ?";
    const found = db.all(messageRowSchema, `SELECT ${messageColumns} ${own} ${order}`, [...of, left, toSkip]);
    toSkip = 0;
    left -= found.length;
    rows.unshift(found.reverse());
  }
  return rows.flat();
}

const placeSchema = z.object({ position: z.number(), session_id: z.string() });

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
  if (!place || !segments.some(({ session, upTo }) => session === place.session_id && place.position <= upTo))
    return undefined;
  const at = place.position - 1;
  const counts = segments.map(({ session, upTo }) => {
    const query = "SELECT count(*) AS count FROM messages WHERE session_id = ? AND position <= ?";
    return db.first(countSchema, query, [session, Math.min(upTo, at)])?.count ?? 0;
  });
  return { from: id, at, count: counts.reduce((sum, count) => sum + count, 0) };
}

const positionSchema = z.object({ position: z.number() });

/** The position of a session's next message: after all of its own, and all that it shares. */
export function nextPosition(db: Database, id: string): number {
  const sql = `SELECT max(
      ifnull((SELECT max(position) FROM messages WHERE session_id = ?), 0),
      ifnull((SELECT forked_at FROM sessions WHERE id = ?), 0)) + 1 AS position`;
  return db.first(positionSchema, sql, [id, id])?.position ?? 1;
}
