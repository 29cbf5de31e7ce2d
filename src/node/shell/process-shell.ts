/** The `Shell` port: runs each command in its own process group. Input is closed unless a watcher can type. */
import type { ChildProcess } from "node:child_process";
import { existsSync } from "node:fs";
import path from "node:path";
import { Interrupt, messageOf, ToolError } from "../../core/errors.ts";
import type { SandboxUse } from "../../core/ports/sandbox.ts";
import type {
  BackgroundWatcher,
  CommandEnd,
  Shell,
  ShellKind,
  TerminalInfo,
} from "../../core/ports/shell.ts";
import type { SandboxState } from "../../shared/sandbox-state.ts";
import { drained } from "../clock.ts";
import { consoleCodePage } from "../files/code-page.ts";
import { codeOf } from "../files/fs-errors.ts";
import { shadowingEntry } from "../find-programs.ts";
import type { Sandbox, SandboxedStart } from "../sandbox/command-sandbox.ts";
import { CommandOutput } from "./command-output.ts";
import { CommandProcess, type CommandStart, type TypingPatience } from "./command-process.ts";
import { findScript, speaksPosix, type TerminalSize } from "./input-terminal.ts";
import { type RunningCommand, RunningCommands } from "./running-commands.ts";
import { commandEnvironment, namedShell, quietFlags, type ShellProgram, userShell } from "./shell-program.ts";

/** Milliseconds to wait for the last output after the shell exited while other processes keep its output open. */
const DRAIN_MS = 150;
/** Watches one command until it ends, including in the background. */
export interface CommandWatcher {
  /** The size of the terminal that shows the command. */
  size?: TerminalSize;
  output(text: string): void;
  /**
   * The command seems to wait for what the user types; false: no longer. Absent: no user can see that, so the input is closed
   * instead.
   */
  waits?(waits: boolean): void;
  ended(result: CommandEnd): void;
}

/** A command as a watcher is notified of it. */
export interface StartedCommand {
  command: string;
  cwd: string;
  isInSandbox: boolean;
  /** As in the options of `Shell.run`. */
  call: string | undefined;
}

/** What a watcher can do with its command. */
export interface CommandControl {
  /** Ends the command and everything that it started. */
  end(how?: { byUser: boolean }): void;
  /** False: its input is closed. */
  type(text: string): boolean;
  /** Call when the terminal that shows the command is resized. */
  resize(size: TerminalSize): void;
}

export interface ShellOptions {
  /** Path of the shell; default: the user's shell. */
  shell?: string | undefined;
  /** Path of the user's shell; default: SHELL of the environment. */
  own?: string | undefined;
  /** The current workspace folders. No shell is taken from them, and PATH entries in them are reported. */
  roots?: () => readonly string[];
  environment?: NodeJS.ProcessEnv;
  /** Called when a command starts. If set, commands get a terminal for their input, where the system supports it. */
  watch?: (started: StartedCommand, control: CommandControl) => CommandWatcher;
  patience?: TypingPatience;
  /** The Windows code page that programs print in; default: the system's. */
  codePage?: number;
  /** The list of running commands, if several shells share one. */
  commands?: RunningCommands;
  /** Where commands run that nobody was asked about. */
  sandbox?: Sandbox | undefined;
}

/** A shell that knows whether there is a sandbox. */
export type HostShell = Shell & Required<Pick<Shell, "sandbox">>;

export function createShell(options: ShellOptions = {}): HostShell {
  const { shell, own, environment = process.env, roots = () => [] } = options;
  const program =
    shell === undefined ? userShell(environment, own, process.platform, roots()) : namedShell(shell);
  return new NodeShell(program, commandEnvironment(environment), options);
}

type SandboxedCommand = CommandStart & { enclosure?: SandboxedStart | undefined };

