/** One command that the editor's shell integration runs, from when it was typed to the end of its output. */
import type { Terminal, TerminalShellExecution } from "vscode";
import { markLostOutput } from "../../core/lost-output.ts";
import type { CommandEnd } from "../../core/ports/shell.ts";
import { CommandOutput } from "../../node/shell/command-output.ts";
import { endTree } from "../../node/shell/process-tree.ts";
import type { RunningCommand } from "../../node/shell/running-commands.ts";

/** Milliseconds in which the editor tells that a typed command began. */
const beginPatience = 10_000;
/** Milliseconds for the last output to arrive after the end was told. */
const drainMs = 500;

type Place = Pick<Terminal, "processId" | "dispose">;
type Told = Pick<TerminalShellExecution, "read"> & { commandLine: { value: string } };

/** A command in a terminal of ours; the editor tells when it begins and ends. */
export class Execution implements RunningCommand {
  readonly text: string;
  readonly output: CommandOutput;
  readonly terminal: Place;
  isClosed = false;
  /** The command ended and its output arrived. Never rejects. */
  readonly closed: Promise<void>;
  /** Told when it is made to end. */
  onEnd: () => void = () => {};
  readonly #started = performance.now();
  readonly #close: () => void;
  #exitCode: number | null = null;
  #endedAt: number | undefined;
  #drained: () => void = () => {};
  readonly #drainedOrEnded: Promise<void>;
  #ending: Promise<void> | undefined;
  #isBegun = false;
  #begin: (begun: boolean) => void = () => {};
  readonly #beginning: Promise<boolean>;

  constructor(command: string, terminal: Place, onOutput: (text: string) => void) {
    this.text = command;
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

  began(): void {
    this.#isBegun = true;
    this.#begin(true);
  }

  /** False: the editor does not tell in time that it runs. */
  async hasBegun(signal: AbortSignal, patience: number): Promise<boolean> {
    const late = setTimeout(() => this.#begin(false), beginPatience * patience);
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

  /** Whether what began there is this command, told in other words, while it waits to begin: then its output is read too. */
  adopt(terminal: Place, started: Told): boolean {
    if (this.terminal !== terminal || this.#isBegun) return false;
    if (!isSame(this.text, started.commandLine.value)) return false;
    void this.#read(markLostOutput(started.read())).then(this.#drained, this.#drained);
    this.began();
    return true;
  }

  /** Reads the output to its end; resolves when the command is closed. */
  async follow(execution: Pick<Told, "read">): Promise<void> {
    void this.#read(execution.read()).then(this.#drained, this.#drained);
    await this.closed;
  }

  /** The editor told the end, or the terminal is gone. */
  ended(exitCode: number | null): void {
    if (this.#endedAt !== undefined) return;
    this.#endedAt = performance.now();
    this.#exitCode = exitCode;
    const timer = setTimeout(() => this.#finish(), drainMs);
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
    };
  }

  get exited(): Promise<void> {
    return this.closed;
  }

  /** Ends the shell with all that it started: a key that asks it to end is one that it may not heed. */
  end(): Promise<void> {
    this.#ending ??= this.#end();
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
    // The marks of the integration itself, and a terminal's line ends; a chunk may end within either.
    let rest = "";
    for await (const chunk of chunks) {
      const text = (rest + chunk).replace(/\x1b\]633;[^\x07\x1b]*(?:\x07|\x1b\\)/g, "");
      rest = /(?:\x1b(?:\](?:6(?:3(?:3(?:;[^\x07\x1b]{0,4096}\x1b?)?)?)?)?)?|\r)$/.exec(text)?.[0] ?? "";
      this.#take(text.slice(0, text.length - rest.length).replaceAll("\r\n", "\n"));
    }
    this.#take(rest);
  }

  #take(text: string): void {
    if (!this.isClosed) this.output.add(text);
  }

  #finish(): void {
    this.isClosed = true;
    this.#close();
  }
}

/** By what shells make of it on the way: escapes and white space; and what is not ASCII, which zsh tells wrongly. */
function isSame(command: string, told: string): boolean {
  const fold = (text: string) => text.replace(/[\s\\]/g, "");
  return fold(command) === fold(told) || (told !== "" && /[^\x20-\x7e]/.test(command));
}
