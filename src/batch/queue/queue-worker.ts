/** Takes tasks from a queue and runs them on this machine. */
import { setMaxListeners } from "node:events";
import { hostname } from "node:os";
import type { Job } from "bullmq";
import { Interrupt } from "../../core/errors.ts";
import { within } from "../../node/clock.ts";
import { runBatchTask, type TaskRunParts } from "../task-run.ts";
import { jobSchema, QUEUE_NAME, QUEUE_PREFIX } from "./batch-jobs.ts";
import { Deferred, type QueueLink } from "./queue-link.ts";
import type * as QueueSdk from "./queue-sdk.ts";

/** How many times a task is taken over from a worker that exited. */
const MOST_TAKEOVERS = 10;

/** Megabytes of a diff in the queue, which Redis holds in memory until the feeder takes it. */
const MOST_PATCH = 16;

/** Milliseconds to close what has no connection any more. */
const CLOSE_MS = 2_000;

export interface QueueWorkerParts extends TaskRunParts {
  jobs: number;
  /** Milliseconds after which the tasks of a worker that no longer responds are taken over. */
  takeOverMs: number;
  /** Ends after this many milliseconds without a task, unless another worker still has one; undefined: never. */
  idleMs: number | undefined;
  /** Ctrl+C. */
  signal: AbortSignal;
  onTask(id: string, status: "begun" | "done"): void;
}

/** Resolves when it was idle for long enough or was stopped. Rejects with QueueError if the queue is gone for too long. */
export async function workOn(
  { Queue, Worker, WaitingError }: typeof QueueSdk,
  link: QueueLink,
  parts: QueueWorkerParts,
): Promise<"idle" | "stopped"> {
  const stop = new AbortController();
  const signal = AbortSignal.any([parts.signal, stop.signal]);
  // Each task adds a listener.
  setMaxListeners(0, signal);
  const { promise, resolve, reject } = new Deferred<"idle" | "stopped">();
  let timer: NodeJS.Timeout | undefined;
  let running = 0;
  const queue = new Queue(QUEUE_NAME, { connection: link.redis, prefix: QUEUE_PREFIX });
  queue.on("error", () => undefined);
  const wait = (ms = parts.idleMs) => {
    if (ms !== undefined && running === 0) timer = setTimeout(() => void endIfIdle().catch(reject), ms);
  };
  /**
   * Another worker that has a task may have exited. The task then returns to the queue, and this worker must be there to take
   * it.
   */
  const endIfIdle = async () => {
    const left = await queue.getJobCountByTypes("active", "waiting");
    if (running > 0) return;
    if (left === 0) resolve("idle");
    else wait(parts.takeOverMs);
  };

  const process = async (job: Job<unknown>, token?: string): Promise<null> => {
    clearTimeout(timer);
    running++;
    try {
      const data = jobSchema.parse(job.data);
      const { task } = data;
      // The previous worker exited right after it had stored the result.
      if (data.outcome) return null;
      parts.onTask(task.id, "begun");
      const run = await runBatchTask(
        task,
        { ...parts, mostPatch: MOST_PATCH },
        { signal, byLimit: () => false, onCost: () => undefined },
      );
      const { worktree, patch: _, ...result } = run.result;
      const kept = worktree === undefined ? {} : { workerFolder: worktree };
      const outcome = { result: { ...result, worker: hostname(), ...kept }, patch: parts.mask(run.patch) };
      await job.updateData({ ...data, outcome });
      await run.finish();
      parts.onTask(task.id, "done");
      return null;
    } catch (error) {
      if (!(error instanceof Interrupt)) throw error;
      // Returns the task to the queue, so that another worker can take it immediately.
      await job.moveToWait(token);
      throw new WaitingError();
    } finally {
      running--;
      wait();
    }
  };

  const worker = new Worker(QUEUE_NAME, process, {
    connection: link.redis,
    prefix: QUEUE_PREFIX,
    concurrency: parts.jobs,
    autorun: false,
    lockDuration: parts.takeOverMs,
    stalledInterval: parts.takeOverMs,
    maxStalledCount: MOST_TAKEOVERS,
  });
  // The link reports a connection that is lost; a task that was taken over meanwhile has its result from the other worker.
  worker.on("error", () => undefined);
  const onStop = () => resolve("stopped");
  parts.signal.addEventListener("abort", onStop, { once: true });
  void link.gone.then(reject);
  const begin = async () => {
    // Never settles if the queue is gone by now.
    await worker.waitUntilReady();
    wait();
    await worker.run();
  };
  try {
    begin().catch(reject);
    return await promise;
  } finally {
    clearTimeout(timer);
    stop.abort();
    parts.signal.removeEventListener("abort", onStop);
    await close();
  }

  /** Waits until the tasks are back in the queue, unless it is gone. */
  async function close(): Promise<void> {
    if (link.redis.status === "ready") await Promise.race([worker.close(), link.gone]);
    link.close();
    await within(Promise.allSettled([worker.close(true), queue.close()]), CLOSE_MS);
  }
}
