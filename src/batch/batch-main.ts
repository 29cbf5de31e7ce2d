/** `nekode batch`: many tasks, here or through a queue, with one report. */
import { randomUUID } from "node:crypto";
import { readFile, rm } from "node:fs/promises";
import path from "node:path";
import { messageOf } from "../core/errors.ts";
import { createSynced, replaceFile, tempFilePath } from "../node/files/atomic-write.ts";
import { isMissing } from "../node/files/fs-errors.ts";
import type { BatchTask } from "../shared/run/batch-lines.ts";
import * as z from "../shared/zod.ts";
import { readBatch, type Shard, shardOf } from "./batch-file.ts";
import { type BatchParts, taskParts, untilStopped } from "./batch-parts.ts";
import { progressText, reportOf, reportText } from "./batch-report.ts";
import { batchFaultText, resultsErrorText, taskFaultText } from "./batch-words.ts";
import { runLocally, sum, type WorkEnd } from "./local-batch.ts";
import type { QueueAddress } from "./queue/queue-address.ts";
import { runThroughQueue } from "./queue/queue-feeder.ts";
import { QueueError, QueueLink } from "./queue/queue-link.ts";
import type * as QueueSdk from "./queue/queue-sdk.ts";
import { ResultsError, ResultsFile } from "./results-file.ts";

export interface BatchRequest {
  /** The batch file, as the user named it. */
  file: string;
  /** The results file, absolute. */
  out: string;
  jobs: number;
  queue: QueueAddress | undefined;
  /** Milliseconds to wait for a queue that is not available. */
  waitMs: number;
  maxCost: number | undefined;
  shard: Shard | undefined;
  json: boolean;
  takeOver: boolean;
}

/** Resolves with the exit code. */
export async function runBatch(request: BatchRequest, parts: BatchParts): Promise<number> {
  const { t, screen, exitCode } = parts;
  const batch = await readBatch(request.file, request.queue === undefined).catch((error: unknown) => {
    throw new Error(t("{0} cannot be read: {1}", request.file, messageOf(error)));
  });
  for (const fault of batch.faults)
    await screen.err(`nekode: ${parts.oneLine(batchFaultText(t, request.file, fault))}\n`);
  if (batch.faults.length > 0) {
    await screen.err(`${t("No task was started.")}\n`);
    return exitCode.usage;
  }
  const tasks = request.shard ? shardOf(batch.tasks, request.shard) : batch.tasks;
  try {
    const results = await ResultsFile.open(request.out, request.takeOver);
    try {
      return await runWith(results, tasks, request, parts);
    } finally {
      await results.close();
    }
  } catch (error) {
    if (error instanceof ResultsError) throw new Error(resultsErrorText(t, error));
    throw error;
  }
}

async function runWith(
  results: ResultsFile,
  tasks: readonly BatchTask[],
  request: BatchRequest,
  parts: BatchParts,
): Promise<number> {
  const { t, screen, exitCode } = parts;
  const began = performance.now();
  const remaining = tasks.filter(({ id }) => !results.results.has(id));
  if (remaining.length < tasks.length)
    await screen.err(
      `${t("Tasks that already have a result: {0} of {1}.", tasks.length - remaining.length, tasks.length)}\n`,
    );
  const onResult = (id: string) => {
    const result = results.results.get(id);
    const done = tasks.filter((task) => results.results.has(task.id)).length;
    if (result) void screen.err(`${parts.oneLine(progressText(t, result, done, tasks.length))}\n`);
  };
  const spent = sum(tasks.map(({ id }) => results.results.get(id)?.cost ?? 0));
  const common = { results, maxCost: request.maxCost, spent, onResult };
  let end: WorkEnd | QueueError = "all";
  if (remaining.length > 0 || request.queue)
    end = await untilStopped(parts, async (signal) => {
      if (request.queue) return runQueued(request.queue, { ...common, tasks, signal }, request, parts);
      const run = await taskParts(parts);
      return runLocally({ ...run, ...common, tasks: remaining, jobs: request.jobs, signal });
    });
  const seconds = (performance.now() - began) / 1000;
  const outcome = { tasks, results: results.results, resultsFile: results.file, seconds };
  const exit =
    end instanceof QueueError ? exitCode.error : exitOf(end, reportOf({ ...outcome, exit: 0 }), parts);
  const report = reportOf({ ...outcome, exit });
  if (request.json) await screen.out(parts.jsonLine(report));
  else await screen.out(reportText(t, report, { ...outcome, exit }));
  if (end instanceof QueueError) await screen.err(`nekode: ${parts.oneLine(queueErrorText(end, parts))}\n`);
  if (end === "cost") await screen.err(`${t("The batch reached its cost limit.")}\n`);
  if (report.left > 0)
    await screen.err(
      `${t("To continue, run the same command again: only tasks without a result will run.")}\n`,
    );
  return exit;
}

