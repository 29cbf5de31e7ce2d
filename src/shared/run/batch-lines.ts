/** The lines of a batch: tasks for `nekode batch`, their results, and the report at the end. */
import * as z from "../zod.ts";

/** Longest id, in characters. */
const LONGEST_ID = 200;
/** Seconds: a week. */
const LONGEST_TIMEOUT = 604_800;

/** Maximum cost of one task in USD. A larger number is not a plausible cost. */
const MOST_COST = 1_000_000;

/** Git would take it for an option. */
const NO_OPTION = /^[^-]/;

export const batchTaskSchema = z.strictObject({
  /** Unique in its batch. */
  id: z.string().check(z.trim(), z.minLength(1), z.maxLength(LONGEST_ID)),
  /** A folder in a git repository on the machine that runs the task; relative to the folder of the batch file. */
  cwd: z.optional(z.string().check(z.minLength(1))),
  /** In place of `cwd`: what `git clone` accepts. A path is relative to the folder of the batch file. */
  repo: z.optional(z.string().check(z.minLength(1), z.regex(NO_OPTION))),
  /** The revision to begin at. Default: what is checked out in `cwd`, or the default branch of `repo`. */
  rev: z.optional(z.string().check(z.minLength(1), z.regex(NO_OPTION))),
  task: z.string().check(z.trim(), z.minLength(1)),
  /** A shell command that runs in the worktree afterwards. */
  check: z.optional(z.string().check(z.trim(), z.minLength(1))),
  model: z.optional(z.string().check(z.trim(), z.minLength(1))),
  /** Seconds for the task, and again for its check. */
  timeout: z.optional(z.number().check(z.positive(), z.lte(LONGEST_TIMEOUT))),
});
export type BatchTask = z.infer<typeof batchTaskSchema>;

const statusSchema = z.enum(["done", "failed", "limit", "needs-approval"]);

export const batchResultSchema = z.object({
  id: z.string(),
  /** limit: of requests, cost or time. needs-approval: the session waits in `worktree` for `nekode answer`. */
  status: statusSchema,
  /** null: none was stored. */
  session: z.nullable(z.string()),
  /** What differs from the revision that the task began at. Relative to the repository's top folder. */
  files: z.array(z.object({ path: z.string(), kind: z.enum(["added", "changed", "deleted"]) })),
  /** USD, of all attempts; null: not known. */
  cost: z.nullable(z.number().check(z.gte(0), z.lte(MOST_COST))),
  requests: z.int().check(z.gte(0)),
  /** null: it did not end by itself, or did not run. `output`: the end of what it printed, or why it did not run. */
  check: z.optional(z.object({ exit: z.nullable(z.number()), output: z.string() })),
  /** The last answer. */
  answer: z.string(),
  seconds: z.number().check(z.gte(0)),
  /** The commit that the task began at. */
  base: z.optional(z.string()),
  /** A diff that `git apply` accepts, relative to the folder of the results file. */
  patch: z.optional(z.string()),
  /** The worktree, if it was kept. */
  worktree: z.optional(z.string()),
  approval: z.optional(z.object({ tool: z.string(), subject: z.string() })),
  error: z.optional(z.object({ code: z.string(), text: z.string() })),
  /** How often the task was started, if more than once. */
  attempts: z.optional(z.int().check(z.gte(1))),
  /** The host that ran it, if it came through a queue. */
  worker: z.optional(z.string()),
  /** The worktree on that host, if it was kept there. Only the worker can verify it. */
  workerFolder: z.optional(z.string()),
});
export type BatchResult = z.infer<typeof batchResultSchema>;
export type BatchStatus = BatchResult["status"];

export const BATCH_VERSION = 1;

/** What `nekode batch --json` prints at its end. */
export const batchReportSchema = z.object({
  type: z.literal("batch"),
  version: z.literal(BATCH_VERSION),
  exit: z.number(),
  /** Number of tasks in the batch, or in its shard. */
  tasks: z.number(),
  counts: z.record(statusSchema, z.number()),
  /** Tasks without a result. */
  left: z.number(),
  checks: z.object({ passed: z.number(), failed: z.number() }),
  /** USD, of all results; null: not known of any. */
  cost: z.nullable(z.number()),
  requests: z.number(),
  /** Of this run. */
  seconds: z.number(),
  /** The results file, absolute. */
  results: z.string(),
});
export type BatchReport = z.infer<typeof batchReportSchema>;
