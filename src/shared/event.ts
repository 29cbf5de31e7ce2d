/**
 * What a task reports: one union, the only output of the loop. The panel's stream numbers and sends events, the terminal host
 * prints them, and the webview reduces them. Deltas are final: the `message` that ends a step repeats its content in full, and
 * nothing is retracted.
 */
import { dangerSchema } from "./danger.ts";
import { worktreeSchema } from "./history/worktree.ts";
import {
  callOutcomeSchema,
  comparedAnswerSchema,
  messageSchema,
  modeSchema,
  reasonSchema,
  sandboxPlaceSchema,
  shownResultSchema,
} from "./message.ts";
import { chosenModelsSchema } from "./models/connection.ts";
import { errorViewSchema } from "./models/request-error.ts";
import { answerDraftSchema } from "./permission/prepared-answer.ts";
import { sessionPermissionSchema } from "./permission/session-permission.ts";
import { planStateSchema } from "./plan-state.ts";
import { serverFormSchema } from "./server-form.ts";
import { toolPresentationSchema, toolPresentationsSchema } from "./tool-presentation.ts";
import { totalsSchema } from "./totals.ts";
import { backgroundCommandSchema } from "./view/background-command.ts";
import { childStepSchema, childTaskSchema } from "./view/child-task.ts";
import * as z from "./zod.ts";

export const statusSchema = z.enum([
  "idle",
  /** Other tasks are running. The request is sent when one of them is done or waits for the user. */
  "queued",
  /** The request was sent; no response yet. */
  "waiting",
  "streaming",
  /** A tool is running. */
  "running",
  /** A call is waiting for the user's approval. */
  "approval",
  /** The endpoint asked to wait, or a failed request will be retried at `retry.at`. */
  "retrying",
  "stopping",
]);

/** Access classes of tools. */
const accessSchema = z.enum(["read", "edit", "command", "web", "mcp", "talk"]);
export type Access = z.infer<typeof accessSchema>;

/** The hunks of a file, in order. `more`: the number of hunks that are not listed. */
const shownHunksSchema = z.object({
  shown: z.array(
    z.object({
      /** The line number, counted from 1, in the file before the change. */
      line: z.number(),
      removed: z.array(z.string()),
      added: z.array(z.string()),
      /** The number of lines that are not listed. */
      more: z.optional(z.number()),
    }),
  ),
  more: z.number(),
});
export type ShownHunks = z.infer<typeof shownHunksSchema>;

/** One file of a call that changes several files. `added` and `removed` count lines. */
const changedFileSchema = z.object({
  path: z.string(),
  kind: z.enum(["add", "update", "delete", "move"]),
  added: z.number(),
  removed: z.number(),
  /** A change that the text of the file does not show, such as becoming executable. */
  becomes: z.optional(z.enum(["executable", "link"])),
  /** Target of a moved file. */
  to: z.optional(z.string()),
  /** The user can exclude the file by this index, or its hunks by the indexes that follow it. */
  at: z.optional(z.number()),
  hunks: z.optional(shownHunksSchema),
});
export type ChangedFile = z.infer<typeof changedFileSchema>;

const coveredFilesSchema = z.object({
  /** The files whose content the approval covers. `more`: the number of those not listed. */
  files: z.array(z.string()),
  more: z.number(),
  /** A hash of everything that is covered. */
  hash: z.string(),
  /** The command runs code, which may load further files of the project. */
  runsCode: z.boolean(),
});

/** What a command affects and checkpoints do not back up. */
const notKeptSchema = z.object({
  /**
   * size: over the limit of one snapshot or one file. outside: not in the project. unreadable: no permission. unknown: what the
   * command changes is not known, so installed packages and the like are not backed up; without names.
   */
  why: z.enum(["size", "outside", "unreadable", "unknown"]),
  /** Files, or folders with all their contents. */
  count: z.number(),
  /** The first few names, relative to the project folder if they are in it. */
  names: z.array(z.string()),
});
export type NotBackedUp = z.infer<typeof notKeptSchema>;

/** What was backed up before a command that is known to delete or overwrite data ran. */
export const keptViewSchema = z.object({
  files: z.number(),
  bytes: z.number(),
  notKept: z.array(notKeptSchema),
  /** Undo does not restore Git's own state. `head`: the position of the repository, such as `main 1a2b3c4`. */
  git: z.optional(z.object({ head: z.optional(z.string()) })),
});
export type BackupView = z.infer<typeof keptViewSchema>;

/** The files whose content the approval of a command covers, and the files that no checkpoint covers. */
const coverageShape = {
  /** For a command that deletes or overwrites data, or runs code that may do so: what cannot be backed up before it runs. */
  notKept: z.optional(z.array(notKeptSchema)),
  covers: z.optional(coveredFilesSchema),
  /** Covered files that changed after the user was asked, so that the call asks again. */
  changedSince: z.optional(z.array(z.string())),
};

