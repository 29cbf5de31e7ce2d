/**
 * The protocol between host and webview: each message type with its schema. The webview sends requests, which the host
 * answers; the host sends notifications. Events are numbered, so that the webview can detect a gap and request a
 * snapshot.
 */
import { taskEventSchema } from "./event.ts";
import { explanationSchema } from "./explanation.ts";
import {
  historyProtocol,
  indexProgressSchema,
  leaveSchema,
  leftSchema,
  taskHereSchema,
} from "./history/history-protocol.ts";
import { modeSchema } from "./message.ts";
import { chosenModelsSchema } from "./models/connection.ts";
import { effortSchema, modelProtocol } from "./models/model-protocol.ts";
import { forecastSchema, windowContentsSchema } from "./models/window-contents.ts";
import { accessSchema, allowScopeSchema } from "./permission/levels.ts";
import { preparedAnswerSchema } from "./permission/prepared-answer.ts";
import { permissionChangeSchema } from "./permission/session-permission.ts";
import { slashListSchema } from "./rule-list.ts";
import { formAnswerSchema } from "./server-form.ts";
import {
  addedServersSchema,
  mentionResourceSchema,
  serverActionSchema,
  toolChoiceSchema,
} from "./server-protocol.ts";
import { answerProtocol } from "./view/answer-protocol.ts";
import { currentFileProtocol, currentFileSchema } from "./view/current-file.ts";
import { chatViewSchema } from "./view/reducer.ts";
import { sessionItemSchema, sessionProtocol } from "./view/session-item.ts";
import { turnProtocol } from "./view/turn-protocol.ts";
import { welcomeProtocol } from "./welcome-protocol.ts";
import * as z from "./zod.ts";

const nothing = z.object({});
const accepted = z.object({ accepted: z.boolean() });
/** The call that a request is about. */
const ofCall = z.object({ callId: z.string() });

export {
  type ExportFormat,
  exportFormatSchema,
  type HistoryQuery,
  type HistorySort,
  historyQuerySchema,
  historySortSchema,
  type IndexProgress,
  type SessionSummary,
} from "./history/history-protocol.ts";
export type { SlashCommand } from "./rule-list.ts";

const askedList = { params: z.object({ ask: z.unknown() }), result: z.object({ list: z.unknown() }) };

/** The panel's requests about MCP servers, hooks, plugins, memory, tools and what is managed: part of the protocol between host and webview. */
const serverProtocol = {
  /**
   * Does what a `HookAction` says, or nothing if it is null, and returns the `HookList`. Each side parses what it gets where it uses it,
   * so that these schemas are not part of what the panel and the extension load at their start.
   */
  "hooks/ask": askedList,
  /** The same with a `PluginAction` and the `PluginList`. */
  "plugins/ask": askedList,
  /** The same with a `MemoryAction` and the `MemoryList`. */
  "memory/ask": askedList,
  "managed/ask": askedList,
  /** The same with a `ToolSwitchAction` and the `ToolList`. */
  "tools/ask": askedList,
  /** The `HealthReport`, for which the endpoint is asked for its models. */
  "health/ask": askedList,
  /** The `ServerGallery`, which is read now. */
  "gallery/list": { params: nothing, result: z.object({ list: z.unknown() }) },
  /** The `ServerList` of the configured MCP servers, with what is known about them. Starts none. */
  "servers/list": { params: nothing, result: z.unknown() },
  /** Does what a `PlanAction` says. */
  "plans/ask": askedList,
  /** Approves a project's server with exactly this content, and starts it. */
  "servers/trust": { params: z.object({ name: z.string(), content: z.string() }), result: nothing },
  "servers/act": { params: z.object({ name: z.string(), action: serverActionSchema }), result: nothing },
  /** Switches one choice for a server's tool; takes effect with the next call. */
  "servers/tool": {
    params: z.object({ name: z.string(), tool: z.string(), choice: toolChoiceSchema, on: z.boolean() }),
    result: nothing,
  },
  /** Opens a configuration file of the list, at a line. */
  "servers/open": { params: z.object({ file: z.string(), line: z.number() }), result: nothing },
  /**
   * Adds servers to the user's file. `text`: a command, an address, or JSON as a README shows it. `name`: "" to derive it from the
   * text. `replace`: also if the file has entries with these names.
   */
  "servers/add": {
    params: z.object({
      text: z.string().check(z.maxLength(100_000)),
      name: z.string().check(z.maxLength(200)),
      replace: z.boolean(),
    }),
    result: addedServersSchema,
  },
} as const;

