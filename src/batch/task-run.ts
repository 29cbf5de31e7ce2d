/** Runs one task of a batch: in its own worktree and process, and then runs its check. */
import { randomUUID } from "node:crypto";
import { Interrupt, messageOf } from "../core/errors.ts";
import type { Shell } from "../core/ports/shell.ts";
import type { ProcessGuard } from "../node/servers/process-guard.ts";
import type { BatchResult, BatchTask } from "../shared/run/batch-lines.ts";
import type { RunReport } from "../shared/run/run-report.ts";
import { type AgentEnd, RUN_VARIABLE, runAgentProcess } from "./agent-process.ts";
import { TaskFault, type TaskFaultCode } from "./task-fault.ts";
import type { TaskSpace, TaskSpaces } from "./task-spaces.ts";

/** How often a task is started if its process crashes, for example because the system kills it. */
const MOST_ATTEMPTS = 3;
/** Characters of a check's output that are kept. */
const MOST_OUTPUT = 2_000;
const NO_CHECKS = "Not run: the worker was started without --checks.";

export interface TaskRunParts {
  /** The runtime and the program. */
  program: readonly [string, string];
  /** Options for all tasks. */
  agentArgs: readonly string[];
  environment: NodeJS.ProcessEnv;
  /** For tasks that have none of their own. */
  timeoutMs: number;
  /** Whether checks run. */
  checks: boolean;
  keepWorktrees: boolean;
  guard: ProcessGuard;
  /** Returns a shell that is never taken from this folder. Its commands have these variables in addition. */
  shellFor(root: string, variables: Readonly<Record<string, string>>): Shell;
  spaces: TaskSpaces;
  /** Megabytes of a diff; a larger change stays in its worktree. undefined: any. */
  mostPatch?: number;
  faultText(fault: TaskFaultCode): string;
  /** Masks the keys that tasks are started with, which a model may repeat. */
  mask(text: string): string;
}

export interface TaskRun {
  result: BatchResult;
  /** A diff; "": nothing differs. */
  patch: string;
  /** Call when the result is stored: removes the worktree, unless the user needs it. */
  finish(): Promise<void>;
  /** Call instead of `finish` if the result cannot be stored. */
  discard(): Promise<void>;
}

export interface Watch {
  /** Stops the task; see `byLimit`. */
  signal: AbortSignal;
  /** Whether the signal aborted because of a limit of the whole batch. Otherwise the task has no result. */
  byLimit(): boolean;
  /** USD of the task so far. */
  onCost(cost: number): void;
}

/** The total cost and requests of all attempts of a task. */
interface Spent {
  cost: number | null;
  requests: number;
}

/** Rejects with Interrupt if it was stopped other than by a limit. */
export async function runBatchTask(task: BatchTask, parts: TaskRunParts, watch: Watch): Promise<TaskRun> {
  const began = performance.now();
  const spent: Spent = { cost: null, requests: 0 };
  for (let attempts = 1; ; attempts++) {
    try {
      const ended = await attempt(task, parts, watch, spent);
      const isLast = !(ended instanceof Crash) || attempts >= MOST_ATTEMPTS;
      if (!isLast) continue;
      const run = ended instanceof Crash ? failedRun(task.id, ended.fault, parts) : ended;
      const seconds = Math.round(performance.now() - began) / 1000;
      const times = attempts > 1 ? { attempts } : {};
      return { ...run, result: masked({ ...run.result, ...spent, seconds, ...times }, parts) };
    } catch (error) {
      if (error instanceof Interrupt || watch.signal.aborted) throw new Interrupt();
      if (!(error instanceof TaskFault)) throw error;
      const run = failedRun(task.id, error.fault, parts);
      return { ...run, result: masked({ ...run.result, ...spent }, parts) };
    }
  }
}

/** Masks keys in the texts that come from the model, commands and errors. */
function masked(result: BatchResult, { mask }: TaskRunParts): BatchResult {
  const { answer, files, check, approval, error } = result;
  return {
    ...result,
    answer: mask(answer),
    files: files.map((file) => ({ ...file, path: mask(file.path) })),
    ...(check ? { check: { ...check, output: mask(check.output) } } : {}),
    ...(approval ? { approval: { ...approval, subject: mask(approval.subject) } } : {}),
    ...(error ? { error: { ...error, text: mask(error.text) } } : {}),
  };
}

/** The process ended without a report. */
class Crash {
  constructor(readonly fault: TaskFaultCode) {}
}

async function attempt(
  task: BatchTask,
  parts: TaskRunParts,
  watch: Watch,
  spent: Spent,
): Promise<TaskRun | Crash> {
  const { signal } = watch;
  if (signal.aborted) throw new Interrupt();
  const space = await parts.spaces.open(task, signal);
  let isWanted = false;
  try {
    const ended = await agentEnd(task, parts, watch, { space, spent });
    const stopped = signal.aborted || ended.report?.status === "stopped";
    if (stopped && !watch.byLimit()) throw new Interrupt();
    if (!ended.report && !ended.overdue && !stopped) return new Crash(crashOf(ended));
    const run = await finishedRun(task, ended.report, parts, space, signal);
    if (signal.aborted && !watch.byLimit()) throw new Interrupt();
    isWanted = true;
    return run;
  } finally {
    if (!isWanted) await space.remove();
  }
}