/** What exactly happens if the user approves. Every string is shown with invisible characters made visible. */
export const approvalViewSchema = z.object({
  callId: z.string(),
  access: accessSchema,
  reason: reasonSchema,
  /** The subtask that asks; absent: the session's own task. `root`: its worktree, with which the absolute paths here begin. */
  task: z.optional(z.object({ id: z.string(), title: z.string(), root: z.optional(z.string()) })),
  path: z.optional(z.string()),
  /** The real path, if it differs from the named one. */
  realPath: z.optional(z.string()),
  command: z.optional(z.string()),
  /** What the command certainly does that is hard to take back; absent: nothing is known. */
  dangers: z.optional(z.array(dangerSchema)),
  /** There is a sandbox, and the command runs outside it. */
  outsideSandbox: z.optional(z.boolean()),
  /** The command runs in the sandbox, with network. */
  network: z.optional(z.boolean()),
  /** The exact URL of the request, in ASCII: host names of other scripts are in Punycode. */
  url: z.optional(z.string()),
  /** What is searched for. */
  query: z.optional(z.string()),
  cwd: z.optional(z.string()),
  /** `cwd` is the folder that the task works in. */
  isOwnFolder: z.optional(z.boolean()),
  added: z.optional(z.number()),
  removed: z.optional(z.number()),
  created: z.optional(z.boolean()),
  /** The files that are not in UTF-8. `isGuess`: the encoding is not certain. */
  encodings: z.optional(z.array(z.object({ path: z.string(), encoding: z.string(), isGuess: z.boolean() }))),
  /** The hunks of one file, which the user can exclude by their indexes. */
  hunks: z.optional(shownHunksSchema),
  /** Every file, if one call changes several; `path` is then the first. */
  files: z.optional(z.array(changedFileSchema)),
  /** A call of an MCP server: a tool with its arguments (JSON), or a resource. */
  server: z.optional(
    z.object({
      name: z.string(),
      tool: z.optional(z.string()),
      title: z.optional(z.string()),
      description: z.optional(z.string()),
      arguments: z.optional(z.string()),
      resource: z.optional(z.string()),
    }),
  ),
  /** Markdown that the user approves or rejects (a summary, the context of a new task). */
  text: z.optional(z.string()),
  ...coverageShape,
  /** The words that "always allow this" would store; absent: not offered. */
  always: z.optional(z.string()),
  /** The edit asks only because edits ask, and approving it can let edits run without asking in this session. */
  offersEdits: z.optional(z.boolean()),
});
export type ApprovalView = z.infer<typeof approvalViewSchema>;

/** A failed request that will be retried: when (ISO 8601), the number of that attempt, the maximum, and what failed. */
export const retryViewSchema = z.object({
  at: z.string(),
  try: z.number(),
  of: z.number(),
  error: errorViewSchema,
});
export type RetryView = z.infer<typeof retryViewSchema>;

