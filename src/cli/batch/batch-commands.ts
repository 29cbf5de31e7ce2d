/** `nekode batch` and `nekode worker`: what the batch gets from the program. */
import path from "node:path";
import { runBatch } from "../../batch/batch-main.ts";
import type { BatchParts } from "../../batch/batch-parts.ts";
import { type QueueAddress, queueAddress } from "../../batch/queue/queue-address.ts";
import { runWorker } from "../../batch/worker-main.ts";
import { defaultDataDir } from "../../node/store/project-store.ts";
import { firstConnection } from "../../shared/models/connection.ts";
import { configDirOf, readOptions } from "../command-options.ts";
import { keyInEnvironment } from "../config/maker-keys.ts";
import { configFileIn, configOf, type ProgramContext, print, programDir } from "../program.ts";
import { EXIT_CODE } from "../run.ts";
import { jsonLine, oneLine } from "../screen.ts";
import { UsageError } from "../usage-error.ts";
import {
  BATCH_USAGE,
  type BatchOptions,
  readBatchOptions,
  readWorkerOptions,
  WORKER_USAGE,
  type WorkerOptions,
} from "./batch-options.ts";

/** Resolves with the exit code. */
export async function runTasks(context: ProgramContext, args: readonly string[]): Promise<number> {
  const options = readBatchOptions(args, context.environment, context.cwd);
  if (options.help) return print(context, BATCH_USAGE);
  const queue = options.queue === undefined ? undefined : addressOf(options.queue);
  return runBatch({ ...options, queue }, await batchParts(context, options, true));
}

/** Resolves with the exit code. */
export async function serveQueue(context: ProgramContext, args: readonly string[]): Promise<number> {
  const options = readWorkerOptions(args, context.environment, context.cwd);
  if (options.help) return print(context, WORKER_USAGE);
  const queue = addressOf(options.queue ?? "");
  return runWorker({ ...options, queue }, await batchParts(context, options, options.checks));
}

function addressOf(url: string): QueueAddress {
  const address = queueAddress(url);
  // The address is not repeated, because it can contain a password.
  if (!address) throw new UsageError("--queue must be a URL such as redis://localhost:6379");
  return address;
}

/** Errors in the options of all tasks are reported here, before any task starts. */
async function batchParts(
  context: ProgramContext,
  options: BatchOptions | WorkerOptions,
  checks: boolean,
): Promise<BatchParts> {
  const { withKeys: environment, cwd, signals, screen, log, t } = context;
  const { agentArgs, timeoutMs, keepWorktrees } = options;
  const config = await configOf(context, agentArgs, configFileIn(context, configDirOf(agentArgs, cwd)));
  const {
    dataDir = defaultDataDir(environment),
    settings,
    searchKey = "",
  } = readOptions(agentArgs, environment, cwd, config);
  if (dataDir === undefined)
    throw new UsageError("there is no home folder to store sessions in; specify a folder with --data-dir");
  return {
    t,
    log,
    screen,
    oneLine,
    jsonLine,
    exitCode: EXIT_CODE,
    checks,
    agentArgs,
    timeoutMs,
    keepWorktrees,
    dataDir,
    program: [process.execPath, path.join(programDir, "cli.js")],
    programDir,
    // A process of a task reads the keys in it.
    environment,
    keys: [
      searchKey,
      ...[firstConnection(settings), ...settings.connections].map((connection) =>
        keyInEnvironment(connection, environment),
      ),
    ].filter((key) => key !== undefined),
    signals,
  };
}
