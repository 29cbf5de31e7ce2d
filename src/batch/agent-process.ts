/** Runs a task in a separate process of this program, so that a crash affects only one task. */
import { spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { within } from "../node/clock.ts";
import { LineReader } from "../node/servers/line-reader.ts";
import type { ProcessGuard } from "../node/servers/process-guard.ts";
import { endTree } from "../node/shell/process-tree.ts";
import { jsonLineSchema, type RunReport, runReportSchema } from "../shared/run/run-report.ts";

/** Maximum bytes of a line. A longer line cannot be totals or a usable report. */
const MOST_LINE = 16 * 1024 * 1024;
/** Characters of what it printed on standard error, for a result that has no report. */
const MOST_ERRORS = 2_000;
/** Milliseconds that the program has to stop and to store its session. */
const STOP_MS = 10_000;
/** Milliseconds after the time limit of the run until its process counts as hanging. */
const LATE_MS = 30_000;
/** In the environment of everything that a task starts; its value is unique. */
export const RUN_VARIABLE = "NEKODE_BATCH_RUN";

export interface AgentRun {
  /** The runtime and the program. */
  program: readonly [string, string];
  args: readonly string[];
  cwd: string;
  task: string;
  environment: NodeJS.ProcessEnv;
  timeoutMs: number;
  guard: ProcessGuard;
  /** Stops it as Ctrl+C does. */
  signal: AbortSignal;
  /** The cost so far, in USD. */
  onCost(cost: number): void;
}

export interface AgentEnd {
  /** undefined: the process ended without a report. */
  report: RunReport | undefined;
  /** The process did not end in time and was killed. */
  overdue: boolean;
  exit: number | null;
  killedBy: string | null;
  /** The end of what it printed on standard error. */
  errors: string;
}

/** Resolves when the process and everything that it started have ended. */
export async function runAgentProcess(run: AgentRun): Promise<AgentEnd> {
  const { program, guard, signal, task, timeoutMs } = run;
  const id = randomUUID();
  const mark = `${RUN_VARIABLE}=${id}`;
  const [runtime, file] = program;
  const seconds = String(timeoutMs / 1000);
  const child = spawn(runtime, [file, ...run.args, "--json", "--timeout", seconds, "-"], {
    cwd: run.cwd,
    env: { ...run.environment, [RUN_VARIABLE]: id },
    stdio: ["pipe", "pipe", "pipe"],
    // Ctrl+C on the terminal is for this process, which then stops its tasks in order.
    detached: process.platform !== "win32",
    windowsHide: true,
  });
  const end: AgentEnd = { report: undefined, overdue: false, exit: null, killedBy: null, errors: "" };
  const lines = new LineReader(MOST_LINE, (line) => readLine(line, end, run));
  child.stdout.on("data", (chunk: Buffer) => lines.add(chunk));
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    end.errors = (end.errors + text).slice(-MOST_ERRORS);
  });
  const closed = new Promise<void>((resolve) => {
    child.once("error", (error) => {
      end.errors = error.message;
      resolve();
    });
    child.once("close", (code, killedBy) => {
      end.exit = code;
      end.killedBy = killedBy;
      resolve();
    });
  });
  // The process may have ended before it read its task.
  child.stdin.on("error", () => undefined);
  let onAbort = () => {};
  const aborted = new Promise<void>((resolve) => {
    onAbort = resolve;
  });
  if (signal.aborted) onAbort();
  else signal.addEventListener("abort", onAbort, { once: true });
  let unguard = () => {};
  try {
    if (child.pid !== undefined) unguard = await guard.add({ leader: child.pid, mark });
    // The process begins when it has received the whole task. The guard knows the process by then.
    if (!signal.aborted) child.stdin.end(task);
    await ended();
  } finally {
    signal.removeEventListener("abort", onAbort);
    if (child.pid !== undefined) await endTree({ leader: child.pid, mark }, closed);
    unguard();
  }
  lines.flush();
  return end;

  async function ended(): Promise<void> {
    const first = await within(Promise.race([closed, aborted]), timeoutMs + LATE_MS);
    if (first === "late") end.overdue = true;
    else if (signal.aborted) {
      child.kill("SIGINT");
      await within(closed, STOP_MS);
    }
  }
}

function readLine(line: string, end: AgentEnd, { onCost }: AgentRun): void {
  // All other events are skipped, because they are numerous and long.
  if (!/"type":"(?:totals|result)"/.test(line.slice(0, 200))) return;
  const parsed = parse(line);
  const report = runReportSchema.safeParse(parsed);
  if (report.success) {
    end.report = report.data;
    return;
  }
  const event = jsonLineSchema.safeParse(parsed);
  if (event.success && event.data.type === "totals") onCost(event.data.totals.cost ?? 0);
}

function parse(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch (error) {
    // Cut off by a kill.
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}
