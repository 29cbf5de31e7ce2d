/**
 * What crosses between host and webview: each message a value beside its schema. Requests go from the webview to the
 * host and are answered; notifications go from the host to the webview, numbered, so that a gap asks for a snapshot.
 */
import * as z from "zod";
import { taskEventSchema } from "./event.ts";
import { explanationSchema } from "./explanation.ts";
import { modeSchema } from "./message.ts";
import { ruleFileSchema } from "./rule-list.ts";
import { chatViewSchema } from "./view/reducer.ts";

const nothing = z.object({});

/** How far the setup is; the empty state says what to do next. */
export const setupSchema = z.object({
  baseUrl: z.string(),
  model: z.string(),
  /** The model of plan mode, where it is another one. */
  planModel: z.string().optional(),
  hasKey: z.boolean(),
  hasWorkspace: z.boolean(),
  trusted: z.boolean(),
  /** Names of the workspace's folders after the first, whose files are mentioned as `@name:/path`. */
  otherRoots: z.array(z.string()).optional(),
});
export type Setup = z.infer<typeof setupSchema>;

export const sessionSummarySchema = z.object({
  id: z.string(),
  title: z.string(),
  startedAt: z.string(),
  updatedAt: z.string(),
  messageCount: z.number(),
  cost: z.number(),
  tokens: z.number(),
  favourite: z.boolean().optional(),
  /** The session that it branched off from; no title: that one was deleted. */
  forkOf: z.object({ id: z.string(), title: z.string().optional() }).optional(),
  /** The project that it belongs to, where that is another one; `folder`: where that was, if it is known. */
  project: z.object({ key: z.string(), name: z.string(), folder: z.string().optional() }).optional(),
  /** Another window or terminal works on it. */
  elsewhere: z.boolean().optional(),
  /** The text around the first place that was looked for, in one line. */
  excerpt: z.string().optional(),
  /** Id of the row that the excerpt is from. */
  found: z.string().optional(),
});
export type SessionSummary = z.infer<typeof sessionSummarySchema>;

/** Messages that searches look into by now, of all that they did not when the host began to take them in. */
export const indexProgressSchema = z.object({ done: z.number(), total: z.number() });
export type IndexProgress = z.infer<typeof indexProgressSchema>;

export const historySortSchema = z.enum(["newest", "oldest", "cost", "tokens", "relevance"]);
export type HistorySort = z.infer<typeof historySortSchema>;

/** Which sessions, in which order, and which part of them. Words of `text` are all looked for, in titles and messages. */
export const historyQuerySchema = z.object({
  text: z.string().max(1000).default(""),
  sort: historySortSchema.default("newest"),
  favourites: z.boolean().default(false),
  /** Those of the person's other projects as well. */
  allProjects: z.boolean().default(false),
  offset: z.number().int().nonnegative().default(0),
  limit: z.number().int().positive().max(1000).default(100),
});
export type HistoryQuery = z.infer<typeof historyQuerySchema>;

export const exportFormatSchema = z.enum(["md", "json"]);
export type ExportFormat = z.infer<typeof exportFormatSchema>;

export const fileHitSchema = z.object({
  /** Relative to the workspace's root, with `/`; folders end in `/`. */
  path: z.string(),
  kind: z.enum(["file", "folder"]),
  /** Indices into `path` that matched, for highlighting. */
  positions: z.array(z.number()),
  /** The person has it open, or had it lately. */
  recent: z.boolean().optional(),
});
export type FileHit = z.infer<typeof fileHitSchema>;

/** `description`: a workflow's first line; empty for the product's own, whose words are in `task-words.ts`. */
export const slashCommandSchema = z.object({
  name: z.string(),
  kind: z.enum(["command", "workflow"]),
  description: z.string(),
});
export type SlashCommand = z.infer<typeof slashCommandSchema>;

export const commitSchema = z.object({ hash: z.string(), subject: z.string(), date: z.string() });
export type Commit = z.infer<typeof commitSchema>;

export const attachmentSchema = z.object({ mimeType: z.string(), data: z.string() });
export type Attachment = z.infer<typeof attachmentSchema>;

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

/** A draft as the page passes it on. Without `images`: the host has them. */
export const draftUpdateSchema = draftSchema.partial({ images: true });
export type DraftUpdate = z.infer<typeof draftUpdateSchema>;

/**
 * A message (its id) or a call's result (the call's id) that requests leave out. `title`: what the call did, a key of the
 * bundles. `subject`: what it is about, or its first line.
 */
export const leftOutPartSchema = z.object({
  id: z.string(),
  title: z.string().optional(),
  subject: z.string(),
});
export type LeftOutPart = z.infer<typeof leftOutPartSchema>;

