/** ports.Shell: each command in a process group of its own; its input is closed, unless somebody watches who can type. */
import type { ChildProcess } from "node:child_process";
import { Interrupt, messageOf, ToolError } from "../core/errors.ts";
import type { CommandEnd, Shell, TerminalInfo } from "../core/ports.ts";
import { within } from "./clock.ts";
import { CommandProcess, type CommandStart } from "./command-process.ts";
import { codeOf } from "./fs-errors.ts";
import { findScript, speaksPosix, type TerminalSize } from "./input-terminal.ts";
import { KeptOutput } from "./kept-output.ts";
import { chooseShell, commandEnvironment, type ShellProgram } from "./shell-program.ts";

/** Time for the last output to arrive once the shell itself is gone but others still hold its output open. */
const drainMs = 150;
/** Watches one command to its very end, in the background too. */
export interface CommandWatcher {
  /** Of the terminal that shows it. */
  size?: TerminalSize;
  output(text: string): void;
  ended(result: CommandEnd): void;
}

/** What a watcher can do with its command. */
export interface CommandControl {
  /** Ends it and all that it started. */
  end(): void;
  /** False: its input is closed. */
  type(text: string): boolean;
}

export interface ShellOptions {
  /** Path of the shell; the person's own when left out. */
  shell?: string | undefined;
  environment?: NodeJS.ProcessEnv;
  /** Told of each command that begins. With it commands get a terminal for their input, where the system has one. */
  watch?: (command: string, cwd: string, control: CommandControl) => CommandWatcher;
  /** Milliseconds that a prompt waits for somebody who never typed. */
  promptPatience?: number;
}

export function createShell(options: ShellOptions = {}): Shell {
  const environment = options.environment ?? process.env;
  const program = chooseShell(options.shell, environment);
  return new NodeShell(program, commandEnvironment(environment), options);
}

class NodeShell implements Shell {
  readonly kind: Shell["kind"];
  readonly path: string;
  readonly #program: ShellProgram;
  readonly #environment: NodeJS.ProcessEnv;
  readonly #options: Pick<ShellOptions, "watch" | "promptPatience">;
  readonly #alive = new Set<Command>();
  readonly #background = new Map<string, Command>();
  #lastId = 0;
  #disposed = false;

  constructor(program: ShellProgram, environment: NodeJS.ProcessEnv, options: ShellOptions) {
    this.kind = program.kind;
    this.path = program.path;
    this.#program = program;
    this.#environment = environment;
    this.#options = options;
  }

  async run(command: string, options: Parameters<Shell["run"]>[1]): Promise<CommandEnd> {
    const { cwd, timeoutMs, signal, onOutput } = options;
    if (signal.aborted || this.#disposed) throw new Interrupt();
    const { watch, promptPatience } = this.#options;
    const script = watch && speaksPosix(this.#program) ? await findScript() : undefined;
    if (signal.aborted || this.#disposed) throw new Interrupt();
    const watcher = watch?.(command, cwd, {
      end: () => void running.end(),
      type: (text) => running.type(text),
    });
    const size = watcher?.size ?? { columns: 80, rows: 24 };
    const terminal =
      script === undefined
        ? undefined
        : { script, size, ...(promptPatience === undefined ? {} : { promptPatience }) };
    const start = { shell: this.#program, command, cwd, environment: this.#environment, terminal };
    const running: Command = new Command(start, onOutput, watcher);
    this.#alive.add(running);
    void running.closed.then(() => {
      this.#alive.delete(running);
      watcher?.ended(running.result(undefined));
    });

    const onAbort = () => void running.end();
    signal.addEventListener("abort", onAbort, { once: true });
    try {
      const first = await within(running.exited, timeoutMs);
      // Stop that came in the same moment ends it; nothing goes on in the background after a Stop.
      if (signal.aborted) await running.end();
      const goesOn = !signal.aborted && (first === "late" || !running.isClosed);
      return running.result(goesOn ? this.#toBackground(running) : undefined);
    } finally {
      // What still comes is not the caller's any more.
      running.keepOutput();
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
  readonly #process: CommandProcess;
  readonly #child: ChildProcess;
  readonly #started = performance.now();
  #signal: string | null = null;
  #ended = performance.now();
  #onOutput: ((text: string) => void) | undefined;
  readonly #watcher: CommandWatcher | undefined;
  readonly #kept = new KeptOutput();
  #ending: Promise<void> | undefined;

  constructor(start: CommandStart, onOutput: (text: string) => void, watcher: CommandWatcher | undefined) {
    this.text = start.command;
    this.#watcher = watcher;
    this.#onOutput = onOutput;
    try {
      this.#process = new CommandProcess(start, (text) => this.#take(text));
    } catch (error) {
      watcher?.ended({ exitCode: null, signal: null, durationMs: 0 });
      throw new ToolError(`The command could not be started: ${messageOf(error)}`);
    }
    this.#child = this.#process.child;
    this.closed = new Promise((resolve) => {
      this.#child.once("close", () => {
        this.isClosed = true;
        resolve();
      });
      this.#child.once("error", () => resolve());
    });
    this.exited = new Promise((resolve, reject) => {
      this.#child.once("error", (error) => reject(cannotStart(error, start.cwd)));
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
    return this.#kept.take();
  }

  /** Resolves once there is output to take, it ended, or `waitMs` are over; rejects with Interrupt when aborted. */
  news(waitMs: number, signal: AbortSignal): Promise<void> {
    return this.#kept.news(this.isClosed ? 0 : waitMs, signal, this.closed);
  }

  /** Ends it and all that it started; resolves when that is done. */
  end(): Promise<void> {
    this.#ending ??= this.#end();
    return this.#ending;
  }

  type(text: string): boolean {
    return this.#process.type(text);
  }

  async #end(): Promise<void> {
    await this.#process.end(this.closed);
    await this.exited;
    // Somebody may have got away with the output: what they write is no longer this command's.
    this.#process.letGo();
  }

  kill(): void {
    this.#process.kill();
    void this.end();
  }

  #take(text: string): void {
    if (text === "") return;
    this.#watcher?.output(text);
    if (this.#onOutput) this.#onOutput(text);
    else this.#kept.add(text);
  }
}

function cannotStart(error: unknown, cwd: string): ToolError {
  const why = codeOf(error) === "ENOENT" ? `is the folder ${cwd} still there?` : messageOf(error);
  return new ToolError(`The command could not be started: ${why}`);
}
