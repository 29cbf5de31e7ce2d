/**
 * Feeds a queue with the tasks of a batch and gathers their results. A result stays in the queue until it is in the results file,
 * and a task has the same job each time that the batch is started. So no result is lost, whichever process is killed at whatever moment.
 */
import type { Job } from "bullmq";
import { SerialQueue } from "../../core/async.ts";
import { within } from "../../node/clock.ts";
import type { BatchTask } from "../../shared/run/batch-lines.ts";
import type { WorkEnd } from "../local-batch.ts";
import { ResultsError, type ResultsFile } from "../results-file.ts";
import type { TaskFaultCode } from "../task-fault.ts";
import { type JobData, jobIdOf, jobOf, jobSchema, QUEUE_NAME, QUEUE_PREFIX } from "./batch-jobs.ts";
import { Deferred, type QueueLink } from "./queue-link.ts";
import type * as QueueSdk from "./queue-sdk.ts";

/** Jobs that are added at once. */
const PORTION = 100;

/** Milliseconds to close what has no connection any more. */
const CLOSE_MS = 2_000;

export interface QueueBatch {
  tasks: readonly BatchTask[];
  results: ResultsFile;
  /** Identifies the batch in the queue. */
  batch: string;
  maxCost: number | undefined;
  /** USD that the tasks cost which have a result already. */
  spent: number;
  signal: AbortSignal;
  onResult(id: string): void;
  /** The queue has all tasks. */
  onFed(): void;
  faultText(fault: TaskFaultCode): string;
}

/** Rejects with QueueError if the queue is gone for too long, and with ResultsError if a result cannot be stored. */
export async function runThroughQueue(
  sdk: typeof QueueSdk,
  link: QueueLink,
  batch: QueueBatch,
): Promise<WorkEnd> {
  const feeder = new QueueFeeder(sdk, link, batch);
  try {
    return await feeder.run();
  } finally {
    await feeder.close();
  }
}

class QueueFeeder {
  readonly #batch: QueueBatch;
  readonly #link: QueueLink;
  readonly #queue: QueueSdk.Queue;
  readonly #events: QueueSdk.QueueEvents;
  /** Tasks without a result, by job. */
  readonly #open = new Map<string, BatchTask>();
  readonly #work = new SerialQueue();
  readonly #end = new Deferred<WorkEnd>();
  #spent: number;
  #isCostly = false;
  #isFed = false;

  constructor({ Queue, QueueEvents }: typeof QueueSdk, link: QueueLink, batch: QueueBatch) {
    this.#batch = batch;
    this.#link = link;
    this.#spent = batch.spent;
    const options = { connection: link.redis, prefix: QUEUE_PREFIX };
    this.#queue = new Queue(QUEUE_NAME, options);
    this.#events = new QueueEvents(QUEUE_NAME, options);
    // The link reports a connection that is lost.
    this.#queue.on("error", () => undefined);
    this.#events.on("error", () => undefined);
    for (const task of batch.tasks)
      if (!batch.results.results.has(task.id)) this.#open.set(jobIdOf(batch.batch, task.id), task);
  }

