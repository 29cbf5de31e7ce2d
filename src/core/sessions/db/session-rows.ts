/** A session as a row, and its summary for the list. */
import type { SqlValue } from "sql.js";
import { type SessionOrigin, sessionOriginSchema } from "../../../shared/history/session-origin.ts";
import { type Worktree, worktreeSchema } from "../../../shared/history/worktree.ts";
import { modeSchema } from "../../../shared/message.ts";
import {
  ASK_ALL,
  NO_PERMISSION,
  type SessionPermission,
  sessionPermissionSchema,
} from "../../../shared/permission/session-permission.ts";
import type { SessionSummary } from "../../../shared/protocol.ts";
import { type SessionAgent, sessionAgentSchema } from "../../../shared/session-agent.ts";
import { type Totals, totalsSchema } from "../../../shared/totals.ts";
import { emptyView } from "../../../shared/view/reducer.ts";
import * as z from "../../../shared/zod.ts";
import type { Database } from "./database.ts";

const totalsText = z.string().check(z.refine((text) => parsedTotals(text) !== undefined, "no totals"));

const sessionRowSchema = z.object({
  id: z.string(),
  started_at: z.string(),
  ended_at: z.nullable(z.string()),
  title: z.string(),
  updated_at: z.string(),
  model_used: z.string(),
  mode: modeSchema,
  permission: z.nullable(z.string()),
  agent: z.nullable(z.string()),
  todo: z.string(),
  totals: z.nullable(totalsText),
  message_count: z.number(),
  favourite: z.number(),
  forked_from: z.nullable(z.string()),
  forked_title: z.nullable(z.string()),
  parent: z.nullable(z.string()),
  parent_title: z.nullable(z.string()),
  worktree: z.nullable(z.string()),
  origin: z.nullable(z.string()),
});
export type SessionRow = z.infer<typeof sessionRowSchema>;

/** The readable part of a row with unreadable columns. An unknown mode becomes plan mode, which changes no files. */
const lenientSchema: z.ZodMiniType<SessionRow> = z.object({
  id: z.string(),
  started_at: z.catch(z.string(), ""),
  ended_at: z.catch(z.nullable(z.string()), null),
  title: z.catch(z.string(), ""),
  updated_at: z.catch(z.string(), ""),
  model_used: z.catch(z.string(), ""),
  mode: z.catch(modeSchema, "plan"),
  permission: z.catch(z.nullable(z.string()), ""),
  agent: z.catch(z.nullable(z.string()), ""),
  todo: z.catch(z.string(), ""),
  totals: z.catch(z.nullable(totalsText), null),
  message_count: z.catch(z.number(), 0),
  favourite: z.catch(z.number(), 0),
  forked_from: z.catch(z.nullable(z.string()), null),
  forked_title: z.catch(z.nullable(z.string()), null),
  parent: z.catch(z.nullable(z.string()), null),
  parent_title: z.catch(z.nullable(z.string()), null),
  worktree: z.catch(z.nullable(z.string()), ""),
  origin: z.catch(z.nullable(z.string()), ""),
});

/** SQL condition. A deletion time that is not a valid time does not count, so that such a session stays visible. */
export const IS_DELETED = `(typeof(deleted_at) = 'text' AND deleted_at GLOB '[0-9][0-9][0-9][0-9]-[0-9]*' AND datetime(deleted_at) IS NOT NULL)`;

/** SQL condition of the sessions that the user sees. One without a message was left by an earlier version, or is unreadable. */
export const IS_LISTED = `(NOT ${IS_DELETED} AND (ifnull(forked_count, 0) > 0 OR EXISTS (SELECT 1 FROM messages WHERE session_id = sessions.id)))`;

/**
 * SQL condition of the sessions that are listed under the one whose task started them. Subtasks cannot start subtasks, so even
 * with damaged links each session is either top-level or listed under a top-level session.
 */
export const IS_NESTED = `(parent IS NOT NULL AND ifnull(parent IN (SELECT id FROM sessions WHERE parent IS NULL AND ${IS_LISTED}), 0))`;

/** The columns of such a row, for queries on `sessions`. */
const SESSION_COLUMNS = `id, started_at, ended_at, title, updated_at, model_used, mode, permission, agent, todo, totals,
  forked_count + (SELECT count(*) FROM messages WHERE session_id = sessions.id) AS message_count, favourite, forked_from,
  (SELECT title FROM sessions AS origin WHERE origin.id = sessions.forked_from AND deleted_at IS NULL) AS forked_title,
  parent, (SELECT title FROM sessions AS starter WHERE starter.id = sessions.parent AND deleted_at IS NULL) AS parent_title, worktree, origin`;

