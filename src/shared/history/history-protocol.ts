/** Requests of the protocol about stored sessions, and requests that leave the active session. */
import * as z from "../zod.ts";
import { worktreeSchema } from "./worktree.ts";

const nothing = z.object({});

/** `folder`: its folder, if known. */
const otherProjectSchema = z.object({ key: z.string(), name: z.string(), folder: z.optional(z.string()) });

/** The task of another project in whose worktree this project's folder is. */
export const taskHereSchema = z.object({
  /** Of its session. */
  id: z.string(),
  title: z.string(),
  project: otherProjectSchema,
  /** Another process has the task open, or reviews its worktree. */
  isOpen: z.boolean(),
});
export type TaskHere = z.infer<typeof taskHereSchema>;

const listedSessionSchema = z.object({
  id: z.string(),
  title: z.string(),
  startedAt: z.string(),
  updatedAt: z.string(),
  messageCount: z.number(),
  cost: z.number(),
  tokens: z.number(),
  /** Spelled as in the stored sessions and in the output of `--list --json`, which programs read. */
  favourite: z.optional(z.boolean()),
  /** The session that this one branched off from; no title: that session was deleted. */
  forkOf: z.optional(z.object({ id: z.string(), title: z.optional(z.string()) })),
  /** The parent session, whose task started this one; no title: that session was deleted. */
  parent: z.optional(z.object({ id: z.string(), title: z.optional(z.string()) })),
  /** The git worktree that it works in, if it has one. */
  worktree: z.optional(worktreeSchema),
  /** The project that it belongs to, if it is another one. */
  project: z.optional(otherProjectSchema),
  /** It was imported from this `AgentProduct`, and a message to it continues it as a copy. */
  origin: z.optional(z.object({ product: z.string() })),
  /** Another window or terminal is working on it. */
  elsewhere: z.optional(z.boolean()),
  /** The text around the first match, in one line. */
  excerpt: z.optional(z.string()),
  /** Id of the row that contains the excerpt. */
  found: z.optional(z.string()),
});

export const sessionSummarySchema = z.extend(listedSessionSchema, {
  /** Set in a grouped list: the sessions that its task started, the first one first. */
  children: z.optional(z.array(listedSessionSchema)),
});
export type SessionSummary = z.infer<typeof sessionSummarySchema>;

/** Number of messages indexed so far, out of those that were not indexed when the host started indexing. */
export const indexProgressSchema = z.object({ done: z.number(), total: z.number() });
export type IndexProgress = z.infer<typeof indexProgressSchema>;

export const historySortSchema = z.enum(["newest", "oldest", "cost", "tokens", "relevance"]);
export type HistorySort = z.infer<typeof historySortSchema>;

/**
 * Which sessions, in which order, and which page of them. A session must contain all words of `text`, in its title or
 * messages.
 */
export const historyQuerySchema = z.object({
  text: z._default(z.string().check(z.maxLength(1000)), ""),
  sort: z._default(historySortSchema, "newest"),
  favorites: z._default(z.boolean(), false),
  /** Includes the sessions of the user's other projects. */
  allProjects: z._default(z.boolean(), false),
  /**
   * Lists sessions that a task started as the `children` of that task's session, which alone counts for the page and the order.
   * With `text` or `favorites`, each session that matches is listed by itself all the same.
   */
  grouped: z._default(z.boolean(), false),
  offset: z._default(z.int().check(z.nonnegative()), 0),
  limit: z._default(z.int().check(z.positive(), z.lte(1000)), 100),
});
export type HistoryQuery = z.infer<typeof historyQuerySchema>;

/** md: for reading. json: for import. atif: a trajectory in the format ATIF. script: the answers, for the played model. */
export const exportFormatSchema = z.enum(["md", "json", "atif", "script"]);
export type ExportFormat = z.infer<typeof exportFormatSchema>;

/** A request that ends the current task as it is. `stop`: the user agreed to stop it if it is not finished. */
export const leaveSchema = z.object({ stop: z.optional(z.boolean()) });
/** `working`: nothing happened, because the task is not finished and `stop` is not set. */
export const leftSchema = z.object({ working: z.optional(z.boolean()) });

export const historyProtocol = {
  /** Starts a new task. The current one keeps working if it is not finished. */
  "chat/new": { params: nothing, result: nothing },
  /**
   * `more`: there are further sessions. `indexing`: not everything was searched; `history/indexing` reports the
   * progress.
   */
  "history/list": {
    params: z.partial(historyQuerySchema),
    result: z.object({
      sessions: z.array(sessionSummarySchema),
      more: z.optional(z.boolean()),
      indexing: z.optional(indexProgressSchema),
    }),
  },
  /** Sent when the user may open the history next, so that the host prepares for the first `history/list`. */
  "history/prepare": { params: nothing, result: nothing },
  /**
   * Makes a session the active one. The previous task keeps working if it is not finished. `elsewhere`: it was not opened
   * because another window is working on it; `takeOver` opens it anyway.
   */
  "history/open": {
    params: z.object({ id: z.string(), takeOver: z.optional(z.boolean()) }),
    result: z.object({ elsewhere: z.optional(z.boolean()) }),
  },
  /**
   * A session of another project: shows it read-only, opens its project folder in a new window, or copies it to this
   * project and makes the copy the active session.
   */
  "history/open-other": {
    params: z.object({
      id: z.string(),
      project: z.string(),
      how: z.enum(["read", "folder", "copy"]),
    }),
    result: nothing,
  },
  /** Copies all sessions of another project, whose folder no longer exists, to this project; the result is their number. */
  "history/adopt": {
    params: z.object({ project: z.string() }),
    result: z.object({ imported: z.number() }),
  },
  "history/rename": {
    params: z.object({ id: z.string(), title: z.string().check(z.maxLength(1000)) }),
    result: nothing,
  },
  "history/favorite": { params: z.object({ id: z.string(), favorite: z.boolean() }), result: nothing },
  /**
   * `undoMs`: milliseconds during which it can be restored; 0: it was not deleted because another window is working on it, or
   * `working`: it is a task of this window that is not finished, and `stop` is not set.
   */
  "history/delete": {
    params: z.extend(leaveSchema, { id: z.string() }),
    result: z.extend(leftSchema, { undoMs: z.number() }),
  },
  "history/undelete": { params: z.object({ id: z.string() }), result: nothing },
  /** Asks the user for the location. `project`: the project of the session, if it is another one. */
  "history/export": {
    params: z.object({ id: z.string(), format: exportFormatSchema, project: z.optional(z.string()) }),
    result: nothing,
  },
  /**
   * Sessions of other agents. Only what needs them parses the parameters (`foreignRequestSchema`) and the result: the list
   * (`FoundList`) or a report (`ImportReport`).
   */
  "history/foreign": { params: z.unknown(), result: z.unknown() },
  /** Asks the user for files; the result is the number of imported sessions. */
  "history/import": { params: nothing, result: z.object({ imported: z.number() }) },
} as const;
