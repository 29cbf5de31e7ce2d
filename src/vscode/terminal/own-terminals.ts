/** Distinguishes the terminals that run the agent's commands from the user's. */
import type * as vscode from "vscode";

const own = new WeakSet<vscode.Terminal>();

export function markOwn(terminal: vscode.Terminal): vscode.Terminal {
  own.add(terminal);
  return terminal;
}

export function isOwn(terminal: vscode.Terminal): boolean {
  return own.has(terminal);
}