/**
 * Returns the sessions that the query's end, `rest`, selects. A row with unreadable columns is returned as far as it is
 * readable.
 */
export function sessionRows(db: Database, rest: string, params: SqlValue[] = []): SessionRow[] {
  return db.all(sessionRowSchema, `SELECT ${SESSION_COLUMNS} FROM sessions ${rest}`, params, lenientSchema);
}

/** Returns the sessions that are listed under any of these, by the one that started them: the first one first. */
export function nestedSessions(db: Database, parents: readonly string[]): Map<string, SessionSummary[]> {
  const rest = `WHERE parent IN (SELECT value FROM json_each(?)) AND ${IS_LISTED} AND ${IS_NESTED}`;
  const rows = sessionRows(db, `${rest} ORDER BY started_at, rowid`, [JSON.stringify(parents)]);
  const nested = new Map<string, SessionSummary[]>();
  for (const row of rows) {
    if (row.parent === null) continue;
    const siblings = nested.get(row.parent);
    if (siblings) siblings.push(summaryOf(row));
    else nested.set(row.parent, [summaryOf(row)]);
  }
  return nested;
}

/**
 * Reports messages whose session is not in the database, which no list shows: a damaged id separates a session from its
 * messages.
 */
export function reportOrphans(db: Database): void {
  const sql = "SELECT count(*) FROM messages WHERE NOT EXISTS (SELECT 1 FROM sessions WHERE id = session_id)";
  const count = Number(db.dump(sql)[0]?.[0] ?? 0);
  if (count > 0) db.onInvalidRows(`messages: ${count}: without a session`);
}

/** Returns the saved totals, or zero totals. */
export function totalsOf(row: Pick<SessionRow, "totals">): Totals {
  return parsedTotals(row.totals ?? "null") ?? emptyView.totals;
}

/** The user's decisions about approvals. With a permission that cannot be read, nothing runs without asking. */
export function permissionOf({ permission }: Pick<SessionRow, "permission">): SessionPermission {
  if (permission === null) return NO_PERMISSION;
  try {
    return sessionPermissionSchema.parse(JSON.parse(permission));
  } catch {
    return ASK_ALL;
  }
}

/** The agent that the user chose. unreadable: what is stored about it is damaged, so that its limits are not known. */
export function storedAgent({ agent }: Pick<SessionRow, "agent">): SessionAgent | "unreadable" | undefined {
  if (agent === null) return undefined;
  try {
    return sessionAgentSchema.parse(JSON.parse(agent));
  } catch {
    return "unreadable";
  }
}

function parsedTotals(text: string): Totals | undefined {
  try {
    return totalsSchema.parse(JSON.parse(text));
  } catch {
    return undefined;
  }
}

export function summaryOf(row: SessionRow): SessionSummary {
  const totals = totalsOf(row);
  return {
    id: row.id,
    title: row.title,
    startedAt: row.started_at,
    updatedAt: row.updated_at,
    messageCount: row.message_count,
    cost: totals.cost ?? 0,
    tokens: totals.inputTokens + totals.outputTokens,
    ...(row.favourite ? { favourite: true } : {}),
    ...(row.forked_from === null ? {} : { forkOf: linkTo(row.forked_from, row.forked_title) }),
    ...(row.parent === null ? {} : { parent: linkTo(row.parent, row.parent_title) }),
    ...shownWorktree(row),
    ...shownOrigin(row),
  };
}

/** Empty: the session works in the project's folder. A session whose worktree is unreadable must not work there. */
export function optionalWorktree({ worktree }: Pick<SessionRow, "worktree">): {
  worktree?: Worktree | "unreadable";
} {
  if (worktree === null) return {};
  try {
    return { worktree: worktreeSchema.parse(JSON.parse(worktree)) };
  } catch {
    return { worktree: "unreadable" };
  }
}

/** Where the session was imported from; unreadable: that is damaged, so that it is read-only all the same. */
export function originOf({ origin }: { origin: string | null }): SessionOrigin | "unreadable" | undefined {
  if (origin === null) return undefined;
  try {
    return sessionOriginSchema.parse(JSON.parse(origin));
  } catch {
    return "unreadable";
  }
}

function shownOrigin(row: Pick<SessionRow, "origin">): { origin?: SessionOrigin } {
  const origin = originOf(row);
  return origin === undefined || origin === "unreadable" ? {} : { origin };
}

function shownWorktree(row: Pick<SessionRow, "worktree">): { worktree?: Worktree } {
  const { worktree } = optionalWorktree(row);
  return worktree === undefined || worktree === "unreadable" ? {} : { worktree };
}

function linkTo(id: string, title: string | null): { id: string; title?: string } {
  return title === null ? { id } : { id, title };
}