const fileHitSchema = z.object({
  /** Relative to the workspace root, with `/`; folders end in `/`. */
  path: z.string(),
  kind: z.enum(["file", "folder"]),
  /** Indices of matched characters in `path`, for highlighting. */
  positions: z.array(z.number()),
  /** The user has it open or had it open recently. */
  recent: z.optional(z.boolean()),
});
export type FileHit = z.infer<typeof fileHitSchema>;

const commitSchema = z.object({ hash: z.string(), subject: z.string(), date: z.string() });
export type Commit = z.infer<typeof commitSchema>;

export const attachmentSchema = z.object({ mimeType: z.string(), data: z.string() });
export type Attachment = z.infer<typeof attachmentSchema>;

/** Bytes of the largest file that a page hands over with its content. */
export const GIVEN_LIMIT = 20_000_000;

const mentionedFilesSchema = z.object({ mentions: z.array(z.string()), problems: z.array(z.string()) });

/**
 * The contents of the composer, preceded by sent messages that the host has not acknowledged. `after`: id of the user's last
 * message when the draft was written, "" for none. `at`: when the page wrote it, in milliseconds since 1970; the later of two
 * drafts applies.
 */
export const draftSchema = z.object({
  text: z.string(),
  after: z.string(),
  at: z.number(),
  images: z.array(attachmentSchema),
});
export type Draft = z.infer<typeof draftSchema>;

/** A symbol to mention. `line`: where it begins, 1-based. */
const mentionSymbolSchema = z.object({
  mention: z.string(),
  path: z.string(),
  name: z.string(),
  line: z.number(),
});
export type MentionSymbol = z.infer<typeof mentionSymbolSchema>;

/** A draft as the page sends it. No `images`: the host has them. */
const draftUpdateSchema = z.partial(draftSchema, { images: true });
export type DraftUpdate = z.infer<typeof draftUpdateSchema>;

/**
 * A message (its id) or a call's result (the call's id) that requests leave out. `title`: what the call did, a key of
 * the bundles. `subject`: what it is about, or its first line.
 */
const leftOutPartSchema = z.object({
  id: z.string(),
  title: z.optional(z.string()),
  subject: z.string(),
});
export type LeftOutPart = z.infer<typeof leftOutPartSchema>;

/** Requests about what a message costs, and about answers of several models. */
const comparisonProtocol = {
  /** What the context window holds, by kind. */
  "chat/window": { params: z.object({}), result: windowContentsSchema },
  /** What a message with this text would send. */
  "chat/forecast": { params: z.object({ text: z.string() }), result: forecastSchema },
  /** Continues with one of the answers. `accepted: false`: the conversation has continued in another way. */
  "chat/choose-answer": {
    params: z.object({ comparison: z.string(), index: z.int().check(z.nonnegative()) }),
    result: accepted,
  },
} as const;

/** The panel's requests about what runs without asking, and about answers to what asks. */
const permissionProtocol = {
  /** Changes what runs without asking in the active session. */
  "chat/permission": { params: permissionChangeSchema, result: z.object({}) },
  /**
   * Stores what the user has prepared so far as the answer to a call. It applies wherever the user answers, and every card
   * shows it.
   */
  "chat/prepare-answer": {
    params: z.extend(preparedAnswerSchema, { callId: z.string() }),
    result: z.object({}),
  },
  /** The tools and servers that can be exceptions. */
  "permission/items": {
    params: z.object({}),
    result: z.object({
      tools: z.array(
        z.object({
          name: z.string(),
          access: z.enum(["read", "edit", "command", "web", "mcp"]),
          /** What the rows of its calls begin with; a key of the bundles. */
          verb: z.string(),
        }),
      ),
      servers: z.array(z.string()),
    }),
  },
} as const;

