/** The `Shell` port: each command in a process group of its own; its input is closed, unless somebody watches who can type. */
import type { ChildProcess } from "node:child_process";
import { existsSync } from "node:fs";
import path from "node:path";
import { Interrupt, messageOf, ToolError } from "../../core/errors.ts";
import type { CommandEnd, Shell, TerminalInfo } from "../../core/ports/shell.ts";
import { consoleCodePage } from "../files/code-page.ts";
import { codeOf } from "../files/fs-errors.ts";
import { shadowingEntry } from "../find-programs.ts";
import { CommandOutput } from "./command-output.ts";
import { CommandProcess, type CommandStart } from "./command-process.ts";
import { findScript, speaksPosix, type TerminalSize } from "./input-terminal.ts";
import { type RunningCommand, RunningCommands } from "./running-commands.ts";
import {
  commandEnvironment,
  namedShell,
  personsShell,
  quietFlags,
  type ShellProgram,
} from "./shell-program.ts";

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
  /** The terminal that shows it has another size now. */
  resize(size: TerminalSize): void;
}

export interface ShellOptions {
  /** Path of the shell; the person's own when left out. */
  shell?: string | undefined;
  /** Path of the person's own shell; as the environment says when left out. */
  own?: string | undefined;
  /** The folders of the workspace now: no shell is taken from there, and PATH is compared with them. */
  roots?: () => readonly string[];
  environment?: NodeJS.ProcessEnv;
  /** Told of each command that begins. With it commands get a terminal for their input, where the system has one. */
  watch?: (command: string, cwd: string, control: CommandControl) => CommandWatcher;
  /** Milliseconds that a prompt waits for somebody who never typed. */
  promptPatience?: number;
  /** Windows' number of the encoding that programs print in; as the system says when left out. */
  codePage?: number;
  /** The list that its commands are on, where several run them. */
  commands?: RunningCommands;
}

export function createShell(options: ShellOptions = {}): Shell {
  const { shell, own, environment = process.env, roots = () => [] } = options;
  const program =
    shell === undefined ? personsShell(environment, own, process.platform, roots()) : namedShell(shell);
  return new NodeShell(program, commandEnvironment(environment), options);
}

class NodeShell implements Shell {
  readonly kind: Shell["kind"];
  readonly path: string;
  readonly insteadOf: Shell["insteadOf"];
  readonly #program: ShellProgram;
  readonly #environment: NodeJS.ProcessEnv;
  readonly #options: Pick<ShellOptions, "watch" | "promptPatience" | "codePage" | "roots">;
  #codePage: Promise<number | undefined> | undefined;
  readonly #alive = new Set<Command>();
  readonly #commands: RunningCommands;
  #disposed = false;

  constructor(program: ShellProgram, environment: NodeJS.ProcessEnv, options: ShellOptions) {
    this.kind = program.kind;
    this.path = program.path;
    this.insteadOf = program.insteadOf;
    this.#program = program;
    this.#environment = environment;
    this.#options = options;
    this.#commands = options.commands ?? new RunningCommands();
  }

