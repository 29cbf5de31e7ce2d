/**
 * What a task tells the world. One union, the only way out of the loop: the manager persists, the bridge numbers
 * and sends, the terminal host prints, the webview folds. Deltas are final: nothing said is taken back, and the
 * `message` that ends a step carries the same content whole.
 */
import * as z from "zod";
import { callOutcomeSchema, messageSchema, modeSchema, shownResultSchema } from "./message.ts";
import { reasonSchema } from "./reason.ts";
import { toolFaceSchema, toolFacesSchema } from "./tool-face.ts";

export const statusSchema = z.enum([
  "idle",
  /** A request is out, nothing has come back yet. */
  "waiting",
  "streaming",
  /** A tool runs. */
  "running",
  /** A call waits for the person's yes or no. */
  "approval",
  /** The endpoint asked to wait, or a failed request is tried again at `retry.at`. */
  "retrying",
  "stopping",
]);
export type Status = z.infer<typeof statusSchema>;

export const accessSchema = z.enum(["read", "edit", "command", "web", "mcp", "talk"]);
export type Access = z.infer<typeof accessSchema>;

/** One file of a call that changes several. Lines added and removed. */
export const changedFileSchema = z.object({
  path: z.string(),
  kind: z.enum(["add", "update", "delete", "move"]),
  added: z.number(),
  removed: z.number(),
  /** Where a moved file goes. */
  to: z.string().optional(),
});
export type ChangedFile = z.infer<typeof changedFileSchema>;

/** What a command hits and is not kept. */
export const notKeptSchema = z.object({
  /** size: the limits of one snapshot or of one file. outside: not in the project. unreadable: no permission. */
  why: z.enum(["size", "outside", "unreadable"]),
  /** Files, or folders with all that is in them. */
  count: z.number(),
  /** The first of them, relative to the project's folder where they are in it. */
  names: z.array(z.string()),
});
export type NotKept = z.infer<typeof notKeptSchema>;

/** What exactly will happen if the person says yes. Every string is shown with invisible characters made visible. */
export const approvalViewSchema = z.object({
  callId: z.string(),
  access: accessSchema,
  reason: reasonSchema,
  path: z.string().optional(),
  /** The real path, where it differs from the one named. */
  realPath: z.string().optional(),
  command: z.string().optional(),
  cwd: z.string().optional(),
  added: z.number().optional(),
  removed: z.number().optional(),
  created: z.boolean().optional(),
  /** Every file that one call changes, where it changes several; `path` is then the first. */
  files: z.array(changedFileSchema).optional(),
  /** Markdown that the person says yes or no to (a summary, the context of a new task). */
  text: z.string().optional(),
  /** Of a command that is known to destroy: what cannot be kept before it runs. */
  notKept: z.array(notKeptSchema).optional(),
  /** The words that "always allow this" would store; without it, that is not on offer. */
  always: z.string().optional(),
});
export type ApprovalView = z.infer<typeof approvalViewSchema>;

/** Codes of what can go wrong with a request; `task-words.ts` has the words and what the person can do. */
export const errorCodeSchema = z.enum([
  "no-endpoint",
  "no-model",
  "no-key",
  "bad-key",
  "unusable-key",
  "unusable-header",
  "bad-address",
  "wrong-address",
  "untrusted-certificate",
  "unknown-model",
  "unreachable",
  "rate-limited",
  "server-error",
  "bad-request",
  "bad-response",
  "empty-response",
  "context-length",
  "first-token-timeout",
  "idle-timeout",
  "connection-lost",
  "redirected",
  "response-too-large",
  "not-saved",
  "internal",
]);
export type ErrorCode = z.infer<typeof errorCodeSchema>;

export const errorViewSchema = z.object({
  code: errorCodeSchema,
  /** The endpoint's own words, or the cause; shown under the sentence. */
  detail: z.string().optional(),
  /** Where: the endpoint's address, the model's name. */
  subject: z.string().optional(),
});
export type ErrorView = z.infer<typeof errorViewSchema>;

/** A failed request that is tried again: when (ISO 8601), which try it will be, of how many, and what failed. */
export const retryViewSchema = z.object({
  at: z.string(),
  try: z.number(),
  of: z.number(),
  error: errorViewSchema,
});
export type RetryView = z.infer<typeof retryViewSchema>;

export const noticeCodeSchema = z.enum([
  "stopped",
  "interrupted",
  "request-limit",
  "cost-limit",
  "mistake-limit",
  "repeat-limit",
  "mode-plan",
  "mode-act",
  "reply-cut",
  "no-workspace",
  /** The request leaves out results, or messages; condensed: a summary stands for them. */
  "context-shortened",
  "context-pruned",
  "condensed",
  "condense-failed",
  "condense-nothing",
  /** The endpoint counted far fewer tokens than the prompt has; values: those, and how many it has. */
  "prompt-cut",
  /** The stored sessions are not as they should be; values: a code of the store's, and what it found. */
  "store-problem",
  /** Another window goes on with this session; nothing more is stored from here. */
  "taken-over",
  /** Files of rules that cannot be used; values: of each its name, its state, and what is said with that. */
  "rules-left-out",
  /** What the model was told of the rules before does not hold any more, and it is told so; values: the files. */
  "rules-changed",
  /**
   * What the person mentioned and the model did not get, not whole, or not all that was shown; values: the mentions. One
   * that failed is followed by a code of `mentionFailures` and what is said with it; no code: that alone.
   */
  "mention-failed",
  "mention-cut",
  "mention-lossy",
]);
export type NoticeCode = z.infer<typeof noticeCodeSchema>;

export const queueItemSchema = z.object({ id: z.string(), text: z.string() });
export type QueueItem = z.infer<typeof queueItemSchema>;

