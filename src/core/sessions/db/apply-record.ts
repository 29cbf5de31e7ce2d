/** Applies a journal record to the database. Applying a record again changes nothing. */

import type { SessionOrigin } from "../../../shared/history/session-origin.ts";
import { unreachable } from "../../../shared/unreachable.ts";
import * as z from "../../../shared/zod.ts";
import type { JournalRecord, SessionPatch } from "../journal/records.ts";
import type { Database } from "./database.ts";
import { toRow } from "./rows.ts";

const idSchema = z.object({ id: z.string() });
const resultSchema = z.object({ type: z.literal("tool-result"), callId: z.string() });

export function applyRecord(db: Database, record: JournalRecord): void {
  const { session } = record;
  if (db.first(idSchema, "SELECT id FROM removed_sessions WHERE id = ?", [session])) return;
  switch (record.op) {
    case "create":
      applyNewSession(db, record);
      return;
    case "begin":
      applyNewSession(db, record);
      if (record.first) applyMessage(db, session, record.first);
      if (record.patch) applyPatch(db, session, record.patch);
      return;
    case "message":
      applyMessage(db, session, record);
      break;
    case "update":
      applyPatch(db, session, record.patch);
      break;
    case "call":
      db.run("INSERT OR IGNORE INTO started_calls (session_id, call_id) VALUES (?, ?)", [
        session,
        record.callId,
      ]);
      break;
    case "remove":
      db.run("INSERT OR IGNORE INTO removed_sessions (id, removed_at) VALUES (?, ?)", [session, record.at]);
      passMessagesToBranch(db, session);
      db.run("DELETE FROM search_chunks WHERE session_id = ?", [session]);
      db.run("DELETE FROM messages WHERE session_id = ?", [session]);
      db.run("DELETE FROM started_calls WHERE session_id = ?", [session]);
      db.run("DELETE FROM payload_uses WHERE session_id = ?", [session]);
      db.run("DELETE FROM sessions WHERE id = ?", [session]);
      return;
    default:
      unreachable(record);
  }
  // Renaming, starring or deleting a session does not count as work on it: its position in the list stays.
  if (record.op === "update" && isListChange(record.patch)) return;
  // An imported session keeps its place, because no work is done in it.
  db.run("UPDATE sessions SET touched = max(touched, ?), updated_at = ? WHERE id = ? AND origin IS NULL", [
    record.seq,
    record.at,
    session,
  ]);
}

/**
 * The rank of an imported session in the list: after all sessions of this product, whose ranks are positive, and among
 * imported ones by their last change.
 */
function importedRank({ updatedAt }: SessionOrigin): number {
  const seconds = Math.floor(Date.parse(updatedAt) / 1000);
  return Math.min(-1, (Number.isFinite(seconds) ? seconds : 0) - LATEST_SECONDS);
}

/** The year 5138, in seconds. */
const LATEST_SECONDS = 100_000_000_000;

function isListChange({ title, favourite, deletedAt, ...rest }: SessionPatch): boolean {
  const changesList = title !== undefined || favourite !== undefined || deletedAt !== undefined;
  return changesList && Object.values(rest).every((value) => value === undefined);
}

const forkRow = z.object({ id: z.string(), forked_from: z.nullable(z.string()), forked_at: z.number() });

/**
 * Keeps the shared messages of a removed session for its branches: the branch with the latest fork point takes them
 * over, and the others become its branches.
 */
