/** A session as a row, and what is shown of it. */
import * as z from "zod";
import { type Totals, totalsSchema } from "../../shared/event.ts";
import { modeSchema } from "../../shared/message.ts";
import type { SessionSummary } from "../../shared/protocol.ts";
import { emptyView } from "../../shared/view.ts";

export const sessionRowSchema = z.object({
  id: z.string(),
  started_at: z.string(),
  ended_at: z.string().nullable(),
  title: z.string(),
  updated_at: z.string(),
  model_used: z.string(),
  mode: modeSchema.catch("act"),
  todo: z.string(),
  totals: z.string().nullable(),
  message_count: z.number(),
  favourite: z.number(),
  forked_from: z.string().nullable(),
  forked_title: z.string().nullable(),
});
export type SessionRow = z.infer<typeof sessionRowSchema>;

/** What a query selects from `sessions` for such a row. */
export const sessionColumns = `id, started_at, ended_at, title, updated_at, model_used, mode, todo, totals,
  forked_count + (SELECT count(*) FROM messages WHERE session_id = sessions.id) AS message_count, favourite, forked_from,
  (SELECT title FROM sessions AS origin WHERE origin.id = sessions.forked_from AND deleted_at IS NULL) AS forked_title`;

/** Totals as they were saved, or none. */
export function totalsOf(row: SessionRow): Totals {
  try {
    return totalsSchema.parse(JSON.parse(row.totals ?? "null"));
  } catch {
    return emptyView.totals;
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
    ...(row.forked_from === null ? {} : { forkOf: forkOf(row.forked_from, row.forked_title) }),
  };
}

function forkOf(id: string, title: string | null): NonNullable<SessionSummary["forkOf"]> {
  return title === null ? { id } : { id, title };
}
