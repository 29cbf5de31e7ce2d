/**
 * Terminals in which the user watches the agent's commands. Nekode starts the processes itself, so their output and
 * exit codes do not depend on the terminal. It only shows the output and forwards the user's input; closing it ends
 * the command.
 */
import * as vscode from "vscode";
import { type Disposable, DisposableStore } from "../../core/lifecycle.ts";
import type { CommandEnd } from "../../core/ports/shell.ts";
import type { TerminalSize } from "../../node/shell/input-terminal.ts";
import type { CommandControl, CommandWatcher, StartedCommand } from "../../node/shell/process-shell.ts";
import { exitText } from "../../shared/words/outcome-words.ts";
import { translator } from "../../shared/words/task-words.ts";
import { markOwn, reportOwnOutput } from "./own-terminals.ts";

/** Maximum characters buffered for a terminal that is not open yet. */
const MAX_BUFFERED = 1_000_000;

export class CommandTerminals implements Disposable {
  readonly #store = new DisposableStore();
  readonly #views = new Set<CommandView>();

  constructor() {
    this.#store.add(
      vscode.window.onDidCloseTerminal((terminal) => {
        for (const view of this.#views) {
          if (view.terminal !== terminal) continue;
          this.#views.delete(view);
          view.closed();
        }
      }),
    );
  }

  /**
   * Shows a new command in an idle terminal, or in a new one. Commands in the sandbox have terminals of their own. The call identifies
   * the command for `show`.
   */
  watch(started: StartedCommand, control: CommandControl): CommandWatcher {
    const { isInSandbox } = started;
    let view = [...this.#views].find((each) => each.idle && each.isOfSandbox === isInSandbox);
    if (!view) {
      view = new CommandView(isInSandbox);
      this.#views.add(view);
      // `true` keeps the focus where it is.
      view.terminal.show(true);
    }
    return view.begin(started, control);
  }

  /** Brings the terminal of a call's command to the front, so that the user can type there. False: there is no such terminal. */
  show(call: string): boolean {
    const view = [...this.#views].find((each) => each.call === call);
    view?.terminal.show();
    return view !== undefined;
  }

  /** Types a line for a call's command. False: there is no such command, or it takes no input. */
  answer(call: string, line: string): boolean {
    return [...this.#views].find((each) => each.call === call)?.answer(line) ?? false;
  }

  dispose(): void {
    for (const view of this.#views) view.dispose();
    this.#views.clear();
    this.#store.dispose();
  }
}

interface Current extends CommandControl {
  /** The user already pressed Ctrl+C. */
  interrupted: boolean;
  call: string | undefined;
}

class CommandView implements Disposable {
  readonly terminal: vscode.Terminal;
  /** Its commands run in the sandbox. */
  readonly isOfSandbox: boolean;
  readonly #written = new vscode.EventEmitter<string>();
  readonly #named = new vscode.EventEmitter<string>();
  #current: Current | undefined;
  #open = false;
  #closed = false;
  /** VS Code truncates a name that a pseudoterminal sets at its first space, so other space characters are used. */
  #name: string;
  #buffer: string[] = [];
  #bufferedLength = 0;
  #size: TerminalSize = { columns: 80, rows: 24 };
  #lastWasReturn = false;
  /** The last line is empty or complete. */
  #atLineStart = true;

  constructor(isOfSandbox: boolean) {
    this.isOfSandbox = isOfSandbox;
    this.#name = this.#owner;
    const pty: vscode.Pseudoterminal = {
      onDidWrite: this.#written.event,
      onDidChangeName: this.#named.event,
      open: (size) => {
        this.#resize(size);
        this.#open = true;
        this.#named.fire(this.#name);
        for (const text of this.#buffer.splice(0)) this.#written.fire(text);
      },
      close: () => this.closed(),
      handleInput: (data) => this.#typed(data),
      setDimensions: (size) => this.#resize(size),
    };
    this.terminal = markOwn(
      // A name that is set here could not be changed by `onDidChangeName` later (VS Code 1.100).
      vscode.window.createTerminal({
        name: "",
        pty,
        iconPath: new vscode.ThemeIcon("hubot"),
        isTransient: true,
      }),
    );
  }

  get #owner(): string {
    return this.isOfSandbox ? vscode.l10n.t("Nekode (sandbox)") : "Nekode";
  }

  get idle(): boolean {
    return this.#current === undefined && !this.#closed;
  }

  /** The call whose command it shows. */
  get call(): string | undefined {
    return this.#current?.call;
  }

  answer(line: string): boolean {
    return this.#current?.type(`${line}\r`) ?? false;
  }

  begin({ command, cwd, call }: StartedCommand, control: CommandControl): CommandWatcher {
    const current = { ...control, interrupted: false, call };
    this.#current = current;
    this.#name = `${this.#owner}: ${shortCommand(command)}`.replaceAll(" ", "\u00a0");
    this.#named.fire(this.#name);
    this.#write(`\x1b[2m${escapeControls(cwd)}\x1b[0m\n\x1b[1m$ ${escapeControls(command)}\x1b[0m\n`);
    return {
      size: this.#size,
      output: (text) => this.#write(text),
      waits: (waits) => {
        // Shows where the user has to type, without moving the focus.
        if (waits) this.terminal.show(true);
      },
      ended: (result) => {
        this.#write(`\x1b[0m${this.#atLineStart ? "" : "\n"}${exitLine(result)}\n\n`);
        if (this.#current === current) this.#current = undefined;
      },
    };
  }

  /** Ends the command, because the terminal was closed: by the user, or because the window closes or reloads. */
  closed(): void {
    this.#closed = true;
    this.#current?.end();
  }

  dispose(): void {
    this.terminal.dispose();
    this.#written.dispose();
    this.#named.dispose();
  }

  #typed(data: string): void {
    const current = this.#current;
    if (!current) return;
    const interrupts = data.includes("\x03");
    // The first Ctrl+C goes to the program. A program may ignore it, so the second one ends the command.
    const forces = interrupts && current.interrupted;
    current.interrupted ||= interrupts;
    if (!forces && current.type(data)) return;
    if (interrupts) {
      current.end({ byUser: true });
      return;
    }
    if (!data.includes("\r")) return;
    const note = vscode.l10n.t("This command runs without input. Press Ctrl+C to end it.");
    this.#write(`\x1b[2m${note}\x1b[0m\n`);
  }

  #resize(size: TerminalSize | undefined): void {
    if (!size || size.columns <= 0 || size.rows <= 0) return;
    this.#size = { columns: size.columns, rows: size.rows };
    this.#current?.resize(this.#size);
  }

  /** Writes text with CRLF line endings, which terminals need and pipes do not have. */
  #write(text: string): void {
    if (text === "" || this.#closed) return;
    reportOwnOutput(this.terminal, text);
    this.#atLineStart = text.endsWith("\n");
    const shown = text.replace(/\r?\n/g, (feed, at: number) =>
      at === 0 && feed === "\n" && this.#lastWasReturn ? "\n" : "\r\n",
    );
    this.#lastWasReturn = text.endsWith("\r");
    if (this.#open) {
      this.#written.fire(shown);
      return;
    }
    this.#buffer.push(shown);
    this.#bufferedLength += shown.length;
    while (this.#bufferedLength > MAX_BUFFERED) this.#bufferedLength -= this.#buffer.shift()?.length ?? 0;
  }
}

/** Maximum characters of a command in the name of its terminal. */
const NAME_LENGTH = 40;

function shortCommand(command: string): string {
  const line = escapeControls(command.replace(/\s+/g, " ").trim());
  return line.length > NAME_LENGTH ? `${line.slice(0, NAME_LENGTH)}…` : line;
}

/** Replaces control characters by visible text, so that they have no effect on the terminal. */
function escapeControls(text: string): string {
  return text.replace(/[\x00-\x08\x0b-\x1f\x7f-\x9f]/g, (character) => {
    const code = character.charCodeAt(0);
    return code < 0x20 ? `^${String.fromCharCode(code + 64)}` : `\\x${code.toString(16)}`;
  });
}

function exitLine(end: CommandEnd): string {
  const seconds = (end.durationMs / 1000).toFixed(1);
  if (end.exitCode === 0 && !end.stoppedByUser)
    return `\x1b[2m${vscode.l10n.t("done in {0} s", seconds)}\x1b[0m`;
  const how = exitText(translator(vscode.l10n.bundle ?? {}), end);
  return `\x1b[31m${how}\x1b[0m \x1b[2m(${seconds} s)\x1b[0m`;
}
