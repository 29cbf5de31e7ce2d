/** Runs the tasks of a batch on this machine, some at a time. */
import { setMaxListeners } from "node:events";
import { Interrupt } from "../core/errors.ts";
import type { BatchTask } from "../shared/run/batch-lines.ts";
import type { ResultsFile } from "./results-file.ts";
import { runBatchTask, type TaskRunParts } from "./task-run.ts";

export interface LocalBatch extends TaskRunParts {
  tasks: readonly BatchTask[];
  results: ResultsFile;
  jobs: number;
  /** USD; undefined: no limit. */
  maxCost: number | undefined;
  /** USD that the tasks cost which have a result already. */
  spent: number;
  /** Ctrl+C. */
  signal: AbortSignal;
  onResult(id: string): void;
}

/** How the work ended: all tasks have a result, or why not. */
export type WorkEnd = "all" | "cost" | "stopped";

/** Rejects with ResultsError if a result cannot be stored; then all tasks are stopped. */
export async function runLocally(batch: LocalBatch): Promise<WorkEnd> {
  const { tasks, results, jobs, maxCost = Number.POSITIVE_INFINITY, signal } = batch;
  const stop = new AbortController();
  const running = new Map<string, number>();
  let { spent } = batch;
  let isCostly = spent >= maxCost;
  const consider = () => {
    if (spent + sum(running.values()) < maxCost) return;
    isCostly = true;
    stop.abort();
  };
  const both = AbortSignal.any([signal, stop.signal]);
  // Each task adds a listener.
  setMaxListeners(0, both);
  const waiting = tasks.values();
  const work = async () => {
    for (const task of waiting) {
      if (both.aborted || isCostly) return;
      try {
        const run = await runBatchTask(task, batch, {
          signal: both,
          byLimit: () => isCostly && !signal.aborted,
          onCost(cost) {
            running.set(task.id, cost);
            consider();
          },
        });
        await results.append(run.result, run.patch).catch(async (error: unknown) => {
          await run.discard();
          throw error;
        });
        running.delete(task.id);
        spent += run.result.cost ?? 0;
        consider();
        batch.onResult(task.id);
        await run.finish();
      } catch (error) {
        if (error instanceof Interrupt) return;
        // Without a place for results, further work would be lost.
        stop.abort();
        throw error;
      }
    }
  };
  const workers = await Promise.allSettled(Array.from({ length: Math.min(jobs, tasks.length) }, work));
  for (const worker of workers) if (worker.status === "rejected") throw worker.reason;
  if (tasks.every(({ id }) => results.results.has(id))) return "all";
  return signal.aborted ? "stopped" : "cost";
}

export function sum(numbers: Iterable<number>): number {
  let total = 0;
  for (const each of numbers) total += each;
  return total;
}
