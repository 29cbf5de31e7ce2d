/** What travels through the queue: tasks to the workers, and their results back. Neither contains a key. */
import { createHash } from "node:crypto";
import * as z from "zod";
import { batchResultSchema, batchTaskSchema } from "../../shared/run/batch-lines.ts";

export const QUEUE_NAME = "tasks";
/** Before all names of Nekode in Redis. */
export const QUEUE_PREFIX = "nekode";
const JOB_VERSION = 1;

const outcomeSchema = z.object({ result: batchResultSchema, patch: z.string() });
export type JobOutcome = z.infer<typeof outcomeSchema>;

export const jobSchema = z.object({
  version: z.literal(JOB_VERSION),
  task: batchTaskSchema,
  /** Set by the worker before the job counts as done; kept until the result is in the results file. */
  outcome: outcomeSchema.optional(),
});
export type JobData = z.infer<typeof jobSchema>;

export function jobOf(task: JobData["task"]): JobData {
  return { version: JOB_VERSION, task };
}

/** The same for the same task of the same batch, so that a batch that starts again adds none twice. */
export function jobIdOf(batch: string, id: string): string {
  return `${batch}-${createHash("sha256").update(id).digest("hex").slice(0, 24)}`;
}