export const noticeCodeSchema = z.enum([
  /** values: names of the MCP servers that the turn waits for. */
  "servers-starting",
  /** values: the MCP server whose prompt or resource a message waits for. */
  "server-waits",
  /** values: the server, why it failed as the code of a reason and its value, and the last lines that the server printed. */
  "server-ended",
  "server-not-started",
  "server-gave-up",
  "stopped",
  "interrupted",
  /** values: the product that the session was imported from. */
  "imported",
  "request-limit",
  "cost-limit",
  /** A limit of the administrator, past which the user cannot continue; values: USD of the task, or of today. */
  "managed-cost-limit",
  "managed-day-cost-limit",
  /** values: USD of today. */
  "day-cost-limit",
  /** values: requests of today. */
  "day-request-limit",
  /** values: the estimated tokens of the next request, and their price in USD. */
  "cost-ahead",
  "mistake-limit",
  "repeat-limit",
  "mode-plan",
  "mode-act",
  "reply-cut",
  "tools-refused",
  "no-workspace",
  /** Requests leave out results or messages; condensed: a summary replaces them. */
  "context-shortened",
  "context-pruned",
  "condensed",
  "condense-failed",
  "condense-nothing",
  /** The endpoint refused an image or a message, which is no longer sent; values: its kind, and the message of the endpoint. */
  "refused-part",
  /** Images are not sent because of their type; values: the types. */
  "image-type",
  /** Parts that the endpoint refused were left out of one request; values: how many, and the endpoint's message. */
  "refused-parts",
  /** The prompt cache does not apply to the request; values: the cause, and about how many tokens are paid for again. */
  "prefix-broken",
  /** The endpoint counted far fewer tokens than the prompt has; values: its count and the actual number. */
  "prompt-cut",
  /** The stored sessions have a problem; values: a code of the store and its detail. */
  "store-problem",
  /** Another window continues this session; this one stores nothing more. */
  "taken-over",
  /** The file with what is remembered cannot be used; values: its path. */
  "memory-unusable",
  /** Rules files that cannot be used; values: for each, its name, its state and the detail for that state. */
  "rules-left-out",
  /** Rules that the model received earlier have changed, and the model is informed; values: the files. */
  "rules-changed",
  /**
   * Mentions that the model did not receive, or received truncated or incomplete; values: the mentions. A failed mention is
   * followed by a code of `mentionFailures` and its detail; without a code, by the detail alone.
   */
  "mention-failed",
  "mention-cut",
  "mention-lossy",
  /** The session's worktree was created; values: its branch, how many uncommitted files and (path, why) what it lacks. */
  "worktree-begun",
  /** The session's worktree no longer exists, or what is stored about it is unreadable; values: its branch, if known. */
  "worktree-gone",
  /** Another session works in the worktree; values: its branch. */
  "worktree-in-use",
  /** The user chose another model during the session; values: its name, and the mode that it is for. */
  "model-changed",
  /** The file of a command asks for an agent that does not exist; values: the command and the agent. */
  "missing-agent",
  /** A run of a hook; values: `hookNoticeValues`. It is sent again with the same id when a run that was reported as running ends. */
  "hook",
  /** A hook ended the turn; values: why. */
  "hook-stopped",
  /** A hook blocked a message that was queued; values: why. */
  "hook-blocked-message",
  /**
   * A plan was carried out; values: how many of the files that it names were changed, how many it names, those that were not
   * changed, changed files that it does not name, how many of its items are open, and "told" if the model continues because of that.
   */
  "plan-compared",
  /** Hooks are configured that the user has not approved; values: how many. */
  "hooks-waiting",
]);
export type NoticeCode = z.infer<typeof noticeCodeSchema>;

export const queueItemSchema = z.object({ id: z.string(), text: z.string() });
export type QueueItem = z.infer<typeof queueItemSchema>;

/**
 * A point to which files can be restored: a user message, a call that changed files, or a restore, which can itself be
 * undone. The event is sent again whenever more is known about the checkpoint.
 */
export const checkpointViewSchema = z.object({
  /** The id of the message or the call. */
  id: z.string(),
  kind: z.enum(["message", "call", "restore"]),
  /** The row that it belongs to or follows. */
  at: z.string(),
  /** Number of files changed by the call, by the restore, or by all calls until the user's next message. */
  files: z.number(),
  /** Only folders changed, and `files` is their number. */
  folders: z.optional(z.boolean()),
  /** Number of those files that are too large to back up. */
  left: z.optional(z.number()),
  /** Why changes by a command are not known: only the agent's own writes can then be undone. */
  uncovered: z.optional(z.enum(["no-repository", "no-git", "too-many", "failed", "some-folders"])),
  /** It was undone. For a message: everything that its turn changed was undone. */
  undone: z.optional(z.boolean()),
  /** For a message: the user keeps what its turn changed. */
  isKept: z.optional(z.boolean()),
  /** A crash interrupted it: its exact changes are not known. */
  unfinished: z.optional(z.boolean()),
  kept: z.optional(keptViewSchema),
  /** Names of files that it changed, deleted ones first; see `NotBackedUp.names`. */
  names: z.optional(z.array(z.string())),
  /** Progress of backing up files while the command waits. */
  keeping: z.optional(z.object({ done: z.number(), total: z.number() })),
});
export type CheckpointView = z.infer<typeof checkpointViewSchema>;

/** `subject`: what a call is about (a path, a command, a pattern, a question), as far as it is known while it streams. */
const callFields = { callId: z.string(), tool: z.string(), subject: z.string() };

/** An event of one session, which `session` names. */
const event = <Shape extends z.core.$ZodShape>(shape: Shape) => z.object({ session: z.string(), ...shape });

