/** What the batch and its workers receive from the program, and the parts that they build from it. */
import path from "node:path";
import { KeyMask } from "../core/key-mask.ts";
import type { Log } from "../core/ports/system.ts";
import { type EndSignals, onEndSignal } from "../node/end-signals.ts";
import { createWorktrees } from "../node/git/worktrees/node-worktrees.ts";
import { processGuard } from "../node/servers/process-guard.ts";
import { createShell } from "../node/shell/process-shell.ts";
import { worktreesDirIn } from "../node/worktree-ports.ts";
import type { Translate } from "../shared/words/task-words.ts";
import { taskFaultText } from "./batch-words.ts";
import { Clones } from "./clones.ts";
import type { TaskRunParts } from "./task-run.ts";
import { TaskSpaces } from "./task-spaces.ts";

export interface BatchParts {
  t: Translate;
  screen: { out(text: string): Promise<void>; err(text: string): Promise<void> };
  oneLine(text: string): string;
  jsonLine(value: unknown): string;
  exitCode: Readonly<
    Record<"completed" | "error" | "usage" | "limit" | "unanswered" | "interrupted", number>
  >;
  /** The runtime and the program that runs a task. */
  program: readonly [string, string];
  /** Options of the program for all tasks. */
  agentArgs: readonly string[];
  environment: NodeJS.ProcessEnv;
  signals: EndSignals;
  /** Contains the programs of Nekode. */
  programDir: string;
  dataDir: string;
  /** The keys that tasks get. */
  keys: readonly string[];
  timeoutMs: number;
  checks: boolean;
  keepWorktrees: boolean;
  log: Log;
}

/** Prepares tasks to run on this machine, after removing what killed processes left. */
export async function taskParts(parts: BatchParts): Promise<TaskRunParts> {
  const { t, screen, oneLine, dataDir, program, agentArgs, timeoutMs, checks, keepWorktrees } = parts;
  // The queue's address can contain a password.
  const { NEKODE_QUEUE: _, ...environment } = parts.environment;
  const folder = path.join(dataDir, "batch");
  const spaces = new TaskSpaces({
    folder: path.join(folder, "running"),
    clones: new Clones(path.join(folder, "clones"), environment),
    worktreesOf: (root) => {
      const roots = () => [root];
      const shell = createShell({ environment, roots });
      const worktreesDir = worktreesDirIn(dataDir);
      return createWorktrees({ worktreesDir, environment, roots, shell, log: parts.log });
    },
    onLeft: (left, why) =>
      void screen.err(`nekode: ${oneLine(t("The worktree {0} could not be removed: {1}", left, why))}\n`),
  });
  await spaces.sweep();
  const keys = new KeyMask();
  for (const key of parts.keys) keys.learn(key, {});
  return {
    program,
    agentArgs,
    environment,
    timeoutMs,
    checks,
    keepWorktrees,
    spaces,
    guard: processGuard(parts.programDir),
    shellFor: (root, variables) =>
      createShell({ environment: { ...environment, ...variables }, roots: () => [root] }),
    faultText: (fault) => taskFaultText(t, fault),
    mask: (text) => keys.text(text),
  };
}

/** Runs `work` with a signal that aborts when the user or the system asks the program to end. */
export async function untilStopped<T>(
  { signals }: BatchParts,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const stop = new AbortController();
  const asked = onEndSignal(signals, () => stop.abort());
  try {
    return await work(stop.signal);
  } finally {
    asked.dispose();
  }
}