  shadowingEntry(program: string): string | undefined {
    return shadowingEntry(program, this.#environment, this.#options.roots?.() ?? []);
  }

  async run(command: string, options: Parameters<Shell["run"]>[1]): Promise<CommandEnd> {
    const { cwd, signal, onOutput } = options;
    if (signal.aborted || this.#disposed) throw new Interrupt();
    if (path.isAbsolute(this.path) && !existsSync(this.path)) {
      // Another shell would read it by another grammar than the one it was judged by.
      throw new ToolError(`The command did not run: the shell ${this.path} is no longer there.`);
    }
    const { watch, promptPatience } = this.#options;
    const script = watch && speaksPosix(this.#program) ? await findScript() : undefined;
    const flags = await quietFlags(this.#program);
    this.#codePage ??= Promise.resolve(this.#options.codePage ?? consoleCodePage(this.#environment));
    const codePage = await this.#codePage;
    if (signal.aborted || this.#disposed) throw new Interrupt();
    const watcher = watch?.(command, cwd, {
      end: () => void running.end(),
      type: (text) => running.type(text),
      resize: (size) => running.resize(size),
    });
    const size = watcher?.size ?? { columns: 80, rows: 24 };
    const terminal =
      script === undefined
        ? undefined
        : { script, size, ...(promptPatience === undefined ? {} : { promptPatience }) };
    const [shell, environment] = [this.#program, this.#environment];
    const start = { shell, flags, command, cwd, environment, terminal, codePage };
    const running: Command = new Command(start, onOutput, watcher);
    this.#alive.add(running);
    void running.closed.then(() => {
      this.#alive.delete(running);
      watcher?.ended(running.result());
    });
    return this.#commands.attend(running, options);
  }

  terminals(): TerminalInfo[] {
    return this.#commands.terminals();
  }

  readTerminal(id: string, waitMs: number, signal: AbortSignal): Promise<TerminalInfo | undefined> {
    return this.#commands.read(id, waitMs, signal);
  }

  background(): { id: string; command: string }[] {
    return this.#commands.background();
  }

  end(ids: readonly string[]): Promise<void> {
    return this.#commands.end(ids);
  }

  dispose(): void {
    this.#disposed = true;
    for (const command of this.#alive) command.kill();
  }
}

/** One command and its output. */
class Command implements RunningCommand {
  readonly text: string;
  readonly output: CommandOutput;
  isClosed = false;
  /** The shell ended, and so did its output, or it had time to arrive. Rejects when it could not be started. */
  readonly exited: Promise<void>;
  /** The shell ended and nobody holds its output any more. Never rejects. */
  readonly closed: Promise<void>;
  readonly #process: CommandProcess;
  readonly #child: ChildProcess;
  readonly #started = performance.now();
  #exitCode: number | null = null;
  #signal: string | null = null;
  #ended = performance.now();
  #ending: Promise<void> | undefined;

  constructor(start: CommandStart, onOutput: (text: string) => void, watcher: CommandWatcher | undefined) {
    this.text = start.command;
    this.output = new CommandOutput(onOutput);
    const take = (text: string) => {
      if (text !== "") watcher?.output(text);
      this.output.add(text);
    };
    try {
      this.#process = new CommandProcess(start, take);
    } catch (error) {
      watcher?.ended({ exitCode: null, signal: null, durationMs: 0 });
      throw cannotStart(error, start.cwd);
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
        this.#exitCode = code;
        this.#signal = signal;
        this.#ended = performance.now();
        // A busy process comes late to its timer, and has not read its pipes since: an immediate runs after that.
        const timer = setTimeout(() => setImmediate(resolve), drainMs);
        void this.closed.then(() => {
          clearTimeout(timer);
          resolve();
        });
      });
    });
  }

  result(): CommandEnd {
    const isRunning = this.#child.exitCode === null && this.#child.signalCode === null;
    const until = isRunning ? performance.now() : this.#ended;
    const durationMs = Math.round(until - this.#started);
    return { exitCode: this.#exitCode, signal: this.#signal, durationMs };
  }

  end(): Promise<void> {
    this.#ending ??= this.#end();
    return this.#ending;
  }

  type(text: string): boolean {
    return this.#process.type(text);
  }

  resize(size: TerminalSize): void {
    this.#process.resize(size);
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
}

function cannotStart(error: unknown, cwd: string): ToolError {
  return new ToolError(`The command could not be started: ${whyNot(error, cwd)}`);
}

function whyNot(error: unknown, cwd: string): string {
  switch (codeOf(error)) {
    case "ENOENT":
      return `is the folder ${cwd} still there?`;
    case "E2BIG":
      return "it is longer than this system takes. Write a script and run that.";
    default:
      return messageOf(error);
  }
}
