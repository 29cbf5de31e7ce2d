/** The process of one command: where its output comes from, which group to end, and what can be typed into it. */
import { type ChildProcess, spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { Readable } from "node:stream";
import { createOutputDecoder } from "../files/code-page.ts";
import { resizeTerminal, type TerminalSize, terminalInvocation } from "./input-terminal.ts";
import { endTree, killTree } from "./process-tree.ts";
import { invocationOf, type ShellProgram } from "./shell-program.ts";

/**
 * Milliseconds that a prompt waits for a person who never typed; then its input counts as closed, as it is where there is
 * no terminal, so that a question that nobody answers ends.
 */
const promptPatience = 15_000;
/** Milliseconds for which output after typed text waits for the echo, which arrives separately and is shown first. */
const echoPatience = 250;
const endOfInput = "\x04";

export interface CommandStart {
  shell: ShellProgram;
  /** As of `quietFlags`. */
  flags: readonly string[];
  command: string;
  cwd: string;
  environment: NodeJS.ProcessEnv;
  /** Windows' number of the encoding that programs print in where it is not UTF-8. */
  codePage?: number | undefined;
  /** Path of `script` and the size of the terminal to give; undefined: the input is closed. */
  terminal?: { script: string; size: TerminalSize; promptPatience?: number } | undefined;
}

export class CommandProcess {
  readonly child: ChildProcess;
  /** As terminals name their sessions to their programs: what was started here is found by it, wherever it went. */
  readonly #session = randomUUID();
  readonly #onText: (text: string) => void;
  readonly #codePage: number | undefined;
  /** Known once the shell runs on its terminal. */
  #group: number | undefined;
  /** The size that its terminal gets as soon as there is one, and the one on its way. */
  #size: TerminalSize | undefined;
  #resizing: Promise<void> | undefined;
  #typed = false;
  /** Nothing was printed yet, or the last line has no end: somebody may be asked something. */
  #mayAsk = true;
  #quiet: NodeJS.Timeout | undefined;
  /** Typed text has not been echoed. */
  #awaitsEcho = false;
  /** Set while output waits for the echo. A program that hides its input sends none. */
  #echo: NodeJS.Timeout | undefined;
  #held = "";

  /** Throws where the arguments are none that a process can have (a NUL). */
  constructor(start: CommandStart, onText: (text: string) => void) {
    this.#onText = onText;
    this.#codePage = start.codePage;
    const { terminal } = start;
    this.child = terminal ? this.#onTerminal(start, terminal) : this.#withoutInput(start);
  }

  /** False: nobody can type into it. */
  type(text: string): boolean {
    const { stdin } = this.child;
    if (!stdin?.writable) return false;
    this.#typed = true;
    clearTimeout(this.#quiet);
    this.#awaitsEcho = true;
    stdin.write(text);
    return true;
  }

  /** Ends it and all that it started. */
  async end(ended: Promise<unknown>): Promise<void> {
    const leader = this.#group ?? this.child.pid;
    if (leader !== undefined) await endTree({ leader, mark: this.#mark }, ended);
  }

  /** At once. */
  kill(): void {
    const { pid } = this.child;
    if (pid !== undefined) killTree({ leader: pid });
    killTree({ leader: this.#group ?? pid ?? 0, mark: this.#mark });
  }

  /** Of the terminal that shows it: programs are told, as in any terminal. */
  resize(size: TerminalSize): void {
    this.#size = size;
    this.#resizing ??= this.#resize().finally(() => {
      this.#resizing = undefined;
    });
  }

  /** What is still printed is no longer read. */
  letGo(): void {
    for (const stream of this.child.stdio) stream?.destroy();
  }

  get #mark(): string {
    return `TERM_SESSION_ID=${this.#session}`;
  }

  /** The last size counts, when several come while one is set. */
  async #resize(): Promise<void> {
    for (;;) {
      const [group, size] = [this.#group, this.#size];
      if (group === undefined || size === undefined) return;
      this.#size = undefined;
      await resizeTerminal(group, size);
    }
  }

  #withoutInput({ shell, flags, command, cwd, environment }: CommandStart): ChildProcess {
    const { file, args, verbatim } = invocationOf(shell, flags, command);
    const child = spawn(file, args, {
      cwd,
      env: { ...environment, TERM_SESSION_ID: this.#session },
      stdio: ["ignore", "pipe", "pipe"],
      // A group of its own, so that it can be ended with all that it starts, and no terminal to ask on.
      detached: process.platform !== "win32",
      windowsHide: true,
      windowsVerbatimArguments: verbatim,
    });
    this.#read(child.stdout, (text) => this.#onText(text));
    this.#read(child.stderr, (text) => this.#onText(text));
    return child;
  }

  #hold(text: string): void {
    if (!this.#awaitsEcho) {
      this.#onText(text);
      return;
    }
    this.#held += text;
    this.#echo ??= setTimeout(() => this.#release(), echoPatience);
  }

  /** What was held comes after `echo`. */
  #release(echo = ""): void {
    clearTimeout(this.#echo);
    this.#echo = undefined;
    this.#awaitsEcho = false;
    const text = echo + this.#held;
    this.#held = "";
    if (text !== "") this.#onText(text);
  }

  #onTerminal(start: CommandStart, terminal: NonNullable<CommandStart["terminal"]>): ChildProcess {
    const { shell, flags, command, cwd } = start;
    const { script, size, promptPatience: patience = promptPatience } = terminal;
    const { file, args, environment } = terminalInvocation(script, {
      shell,
      flags,
      command,
      environment: start.environment,
      size,
      session: this.#session,
    });
    const child = spawn(file, args, {
      cwd,
      env: environment,
      stdio: ["pipe", "pipe", "pipe", "pipe", "pipe"],
      detached: true,
    });
    child.stdin?.on("error", () => {});
    this.#read(child.stdio[3], (text) => this.#hold(text));
    // What was typed, and what programs say to the terminal itself.
    this.#read(child.stdout, (text) => this.#release(text.replaceAll("\r\n", "\n")));
    this.#read(child.stderr, (text) => this.#onText(text));
    const group = child.stdio[4];
    if (group instanceof Readable) {
      group.once("data", (chunk: Buffer) => {
        this.#group = Number(chunk.toString("latin1")) || undefined;
        if (this.#size) this.resize(this.#size);
      });
      group.on("error", () => {});
    }
    this.#quiet = setTimeout(() => {
      if (!this.#typed && this.#mayAsk && child.stdin?.writable) child.stdin.write(endOfInput);
    }, patience);
    child.stdout?.once("close", () => this.#release());
    child.once("exit", () => clearTimeout(this.#quiet));
    return child;
  }

  #read(stream: unknown, give: (text: string) => void): void {
    if (!(stream instanceof Readable)) return;
    const decoder = createOutputDecoder(this.#codePage);
    const take = (text: string) => {
      if (text === "") return;
      this.#mayAsk = !text.endsWith("\n");
      if (!this.#typed) this.#quiet?.refresh();
      give(text);
    };
    stream.on("data", (chunk: Buffer) => take(decoder.push(chunk)));
    stream.on("end", () => take(decoder.end()));
    stream.on("error", () => {});
  }
}
