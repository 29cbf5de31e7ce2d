/** The data in the queue: tasks for the workers, and their results. Neither contains a key. */
import { createHash } from "node:crypto";
import { batchResultSchema, batchTaskSchema } from "../../shared/run/batch-lines.ts";
import * as z from "../../shared/zod.ts";

export const QUEUE_NAME = "tasks";
/** Prefix of all of Nekode's names in Redis. */
export const QUEUE_PREFIX = "nekode";
const JOB_VERSION = 1;

/** Without control characters, because the text is shown to users. */
const oneLine = z.refine<string>((text) => !/\p{Cc}/u.test(text));
const OUTSIDE = /^(?:[\\/]|[A-Za-z]:)|(?:^|[\\/])\.\.(?:[\\/]|$)/;

/**
 * A result as a worker reports it. It is external data, because anyone who can reach the queue can write one. The feeder
 * decides where the diff is stored, and a worktree on another machine is not a path on this one.
 */
export const workerResultSchema = z.extend(
  z.omit(batchResultSchema, {
    patch: true,
    worktree: true,
    worker: true,
    workerFolder: true,
    session: true,
    files: true,
  }),
  {
    session: z.nullable(z.string().check(z.regex(/^[\w-]{1,100}$/))),
    files: z.array(
      z.object({
        path: z.string().check(z.refine((path) => !OUTSIDE.test(path))),
        kind: z.enum(["added", "changed", "deleted"]),
      }),
    ),
    worker: z.optional(z.string().check(z.maxLength(255), oneLine)),
    workerFolder: z.optional(z.string().check(z.maxLength(4_096), oneLine)),
  },
);

const outcomeSchema = z.object({ result: workerResultSchema, patch: z.string() });
export type JobOutcome = z.infer<typeof outcomeSchema>;

export const jobSchema = z.object({
  version: z.literal(JOB_VERSION),
  task: batchTaskSchema,
  /** Set by the worker before the job counts as done; kept until the result is in the results file. */
  outcome: z.optional(outcomeSchema),
});
export type JobData = z.infer<typeof jobSchema>;

export function jobOf(task: JobData["task"]): JobData {
  return { version: JOB_VERSION, task };
}

/** Always the same for a task of a batch, so that a batch that is started again adds no task twice. */
export function jobIdOf(batch: string, id: string): string {
  return `${batch}-${createHash("sha256").update(id).digest("hex").slice(0, 24)}`;
}
