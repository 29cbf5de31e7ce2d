/** `nekode worker`: takes tasks of any batch from a queue. */

import { connectToQueue, queueErrorText } from "./batch-main.ts";
import { type BatchParts, taskParts, untilStopped } from "./batch-parts.ts";
import type { QueueAddress } from "./queue/queue-address.ts";
import { QueueError } from "./queue/queue-link.ts";
import { workOn } from "./queue/queue-worker.ts";

export interface WorkerRequest {
  queue: QueueAddress;
  jobs: number;
  waitMs: number;
  takeOverMs: number;
  idleMs: number | undefined;
}

/** Resolves with the exit code. */
export async function runWorker(request: WorkerRequest, parts: BatchParts): Promise<number> {
  const { t, screen, exitCode, oneLine } = parts;
  const { queue } = request;
  const run = await taskParts(parts);
  const sdk = await import("./queue/queue-sdk.ts");
  const link = await connectToQueue(sdk, queue, request.waitMs, parts);
  const say = (text: string) => void screen.err(`${oneLine(text)}\n`);
  say(
    parts.checks
      ? t("Taking tasks from {0}. Whoever can write to this queue can run commands here.", queue.shown)
      : t("Taking tasks from {0}. Checks do not run without --checks.", queue.shown),
  );
  const onTask = (id: string, status: "begun" | "done") =>
    say(`${id}: ${status === "begun" ? t("started") : t("ended")}`);
  try {
    const { jobs, takeOverMs, idleMs } = request;
    const end = await untilStopped(parts, (signal) =>
      workOn(sdk, link, { ...run, jobs, takeOverMs, idleMs, signal, onTask }),
    );
    if (end === "stopped") say(t("Stopped. Tasks that were running are in the queue again."));
    return end === "stopped" ? exitCode.interrupted : exitCode.completed;
  } catch (error) {
    if (!(error instanceof QueueError)) throw error;
    await screen.err(`nekode: ${oneLine(queueErrorText(error, parts))}\n`);
    return exitCode.error;
  }
}
