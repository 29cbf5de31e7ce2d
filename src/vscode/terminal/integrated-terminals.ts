/**
 * Commands in the person's own shell (`nekode.terminal.mode: shellIntegration`): an ordinary terminal, into which the
 * editor's shell integration types the command and from which it reads the output and the exit code.
 */
import * as vscode from "vscode";
import { Interrupt, ToolError } from "../../core/errors.ts";
import { type Disposable, DisposableStore } from "../../core/lifecycle.ts";
import type { CommandEnd, Shell } from "../../core/ports/shell.ts";
import type { RunningCommands } from "../../node/shell/running-commands.ts";
import { unattended } from "../../node/shell/shell-program.ts";
import { Execution } from "./execution.ts";
import { markOwn } from "./own-terminals.ts";

/** Milliseconds that a shell gets to start and to say that it is integrated. */
const integrationPatience = 5_000;
/** The minor version of VS Code in whose source a typed command was seen to wait for the prompt. */
const waitsForPrompt = 139;

type RunOptions = Parameters<Shell["run"]>[1];

export class IntegratedTerminals implements Disposable {
  readonly #store = new DisposableStore();
  readonly #shellPath: string;
  readonly #terminals = new Set<vscode.Terminal>();
  readonly #running = new Map<vscode.TerminalShellExecution, Execution>();
  /** Terminals in which something runs, the person's commands too. */
  readonly #busy = new Map<vscode.Terminal, vscode.TerminalShellExecution>();
  /** Terminals whose command has ended and that are not used again: there to be read until the next one opens. */
  readonly #left = new Set<vscode.Terminal>();
  readonly #commands: RunningCommands;
  /** Waited for in vain once, it is not waited for again. */
  #available = true;
  /** See `keepsTerminals`. */
  readonly #keeps: boolean;
  readonly #patience: number;

