/** ports.Shell: each command in a process group of its own, without a terminal and without input. */
import { type ChildProcess, spawn } from "node:child_process";
import type { Readable } from "node:stream";
import { Interrupt, messageOf, ToolError } from "../core/errors.ts";
import type { CommandEnd, Shell, TerminalInfo } from "../core/ports.ts";
import { codeOf } from "./fs-errors.ts";
import { endTree, killGroup } from "./process-tree.ts";
import { chooseShell, commandEnvironment, invocationOf, type ShellProgram } from "./shell-program.ts";

/** Characters of a background command's output that are kept until somebody asks. */
const keptOutput = 100_000;
/** Time for the last output to arrive once the shell itself is gone but others still hold its output open. */
const drainMs = 150;
/** The longest that a timer of Node can wait. */
const longestTimer = 2 ** 31 - 1;

/** Watches one command to its very end, in the background too. */
export interface CommandWatcher {
  output(text: string): void;
  ended(result: CommandEnd): void;
}

export interface ShellOptions {
  /** Path of the shell; the person's own when left out. */
  shell?: string | undefined;
  environment?: NodeJS.ProcessEnv;
  /** Told of each command that begins; `end` ends it and all that it started. */
  watch?: (command: string, cwd: string, end: () => void) => CommandWatcher;
}

export function createShell(options: ShellOptions = {}): Shell {
  const environment = options.environment ?? process.env;
  const program = chooseShell(options.shell, environment);
  return new NodeShell(program, commandEnvironment(environment), options.watch);
}

class NodeShell implements Shell {
  readonly kind: Shell["kind"];
  readonly path: string;
  readonly #program: ShellProgram;
  readonly #environment: NodeJS.ProcessEnv;
  readonly #watch: ShellOptions["watch"];
  readonly #alive = new Set<Command>();
  readonly #background = new Map<string, Command>();
  #lastId = 0;
  #disposed = false;

  constructor(program: ShellProgram, environment: NodeJS.ProcessEnv, watch: ShellOptions["watch"]) {
    this.kind = program.kind;
    this.path = program.path;
    this.#program = program;
    this.#environment = environment;
    this.#watch = watch;
  }

  async run(command: string, options: Parameters<Shell["run"]>[1]): Promise<CommandEnd> {
    const { cwd, timeoutMs, signal, onOutput } = options;
    if (signal.aborted || this.#disposed) throw new Interrupt();
    const watcher = this.#watch?.(command, cwd, () => void running.end());
    const running: Command = new Command(this.#program, command, cwd, this.#environment, onOutput, watcher);
    this.#alive.add(running);
    void running.closed.then(() => {
      this.#alive.delete(running);
      watcher?.ended(running.result(undefined));
    });

    const onAbort = () => void running.end();
    signal.addEventListener("abort", onAbort, { once: true });
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<"late">((resolve) => {
      if (!Number.isFinite(timeoutMs)) return;
      timer = setTimeout(() => resolve("late"), Math.min(timeoutMs, longestTimer));
    });
    try {
      const first = await Promise.race([running.exited, late]);
      // Stop that came in the same moment ends it; nothing goes on in the background after a Stop.
      if (signal.aborted) await running.end();
      const goesOn = !signal.aborted && (first === "late" || !running.isClosed);
      return running.result(goesOn ? this.#toBackground(running) : undefined);
    } finally {
      // What still comes is not the caller's any more.
      running.keepOutput();
      clearTimeout(timer);
      signal.removeEventListener("abort", onAbort);
    }
  }

  terminals(): TerminalInfo[] {
    return [...this.#background].map(([id, command]) => this.#tell(id, command));
  }

  async readTerminal(id: string, waitMs: number, signal: AbortSignal): Promise<TerminalInfo | undefined> {
    const command = this.#background.get(id);
    if (!command) return undefined;
    await command.news(waitMs, signal);
    return this.#tell(id, command);
  }

  #tell(id: string, command: Command): TerminalInfo {
    // Its end is told once.
    if (command.isClosed) this.#background.delete(id);
    return {
      id,
      command: command.text,
      running: !command.isClosed,
      newOutput: command.takeOutput(),
      ...(command.isClosed ? { exitCode: command.exitCode } : {}),
    };
  }

  dispose(): void {
    this.#disposed = true;
    for (const command of this.#alive) command.kill();
  }

  #toBackground(command: Command): string {
    const id = String(++this.#lastId);
    this.#background.set(id, command);
    return id;
  }
}

/** One command and its output. */
class Command {
  readonly text: string;
  exitCode: number | null = null;
  isClosed = false;
  /** The shell ended, and so did its output, or it had time to arrive. Rejects when it could not be started. */
  readonly exited: Promise<void>;
  /** The shell ended and nobody holds its output any more. Never rejects. */
  readonly closed: Promise<void>;
  readonly #child: ChildProcess;
  readonly #started = performance.now();
  #signal: string | null = null;
  #ended = performance.now();
  #onOutput: ((text: string) => void) | undefined;
  readonly #watcher: CommandWatcher | undefined;
  #kept = "";
  #dropped = 0;
  #ending: Promise<void> | undefined;
  /** Those who wait for output that nobody has been told of. */
  readonly #listening = new Set<() => void>();

  constructor(
    shell: ShellProgram,
    text: string,
    cwd: string,
    environment: NodeJS.ProcessEnv,
    onOutput: (text: string) => void,
    watcher: CommandWatcher | undefined,
  ) {
    this.text = text;
    this.#watcher = watcher;
    this.#onOutput = onOutput;
    const { file, args, verbatim } = invocationOf(shell, text);
    this.#child = spawn(file, args, {
      cwd,
      env: environment,
      stdio: ["ignore", "pipe", "pipe"],
      // A group of its own, so that it can be ended with all that it starts, and no terminal to ask on.
      detached: process.platform !== "win32",
      windowsHide: true,
      windowsVerbatimArguments: verbatim,
    });
    if (this.#child.stdout) this.#read(this.#child.stdout);
    if (this.#child.stderr) this.#read(this.#child.stderr);
    this.closed = new Promise((resolve) => {
      this.#child.once("close", () => {
        this.isClosed = true;
        resolve();
      });
      this.#child.once("error", () => resolve());
    });
    this.exited = new Promise((resolve, reject) => {
      this.#child.once("error", (error) => reject(cannotStart(error, cwd)));
      this.#child.once("exit", (code, signal) => {
        this.exitCode = code;
        this.#signal = signal;
        this.#ended = performance.now();
        const timer = setTimeout(resolve, drainMs);
        void this.closed.then(() => {
          clearTimeout(timer);
          resolve();
        });
      });
    });
  }

