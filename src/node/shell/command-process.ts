/** The process of one command: reads its output, ends its process group, and passes typed input to it. */
import { type ChildProcess, spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { Readable } from "node:stream";
import { createOutputDecoder } from "../files/code-page.ts";
import { enclosedStdio, tellEngine } from "../sandbox/enclosed-process.ts";
import type { Enclosure } from "../sandbox/file-rules.ts";
import { hidesInput, resizeTerminal, type TerminalSize, terminalInvocation } from "./input-terminal.ts";
import { endTree, killTree } from "./process-tree.ts";
import { QuestionWatch } from "./question-watch.ts";
import { invocationOf, type ShellProgram } from "./shell-program.ts";

/**
 * Milliseconds that a prompt waits if the user has never typed. Then the input is closed, as it is without a terminal, so
 * that an unanswered question ends.
 */
const PROMPT_PATIENCE = 15_000;
/** Milliseconds that output after typed text waits for the echo, which arrives separately and is shown first. */
const ECHO_PATIENCE = 250;
const END_OF_INPUT = "\x04";

/** Milliseconds that are waited for what is typed. */
export interface TypingPatience {
  /** Of a prompt if the user has never typed. */
  prompt?: number;
  /** From a question until the row says that the command waits for input. */
  question?: number;
  /** Of output for the echo of typed text. */
  echo?: number;
}

export interface CommandStart {
  shell: ShellProgram;
  /** From `quietFlags`. */
  flags: readonly string[];
  command: string;
  cwd: string;
  environment: NodeJS.ProcessEnv;
  /** What runs the command in the sandbox. */
  enclosure?: Enclosure | undefined;
  /** The Windows code page that programs print in if it is not UTF-8. */
  codePage?: number | undefined;
  /** Path of `script`, and the terminal's size; undefined: the input is closed. */
  terminal?: { script: string; size: TerminalSize; patience?: TypingPatience | undefined } | undefined;
}

export class CommandProcess {
  readonly child: ChildProcess;
  /** The value of TERM_SESSION_ID, which identifies all processes that the command started. */
  readonly #session = randomUUID();
  readonly #onText: (text: string) => void;
  readonly #codePage: number | undefined;
  readonly #echoPatience: number;
  /** Set once the shell runs on its terminal. */
  #group: number | undefined;
  /** The size to set as soon as there is a terminal, and the resize in progress. */
  #size: TerminalSize | undefined;
  #resizing: Promise<void> | undefined;
  #typed = false;
  /** Nothing was printed yet, or the last line is incomplete, so the program may be prompting. */
  #mayAsk = true;
  #quiet: NodeJS.Timeout | undefined;
  /** What the row says about input; undefined: no user can see it. */
  readonly #questions: QuestionWatch | undefined;
  /** Typed text has not been echoed yet. */
  #awaitsEcho = false;
  /** Set while output waits for the echo. A program that hides its input sends no echo. */
  #echo: NodeJS.Timeout | undefined;
  #heldOutput = "";

  /**
   * Throws if a process cannot have these arguments (a NUL). `onWaits`: called when the command seems to wait for what the user types,
   * and when it no longer does; its input is not closed meanwhile.
   */
  constructor(
    start: CommandStart,
    onText: (text: string) => void,
    onWaits?: (waits: boolean, isHidden: boolean) => void,
  ) {
    const { terminal } = start;
    this.#onText = (text) => {
      // As the user sees it: output that waited for the echo comes after it.
      this.#questions?.printed(text);
      onText(text);
    };
    if (terminal && onWaits) {
      this.#questions = new QuestionWatch({
        patience: terminal.patience?.question,
        hidesInput: async () => this.#group !== undefined && hidesInput(this.#group),
        tell: onWaits,
      });
    }
    this.#codePage = start.codePage;
    this.#echoPatience = terminal?.patience?.echo ?? ECHO_PATIENCE;
    this.child = terminal ? this.#onTerminal(start, terminal) : this.#withoutInput(start);
  }

  /** Passes typed text to the command. False: its input is closed. */
  type(text: string): boolean {
    const { stdin } = this.child;
    if (!stdin?.writable) return false;
    this.#typed = true;
    clearTimeout(this.#quiet);
    this.#questions?.settle();
    this.#awaitsEcho = true;
    stdin.write(text);
    return true;
  }

  /** Ends the command and everything that it started. */
  async end(ended: Promise<unknown>): Promise<void> {
    const leader = this.#group ?? this.child.pid;
    if (leader !== undefined) await endTree({ leader, mark: this.#mark }, ended);
  }

  /** Kills the command and everything that it started, immediately. */
  kill(): void {
    const { pid } = this.child;
    // It did not start.
    if (pid === undefined) return;
    if (this.#group !== undefined) killTree({ leader: pid });
    killTree({ leader: this.#group ?? pid, mark: this.#mark });
  }

  /** Sets the terminal's size, of which programs are notified. */
  resize(size: TerminalSize): void {
    this.#size = size;
    this.#resizing ??= this.#resize().finally(() => {
      this.#resizing = undefined;
    });
  }

  /** Stops reading output. */
  letGo(): void {
    for (const stream of this.child.stdio) stream?.destroy();
  }

  get #mark(): string {
    return `TERM_SESSION_ID=${this.#session}`;
  }

  /** Sets the newest size; sizes that arrive during a resize replace each other. */
  async #resize(): Promise<void> {
    for (;;) {
      const [group, size] = [this.#group, this.#size];
      if (group === undefined || size === undefined) return;
      this.#size = undefined;
      await resizeTerminal(group, size);
    }
  }

  #withoutInput({ shell, flags, command, cwd, environment, enclosure }: CommandStart): ChildProcess {
    const { file, args, verbatim } = invocationOf(shell, flags, command, enclosure);
    const child = spawn(file, args, {
      cwd,
      env: { ...environment, TERM_SESSION_ID: this.#session },
      stdio: ["ignore", "pipe", "pipe", ...enclosedStdio(enclosure, ["ignore", "ignore"])],
      // A separate process group, so that it can be ended with everything that it starts, and no terminal for prompts.
      detached: process.platform !== "win32",
      windowsHide: true,
      windowsVerbatimArguments: verbatim,
    });
    this.#read(child.stdout, (text) => this.#onText(text));
    this.#read(child.stderr, (text) => this.#onText(text));
    tellEngine(child, enclosure);
    return child;
  }

  #holdForEcho(text: string): void {
    if (!this.#awaitsEcho) {
      this.#onText(text);
      return;
    }
    this.#heldOutput += text;
    this.#echo ??= setTimeout(() => this.#release(), this.#echoPatience);
  }

  /** Passes on `echo` and then the held output. */
  #release(echo = ""): void {
    clearTimeout(this.#echo);
    this.#echo = undefined;
    this.#awaitsEcho = false;
    const text = echo + this.#heldOutput;
    this.#heldOutput = "";
    if (text !== "") this.#onText(text);
  }

  #onTerminal(start: CommandStart, terminal: NonNullable<CommandStart["terminal"]>): ChildProcess {
    const { shell, flags, command, cwd } = start;
    const { script, size, patience } = terminal;
    const { file, args, environment } = terminalInvocation(script, {
      shell,
      flags,
      command,
      environment: start.environment,
      enclosure: start.enclosure,
      size,
      session: this.#session,
    });
    const child = spawn(file, args, {
      cwd,
      env: environment,
      stdio: ["pipe", "pipe", "pipe", ...enclosedStdio(start.enclosure, ["pipe", "pipe"])],
      detached: true,
    });
    tellEngine(child, start.enclosure);
    child.stdin?.on("error", () => {});
    this.#read(child.stdio[3], (text) => this.#holdForEcho(text));
    // The echo of typed text, and what programs write to the terminal device.
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
      if (!this.#typed && this.#mayAsk && !this.#questions?.waits && child.stdin?.writable)
        child.stdin.write(END_OF_INPUT);
    }, patience?.prompt ?? PROMPT_PATIENCE);
    child.stdout?.once("close", () => this.#release());
    child.once("exit", () => {
      clearTimeout(this.#quiet);
      this.#questions?.settle();
    });
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
