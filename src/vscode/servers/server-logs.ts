/** One output channel for each MCP server that logged something. */
import * as vscode from "vscode";
import type { Disposable } from "../../core/lifecycle.ts";
import { terminalText } from "../../shared/terminal-output.ts";

export class ServerLogs implements Disposable {
  readonly #channels = new Map<string, vscode.OutputChannel>();

  append(server: string, line: string): void {
    const time = new Date().toLocaleTimeString();
    this.#channel(server).appendLine(`${time} ${terminalText(line)}`);
  }

  /** Shows the log without taking the focus. */
  show(server: string): void {
    this.#channel(server).show(true);
  }

  #channel(server: string): vscode.OutputChannel {
    const known = this.#channels.get(server);
    if (known) return known;
    const channel = vscode.window.createOutputChannel(`Nekode MCP: ${server}`);
    this.#channels.set(server, channel);
    return channel;
  }

  dispose(): void {
    for (const channel of this.#channels.values()) channel.dispose();
    this.#channels.clear();
  }
}
