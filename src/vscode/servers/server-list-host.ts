/** The list of MCP servers, for the panel: answers its requests and reports changes. */
import * as vscode from "vscode";
import { type Disposable, DisposableStore, Emitter } from "../../core/lifecycle.ts";
import { systemClock } from "../../node/clock.ts";
import { UserServersFile } from "../../node/config/config-writer.ts";
import { translator } from "../../shared/words/task-words.ts";
import { workspace } from "../files/workspace-folders.ts";
import type { EditorServers } from "./editor-servers.ts";
import { type ServerHandlers, serverRequests } from "./server-requests.ts";

/** Milliseconds for which changes are collected: a start changes the state several times. */
const GATHER_MS = 100;

/** Opens a configuration file in the editor, at a line (from 1). */
export async function openConfigFile(file: string, line: number): Promise<void> {
  const at = new vscode.Position(Math.max(0, line - 1), 0);
  const selection = new vscode.Range(at, at);
  await vscode.commands.executeCommand("vscode.open", vscode.Uri.file(file), { selection });
}

export class ServerListHost implements Disposable {
  readonly #store = new DisposableStore();
  readonly #changed = this.#store.add(new Emitter<void>());
  #timer: Disposable | undefined;

  readonly requests: ServerHandlers;
  /** The result of `servers/list` may be out of date. */
  readonly onChange = this.#changed.on;

  constructor({ servers, logs }: Pick<EditorServers, "servers" | "logs">) {
    const entries = new UserServersFile(servers.userFile);
    this.requests = serverRequests({
      servers,
      workspace,
      entries,
      showLog: (server) => logs.show(server),
      async openFile(file, line) {
        if (file === servers.userFile) await entries.create();
        await openConfigFile(file, line);
      },
      t: translator(vscode.l10n.bundle ?? {}),
    });
    this.#store.add(servers.onChange(() => this.#report()));
  }

  dispose(): void {
    this.#timer?.dispose();
    this.#store.dispose();
  }

  #report(): void {
    this.#timer ??= systemClock.after(GATHER_MS, () => {
      this.#timer = undefined;
      this.#changed.emit();
    });
  }
}
