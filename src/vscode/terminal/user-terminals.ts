/** Lists the user's terminals with the command that each is running or last ran, if shell integration reports it. */
import * as vscode from "vscode";
import { type Disposable, DisposableStore } from "../../core/lifecycle.ts";
import type { UserTerminal } from "../../core/ports/surroundings.ts";
import { isOwn } from "./own-terminals.ts";

interface LastCommand {
  execution: vscode.TerminalShellExecution;
  command: string;
  startedAt: number;
  ended: boolean;
  exitCode: number | undefined;
}

export class UserTerminals implements Disposable {
  readonly #store = new DisposableStore();
  readonly #last = new Map<vscode.Terminal, LastCommand>();

  constructor() {
    this.#store.add(
      vscode.window.onDidStartTerminalShellExecution(({ terminal, execution }) => {
        const command = execution.commandLine.value;
        const startedAt = performance.now();
        this.#last.set(terminal, { execution, command, startedAt, ended: false, exitCode: undefined });
      }),
    );
    this.#store.add(
      vscode.window.onDidEndTerminalShellExecution(({ terminal, execution, exitCode }) => {
        const last = this.#last.get(terminal);
        if (last?.execution !== execution) return;
        last.ended = true;
        last.exitCode = exitCode;
      }),
    );
    this.#store.add(vscode.window.onDidCloseTerminal((terminal) => void this.#last.delete(terminal)));
  }

  list(): UserTerminal[] {
    return vscode.window.terminals
      .filter((terminal) => !isOwn(terminal) && terminal.exitStatus === undefined)
      .map((terminal) => {
        const last = this.#last.get(terminal);
        const { name } = terminal;
        if (!last) return { name, running: false };
        const { command, exitCode, ended } = last;
        if (!ended) return { name, running: true, command, durationMs: performance.now() - last.startedAt };
        return { name, running: false, command, ...(exitCode === undefined ? {} : { exitCode }) };
      });
  }

  dispose(): void {
    this.#store.dispose();
    this.#last.clear();
  }
}
