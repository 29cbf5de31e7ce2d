/**
 * What a panel shows. Rows of earlier steps are `settled`; those of the step in progress are `live`. Of a long session
 * the view holds the newest part, and as much of what came before as was asked for.
 */
import * as z from "zod";
import {
  approvalViewSchema,
  checkpointViewSchema,
  errorViewSchema,
  noticeCodeSchema,
  queueItemSchema,
  retryViewSchema,
  statusSchema,
  totalsSchema,
} from "../event.ts";
import { modeSchema, shownResultSchema } from "../message.ts";
import { toolFacesSchema } from "../tool-face.ts";

export const callStateSchema = z.enum([
  "streaming",
  "approval",
  "running",
  "done",
  "failed",
  "rejected",
  "interrupted",
  "not-run",
]);
export type CallState = z.infer<typeof callStateSchema>;

export const rowSchema = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("user"), id: z.string(), text: z.string(), images: z.number().optional() }),
  z.object({ kind: z.literal("text"), id: z.string(), text: z.string(), streaming: z.boolean() }),
  z.object({ kind: z.literal("reasoning"), id: z.string(), text: z.string(), streaming: z.boolean() }),
  /** Any tool call. Its id is the call's. The webview shows it as `approval`, `command`, `result` or `tool`. */
  z.object({
    kind: z.literal("call"),
    id: z.string(),
    tool: z.string(),
    subject: z.string(),
    state: callStateSchema,
    /** Text that the call shows: a result, a plan, a question. */
    text: z.string(),
    options: z.array(z.string()).optional(),
    /** A command proposed with a completion; a proposal only. */
    proposal: z.string().optional(),
    approval: approvalViewSchema.optional(),
    /** Output so far, its tail. */
    output: z.string().optional(),
    shown: shownResultSchema.optional(),
    /** The files that it changed, to be looked at and taken back. */
    checkpoint: checkpointViewSchema.optional(),
  }),
  /** At a message of the person's, or a restore: a moment to go back to. */
  z.object({ kind: z.literal("checkpoint"), id: z.string(), checkpoint: checkpointViewSchema }),
  z.object({ kind: z.literal("error"), id: z.string(), error: errorViewSchema }),
  z.object({
    kind: z.literal("notice"),
    id: z.string(),
    code: noticeCodeSchema,
    values: z.array(z.string()).optional(),
    /** Markdown that can be shown under it: the summary of what was condensed. */
    detail: z.string().optional(),
  }),
]);
export type Row = z.infer<typeof rowSchema>;
export type CallRow = Extract<Row, { kind: "call" }>;

export const chatViewSchema = z.object({
  session: z.object({ id: z.string(), title: z.string() }).nullable(),
  /** Messages of the session, from its first one on, that have no rows here yet: `earlier` events bring them. */
  earlier: z.number(),
  /** Rows that came before all others since the session is on show: the others moved on by so many places. */
  prepended: z.number(),
  /** Faces of the tools whose calls are among the rows. */
  faces: toolFacesSchema,
  settled: z.array(rowSchema).readonly(),
  live: z.array(rowSchema).readonly(),
  status: statusSchema,
  retry: retryViewSchema.optional(),
  mode: modeSchema,
  todo: z.string(),
  totals: totalsSchema,
  queue: z.array(queueItemSchema).readonly(),
});
export type ChatView = z.infer<typeof chatViewSchema>;

/** Characters of a command's output that a row keeps; the whole is in the session. */
export const outputTail = 20_000;

export const emptyView: ChatView = {
  session: null,
  earlier: 0,
  prepended: 0,
  faces: {},
  settled: [],
  live: [],
  status: "idle",
  mode: "act",
  todo: "",
  totals: {
    requests: 0,
    inputTokens: 0,
    outputTokens: 0,
    cachedTokens: 0,
    contextTokens: 0,
    contextWindow: 0,
  },
  queue: [],
};

export function rowsOf(view: ChatView): readonly Row[] {
  return view.live.length === 0 ? view.settled : [...view.settled, ...view.live];
}