class NodeShell implements Shell {
  readonly kind: ShellKind;
  readonly path: string;
  readonly insteadOf: Shell["insteadOf"];
  readonly #program: ShellProgram;
  readonly #environment: NodeJS.ProcessEnv;
  readonly #options: Pick<ShellOptions, "watch" | "patience" | "codePage" | "roots" | "sandbox">;
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
    const { cwd, signal, call, sandbox: use } = options;
    if (signal.aborted || this.#disposed) throw new Interrupt();
    if (path.isAbsolute(this.path) && !existsSync(this.path)) {
      // Another shell would parse the command with a different grammar than the judge did.
      throw new ToolError(`The command did not run: the shell ${this.path} is no longer there.`);
    }
    const { watch, patience } = this.#options;
    const script = watch && speaksPosix(this.#program) ? await findScript() : undefined;
    const flags = await quietFlags(this.#program);
    this.#codePage ??= Promise.resolve(this.#options.codePage ?? consoleCodePage(this.#environment));
    const codePage = await this.#codePage;
    const enclosure = use && (await this.#enclosure(use));
    if (signal.aborted || this.#disposed) {
      enclosure?.release();
      throw new Interrupt();
    }
    const control: CommandControl = {
      end: (how) => void running.end(how),
      type: (text) => running.type(text),
      resize: (size) => running.resize(size),
    };
    const watcher = watch?.({ command, cwd, isInSandbox: use !== undefined, call }, control);
    const size = watcher?.size ?? { columns: 80, rows: 24 };
    const terminal = script === undefined ? undefined : { script, size, patience };
    const shell = this.#program;
    const environment = enclosure?.environment ?? this.#environment;
    const start = { shell, flags, command, cwd, environment, enclosure, terminal, codePage };
    const running: Command = this.#start(start, options, watcher);
    this.#alive.add(running);
    void running.closed.then(() => {
      this.#alive.delete(running);
      enclosure?.release();
      watcher?.ended(running.result());
    });
    const end = await this.#commands.attend(running, options);
    const made = (await enclosure?.made()) ?? [];
    return made.length === 0 ? end : { ...end, made };
  }

  #start(
    start: SandboxedCommand,
    options: Parameters<Shell["run"]>[1],
    watcher: CommandWatcher | undefined,
  ): Command {
    try {
      return new Command(start, options, watcher);
    } catch (error) {
      start.enclosure?.release();
      throw error;
    }
  }

  async sandbox(roots: readonly string[]): Promise<SandboxState> {
    const { sandbox } = this.#options;
    return sandbox ? sandbox.state(roots) : { engine: undefined, why: "system", detail: process.platform };
  }

  /** Throws a ToolError: a command that was to run in the sandbox never runs elsewhere. */
  async #enclosure(use: SandboxUse): Promise<SandboxedStart> {
    const { sandbox } = this.#options;
    try {
      if (!sandbox) throw new Error("this shell has none");
      return await sandbox.start(use, this.#environment);
    } catch (error) {
      throw new ToolError(
        `The command did not run, because the sandbox could not be set up: ${messageOf(error)}`,
      );
    }
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

  follow(id: string, watcher: BackgroundWatcher): void {
    this.#commands.follow(id, watcher);
  }

  end(ids: readonly string[], how?: { byUser: boolean }): Promise<void> {
    return this.#commands.end(ids, how);
  }

  dispose(): void {
    this.#disposed = true;
    for (const command of this.#alive) command.kill();
    this.#options.sandbox?.dispose();
  }
}

/** One command and its output. */
class Command implements RunningCommand {
  readonly text: string;
  readonly output: CommandOutput;
  isClosed = false;
  /** Resolves when the shell ended and its output closed or had time to arrive. Rejects if the shell could not start. */
  readonly exited: Promise<void>;
  /** Resolves when the shell ended and no process keeps its output open. Never rejects. */
  readonly closed: Promise<void>;
  readonly #process: CommandProcess;
  readonly #child: ChildProcess;
  readonly #started = performance.now();
  #exitCode: number | null = null;
  #signal: string | null = null;
  #ended = performance.now();
  #stoppedByUser = false;
  #ending: Promise<void> | undefined;

  constructor(
    start: CommandStart,
    { onOutput, onWaits }: Pick<Parameters<Shell["run"]>[1], "onOutput" | "onWaits">,
    watcher: CommandWatcher | undefined,
  ) {
    this.text = start.command;
    this.output = new CommandOutput(onOutput);
    const take = (text: string) => {
      if (text !== "") watcher?.output(text);
      this.output.add(text);
    };
    try {
      const { waits } = watcher ?? {};
      const tell =
        waits &&
        ((now: boolean, isHidden: boolean) => {
          waits(now);
          onWaits?.(now, isHidden);
        });
      this.#process = new CommandProcess(start, take, tell);
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
        void drained(this.closed, DRAIN_MS).then(resolve);
      });
    });
  }

  result(): CommandEnd {
    const until = this.#isRunning ? performance.now() : this.#ended;
    const durationMs = Math.round(until - this.#started);
    const stop = this.#stoppedByUser ? { stoppedByUser: true } : {};
    return { exitCode: this.#exitCode, signal: this.#signal, durationMs, ...stop };
  }

  get #isRunning(): boolean {
    return this.#child.exitCode === null && this.#child.signalCode === null;
  }

  end({ byUser }: { byUser: boolean } = { byUser: false }): Promise<void> {
    if (this.#ending === undefined) {
      this.#stoppedByUser = byUser && this.#isRunning;
      this.#ending = this.#end();
    }
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
    // A surviving process may still write to the output, which no longer belongs to this command.
    this.#process.letGo();
    await this.closed;
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