  /** `patience`: how many times as long as usual the shell and the editor get to answer. */
  constructor(shellPath: string, commands: RunningCommands, patience: number) {
    this.#shellPath = shellPath;
    this.#patience = patience;
    this.#keeps = keepsTerminals();
    this.#commands = commands;
    this.#store.add(
      vscode.window.onDidStartTerminalShellExecution(({ terminal, execution }) => {
        this.#busy.set(terminal, execution);
        const own = this.#running.get(execution);
        if (own) own.began();
        else this.#adopt(terminal, execution);
      }),
    );
    this.#store.add(
      vscode.window.onDidEndTerminalShellExecution(({ terminal, execution, exitCode }) => {
        if (this.#busy.get(terminal) === execution) this.#busy.delete(terminal);
        this.#running.get(execution)?.ended(exitCode ?? null);
      }),
    );
    this.#store.add(
      vscode.window.onDidCloseTerminal((terminal) => {
        this.#terminals.delete(terminal);
        this.#left.delete(terminal);
        this.#busy.delete(terminal);
        for (const execution of this.#running.values()) {
          if (execution.terminal === terminal) execution.ended(null);
        }
      }),
    );
  }

  /** Whether it can be typed as it is: a tab completes, and a line break runs what stands before it. */
  takes(command: string): boolean {
    return !/[\x00-\x1f\x7f]/.test(command);
  }

  /** undefined, with nothing run: the shell is not integrated. */
  async run(command: string, options: RunOptions): Promise<CommandEnd | undefined> {
    const { cwd, signal, onOutput } = options;
    if (!this.#available) return undefined;
    const terminal = await this.#terminalIn(cwd, signal);
    if (signal.aborted) throw new Interrupt();
    const integration = terminal?.shellIntegration;
    if (terminal === undefined || integration === undefined) {
      this.#available = false;
      return undefined;
    }
    const started = integration.executeCommand(command);
    this.#busy.set(terminal, started);
    const execution = new Execution(command, terminal, onOutput);
    // It goes with its command when that is ended, and is nothing for the next one.
    execution.onEnd = () => this.#terminals.delete(terminal);
    this.#running.set(started, execution);
    void execution.follow(started).then(() => {
      for (const [key, value] of this.#running) if (value === execution) this.#running.delete(key);
      if (!this.#keeps) this.#left.add(terminal);
    });
    if (await execution.hasBegun(signal, this.#patience)) return this.#commands.attend(execution, options);
    // It was typed: to run it once more elsewhere might do twice what it does.
    this.#available = false;
    this.#terminals.delete(terminal);
    throw new ToolError(
      "The editor lost track of this command: it was typed into the person's terminal, but whether it ran, and what it printed, is not known. Find out before you send it again. Commands run in another terminal from now on.",
    );
  }

  /**
   * A command that the editor takes for another one than it typed, because the shell tells it in other words. Only in our
   * own terminals, while one waits to begin.
   */
  #adopt(terminal: vscode.Terminal, started: vscode.TerminalShellExecution): void {
    for (const execution of this.#running.values()) {
      if (!execution.adopt(terminal, started)) continue;
      this.#running.set(started, execution);
      return;
    }
  }

  dispose(): void {
    for (const execution of this.#running.values()) void execution.end();
    for (const terminal of [...this.#terminals, ...this.#left]) terminal.dispose();
    this.#store.dispose();
  }

  /** One of ours that is idle and still in that folder, else a new one. */
  async #terminalIn(cwd: string, signal: AbortSignal): Promise<vscode.Terminal | undefined> {
    for (const terminal of this.#terminals) {
      if (!this.#busy.has(terminal) && terminal.shellIntegration?.cwd?.fsPath === cwd) return terminal;
    }
    const options: vscode.TerminalOptions = {
      name: "Nekode",
      // The shell by whose grammar commands are judged, whatever the default profile is.
      shellPath: this.#shellPath,
      cwd,
      env: { ...unattended, ...locale() },
      iconPath: new vscode.ThemeIcon("hubot"),
      isTransient: true,
    };
    const terminal = markOwn(vscode.window.createTerminal(options));
    terminal.show(true);
    for (const old of this.#left) if (!this.#busy.has(old)) old.dispose();
    if (await integrated(terminal, signal, this.#patience)) {
      if (this.#keeps) this.#terminals.add(terminal);
      return terminal;
    }
    terminal.dispose();
    return undefined;
  }
}

/** Where no locale is named, shells take what is typed for bytes, and tell of other commands than were typed. */
function locale(): Record<string, string> {
  const { LC_ALL, LC_CTYPE, LANG } = process.env;
  return process.platform === "linux" && !(LC_ALL || LC_CTYPE || LANG) ? { LC_CTYPE: "C.UTF-8" } : {};
}

/**
 * Whether the next command may go into the same terminal. VS Code 1.100 types it as soon as it is told, and a Ctrl+C before
 * it where it still holds the text of the command before, which is so until the next prompt is drawn. The shell is then
 * interrupted while it makes its prompt, and tells nothing of what follows, or no exit code: seen in zsh at once, in bash
 * now and then. Newer ones wait for the prompt.
 */
function keepsTerminals(): boolean {
  return Number(vscode.version.split(".")[1]) >= waitsForPrompt;
}

function integrated(terminal: vscode.Terminal, signal: AbortSignal, patience: number): Promise<boolean> {
  if (terminal.shellIntegration) return Promise.resolve(true);
  return new Promise((resolve) => {
    const settle = (result: boolean) => {
      clearTimeout(timer);
      listening.dispose();
      signal.removeEventListener("abort", onAbort);
      resolve(result);
    };
    const onAbort = () => settle(false);
    const timer = setTimeout(() => settle(false), integrationPatience * patience);
    const listening = vscode.Disposable.from(
      vscode.window.onDidChangeTerminalShellIntegration((event) => {
        if (event.terminal === terminal) settle(true);
      }),
      vscode.window.onDidCloseTerminal((closed) => {
        if (closed === terminal) settle(false);
      }),
    );
    signal.addEventListener("abort", onAbort, { once: true });
  });
}
