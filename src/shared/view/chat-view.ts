/**
 * The state that a panel shows. Rows of earlier steps are `settled`; those of the step in progress are `live`. For a
 * long session, the view contains the newest part and as many earlier messages as were requested.
 */

import {
  approvalViewSchema,
  checkpointViewSchema,
  noticeCodeSchema,
  queueItemSchema,
  retryViewSchema,
  statusSchema,
} from "../event.ts";
import { worktreeSchema } from "../history/worktree.ts";
import { comparedAnswerSchema, modeSchema, sandboxPlaceSchema, shownResultSchema } from "../message.ts";
import { chosenModelsSchema } from "../models/connection.ts";
import { errorViewSchema } from "../models/request-error.ts";
import { answerDraftSchema } from "../permission/prepared-answer.ts";
import { NO_PERMISSION, sessionPermissionSchema } from "../permission/session-permission.ts";
import { planStateSchema } from "../plan-state.ts";
import { serverFormSchema } from "../server-form.ts";
import { toolPresentationsSchema } from "../tool-presentation.ts";
import { emptyTotals, totalsSchema } from "../totals.ts";
import * as z from "../zod.ts";
import { backgroundCommandSchema } from "./background-command.ts";
import { callStateSchema, childTaskSchema } from "./child-task.ts";

export type { CallState } from "./child-task.ts";

/** When the row's message was complete, in ISO 8601; absent while it is streaming. */
const atSchema = z.optional(z.string());

const rowSchema = z.discriminatedUnion("kind", [
  z.object({
    kind: z.literal("user"),
    id: z.string(),
    text: z.string(),
    images: z.optional(z.number()),
    at: atSchema,
  }),
  z.object({
    kind: z.literal("text"),
    id: z.string(),
    text: z.string(),
    streaming: z.boolean(),
    /** `connection/id` of the model that wrote it, once it is complete. */
    by: z.optional(z.string()),
    at: atSchema,
  }),
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
    options: z.optional(z.array(z.string())),
    /** A command proposed with a completion; a proposal only. */
    proposal: z.optional(z.string()),
    approval: z.optional(approvalViewSchema),
    /** What the user has prepared as the answer to it; absent: nothing. */
    prepared: z.optional(answerDraftSchema),
    /** What the call's MCP server asks the user. */
    form: z.optional(serverFormSchema),
    /** A command that seems to wait for what the user types into its terminal. */
    waits: z.optional(z.boolean()),
    /** It waits for a secret, or for what its terminal hides. */
    hidden: z.optional(z.boolean()),
    /** A command runs outside the sandbox, although there is one; when it has ended, that is in `shown`. */
    outside: z.optional(z.boolean()),
    /** Where in the sandbox a command runs; when it has ended, that is in `shown`. */
    sandbox: z.optional(sandboxPlaceSchema),
    /** The end of the output so far. */
    output: z.optional(z.string()),
    shown: z.optional(shownResultSchema),
    /** The files that it changed, which the user can inspect and restore. */
    checkpoint: z.optional(checkpointViewSchema),
    /** The task that it started, while the call runs; afterwards, the task is in `shown`. */
    task: z.optional(childTaskSchema),
    /** `connection/id` of the model that made the call. */
    by: z.optional(z.string()),
    at: atSchema,
  }),
  /** For a user message or a restore: a point to restore to. */
  z.object({ kind: z.literal("checkpoint"), id: z.string(), checkpoint: checkpointViewSchema }),
  /** Answers of several models, side by side. */
  z.object({
    kind: z.literal("comparison"),
    id: z.string(),
    answers: z.array(
      z.extend(z.partial(z.omit(comparedAnswerSchema, { messages: true })), {
        name: z.string(),
        text: z.string(),
        /** The last call that the model made. */
        call: z.optional(z.object({ tool: z.string(), subject: z.string() })),
      }),
    ),
    /** Index of the answer that the conversation continues with. */
    chosen: z.optional(z.number()),
  }),
  z.object({ kind: z.literal("error"), id: z.string(), error: errorViewSchema }),
  z.object({
    kind: z.literal("notice"),
    id: z.string(),
    code: noticeCodeSchema,
    values: z.optional(z.array(z.string())),
    /** Markdown that can be shown below it: the summary of what was condensed. */
    detail: z.optional(z.string()),
  }),
]);
export type Row = z.infer<typeof rowSchema>;
export type ComparisonRow = Extract<Row, { kind: "comparison" }>;
export type CallRow = Extract<Row, { kind: "call" }>;

export const chatViewSchema = z.object({
  session: z.nullable(
    z.object({
      id: z.string(),
      title: z.string(),
      worktree: z.optional(worktreeSchema),
      isSubtask: z.optional(z.boolean()),
    }),
  ),
  /** The session has no message yet, and begins in a worktree. */
  beginsInWorktree: z.optional(z.boolean()),
  /** The newest plan; absent: there is none. */
  plan: z.optional(planStateSchema),
  /** Number of messages at the start of the session that have no rows here yet: `earlier` events add them. */
  earlier: z.number(),
  /**
   * Number of rows inserted before all others since the session was opened; the other rows moved by that many places.
   */
  prepended: z.number(),
  /** Presentations of the tools that the rows' calls use. */
  faces: toolPresentationsSchema,
  settled: z.readonly(z.array(rowSchema)),
  live: z.readonly(z.array(rowSchema)),
  status: statusSchema,
  retry: z.optional(retryViewSchema),
  mode: modeSchema,
  /** The name of the agent that the user chose; absent: none. */
  agent: z.optional(z.string()),
  /** The models chosen for the session; see `shownModel`. */
  chosen: chosenModelsSchema,
  permission: sessionPermissionSchema,
  todo: z.string(),
  totals: totalsSchema,
  queue: z.readonly(z.array(queueItemSchema)),
  /** See the event of this name. */
  background: z.readonly(z.array(backgroundCommandSchema)),
});
export type ChatView = z.infer<typeof chatViewSchema>;

/** Maximum number of characters of a command's output kept in a row; the session has the full output. */
export const OUTPUT_TAIL = 20_000;

export const emptyView: ChatView = {
  session: null,
  earlier: 0,
  prepended: 0,
  faces: {},
  settled: [],
  live: [],
  status: "idle",
  mode: "act",
  chosen: {},
  permission: NO_PERMISSION,
  todo: "",
  totals: emptyTotals,
  queue: [],
  background: [],
};

export function rowsOf(view: ChatView): readonly Row[] {
  return view.live.length === 0 ? view.settled : [...view.settled, ...view.live];
}

/** The call that waits for approval; the first if there are several. */
export function pendingCall(view: ChatView): CallRow | undefined {
  const live = view.live.find((row) => row.kind === "call" && row.state === "approval");
  if (live?.kind === "call") return live;
  if (view.status !== "approval") return undefined;
  const settled = view.settled.findLast((row) => row.kind === "call" && row.state === "approval");
  return settled?.kind === "call" ? settled : undefined;
}