/** Runs the task's check, and puts together the result of the task and what it changed in its worktree. */
async function finishedRun(
  task: BatchTask,
  report: RunReport | undefined,
  parts: TaskRunParts,
  space: TaskSpace,
  signal: AbortSignal,
): Promise<TaskRun> {
  const { worktree, worktrees } = space;
  const never = new AbortController().signal;
  const diff = await worktrees.diff(worktree, never);
  const files = (await worktrees.state(worktree, never))?.changes ?? [];
  const isOver = report?.status === "done" || report?.status === "failed";
  const check = isOver ? await runCheck(task, parts, space, signal) : undefined;
  const tooLarge = largePatch(diff, parts);
  const result: BatchResult = {
    ...resultOf(task, report, parts),
    ...tooLarge,
    base: worktree.base,
    files: files.map(({ path, kind }) => ({ path, kind })),
    ...(check ? { check } : {}),
  };
  const isPaused = result.status === "needs-approval" || result.status === "limit";
  const keeps = parts.keepWorktrees || isPaused || tooLarge !== undefined;
  return {
    result: keeps ? { ...result, worktree: worktree.root } : result,
    patch: tooLarge ? "" : diff,
    finish: () => (keeps ? space.keep() : space.remove()),
    discard: () => space.remove(),
  };
}

async function agentEnd(
  { task, model, timeout }: BatchTask,
  parts: TaskRunParts,
  watch: Watch,
  { space, spent }: { space: TaskSpace; spent: Spent },
): Promise<AgentEnd> {
  const { root } = space.worktree;
  const before = spent.cost ?? 0;
  let known = 0;
  const guard = parts.guard;
  const ended = await runAgentProcess({
    program: parts.program,
    environment: parts.environment,
    guard,
    task,
    cwd: root,
    args: [...parts.agentArgs, ...(model === undefined ? [] : [`--model=${model}`]), `--cwd=${root}`],
    timeoutMs: timeout === undefined ? parts.timeoutMs : timeout * 1000,
    signal: watch.signal,
    onCost: (cost) => {
      known = cost;
      watch.onCost(before + cost);
    },
  }).catch((error: unknown) => {
    throw new TaskFault({ code: "no-guard", why: messageOf(error) });
  });
  const cost = ended.report ? ended.report.cost : known || null;
  if (cost !== null) spent.cost = before + cost;
  spent.requests += ended.report?.requests ?? 0;
  return ended;
}

function largePatch(
  diff: string,
  { mostPatch: most, faultText }: TaskRunParts,
): Pick<BatchResult, "error"> | undefined {
  if (most === undefined) return undefined;
  const size = Math.ceil(Buffer.byteLength(diff) / 1_000_000);
  if (size <= most) return undefined;
  return { error: { code: "large-patch", text: faultText({ code: "large-patch", size, most }) } };
}

function resultOf(
  { id, timeout }: BatchTask,
  report: RunReport | undefined,
  parts: TaskRunParts,
): BatchResult {
  const { faultText, timeoutMs } = parts;
  const error = (fault: TaskFaultCode) => ({ code: fault.code, text: faultText(fault) });
  const common = {
    id,
    session: report?.session ?? null,
    files: [],
    answer: report?.answer ?? "",
    cost: null,
    requests: 0,
    seconds: 0,
  };
  // Stopped by the limit of the batch, or killed because it did not end.
  if (!report || report.status === "stopped")
    return {
      ...common,
      status: "limit",
      error: error(
        report ? { code: "cost-limit" } : { code: "overdue", seconds: timeout ?? timeoutMs / 1000 },
      ),
    };
  const { approval, error: wrong, status } = report;
  return {
    ...common,
    status,
    ...(approval ? { approval: { tool: approval.tool, subject: approval.subject } } : {}),
    ...(wrong ? { error: wrong } : {}),
  };
}

function failedRun(id: string, fault: TaskFaultCode, { faultText }: TaskRunParts): TaskRun {
  const result: BatchResult = {
    id,
    status: "failed",
    session: null,
    files: [],
    answer: "",
    cost: null,
    requests: 0,
    seconds: 0,
    error: { code: fault.code, text: faultText(fault) },
  };
  const nothing = async () => undefined;
  return { result, patch: "", finish: nothing, discard: nothing };
}

function crashOf({ exit, killedBy, errors }: AgentEnd): TaskFaultCode {
  return { code: "crashed", how: killedBy ?? String(exit), errors: errors.trim() };
}

/** The exit code of the task's check; null: it was ended because it took too long. */
async function runCheck(
  { check, timeout }: BatchTask,
  parts: TaskRunParts,
  { worktree }: TaskSpace,
  signal: AbortSignal,
): Promise<BatchResult["check"]> {
  if (check === undefined) return undefined;
  if (!parts.checks) return { exit: null, output: NO_CHECKS };
  const id = randomUUID();
  const unguard = await parts.guard.add({ mark: `${RUN_VARIABLE}=${id}` });
  const shell = parts.shellFor(worktree.root, { [RUN_VARIABLE]: id });
  const late = AbortSignal.timeout(timeout === undefined ? parts.timeoutMs : timeout * 1000);
  let output = "";
  try {
    const { exitCode } = await shell.run(check, {
      cwd: worktree.root,
      timeoutMs: Number.POSITIVE_INFINITY,
      signal: AbortSignal.any([signal, late]),
      onOutput: (text) => {
        output = (output + text).slice(-MOST_OUTPUT);
      },
    });
    return { exit: late.aborted ? null : exitCode, output };
  } catch (error) {
    if (signal.aborted) throw new Interrupt();
    if (late.aborted) return { exit: null, output };
    throw error;
  } finally {
    shell.dispose();
    unguard();
  }
}