/** Running totals of a task. Tokens; cost in USD. */
export const totalsSchema = z.object({
  requests: z.number(),
  inputTokens: z.number(),
  outputTokens: z.number(),
  cachedTokens: z.number(),
  /** Absent as long as the endpoint names no price. */
  cost: z.number().optional(),
  /** Tokens of the last prompt and its answer, and the window that they must fit. */
  contextTokens: z.number(),
  contextWindow: z.number(),
  /** `contextTokens` is our estimate: the endpoint did not count. */
  contextEstimated: z.boolean().optional(),
  /** Those of `inputTokens` and `outputTokens` that we estimated. */
  estimatedTokens: z.number().optional(),
});
export type Totals = z.infer<typeof totalsSchema>;

/** What was kept before a command ran that is known to destroy. */
export const keptViewSchema = z.object({
  files: z.number(),
  bytes: z.number(),
  notKept: z.array(notKeptSchema),
  /** Git's own state is not undone. `head`: where the repository was, such as `main 1a2b3c4`. */
  git: z.object({ head: z.string().optional() }).optional(),
});
export type KeptView = z.infer<typeof keptViewSchema>;

/**
 * A moment that files can be put back to: a message of the person's, a call that changed files, or a restore, which can
 * itself be undone. Said again whenever more is known of it.
 */
export const checkpointViewSchema = z.object({
  /** Of a message its id, of a call its id. */
  id: z.string(),
  kind: z.enum(["message", "call", "restore"]),
  /** The row that it belongs to or follows. */
  at: z.string(),
  /** Files that the call, the restore, or all calls until the person's next message changed. */
  files: z.number(),
  /** No file did, but so many folders as `files` says. */
  folders: z.boolean().optional(),
  /** Files among them that are too large to be kept. */
  left: z.number().optional(),
  /** Why changes by a command are not known: then only what the agent itself wrote can be taken back. */
  uncovered: z.enum(["no-repository", "no-git", "too-many", "failed", "some-folders"]).optional(),
  /** It was taken back. */
  undone: z.boolean().optional(),
  /** A crash interrupted it: what exactly it changed is not known. */
  unfinished: z.boolean().optional(),
  kept: keptViewSchema.optional(),
  /** Names of files that it changed, those that are gone first; see `NotKept.names`. */
  names: z.array(z.string()).optional(),
  /** Files are being kept and the command waits for it: how many of how many. */
  keeping: z.object({ done: z.number(), total: z.number() }).optional(),
});
export type CheckpointView = z.infer<typeof checkpointViewSchema>;

/** What a call is about (a path, a command, a pattern, a question), as far as it is known while it streams. */
const callFields = { callId: z.string(), tool: z.string(), subject: z.string() };

/** An event of one session, which `session` names. */
const event = <Shape extends z.ZodRawShape>(shape: Shape) => z.object({ session: z.string(), ...shape });

export const taskEventSchema = z.discriminatedUnion("type", [
  /** The session begins, or was opened; what a view held before is gone. An empty `id`: it has no message yet. */
  event({ type: z.literal("session"), id: z.string(), title: z.string() }),
  /** A message is complete and on disk. `subjects` names each of its calls. */
  event({
    type: z.literal("message"),
    message: messageSchema,
    subjects: z.record(z.string(), z.string()).optional(),
  }),
  /**
   * Messages of the session on show that were said before all that the view holds; nothing else changes. They hold what
   * a view is made of, and no more. `left`: how many there are before these.
   */
  event({
    type: z.literal("earlier"),
    messages: z.array(messageSchema),
    subjects: z.record(z.string(), z.string()),
    /** Of the tools that were called in them and are still there. */
    faces: toolFacesSchema.optional(),
    left: z.number(),
  }),
  /** A model request begins; its answer will be the message `messageId`. */
  event({ type: z.literal("request"), messageId: z.string(), number: z.number() }),
  event({
    type: z.literal("delta"),
    messageId: z.string(),
    block: z.number(),
    kind: z.enum(["text", "reasoning"]),
    delta: z.string(),
  }),
  /** A call begins to stream, with the face of its tool, or its subject became known. No face: nobody has such a tool. */
  event({
    type: z.literal("call"),
    messageId: z.string(),
    ...callFields,
    face: toolFaceSchema.optional(),
  }),
  /** More of the text that a call shows while it streams (a result, a plan, a question). */
  event({ type: z.literal("call-text"), callId: z.string(), delta: z.string() }),
  event({ type: z.literal("approval"), callId: z.string(), approval: approvalViewSchema }),
  event({ type: z.literal("call-running"), callId: z.string() }),
  event({ type: z.literal("output"), callId: z.string(), delta: z.string() }),
  event({
    type: z.literal("call-done"),
    callId: z.string(),
    outcome: callOutcomeSchema,
    shown: shownResultSchema.optional(),
  }),
  event({ type: z.literal("status"), status: statusSchema, retry: retryViewSchema.optional() }),
  event({ type: z.literal("totals"), totals: totalsSchema }),
  event({ type: z.literal("todo"), markdown: z.string() }),
  event({ type: z.literal("mode"), mode: modeSchema }),
  event({ type: z.literal("queue"), items: z.array(queueItemSchema) }),
  event({ type: z.literal("checkpoint"), checkpoint: checkpointViewSchema }),
  event({ type: z.literal("error"), id: z.string(), error: errorViewSchema }),
  event({
    type: z.literal("notice"),
    id: z.string(),
    code: noticeCodeSchema,
    values: z.array(z.string()).optional(),
  }),
]);
export type TaskEvent = z.infer<typeof taskEventSchema>;

/** What an event says, before the session that it belongs to has put its id to it. */
export type EventBody = TaskEvent extends infer Event
  ? Event extends TaskEvent
    ? Omit<Event, "session">
    : never
  : never;