export const requests = {
  "chat/open": {
    /** `draft`: what the page itself remembers; without images if they were too large to remember. */
    params: z.object({ draft: draftUpdateSchema.optional() }),
    result: z.object({
      seq: z.number(),
      view: chatViewSchema,
      setup: setupSchema,
      /** What was not sent yet, as the page or the host knew it last; none: neither knows of any. */
      draft: draftSchema.optional(),
    }),
  },
  /**
   * More of what was said before all that is on show: a page; with `until`, as much as it takes for that row (or that
   * message); or all. It comes as events.
   */
  "chat/earlier": {
    params: z.object({ until: z.string().optional(), all: z.boolean().optional() }),
    result: nothing,
  },
  /** Keeps what the composer holds, beyond the life of the page; no `images`: they have not changed. */
  "chat/draft": { params: draftUpdateSchema, result: nothing },
  /** Starts a task, answers a question, gives feedback, or queues while the agent works. Never approves. */
  "chat/send": {
    params: z.object({ text: z.string(), images: z.array(attachmentSchema).optional() }),
    result: z.object({ queued: z.boolean() }),
  },
  "chat/stop": { params: nothing, result: nothing },
  "chat/new": { params: nothing, result: nothing },
  "chat/retry": { params: nothing, result: nothing },
  "chat/mode": { params: z.object({ mode: modeSchema }), result: nothing },
  /** `accepted: false`: that call no longer waits (answered elsewhere, stopped). */
  "chat/approve": {
    params: z.object({
      callId: z.string(),
      comment: z.string().optional(),
      /** Also stores the words that the approval shows as `always`. */
      always: z.boolean().optional(),
    }),
    result: z.object({ accepted: z.boolean() }),
  },
  "chat/reject": {
    params: z.object({ callId: z.string(), comment: z.string().optional() }),
    result: z.object({ accepted: z.boolean() }),
  },
  /** Why a call asks; no explanation: it no longer waits. */
  "chat/why": {
    params: z.object({ callId: z.string() }),
    result: z.object({ explanation: explanationSchema.optional() }),
  },
  /** The call's command goes on in the background. `accepted: false`: it does not run (any more). */
  "chat/go-on": { params: z.object({ callId: z.string() }), result: z.object({ accepted: z.boolean() }) },
  "chat/unqueue": { params: z.object({ id: z.string() }), result: nothing },
  /**
   * Goes on from before that message of the person's with another text, and `images` beside those that it has; what came
   * after stays in a session of its own.
   */
  "chat/edit": {
    params: z.object({
      messageId: z.string(),
      text: z.string(),
      images: z.array(attachmentSchema).optional(),
    }),
    result: nothing,
  },
  /** What the step of that notice left out of requests, in order; `more` there are than are named. */
  "chat/left-out": {
    params: z.object({ notice: z.string() }),
    result: z.object({ parts: z.array(leftOutPartSchema), more: z.number() }),
  },
  /** Opens such a part whole, to be read. */
  "host/show-part": { params: z.object({ id: z.string() }), result: nothing },
  /** A new session with what came before that message of the person's. */
  "chat/fork": { params: z.object({ messageId: z.string() }), result: nothing },
  /** `more`: there are sessions after these. `indexing`: not everything was searched, and `history/indexing` will tell. */
  "history/list": {
    params: historyQuerySchema.partial(),
    result: z.object({
      sessions: z.array(sessionSummarySchema),
      more: z.boolean().optional(),
      indexing: indexProgressSchema.optional(),
    }),
  },
  /** `elsewhere`: it was not opened, for another window works on it; `takeOver` opens it all the same. */
  "history/open": {
    params: z.object({ id: z.string(), takeOver: z.boolean().optional() }),
    result: z.object({ elsewhere: z.boolean().optional() }),
  },
  /**
   * A session of another project: shown to be read, its project's folder opened in a window of its own, or a copy taken
   * into this project, which is then on show.
   */
  "history/open-other": {
    params: z.object({ id: z.string(), project: z.string(), how: z.enum(["read", "folder", "copy"]) }),
    result: nothing,
  },
  "history/rename": { params: z.object({ id: z.string(), title: z.string().max(1000) }), result: nothing },
  "history/favourite": { params: z.object({ id: z.string(), favourite: z.boolean() }), result: nothing },
  /** It can be brought back for so many milliseconds; 0: it was not deleted, for another window works on it. */
  "history/delete": { params: z.object({ id: z.string() }), result: z.object({ undoMs: z.number() }) },
  "history/undelete": { params: z.object({ id: z.string() }), result: nothing },
  /** Asks the person where to. `project`: of which other project the session is. */
  "history/export": {
    params: z.object({ id: z.string(), format: exportFormatSchema, project: z.string().optional() }),
    result: nothing,
  },
  /** Asks the person for files; how many sessions were taken in. */
  "history/import": { params: nothing, result: z.object({ imported: z.number() }) },
  /** What can be typed after `/` here. */
  "slash/list": { params: nothing, result: z.object({ commands: z.array(slashCommandSchema) }) },
  /** The todo list as the person edited it, Markdown. */
  "chat/todo": { params: z.object({ markdown: z.string() }), result: nothing },
  /** Opens the todo list in an editor; saving it there is the edit. */
  "host/edit-todo": { params: nothing, result: nothing },
  /** Commits whose subject or hash contains the query, newest first. */
  "git/commits": {
    params: z.object({ query: z.string() }),
    result: z.object({ commits: z.array(commitSchema) }),
  },
  "files/find": {
    params: z.object({
      query: z.string(),
      limit: z.number().int().max(100),
      /** These alone; left out: both. */
      kind: z.enum(["file", "folder"]).optional(),
    }),
    result: z.object({ hits: z.array(fileHitSchema) }),
  },
  /** What dropped addresses are mentioned as; `refused`: names of those that cannot be. */
  "files/mention": {
    params: z.object({ uris: z.array(z.string()).max(1000) }),
    result: z.object({ mentions: z.array(z.string()), refused: z.array(z.string()) }),
  },
  /** Rules files and workflows as they are found now, in the order in which the model gets them. */
  "rules/list": {
    params: nothing,
    result: z.object({
      rules: z.array(ruleFileSchema),
      workflows: z.array(slashCommandSchema),
      hasWorkspace: z.boolean(),
    }),
  },
  /** Switches one file, or all of a source; it holds from the next message on. */
  "rules/switch": {
    params: z.object({ what: z.enum(["file", "source"]), name: z.string(), on: z.boolean() }),
    result: nothing,
  },
  /** Opens a rules file or a workflow that the list names. */
  "rules/open": { params: z.object({ name: z.string() }), result: nothing },
  /** Asks the person for a name, and opens the new file. */
  "rules/new": { params: z.object({ place: z.enum(["project", "global"]) }), result: nothing },
  /** Opens the differences from a checkpoint until now; `only`: those of that one change. */
  "checkpoint/changes": { params: z.object({ id: z.string(), only: z.boolean() }), result: nothing },
  /** Asks the person how far to go back; `conversation`: that may go back as well. */
  "checkpoint/restore": { params: z.object({ id: z.string(), conversation: z.boolean() }), result: nothing },
  /** Takes back what one call changed, unless it changed since. */
  "chat/undo": { params: z.object({ callId: z.string() }), result: nothing },
  "host/open-file": { params: z.object({ path: z.string(), line: z.number().optional() }), result: nothing },
  "host/open-link": { params: z.object({ url: z.string() }), result: nothing },
  "host/settings": { params: z.object({ query: z.string().optional() }), result: nothing },
  "host/set-key": { params: nothing, result: nothing },
  "host/show-diff": { params: z.object({ callId: z.string() }), result: nothing },
  "host/run-proposal": { params: z.object({ callId: z.string() }), result: nothing },
} as const;
export type Requests = typeof requests;
export type RequestName = keyof Requests;
export type Params<N extends RequestName> = z.infer<Requests[N]["params"]>;
export type Result<N extends RequestName> = z.infer<Requests[N]["result"]>;

