/**
 * Starts a program and waits for its end, without a shell and without a terminal. The commands of the model, servers and browsers, which
 * run longer, are started elsewhere.
 */
import { type ChildProcess, spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { existsSync, statSync } from "node:fs";
import path from "node:path";
import { Interrupt, messageOf, ToolError } from "../core/errors.ts";
import type { ProgramEnd, ProgramOutput, ProgramRun, Programs } from "../core/ports/programs.ts";
import { drained, LONGEST_TIMER } from "./clock.ts";
import { watchForPipes } from "./files/blocking-files.ts";
import { codeOf } from "./files/fs-errors.ts";
import { findCommand } from "./find-programs.ts";
import { endTree } from "./shell/process-tree.ts";
import { commandEnvironment } from "./shell/shell-program.ts";

/** In the environment of everything that a run with the scope `group` starts; its value is unique. */
const MARK = "NEKODE_PROGRAM";
/** Milliseconds for the last output after the program has ended, in case other processes keep its output open. */
const DRAIN_MS = 200;

export interface ProgramStart
  extends Pick<ProgramRun, "args" | "cwd" | "input" | "outputLimit" | "beyondLimit"> {
  /** The path of the program. */
  file: string;
  /** Its whole environment. */
  environment: NodeJS.ProcessEnv;
  timeoutMs?: number;
  signal?: AbortSignal | undefined;
  /** Receives standard output, of which nothing is kept then. The program is ended as soon as it returns false. */
  onOutput?(chunk: Buffer): boolean;
  /**
   * What is ended when the program is ended before its time.
   *
   * - `process`: the program alone, at once, because it starts nothing.
   * - `tree`: the program and what it started, which first get the time to clean up. It belongs to this process's group.
   * - `group`: the same, but the program has a process group of its own, so that processes that left the tree are found too. Its end is
   *   the exit of the program, even if something that it left running keeps its output open.
   */
  scope: "process" | "tree" | "group";
  /** Rejects as soon as the signal aborts, without waiting for the end. */
  leavesAtOnce?: boolean;
  /** Ends the program if it waits for a pipe or a device in place of a file that git or ripgrep read. */
  watchesFiles?: boolean;
}

export interface StartedProgramEnd extends ProgramEnd {
  /** The pipe or device that it waited for, so that it was ended. */
  blockedOn?: string;
}

/** Rejects with the system's error if the program cannot be started, and with the reason of the signal if that aborts. */
export async function runProgram(start: ProgramStart): Promise<StartedProgramEnd> {
  const { file, args, cwd, input, signal, scope, onOutput, timeoutMs = Number.POSITIVE_INFINITY } = start;
  signal?.throwIfAborted();
  const startProcess = needsInterpreter(file) ? (await import("cross-spawn")).default : spawn;
  signal?.throwIfAborted();
  const run = randomUUID();
  const began = performance.now();
  const child = startProcess(file, [...args], {
    cwd,
    env: scope === "group" ? { ...start.environment, [MARK]: run } : start.environment,
    stdio: ["pipe", "pipe", "pipe"],
    detached: scope === "group" && process.platform !== "win32",
    windowsHide: true,
  });
  const closed = new Promise<void>((resolve) => child.once("close", () => resolve()));
  const exited = new Promise<Pick<ProgramEnd, "exitCode" | "signal">>((resolve, reject) => {
    child.once("error", reject);
    child.once(scope === "group" ? "exit" : "close", (exitCode, signal) => resolve({ exitCode, signal }));
  });

  let ending: Promise<void> | undefined;
  const end = () => {
    if (child.pid === undefined) return;
    if (scope === "process") child.kill("SIGKILL");
    else
      ending ??= endTree({ leader: child.pid, ...(scope === "group" && { mark: `${MARK}=${run}` }) }, closed);
    // It is awaited below if the end of all processes matters. Otherwise nobody handles a rejection.
    ending?.catch(() => {});
  };
  const outcome: Pick<StartedProgramEnd, "endedBy" | "blockedOn"> = {};
  const watch = start.watchesFiles
    ? watchForPipes(cwd, child.pid, (found) => {
        outcome.blockedOn = found;
        child.kill("SIGKILL");
      })
    : undefined;
  const endBecause = (reason: NonNullable<ProgramEnd["endedBy"]>) => {
    outcome.endedBy ??= reason;
    end();
  };
  const timer = Number.isFinite(timeoutMs)
    ? setTimeout(() => endBecause("time-limit"), Math.min(timeoutMs, LONGEST_TIMER))
    : undefined;
  let onAbort = () => {};
  const aborted = new Promise<never>((_resolve, reject) => {
    onAbort = () => {
      watch?.end();
      end();
      if (start.leavesAtOnce) reject(signal?.reason);
    };
  });
  // One of them may be rejected after the other has settled, when nobody waits for it any more.
  for (const promise of [exited, aborted]) promise.catch(() => {});
  signal?.addEventListener("abort", onAbort, { once: true });

  const beyond = () => {
    if (start.beyondLimit === "end") endBecause("output-limit");
  };
  const [stdout, stderr] = [
    new BoundedOutput(start.outputLimit, beyond),
    new BoundedOutput(start.outputLimit, beyond),
  ];
  child.stdout.on("data", (chunk: Buffer) => {
    watch?.heard();
    if (onOutput === undefined) stdout.add(chunk);
    else if (outcome.endedBy !== "output-limit" && !signal?.aborted && !onOutput(chunk))
      endBecause("output-limit");
  });
  child.stderr.on("data", (chunk: Buffer) => stderr.add(chunk));
  // It may end before it has read all of its input.
  child.stdin.on("error", () => {});
  child.stdin.end(input);
  try {
    const exit = await Promise.race([exited, aborted]);
    if (scope === "group") {
      await ending;
      await drained(closed, DRAIN_MS);
    }
    if (signal?.aborted) throw signal.reason;
    return {
      ...exit,
      ...outcome,
      durationMs: performance.now() - began,
      stdout: stdout.result(),
      stderr: stderr.result(),
    };
  } finally {
    clearTimeout(timer);
    watch?.end();
    signal?.removeEventListener("abort", onAbort);
    if (scope === "group") destroyStreams(child);
  }
}

/** On Windows only these are programs for the system; scripts such as `npx.cmd` are run by the interpreter that cross-spawn finds. */
function needsInterpreter(file: string): boolean {
  return process.platform === "win32" && !/\.(?:exe|com)$/i.test(file);
}

/** What still runs and has the other ends does not keep this process running. */
function destroyStreams({ stdio }: ChildProcess): void {
  for (const stream of stdio) stream?.destroy();
}

/** The beginning of what a program prints. */
class BoundedOutput {
  readonly #chunks: Buffer[] = [];
  readonly #onBeyond: () => void;
  /** Bytes that are still kept. */
  #room: number;
  #dropped = 0;

  constructor(limit: number, onBeyond: () => void) {
    this.#room = limit;
    this.#onBeyond = onBeyond;
  }

  add(chunk: Buffer): void {
    const beginning = chunk.subarray(0, this.#room);
    if (beginning.length > 0) this.#chunks.push(beginning);
    this.#room -= beginning.length;
    this.#dropped += chunk.length - beginning.length;
    if (this.#dropped > 0) this.#onBeyond();
  }

  result(): ProgramOutput {
    return { bytes: Buffer.concat(this.#chunks), dropped: this.#dropped };
  }
}

/** `roots`: the workspace's folders, in which no program is searched for. Read at each call. */
export function createPrograms(environment: NodeJS.ProcessEnv, roots: () => readonly string[]): Programs {
  return {
    async run({ program, environment: more, ...run }) {
      if (run.signal.aborted) throw new Interrupt();
      const all = { ...commandEnvironment(environment), ...more };
      const file = programFile(program, run.cwd, all, roots());
      try {
        return await runProgram({ ...run, file, environment: all, scope: "group" });
      } catch (error) {
        if (run.signal.aborted) throw new Interrupt();
        throw new ToolError(whyNotStarted(error, file, run.cwd));
      }
    },
  };
}

function programFile(
  program: string,
  cwd: string,
  environment: NodeJS.ProcessEnv,
  roots: readonly string[],
): string {
  if (/[/\\]/.test(program)) return path.resolve(cwd, program);
  const found = findCommand(program, environment, roots);
  if (found !== undefined) return found;
  throw new ToolError(`There is no program ${program} on PATH outside the workspace.`);
}

/** The system has one error for a missing program, a missing interpreter of a script and a missing folder. */
function whyNotStarted(error: unknown, file: string, cwd: string): string {
  if (!statSync(cwd, { throwIfNoEntry: false })?.isDirectory())
    return `There is no folder ${cwd} to run ${file} in.`;
  if (!existsSync(file)) return `There is no program ${file}.`;
  switch (codeOf(error)) {
    case "ENOENT":
      return `${file} could not be started: the interpreter that its first line names does not exist.`;
    case "EACCES":
      return `${file} could not be started: it is not executable.`;
    default:
      return `${file} could not be started: ${messageOf(error)}`;
  }
}