/** 0 only if every task is done and every check passed. */
function exitOf(end: WorkEnd, report: ReturnType<typeof reportOf>, { exitCode }: BatchParts): number {
  const { counts, checks } = report;
  if (end === "stopped") return exitCode.interrupted;
  if ((counts.failed ?? 0) > 0 || checks.failed > 0) return exitCode.error;
  if ((counts["needs-approval"] ?? 0) > 0) return exitCode.unanswered;
  return end === "cost" || (counts.limit ?? 0) > 0 ? exitCode.limit : exitCode.completed;
}

async function runQueued(
  address: QueueAddress,
  common: {
    tasks: readonly BatchTask[];
    results: ResultsFile;
    maxCost: number | undefined;
    spent: number;
    signal: AbortSignal;
    onResult(id: string): void;
  },
  request: BatchRequest,
  parts: BatchParts,
): Promise<WorkEnd | QueueError> {
  const { t, screen } = parts;
  const file = `${request.out}.queue`;
  const sdk = await import("./queue/queue-sdk.ts");
  const link = await connectToQueue(sdk, address, request.waitMs, parts);
  const batch = await batchId(file);
  try {
    const faultText = (fault: Parameters<typeof taskFaultText>[1]) => taskFaultText(t, fault);
    const onFed = () =>
      void screen.err(
        `${t("The tasks are in the queue at {0}. To run them, start workers: nekode worker --queue URL", address.shown)}\n`,
      );
    const end = await runThroughQueue(sdk, link, { ...common, batch, faultText, onFed });
    if (end === "all") await rm(file, { force: true });
    return end;
  } catch (error) {
    if (error instanceof QueueError) return error;
    throw error;
  }
}

/** Rejects with an error for the user if the queue cannot be reached. */
export async function connectToQueue(
  sdk: typeof QueueSdk,
  address: QueueAddress,
  waitMs: number,
  parts: BatchParts,
): Promise<QueueLink> {
  const { t, screen, oneLine } = parts;
  const say = (text: string) => void screen.err(`nekode: ${oneLine(text)}\n`);
  try {
    return await QueueLink.connect(sdk, address, {
      waitMs,
      onLost: (shown, why) =>
        say(
          t(
            "The queue at {0} is not available ({1}). Waiting up to {2} s. No result is lost.",
            ...[shown, why || t("the connection was closed"), waitMs / 1000],
          ),
        ),
      onFound: (shown) => say(t("The queue at {0} is available again.", shown)),
    });
  } catch (error) {
    throw error instanceof QueueError ? new Error(queueErrorText(error, parts)) : error;
  }
}

export function queueErrorText({ phase, shown, why }: QueueError, { t }: BatchParts): string {
  return phase === "start"
    ? t(
        "The queue at {0} cannot be used: {1}. Check the address, and that Redis is running there.",
        shown,
        why,
      )
    : t(
        "The queue at {0} did not become available in time. No result is lost. Start Redis, then run the same command again.",
        shown,
      );
}

/** Identifies the batch in the queue for as long as it has tasks without a result. */
async function batchId(file: string): Promise<string> {
  const schema = z.object({ batch: z.uuid() });
  try {
    const known = schema.safeParse(JSON.parse(await readFile(file, "utf8")));
    if (known.success) return known.data.batch;
  } catch (error) {
    if (!isMissing(error) && !(error instanceof SyntaxError)) throw error;
  }
  const batch = randomUUID();
  const temp = tempFilePath(path.dirname(file));
  const bytes = Buffer.from(`${JSON.stringify({ batch })}\n`);
  await replaceFile({ temp, file, write: () => createSynced(temp, bytes) });
  return batch;
}
