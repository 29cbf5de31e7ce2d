/** A command that runs through VS Code's shell integration, from when it is typed to the end of its output. */
import type { Terminal, TerminalShellExecution } from "vscode";
import type { CommandEnd, Shell } from "../../core/ports/shell.ts";
import { markLostOutput } from "../../core/text.ts";
import { CommandOutput } from "../../node/shell/command-output.ts";
import { hidesInput } from "../../node/shell/input-terminal.ts";
import { endTree } from "../../node/shell/process-tree.ts";
import { QuestionWatch } from "../../node/shell/question-watch.ts";
import type { RunningCommand } from "../../node/shell/running-commands.ts";

/** Milliseconds to wait for the report that a typed command began. */
const BEGIN_TIMEOUT = 10_000;
/** Milliseconds to wait for the rest of the output after the end of a command is reported. */
const DRAIN_MS = 500;

type HostTerminal = Pick<Terminal, "processId" | "dispose" | "show" | "sendText">;
type ReportedExecution = Pick<TerminalShellExecution, "read"> & { commandLine: { value: string } };

/** As in the options of `Shell.run`. */
type ExecutionOptions = Pick<Parameters<Shell["run"]>[1], "call" | "onOutput" | "onWaits">;

export class Execution implements RunningCommand {
  readonly text: string;
  readonly output: CommandOutput;
  readonly terminal: HostTerminal;
  readonly call: string | undefined;
  isClosed = false;
  /** Resolves when the command ended and its output was read. Never rejects. */
  readonly closed: Promise<void>;
  /** Called when the command is about to be ended. */
  onEnd: () => void = () => {};
  readonly #started = performance.now();
  readonly #questions: QuestionWatch | undefined;
  readonly #close: () => void;
  #exitCode: number | null = null;
  #endedAt: number | undefined;
  #drained: () => void = () => {};
  readonly #drainedOrEnded: Promise<void>;
  #stoppedByUser = false;
  #ending: Promise<void> | undefined;
  #isBegun = false;
  #begin: (begun: boolean) => void = () => {};
  readonly #beginning: Promise<boolean>;

  constructor(command: string, terminal: HostTerminal, { call, onOutput, onWaits }: ExecutionOptions) {
    this.text = command;
    this.call = call;
    if (onWaits) this.#questions = new QuestionWatch({ hidesInput: () => this.#hidesInput(), tell: onWaits });
    this.output = new CommandOutput(onOutput);
    this.terminal = terminal;
    let close = () => {};
    this.closed = new Promise((resolve) => {
      close = resolve;
    });
    this.#close = close;
    this.#beginning = new Promise((resolve) => {
      this.#begin = resolve;
    });
    this.#drainedOrEnded = new Promise((resolve) => {
      this.#drained = resolve;
    });
  }

  /** Types a line for the command. */
  answer(line: string): void {
    this.#questions?.settle();
    this.terminal.sendText(line);
  }

  async #hidesInput(): Promise<boolean> {
    const shell = await this.terminal.processId;
    return shell !== undefined && hidesInput(shell);
  }

  /** VS Code reported the beginning. */
  began(): void {
    this.#isBegun = true;
    this.#begin(true);
  }

  /**
   * Waits until the command begins; false if that was not reported in time. Also true if `signal` aborts or the
   * command closed.
   */
  async hasBegun(signal: AbortSignal, timeoutFactor: number): Promise<boolean> {
    const late = setTimeout(() => this.#begin(false), BEGIN_TIMEOUT * timeoutFactor);
    const onAbort = () => this.#begin(true);
    signal.addEventListener("abort", onAbort, { once: true });
    void this.closed.then(onAbort);
    try {
      return await this.#beginning;
    } finally {
      clearTimeout(late);
      signal.removeEventListener("abort", onAbort);
    }
  }

  /**
   * If a reported command is this one in a different spelling, reads its output as this command's and returns true.
   * Only while this command waits to begin.
   */
  adopt(terminal: HostTerminal, started: ReportedExecution): boolean {
    if (this.terminal !== terminal || this.#isBegun) return false;
    if (!isSameCommand(this.text, started.commandLine.value)) return false;
    void this.#read(markLostOutput(started.read())).then(this.#drained, this.#drained);
    this.began();
    return true;
  }

  /** Reads the output; resolves when the command is closed. */
  async follow(execution: Pick<ReportedExecution, "read">): Promise<void> {
    void this.#read(execution.read()).then(this.#drained, this.#drained);
    await this.closed;
  }

  /** VS Code reported the end, or the terminal was closed. */
  ended(exitCode: number | null): void {
    if (this.#endedAt !== undefined) return;
    this.#endedAt = performance.now();
    this.#exitCode = exitCode;
    const timer = setTimeout(() => this.#finish(), DRAIN_MS);
    void this.#drainedOrEnded.then(() => {
      clearTimeout(timer);
      this.#finish();
    });
  }

  result(): CommandEnd {
    return {
      exitCode: this.#exitCode,
      signal: null,
      durationMs: Math.round((this.#endedAt ?? performance.now()) - this.#started),
      ...(this.#stoppedByUser ? { stoppedByUser: true } : {}),
    };
  }

  get exited(): Promise<void> {
    return this.closed;
  }

  /** Ends the shell and all processes that it started, because the command may ignore Ctrl+C. */
  end({ byUser }: { byUser: boolean } = { byUser: false }): Promise<void> {
    if (this.#ending === undefined) {
      this.#stoppedByUser = byUser && this.#endedAt === undefined;
      this.#ending = this.#end();
    }
    return this.#ending;
  }

  async #end(): Promise<void> {
    this.onEnd();
    if (this.isClosed) return;
    const leader = await this.terminal.processId;
    if (leader !== undefined) await endTree({ leader }, this.closed);
    this.terminal.dispose();
    this.ended(null);
    await this.closed;
  }

  async #read(chunks: AsyncIterable<string>): Promise<void> {
    // Removes shell integration sequences and converts line endings. Either may be split across two chunks.
    let rest = "";
    for await (const chunk of chunks) {
      const text = (rest + chunk).replace(/\x1b\]633;[^\x07\x1b]*(?:\x07|\x1b\\)/g, "");
      rest = /(?:\x1b(?:\](?:6(?:3(?:3(?:;[^\x07\x1b]{0,4096}\x1b?)?)?)?)?)?|\r)$/.exec(text)?.[0] ?? "";
      this.#addOutput(text.slice(0, text.length - rest.length).replaceAll("\r\n", "\n"));
    }
    this.#addOutput(rest);
  }

  #addOutput(text: string): void {
    if (this.isClosed) return;
    this.#questions?.printed(text);
    this.output.add(text);
  }

  #finish(): void {
    this.isClosed = true;
    this.#questions?.settle();
    this.#close();
  }
}

/**
 * Whether a shell may report `command` as `reported`. Shells change white space and escapes, and zsh reports
 * non-ASCII characters incorrectly, so a command that contains any matches every report.
 */
function isSameCommand(command: string, reported: string): boolean {
  const fold = (text: string) => text.replace(/[\s\\]/g, "");
  return fold(command) === fold(reported) || (reported !== "" && /[^\x20-\x7e]/.test(command));
}