/** What the panel knows about the user's settings and the workspace. */
export const setupSchema = z.object({
  /** The models of the settings by name; see `defaultModels`. */
  models: chosenModelsSchema,
  effort: effortSchema,
  /** What the settings let run without asking; a session may differ. */
  access: accessSchema,
  /** The models among `models` that are known not to reason, so that the effort does not apply to them. */
  unreasoning: z.optional(z.array(z.string())),
  /** Names of the connections. */
  connections: z.array(z.string()),
  /** The connection whose model is the scripted one of `npm start`; absent: there is none. */
  demonstration: z.optional(z.string()),
  hasWorkspace: z.boolean(),
  trusted: z.boolean(),
  /** Tasks can begin in worktrees: the folder is in a Git repository. */
  worktrees: z.optional(z.boolean()),
  /** The folder is the worktree of a task of another project. */
  taskHere: z.optional(taskHereSchema),
  /** Names of the workspace folders after the first; their files are mentioned as `@name:/path`. */
  otherRoots: z.optional(z.array(z.string())),
});
export type Setup = z.infer<typeof setupSchema>;

export const requests = {
  "chat/open": {
    /** `draft`: the draft that the page stored; without images if they were too large. */
    params: z.object({ draft: z.optional(draftUpdateSchema) }),
    result: z.object({
      seq: z.number(),
      view: chatViewSchema,
      setup: setupSchema,
      /** The latest draft that the page or the host knows of; absent: neither has one. */
      draft: z.optional(draftSchema),
      current: z.optional(currentFileSchema),
      /** As in `sessions/changed`; absent: none. */
      sessions: z.optional(z.readonly(z.array(sessionItemSchema))),
    }),
  },
  /**
   * Requests messages from before those in the view: one page; with `until`, up to that row or message; or all of them. They
   * arrive as events.
   */
  "chat/earlier": {
    params: z.object({ until: z.optional(z.string()), all: z.optional(z.boolean()) }),
    result: nothing,
  },
  /**
   * Finds a text in all of the session, as rows show it, including rows that are not loaded: the number of matches in
   * each row that has some, in order. `more`: there are too many matches to count.
   */
  "chat/find": {
    params: z.object({ text: z.string().check(z.maxLength(1000)) }),
    result: z.object({
      rows: z.array(z.object({ row: z.string(), count: z.number() })),
      total: z.number(),
      more: z.optional(z.boolean()),
    }),
  },
  /** Opens an answer as plain text in an editor: that of the row, or the last one. */
  "host/show-answer": { params: z.object({ row: z.optional(z.string()) }), result: nothing },
  /** Stores the composer's contents beyond the life of the page; no `images`: they have not changed. */
  "chat/draft": { params: draftUpdateSchema, result: nothing },
  /** Starts a task, answers a question, gives feedback, or queues while the agent works. Never approves. */
  "chat/send": {
    params: z.object({ text: z.string(), images: z.optional(z.array(attachmentSchema)) }),
    result: z.object({ queued: z.boolean() }),
  },
  /** Whether the active session, which has no message yet, works in a worktree. */
  "chat/worktree": { params: z.object({ on: z.boolean() }), result: nothing },
  /** Lets the user review and end the worktree of the active session. */
  "host/review-worktree": { params: nothing, result: nothing },
  "chat/stop": { params: nothing, result: nothing },
  "chat/retry": { params: nothing, result: nothing },
  "chat/mode": { params: z.object({ mode: modeSchema }), result: nothing },
  /** Carries out the plan that waits for an answer, in act mode. */
  "chat/start-plan": { params: nothing, result: nothing },
  /** `accepted: false`: the call is no longer waiting (it was answered elsewhere or stopped). */
  "chat/approve": {
    params: z.object({
      callId: z.string(),
      comment: z.optional(z.string()),
      /** Also allows what the approval shows as `always`, in this scope; "session", where it has `offersEdits`: edits. */
      allow: z.optional(allowScopeSchema),
      /** Indexes of the hunks, or files of a patch of several, that are not to be written. */
      left: z.optional(z.array(z.int().check(z.nonnegative()))),
    }),
    result: accepted,
  },
  "chat/reject": {
    params: z.object({ callId: z.string(), comment: z.optional(z.string()) }),
    result: accepted,
  },
  /** Why a call asks; no explanation: the call is no longer waiting. */
  "chat/why": {
    params: ofCall,
    result: z.object({ explanation: z.optional(explanationSchema) }),
  },
  /** Answers a question of an MCP server, by its id. `accepted: false`: it is no longer waiting. */
  "chat/answer-form": {
    params: z.object({ id: z.string(), answer: formAnswerSchema }),
    result: accepted,
  },
  /**
   * Approves that the command that the sandbox blocked in this call runs once, with network or outside the sandbox, and asks the agent
   * to run it. `accepted: false`: it cannot run now.
   */
  "chat/run-blocked": { params: ofCall, result: accepted },
  /** Moves the call's command to the background. `accepted: false`: it is not running, or no longer running. */
  "chat/move-to-background": {
    params: ofCall,
    result: accepted,
  },
  /** Ends a command that runs in the background. */
  "chat/end-background": { params: z.object({ id: z.string() }), result: nothing },
  "chat/edit-queued": { params: z.object({ id: z.string(), text: z.string() }), result: nothing },
  "chat/move-queued": {
    params: z.object({ id: z.string(), index: z.int().check(z.nonnegative()) }),
    result: nothing,
  },
  /** Ends the running step, so that the message is read before the next request. */
  "chat/send-queued": { params: z.object({ id: z.string() }), result: nothing },
  "chat/unqueue": { params: z.object({ id: z.string() }), result: nothing },
  /**
   * Continues from before that user message with another text, and `images` in addition to those of the message;
   * everything after it stays in a session of its own.
   */
  "chat/edit": {
    params: z.extend(leaveSchema, {
      messageId: z.string(),
      text: z.string(),
      images: z.optional(z.array(attachmentSchema)),
    }),
    /** `canceled`: the user was asked about the files, and nothing was sent. */
    result: z.extend(leftSchema, { canceled: z.boolean() }),
  },
  /** The parts that the step of that notice left out of requests, in order; `more`: the number of parts that are not listed. */
  "chat/left-out": {
    params: z.object({ notice: z.string() }),
    result: z.object({ parts: z.array(leftOutPartSchema), more: z.number() }),
  },
  /** The bytes of a picture of a call's row, by its index; no `picture`: the session no longer has it. */
  "chat/picture": {
    params: z.object({ callId: z.string(), index: z.int().check(z.nonnegative()) }),
    result: z.object({ picture: z.optional(attachmentSchema) }),
  },
  /** Opens the full text of such a part, read-only. */
  "host/show-part": { params: z.object({ id: z.string() }), result: nothing },
  /** Creates a session from everything before that user message. */
  "chat/fork": { params: z.extend(leaveSchema, { messageId: z.string() }), result: leftSchema },
  /** Commands that can be typed after `/` here. */
  "slash/list": { params: nothing, result: slashListSchema },
  /** The todo list as edited by the user, in Markdown. */
  "chat/todo": { params: z.object({ markdown: z.string() }), result: nothing },
  /** Opens the todo list in an editor; saving it there applies the edit. */
  "host/edit-todo": { params: nothing, result: nothing },
  /** Commits whose subject or hash contains the query, newest first. */
  "git/commits": {
    params: z.object({ query: z.string() }),
    result: z.object({ commits: z.array(commitSchema) }),
  },
  /** Symbols that match; without a query, those of the file that the user sees. */
  "symbols/find": {
    params: z.object({
      query: z.string(),
      limit: z.int().check(z.positive()),
      /** The user looks for nothing else: language servers are started, and the answer waits for them. */
      starts: z.optional(z.boolean()),
    }),
    result: z.object({ symbols: z.array(mentionSymbolSchema) }),
  },
  /** Resources of MCP servers that match the query, the best ones first. */
  "resources/find": {
    params: z.object({ query: z.string(), limit: z.int().check(z.lte(100)) }),
    result: z.object({ resources: z.array(mentionResourceSchema) }),
  },
  "files/find": {
    params: z.object({
      query: z.string(),
      limit: z.int().check(z.lte(100)),
      /** Only entries of this kind; absent: both kinds. */
      kind: z.optional(z.enum(["file", "folder"])),
    }),
    result: z.object({ hits: z.array(fileHitSchema) }),
  },
  /**
   * The mentions for dropped addresses. The user gives those outside the workspace by this: the agent may read them. `problems`: why
   * others cannot be mentioned, a sentence each.
   */
  "files/mention": {
    params: z.object({ uris: z.array(z.string()).check(z.maxLength(1000)) }),
    result: mentionedFilesSchema,
  },
  /** The same for files that came with their contents and without a path. `data`: in base64. */
  "files/give": {
    params: z.object({ name: z.string(), data: z.string().check(z.maxLength(GIVEN_LIMIT * 1.4)) }),
    result: mentionedFilesSchema,
  },
  /** The same for what the user chooses in the editor's dialog; images that are small enough are attached instead. */
  "files/choose": {
    params: nothing,
    result: z.extend(mentionedFilesSchema, { images: z.array(attachmentSchema) }),
  },
  /** The current rules files, in the order in which the model gets them, and the skills and commands. */
  "rules/list": {
    params: nothing,
    result: z.object({
      /** `ruleFilesSchema` and `definitionItemsSchema`, which only the screen that lists them loads. */
      rules: z.unknown(),
      definitions: z.unknown(),
      hasWorkspace: z.boolean(),
    }),
  },
  /** Turns one file, or all files of a source, on or off; takes effect with the next message. */
  "rules/switch": {
    params: z.object({ what: z.enum(["file", "source"]), name: z.string(), on: z.boolean() }),
    result: nothing,
  },
  /** Opens a file of the list. */
  "rules/open": { params: z.object({ name: z.string() }), result: nothing },
  /** Asks the user for a name and opens the new file. */
  "rules/new": { params: z.object({ place: z.enum(["project", "global"]) }), result: nothing },
  /** `agentListSchema`, which only what lists agents loads. */
  "agents/list": { params: nothing, result: z.unknown() },
  /** Chooses the agent of this name for the session from its next turn on; `plan` and `act` choose the mode, and no agent. */
  "agents/choose": { params: z.object({ name: z.string() }), result: nothing },
  ...currentFileProtocol,
  ...historyProtocol,
  ...sessionProtocol,
  ...welcomeProtocol,
  ...serverProtocol,
  ...comparisonProtocol,
  ...modelProtocol,
  ...turnProtocol,
  ...answerProtocol,
  ...permissionProtocol,
  /** Opens the differences between a checkpoint and now; `only`: just those of that change. */
  "checkpoint/changes": { params: z.object({ id: z.string(), only: z.boolean() }), result: nothing },
  /** Asks the user what to restore; `conversation`: the conversation can be restored too. */
  "checkpoint/restore": { params: z.object({ id: z.string(), conversation: z.boolean() }), result: nothing },
  /** Undoes what one call changed, unless the files changed since. */
  "chat/undo": { params: ofCall, result: nothing },
  "host/open-file": { params: z.object({ path: z.string(), line: z.optional(z.number()) }), result: nothing },
  "host/open-link": { params: z.object({ url: z.string() }), result: nothing },
  "host/settings": { params: z.object({ query: z.optional(z.string()) }), result: nothing },
  "host/set-key": { params: nothing, result: nothing },
  /** The page has the focus, so no editor has it. */
  "host/focused": { params: nothing, result: nothing },
  /** The user pressed a key or a button in the page: commands apply to its session from now on. */
  "host/used": { params: nothing, result: nothing },
  /** The page is running, and has rendered again. */
  "host/shown": { params: nothing, result: nothing },
  "host/show-terminal": { params: ofCall, result: nothing },
  /** Types a line for the running command of a call. */
  "host/answer-command": { params: z.object({ callId: z.string(), line: z.string() }), result: nothing },
  "host/show-diff": { params: ofCall, result: nothing },
  "host/run-proposal": { params: ofCall, result: nothing },
} as const;
type Requests = typeof requests;
export type RequestName = keyof Requests;
export type Params<N extends RequestName> = z.infer<Requests[N]["params"]>;
export type Result<N extends RequestName> = z.infer<Requests[N]["result"]>;