export const taskEventSchema = z.discriminatedUnion("type", [
  /** The session begins or was opened; the view drops its earlier contents. An empty `id`: it has no message yet. */
  event({
    type: z.literal("session"),
    id: z.string(),
    title: z.string(),
    /** Absent: it works in the project's folder. */
    worktree: z.optional(worktreeSchema),
    /** Another task started it, which alone sends messages to it. */
    isSubtask: z.optional(z.boolean()),
  }),
  /** Whether the session, which has no message yet, begins in a worktree. */
  event({ type: z.literal("begins-in-worktree"), on: z.boolean() }),
  /** The session's newest plan, or what the user made of it, has changed. */
  event({ type: z.literal("plan"), plan: planStateSchema }),
  /** The user renamed the session. */
  event({ type: z.literal("title"), title: z.string() }),
  /** A message is complete and on disk. `subjects` has the subject of each of its calls. */
  event({
    type: z.literal("message"),
    message: messageSchema,
    subjects: z.optional(z.record(z.string(), z.string())),
  }),
  /**
   * Messages of the active session that precede everything in the view; nothing else changes. They contain only what a
   * view needs. `left`: the number of messages before these.
   */
  event({
    type: z.literal("earlier"),
    messages: z.array(messageSchema),
    subjects: z.record(z.string(), z.string()),
    /** Presentations of the tools that were called in these messages and still exist. */
    faces: z.optional(toolPresentationsSchema),
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
  /**
   * A call begins to stream, with the presentation of its tool, or its subject became known. No presentation: no such tool exists.
   * `face` is its name in the JSON events that programs read.
   */
  event({
    type: z.literal("call"),
    messageId: z.string(),
    ...callFields,
    face: z.optional(toolPresentationSchema),
  }),
  /** The next part of the text that a call shows while it streams (a result, a plan, a question). */
  event({ type: z.literal("call-text"), callId: z.string(), delta: z.string() }),
  event({ type: z.literal("approval"), callId: z.string(), approval: approvalViewSchema }),
  event({ type: z.literal("prepared"), callId: z.string(), prepared: answerDraftSchema }),
  /**
   * `waits`: a command waits for what the user types; `hidden`: for a secret, or for what its terminal hides. `sandbox`: where a command
   * runs. Absent: where the user's own commands do; `outside`: although there is a sandbox.
   */
  event({
    type: z.literal("call-running"),
    callId: z.string(),
    waits: z.optional(z.boolean()),
    hidden: z.optional(z.boolean()),
    outside: z.optional(z.boolean()),
    sandbox: z.optional(sandboxPlaceSchema),
  }),
  /** The call's MCP server asks the user something; no `form`: the question was answered or withdrawn. */
  event({ type: z.literal("form"), callId: z.string(), form: z.optional(serverFormSchema) }),
  /** The state of the subtask that the call started, and the subtask's call that changed. */
  event({
    type: z.literal("child"),
    callId: z.string(),
    task: z.omit(childTaskSchema, { steps: true, more: true }),
    step: z.optional(childStepSchema),
    /** The presentation of the step's tool. */
    face: z.optional(toolPresentationSchema),
  }),
  event({ type: z.literal("output"), callId: z.string(), delta: z.string() }),
  event({
    type: z.literal("call-done"),
    callId: z.string(),
    outcome: callOutcomeSchema,
    shown: z.optional(shownResultSchema),
  }),
  event({ type: z.literal("status"), status: statusSchema, retry: z.optional(retryViewSchema) }),
  event({ type: z.literal("totals"), totals: totalsSchema }),
  event({ type: z.literal("todo"), markdown: z.string() }),
  /** `agent`: the name of the agent that the user chose; absent: none. It works from the next turn on. */
  event({ type: z.literal("mode"), mode: modeSchema, agent: z.optional(z.string()) }),
  /** The models that the user chose for this session. */
  event({ type: z.literal("model"), chosen: chosenModelsSchema }),
  /** The commands in the background, of all sessions, and those that ended while the window is open. */
  event({ type: z.literal("background"), commands: z.array(backgroundCommandSchema) }),
  /** What runs without asking in this session. */
  event({ type: z.literal("permission"), permission: sessionPermissionSchema }),
  event({ type: z.literal("queue"), items: z.array(queueItemSchema) }),
  event({ type: z.literal("checkpoint"), checkpoint: checkpointViewSchema }),
  /** Several models are asked side by side; `names` as in `AskedModels`. Their answers become the message `id`. */
  event({ type: z.literal("comparison"), id: z.string(), names: z.array(z.string()) }),
  event({ type: z.literal("comparison-delta"), id: z.string(), index: z.number(), delta: z.string() }),
  /** The model at `index` makes a call. */
  event({
    type: z.literal("comparison-call"),
    id: z.string(),
    index: z.number(),
    tool: z.string(),
    subject: z.string(),
    face: z.optional(toolPresentationSchema),
  }),
  event({
    type: z.literal("comparison-done"),
    id: z.string(),
    index: z.number(),
    answer: z.omit(comparedAnswerSchema, { messages: true }),
  }),
  event({ type: z.literal("error"), id: z.string(), error: errorViewSchema }),
  event({
    type: z.literal("notice"),
    id: z.string(),
    code: noticeCodeSchema,
    values: z.optional(z.array(z.string())),
  }),
]);
export type TaskEvent = z.infer<typeof taskEventSchema>;

/** An event without the id of its session, which is added later. */
export type EventBody = TaskEvent extends infer Event
  ? Event extends TaskEvent
    ? Omit<Event, "session">
    : never
  : never;