  result(backgroundId: string | undefined): CommandEnd {
    const isRunning = this.#child.exitCode === null && this.#child.signalCode === null;
    const until = isRunning ? performance.now() : this.#ended;
    return {
      exitCode: this.exitCode,
      signal: this.#signal,
      durationMs: Math.round(until - this.#started),
      ...(backgroundId === undefined ? {} : { backgroundId }),
    };
  }

  /** From now on output waits to be asked for. */
  keepOutput(): void {
    this.#onOutput = undefined;
  }

  takeOutput(): string {
    const note = this.#dropped > 0 ? `[... ${this.#dropped} characters left out ...]\n` : "";
    const output = note + this.#kept;
    this.#kept = "";
    this.#dropped = 0;
    return output;
  }

  /** Resolves once there is output to take, it ended, or `waitMs` are over; rejects with Interrupt when aborted. */
  async news(waitMs: number, signal: AbortSignal): Promise<void> {
    if (signal.aborted) throw new Interrupt();
    if (this.#kept !== "" || this.isClosed || waitMs <= 0) return;
    await new Promise<void>((resolve, reject) => {
      const settle = (then: () => void) => {
        clearTimeout(timer);
        this.#listening.delete(onNews);
        signal.removeEventListener("abort", onAbort);
        then();
      };
      const onNews = () => settle(resolve);
      const onAbort = () => settle(() => reject(new Interrupt()));
      const timer = setTimeout(onNews, Math.min(waitMs, longestTimer));
      this.#listening.add(onNews);
      signal.addEventListener("abort", onAbort, { once: true });
      void this.closed.then(onNews);
    });
  }

  /** Ends it and all that it started; resolves when that is done. */
  end(): Promise<void> {
    this.#ending ??= this.#end();
    return this.#ending;
  }

  async #end(): Promise<void> {
    if (this.#child.pid === undefined) return;
    await endTree(this.#child.pid, this.closed);
    await this.exited;
    // Somebody may have got away with the output: what they write is no longer this command's.
    this.#child.stdout?.destroy();
    this.#child.stderr?.destroy();
  }

  kill(): void {
    if (this.#child.pid !== undefined) killGroup(this.#child.pid);
    void this.end();
  }

  #read(stream: Readable): void {
    // Keeps the bytes of a character that was cut in two by a chunk's end.
    const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
    stream.on("data", (chunk: Buffer) => this.#take(decoder.decode(chunk, { stream: true })));
    stream.on("end", () => this.#take(decoder.decode()));
    stream.on("error", () => {});
  }

  #take(text: string): void {
    if (text === "") return;
    this.#watcher?.output(text);
    if (this.#onOutput) {
      this.#onOutput(text);
      return;
    }
    this.#kept += text;
    for (const tell of [...this.#listening]) tell();
    // Cut now and then, so that a chunk costs what it is long.
    if (this.#kept.length > 2 * keptOutput) {
      this.#dropped += this.#kept.length - keptOutput;
      this.#kept = this.#kept.slice(-keptOutput);
    }
  }
}

function cannotStart(error: unknown, cwd: string): ToolError {
  const why = codeOf(error) === "ENOENT" ? `is the folder ${cwd} still there?` : messageOf(error);
  return new ToolError(`The command could not be started: ${why}`);
}
