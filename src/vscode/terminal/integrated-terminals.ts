/**
 * Runs commands in ordinary terminals with the user's shell (`nekode.terminal.mode: shellIntegration`). VS Code's
 * shell integration types the command, and reports its output and exit code.
 */
import * as vscode from "vscode";
import { Interrupt, ToolError } from "../../core/errors.ts";
import { type Disposable, DisposableStore } from "../../core/lifecycle.ts";
import type { CommandEnd, Shell } from "../../core/ports/shell.ts";
import type { RunningCommands } from "../../node/shell/running-commands.ts";
import { UNATTENDED } from "../../node/shell/shell-program.ts";
import { Execution } from "./execution.ts";
import { markOwn } from "./own-terminals.ts";

/** Milliseconds to wait for a shell to start and activate shell integration. */
const INTEGRATION_TIMEOUT = 5_000;
/**
 * The first minor version of VS Code 1 known, from its source code, to wait for the prompt before it types a command.
 */
const FIRST_WAITING_VERSION = 139;

type RunOptions = Parameters<Shell["run"]>[1];

export class IntegratedTerminals implements Disposable {
  readonly #store = new DisposableStore();
  readonly #shellPath: string;
  /** Terminals that later commands may reuse. */
  readonly #reusable = new Set<vscode.Terminal>();
  readonly #running = new Map<vscode.TerminalShellExecution, Execution>();
  /** The running command of each terminal, including commands that the user typed. */
  readonly #busy = new Map<vscode.Terminal, vscode.TerminalShellExecution>();
  /** Terminals whose command has ended and that are not reused. They stay readable until the next terminal opens. */
  readonly #finished = new Set<vscode.Terminal>();
  readonly #commands: RunningCommands;
  /** False after shell integration failed once, so that later commands do not wait for it again. */
  #available = true;
  readonly #reuses: boolean;
  readonly #timeoutFactor: number;

  /** `timeoutFactor` multiplies the timeouts for the shell and the editor. */
  constructor(shellPath: string, commands: RunningCommands, timeoutFactor: number) {
    this.#shellPath = shellPath;
    this.#timeoutFactor = timeoutFactor;
    this.#reuses = reusesTerminals();
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
        this.#reusable.delete(terminal);
        this.#finished.delete(terminal);
        this.#busy.delete(terminal);
        for (const execution of this.#running.values()) {
          if (execution.terminal === terminal) execution.ended(null);
        }
      }),
    );
  }

  /**
   * Whether a shell receives the command unchanged if it is typed: a tab would trigger completion, and a newline
   * would run the text before it.
   */
  canType(command: string): boolean {
    return !/[\x00-\x1f\x7f]/.test(command);
  }

  /** Resolves to undefined, without running anything, if shell integration is not available. */
  async run(command: string, options: RunOptions): Promise<CommandEnd | undefined> {
    const { cwd, signal } = options;
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
    const execution = new Execution(command, terminal, options);
    // Ending a command also ends its terminal, so the next command must not reuse it.
    execution.onEnd = () => this.#reusable.delete(terminal);
    this.#running.set(started, execution);
    void execution.follow(started).then(() => {
      for (const [key, value] of this.#running) if (value === execution) this.#running.delete(key);
      if (!this.#reuses) this.#finished.add(terminal);
    });
    if (await execution.hasBegun(signal, this.#timeoutFactor))
      return this.#commands.attend(execution, options);
    // The command was typed, so running it again elsewhere could repeat its effects.
    this.#available = false;
    this.#reusable.delete(terminal);
    throw new ToolError(
      "The editor lost track of this command: it was typed into the user's terminal, but whether it ran, and what it printed, is not known. Find out before you send it again. Commands run in another terminal from now on.",
    );
  }

  /** As in `CommandTerminals`. */
  show(call: string): boolean {
    const execution = this.#executionOf(call);
    execution?.terminal.show();
    return execution !== undefined;
  }

  /** As in `CommandTerminals`. */
  answer(call: string, line: string): boolean {
    const execution = this.#executionOf(call);
    execution?.answer(line);
    return execution !== undefined;
  }

  #executionOf(call: string): Execution | undefined {
    return [...this.#running.values()].find((each) => each.call === call && !each.isClosed);
  }

  /**
   * Matches a reported command with the one that was typed. VS Code reports them as two different executions if the
   * shell spells the command differently. Applies only while a command of ours waits to begin in that terminal.
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
    for (const terminal of [...this.#reusable, ...this.#finished]) terminal.dispose();
    this.#store.dispose();
  }

  /**
   * Returns an idle terminal of ours that is still in that folder, or a new one; undefined if the shell does not
   * integrate.
   */
  async #terminalIn(cwd: string, signal: AbortSignal): Promise<vscode.Terminal | undefined> {
    for (const terminal of this.#reusable) {
      if (!this.#busy.has(terminal) && terminal.shellIntegration?.cwd?.fsPath === cwd) return terminal;
    }
    const options: vscode.TerminalOptions = {
      name: "Nekode",
      // Not the default profile: the command was judged by the grammar of this shell.
      shellPath: this.#shellPath,
      cwd,
      env: { ...UNATTENDED, ...locale() },
      iconPath: new vscode.ThemeIcon("hubot"),
      isTransient: true,
    };
    const terminal = markOwn(vscode.window.createTerminal(options));
    terminal.show(true);
    for (const old of this.#finished) if (!this.#busy.has(old)) old.dispose();
    if (await waitForIntegration(terminal, signal, this.#timeoutFactor)) {
      if (this.#reuses) this.#reusable.add(terminal);
      return terminal;
    }
    terminal.dispose();
    return undefined;
  }
}

/** Without a locale, shells treat typed text as single bytes and report a different command than was typed. */
function locale(): Record<string, string> {
  const { LC_ALL, LC_CTYPE, LANG } = process.env;
  return process.platform === "linux" && !(LC_ALL || LC_CTYPE || LANG) ? { LC_CTYPE: "C.UTF-8" } : {};
}

/**
 * Whether the next command may reuse the terminal. Older versions, such as VS Code 1.100, type the command
 * immediately. If the terminal still has the text of the previous command, which it does until the next prompt is
 * drawn, they press Ctrl+C first. That interrupts the shell while it builds its prompt; it then does not report the
 * next command, or not its exit code: always in zsh, occasionally in bash.
 */
function reusesTerminals(): boolean {
  return Number(vscode.version.split(".")[1]) >= FIRST_WAITING_VERSION;
}

function waitForIntegration(
  terminal: vscode.Terminal,
  signal: AbortSignal,
  timeoutFactor: number,
): Promise<boolean> {
  if (terminal.shellIntegration) return Promise.resolve(true);
  return new Promise((resolve) => {
    const settle = (result: boolean) => {
      clearTimeout(timer);
      listening.dispose();
      signal.removeEventListener("abort", onAbort);
      resolve(result);
    };
    const onAbort = () => settle(false);
    const timer = setTimeout(() => settle(false), INTEGRATION_TIMEOUT * timeoutFactor);
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
