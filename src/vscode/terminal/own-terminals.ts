/** Distinguishes the terminals that run the agent's commands from the user's, and reports what Nekode writes to its own. */
import type * as vscode from "vscode";
import { Emitter } from "../../core/lifecycle.ts";

const own = new WeakSet<vscode.Terminal>();
const written = new Emitter<{ terminal: vscode.Terminal; text: string }>();

export function markOwn(terminal: vscode.Terminal): vscode.Terminal {
  own.add(terminal);
  return terminal;
}

export function isOwn(terminal: vscode.Terminal): boolean {
  return own.has(terminal);
}

/** Fires for the text that one of Nekode's terminals shows, because VS Code reports no commands of such a terminal. */
export const onOwnOutput = written.on;

export function reportOwnOutput(terminal: vscode.Terminal, text: string): void {
  written.emit({ terminal, text });
}