export const notifications = {
  /** Events in order; `seq` is the number of the first. */
  "chat/events": z.object({ seq: z.number(), events: z.array(taskEventSchema) }),
  /** The whole state, sent when a hidden view returns or events were missed. `seq`: the number of the next event. */
  "chat/snapshot": z.object({ seq: z.number(), view: chatViewSchema }),
  "host/setup": setupSchema,
  /** The panel was hidden or is shown again, and VS Code kept its page. */
  "host/visible": z.object({ visible: z.boolean() }),
  /** The user switched to another file or selected other lines; no `file`: the current file cannot be named. */
  "current/changed": z.object({ file: z.optional(currentFileSchema) }),
  /** Inserts text at the composer's cursor (a selection, a problem), and adds images. */
  "composer/insert": z.object({ text: z.string(), images: z.optional(z.array(attachmentSchema)) }),
  "composer/focus": nothing,
  /** The draft changed in another view of the session; `after` as in a draft. */
  "composer/draft": z.object({ text: z.string(), after: z.string() }),
  /** Opens the field that finds a text in the conversation. */
  "find/show": nothing,
  "history/show": nothing,
  "rules/show": nothing,
  "servers/show": nothing,
  "hooks/show": nothing,
  "plugins/show": nothing,
  "memory/show": nothing,
  "tools/show": nothing,
  "health/show": nothing,
  /** Opens the list of permission levels. */
  "permission/show": nothing,
  /** Opens the list of models. */
  "models/show": nothing,
  /**
   * The tasks that are working, waiting, or ended unseen, in the order of the list. That of the active session may be included.
   */
  "sessions/changed": z.object({ sessions: z.readonly(z.array(sessionItemSchema)) }),
  /** The result of `servers/list` may be out of date. */
  "servers/changed": nothing,
  /** The result of `rules/list` may be out of date. */
  "rules/changed": nothing,
  /** Searches find more than before; indexing is complete when `done` equals `total`. */
  "history/indexing": indexProgressSchema,
} as const;
type Notifications = typeof notifications;
export type NotificationName = keyof Notifications;
export type Notification<N extends NotificationName> = z.infer<Notifications[N]>;

/** The frame that postMessage sends. */
export const frameSchema = z.discriminatedUnion("frame", [
  z.object({ frame: z.literal("request"), id: z.number(), name: z.string(), params: z.unknown() }),
  z.object({ frame: z.literal("result"), id: z.number(), result: z.unknown() }),
  z.object({ frame: z.literal("error"), id: z.number(), message: z.string() }),
  z.object({ frame: z.literal("notification"), name: z.string(), params: z.unknown() }),
]);
export type Frame = z.infer<typeof frameSchema>;

/** Data that the page gets at load, in a JSON script element with id `nekode-boot`. */
export const bootSchema = z.object({
  language: z.string(),
  /** Maps English text to its translation; empty in English. */
  translations: z.record(z.string(), z.string()),
  /** The id of the editor tab that shows the page; absent: the side bar does. */
  tab: z.optional(z.string()),
});
export type Boot = z.infer<typeof bootSchema>;
