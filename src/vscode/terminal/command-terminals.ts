/**
 * The terminals in which the person watches the agent's commands. The processes are ours, so their output and exit codes
 * are whole whatever the terminal does: it shows them, hands on what the person types, and its bin ends them.
 */
import * as vscode from "vscode";
import { type Disposable, DisposableStore } from "../../core/lifecycle.ts";
import type { CommandEnd } from "../../core/ports/shell.ts";
import type { TerminalSize } from "../../node/shell/input-terminal.ts";
import type { CommandControl, CommandWatcher } from "../../node/shell/process-shell.ts";
import { exitText, translator } from "../../shared/words/task-words.ts";
import { markOwn } from "./own-terminals.ts";

/** Characters that wait for a terminal that is not open yet. */
const waitingOutput = 1_000_000;

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

  /** Shows a command that begins: in the terminal whose command has ended, else in a new one. */
  watch(command: string, cwd: string, control: CommandControl): CommandWatcher {
    let view = [...this.#views].find((candidate) => candidate.idle);
    if (!view) {
      view = new CommandView();
      this.#views.add(view);
      // Seen, but not in anybody's way: the focus stays where it is.
      view.terminal.show(true);
    }
    return view.begin(command, cwd, control);
  }

  dispose(): void {
    for (const view of this.#views) view.dispose();
    this.#views.clear();
    this.#store.dispose();
  }
}

interface Current extends CommandControl {
  /** The person pressed Ctrl-C already. */
  interrupted: boolean;
}

class CommandView implements Disposable {
  readonly terminal: vscode.Terminal;
  readonly #written = new vscode.EventEmitter<string>();
  #current: Current | undefined;
  #open = false;
  #closed = false;
  #waiting: string[] = [];
  #waitingLength = 0;
  #size: TerminalSize = { columns: 80, rows: 24 };
  #lastWasReturn = false;
  /** 0: the last line is complete. */
  #column = 0;

  constructor() {
    const pty: vscode.Pseudoterminal = {
      onDidWrite: this.#written.event,
      open: (size) => {
        this.#resize(size);
        this.#open = true;
        for (const text of this.#waiting.splice(0)) this.#written.fire(text);
      },
      close: () => this.closed(),
      handleInput: (data) => this.#typed(data),
      setDimensions: (size) => this.#resize(size),
    };
    this.terminal = markOwn(
      vscode.window.createTerminal({
        name: "Nekode",
        pty,
        iconPath: new vscode.ThemeIcon("hubot"),
        isTransient: true,
      }),
    );
  }

  get idle(): boolean {
    return this.#current === undefined && !this.#closed;
  }

  begin(command: string, cwd: string, control: CommandControl): CommandWatcher {
    const current = { ...control, interrupted: false };
    this.#current = current;
    this.#write(`\x1b[2m${visible(cwd)}\x1b[0m\n\x1b[1m$ ${visible(command)}\x1b[0m\n`);
    return {
      size: this.#size,
      output: (text) => this.#write(text),
      ended: (result) => {
        this.#write(`\x1b[0m${this.#column === 0 ? "" : "\n"}${lastWords(result)}\n\n`);
        if (this.#current === current) this.#current = undefined;
      },
    };
  }

  /** The person closed the terminal: what runs in it ends, as in any terminal. */
  closed(): void {
    this.#closed = true;
    this.#current?.end();
  }

  dispose(): void {
    this.terminal.dispose();
    this.#written.dispose();
  }

  #typed(data: string): void {
    const current = this.#current;
    if (!current) return;
    const interrupts = data.includes("\x03");
    // The first Ctrl-C asks the program, as in any terminal; the second is for one that does not listen.
    const insists = interrupts && current.interrupted;
    current.interrupted ||= interrupts;
    if (!insists && current.type(data)) return;
    if (interrupts) {
      current.end();
      return;
    }
    if (!data.includes("\r")) return;
    const note = vscode.l10n.t("This command runs without input. Ctrl+C ends it.");
    this.#write(`\x1b[2m${note}\x1b[0m\n`);
  }

  #resize(size: TerminalSize | undefined): void {
    if (!size || size.columns <= 0 || size.rows <= 0) return;
    this.#size = { columns: size.columns, rows: size.rows };
    this.#current?.resize(this.#size);
  }

  /** A terminal needs a carriage return where a pipe has a line feed only. */
  #write(text: string): void {
    if (text === "" || this.#closed) return;
    this.#column = text.endsWith("\n") ? 0 : 1;
    const shown = text.replace(/\r?\n/g, (feed, at: number) =>
      at === 0 && feed === "\n" && this.#lastWasReturn ? "\n" : "\r\n",
    );
    this.#lastWasReturn = text.endsWith("\r");
    if (this.#open) {
      this.#written.fire(shown);
      return;
    }
    this.#waiting.push(shown);
    this.#waitingLength += shown.length;
    while (this.#waitingLength > waitingOutput) this.#waitingLength -= this.#waiting.shift()?.length ?? 0;
  }
}

/** Text whose control characters do nothing to the terminal. */
function visible(text: string): string {
  return text.replace(/[\x00-\x08\x0b-\x1f\x7f-\x9f]/g, (character) => {
    const code = character.charCodeAt(0);
    return code < 0x20 ? `^${String.fromCharCode(code + 64)}` : `\\x${code.toString(16)}`;
  });
}

function lastWords({ exitCode, signal, durationMs }: CommandEnd): string {
  const seconds = (durationMs / 1000).toFixed(1);
  if (exitCode === 0) return `\x1b[2m${vscode.l10n.t("done in {0} s", seconds)}\x1b[0m`;
  const how = exitText(translator(vscode.l10n.bundle ?? {}), exitCode, signal);
  return `\x1b[31m${how}\x1b[0m \x1b[2m(${seconds} s)\x1b[0m`;
}