  async run(): Promise<WorkEnd> {
    const { signal } = this.#batch;
    const stop = () => this.#end.resolve("stopped");
    if (signal.aborted) return "stopped";
    signal.addEventListener("abort", stop, { once: true });
    void this.#link.gone.then((error) => this.#end.reject(error));
    const ended = ({ jobId }: { jobId: string }) => this.#soon(() => this.#gather(jobId));
    this.#events.on("completed", ended).on("failed", ended);
    // While the queue was unavailable, results may have arrived without an event, or it may have lost its content.
    const subscription = this.#link.onFound(() => this.#soon(() => this.#feed()));
    this.#soon(async () => {
      await this.#events.waitUntilReady();
      await this.#feed();
      await this.#removeKnown();
      this.#isFed = true;
      this.#batch.onFed();
    });
    try {
      return await this.#end.promise;
    } finally {
      subscription.dispose();
      signal.removeEventListener("abort", stop);
    }
  }

  async close(): Promise<void> {
    this.#link.close();
    await within(Promise.allSettled([this.#queue.close(), this.#events.close(), this.#work.over]), CLOSE_MS);
  }

  #soon(work: () => Promise<void>): void {
    this.#work.run(work).catch((error: unknown) => {
      const lost = error instanceof ResultsError ? undefined : this.#link.lost(error);
      // Interrupted work is repeated when the queue is available again.
      if (!lost || !this.#isFed) this.#end.reject(lost ?? error);
    });
  }

  /** Adds the jobs that the queue does not have, and gathers those that have ended. */
  async #feed(): Promise<void> {
    if (this.#spent >= (this.#batch.maxCost ?? Number.POSITIVE_INFINITY)) this.#isCostly = true;
    const open = [...this.#open];
    if (!this.#isCostly) {
      for (let from = 0; from < open.length; from += PORTION) {
        const portion = open.slice(from, from + PORTION);
        await this.#queue.addBulk(
          portion.map(([jobId, task]) => ({
            name: "task",
            data: jobOf(task),
            opts: { jobId, removeOnComplete: false, removeOnFail: false },
          })),
        );
      }
    }
    for (const [jobId] of open) await this.#gather(jobId);
    if (this.#isCostly) await this.#withdraw();
    this.#endIfDone();
  }

  /** Stores the result of a job that has ended, then removes the job. */
  async #gather(jobId: string): Promise<void> {
    const task = this.#open.get(jobId);
    if (!task) return;
    const job: Job<unknown> | undefined = await this.#queue.getJob(jobId);
    if (!job || job.finishedOn === undefined) return;
    const { result, patch } = this.#outcomeOf(task, job);
    await this.#batch.results.append(result, patch);
    this.#open.delete(jobId);
    await this.#queue.remove(jobId);
    this.#spent += result.cost ?? 0;
    this.#batch.onResult(task.id);
    if (!this.#isCostly && this.#spent >= (this.#batch.maxCost ?? Number.POSITIVE_INFINITY)) {
      this.#isCostly = true;
      await this.#withdraw();
    }
    this.#endIfDone();
  }

  #outcomeOf({ id }: BatchTask, job: Job<unknown>): NonNullable<JobData["outcome"]> {
    const { data } = jobSchema.safeParse(job.data);
    if (data?.outcome && data.outcome.result.id === id) return data.outcome;
    const why = job.failedReason ?? "";
    const code = job.failedReason === undefined ? "not-understood" : "stalled";
    const error = { code, text: this.#batch.faultText({ code, why }) };
    const none = { session: null, files: [], answer: "", cost: null, requests: 0, seconds: 0 };
    return { result: { id, status: "failed", ...none, error }, patch: "" };
  }

  /** Removes the tasks that no worker has begun from the queue. */
  async #withdraw(): Promise<void> {
    for (const jobId of [...this.#open.keys()]) {
      const job: Job<unknown> | undefined = await this.#queue.getJob(jobId);
      // A worker that begins it meanwhile makes the removal fail; then its result is waited for.
      if (!job || ((await job.isWaiting()) && (await this.#queue.remove(jobId)) > 0))
        this.#open.delete(jobId);
    }
  }

  /** Removes the jobs of tasks whose result was stored right before the process was killed. */
  async #removeKnown(): Promise<void> {
    for (const { id } of this.#batch.tasks)
      if (this.#batch.results.results.has(id)) await this.#queue.remove(jobIdOf(this.#batch.batch, id));
  }

  #endIfDone(): void {
    if (this.#open.size === 0) this.#end.resolve(this.#isCostly ? this.#costlyEnd() : "all");
  }

  #costlyEnd(): WorkEnd {
    const { tasks, results } = this.#batch;
    return tasks.every(({ id }) => results.results.has(id)) ? "all" : "cost";
  }
}