export const notifications = {
  /** Events in order; `seq` is the number of the first. */
  "chat/events": z.object({ seq: z.number(), events: z.array(taskEventSchema) }),
  /** The whole state: after a hidden view returns, or when events were missed. `seq`: the next event's number. */
  "chat/snapshot": z.object({ seq: z.number(), view: chatViewSchema }),
  "host/setup": setupSchema,
  /** Puts text at the composer's cursor (a selection, a problem), and images beside it. */
  "composer/insert": z.object({ text: z.string(), images: z.array(attachmentSchema).optional() }),
  "composer/focus": nothing,
  "history/show": nothing,
  "rules/show": nothing,
  /** What `rules/list` said may no longer hold. */
  "rules/changed": nothing,
  /** Searches find more than before; all there is when `done` is `total`. */
  "history/indexing": indexProgressSchema,
} as const;
export type Notifications = typeof notifications;
export type NotificationName = keyof Notifications;
export type Notification<N extends NotificationName> = z.infer<Notifications[N]>;

/** The frame that postMessage carries. */
export const frameSchema = z.discriminatedUnion("frame", [
  z.object({ frame: z.literal("request"), id: z.number(), name: z.string(), params: z.unknown() }),
  z.object({ frame: z.literal("result"), id: z.number(), result: z.unknown() }),
  z.object({ frame: z.literal("error"), id: z.number(), message: z.string() }),
  z.object({ frame: z.literal("notification"), name: z.string(), params: z.unknown() }),
]);
export type Frame = z.infer<typeof frameSchema>;

/** What the page is given at load, in a JSON script element with id `nekode-boot`. */
export const bootSchema = z.object({
  language: z.string(),
  /** English text to its translation; empty in English. */
  translations: z.record(z.string(), z.string()),
});
export type Boot = z.infer<typeof bootSchema>;
