/** Keeps the latest output of each terminal: Nekode's own, and the user's as far as shell integration reports it. */
import * as vscode from "vscode";
import { type Disposable, DisposableStore } from "../../core/lifecycle.ts";
import { markLostOutput, sliceWhole } from "../../core/text.ts";
import { terminalText } from "../../shared/terminal-output.ts";
import { onOwnOutput } from "./own-terminals.ts";

/** Maximum raw characters kept for each terminal, including control sequences and lines that are redrawn later. */
const MAX_RAW = 80_000;
/** Maximum characters of the text. */
const MAX_TEXT = 20_000;

export class TerminalTail implements Disposable {
  readonly #store = new DisposableStore();
  readonly #tails = new Map<vscode.Terminal, string>();
  #latest: vscode.Terminal | undefined;

  constructor() {
    this.#store.add(
      vscode.window.onDidStartTerminalShellExecution(({ terminal, execution }) => {
        this.#latest = terminal;
        this.#append(terminal, `$ ${execution.commandLine.value}\n`);
        void this.#follow(terminal, execution);
      }),
    );
    this.#store.add(
      onOwnOutput(({ terminal, text }) => {
        this.#latest = terminal;
        this.#append(terminal, text);
      }),
    );
    this.#store.add(vscode.window.onDidCloseTerminal((terminal) => void this.#tails.delete(terminal)));
  }

  /** The output of the active terminal, or of the one that last ran a command; "" if there is none. */
  get text(): string {
    const active = vscode.window.activeTerminal;
    const tail = (active && this.#tails.get(active)) ?? (this.#latest && this.#tails.get(this.#latest));
    const plain = terminalText(tail ?? "");
    return sliceWhole(plain, plain.length - MAX_TEXT, plain.length);
  }

  dispose(): void {
    this.#store.dispose();
    this.#tails.clear();
  }

  async #follow(terminal: vscode.Terminal, execution: vscode.TerminalShellExecution): Promise<void> {
    for await (const chunk of markLostOutput(execution.read())) this.#append(terminal, chunk);
  }

  #append(terminal: vscode.Terminal, text: string): void {
    this.#tails.set(terminal, ((this.#tails.get(terminal) ?? "") + text).slice(-MAX_RAW));
  }
}