function passMessagesToBranch(db: Database, session: string): void {
  const columns = "SELECT id, forked_from, forked_at FROM sessions";
  const own = db.first(forkRow, `${columns} WHERE id = ?`, [session]);
  const heir = db.first(forkRow, `${columns} WHERE forked_from = ? ORDER BY forked_at DESC, id LIMIT 1`, [
    session,
  ]);
  if (!own || !heir) return;
  db.run("UPDATE messages SET session_id = ? WHERE session_id = ? AND position <= ?", [
    heir.id,
    session,
    heir.forked_at,
  ]);
  db.run(
    "INSERT OR IGNORE INTO payload_uses (payload, session_id) SELECT payload, ? FROM payload_uses WHERE session_id = ?",
    [heir.id, session],
  );
  db.run("DELETE FROM search_chunks WHERE session_id = ?", [heir.id]);
  db.run("UPDATE sessions SET forked_from = ? WHERE forked_from = ?", [heir.id, session]);
  db.run(
    `UPDATE sessions SET forked_from = ?, forked_at = ?,
       forked_count = max(0, forked_count - (SELECT count(*) FROM messages WHERE session_id = ? AND position <= ?))
     WHERE id = ?`,
    [own.forked_from, Math.min(own.forked_at, heir.forked_at), heir.id, heir.forked_at, heir.id],
  );
}

type NewSessionRecord = Extract<JournalRecord, { op: "create" | "begin" }>;
type PlacedMessage = Pick<Extract<JournalRecord, { op: "message" }>, "message" | "position" | "payloads">;

function applyNewSession(db: Database, record: NewSessionRecord): void {
  db.run(
    `INSERT OR IGNORE INTO sessions
       (id, started_at, ended_at, project_path, model_used, title, updated_at, mode, todo, totals, touched,
        forked_from, forked_at, forked_count, permission, agent, parent, worktree, origin)
     VALUES (?, ?, NULL, ?, ?, ?, ?, ?, '', NULL, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    [
      record.session,
      record.startedAt,
      record.projectPath,
      record.model,
      record.title,
      record.origin?.updatedAt ?? record.at,
      record.mode,
      record.origin ? importedRank(record.origin) : record.seq,
      record.fork?.from ?? null,
      record.fork?.at ?? 0,
      record.fork?.count ?? 0,
      record.permission ? JSON.stringify(record.permission) : null,
      record.agent ? JSON.stringify(record.agent) : null,
      record.parent ?? null,
      record.worktree ? JSON.stringify(record.worktree) : null,
      record.origin ? JSON.stringify(record.origin) : null,
    ],
  );
}

function applyMessage(db: Database, session: string, placed: PlacedMessage): void {
  const row = toRow(placed.message);
  db.run(
    `INSERT OR IGNORE INTO messages
       (id, session_id, timestamp, role, content, tool_calls, tool_results, position, body)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    [
      row.id,
      session,
      row.timestamp,
      row.role,
      row.content,
      row.tool_calls,
      row.tool_results,
      placed.position,
      row.body,
    ],
  );
  for (const payload of placed.payloads) {
    db.run("INSERT OR IGNORE INTO payload_uses (payload, session_id) VALUES (?, ?)", [payload, session]);
  }
  for (const block of placed.message.blocks) {
    const result = resultSchema.safeParse(block).data;
    if (!result) continue;
    db.run("DELETE FROM started_calls WHERE session_id = ? AND call_id = ?", [session, result.callId]);
  }
}

function applyPatch(db: Database, session: string, patch: SessionPatch): void {
  const { title, mode, permission, agent, todo, model, endedAt, totals, favourite, deletedAt, worktree } =
    patch;
  const set = (column: string, value: string | number | null): void => {
    db.run(`UPDATE sessions SET ${column} = ? WHERE id = ?`, [value, session]);
  };
  if (title !== undefined) set("title", title);
  if (mode !== undefined) set("mode", mode);
  if (permission !== undefined) set("permission", JSON.stringify(permission));
  if (agent !== undefined) set("agent", agent && JSON.stringify(agent));
  if (todo !== undefined) set("todo", todo);
  if (model !== undefined) set("model_used", model);
  if (endedAt !== undefined) set("ended_at", endedAt);
  if (totals !== undefined) set("totals", JSON.stringify(totals));
  if (favourite !== undefined) set("favourite", favourite ? 1 : 0);
  if (deletedAt !== undefined) set("deleted_at", deletedAt);
  if (worktree !== undefined) set("worktree", worktree && JSON.stringify(worktree));
}
