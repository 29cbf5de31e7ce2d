/** The MCP servers of this window's project. */
import * as path from "node:path";
import * as vscode from "vscode";
import { type Disposable, DisposableStore } from "../../core/lifecycle.ts";
import type { Secrets } from "../../core/ports/servers.ts";
import type { ProjectServers } from "../../core/servers/project-servers.ts";
import type { AskInput } from "../../core/servers/server-inputs.ts";
import { defaultConfigDir } from "../../node/config/config-dir.ts";
import { createServerConnector } from "../../node/servers/connector.ts";
import { createProjectServers } from "../../node/servers/project-mcp.ts";
import { defaultDataDir } from "../../node/store/project-store.ts";
import { terminalText } from "../../shared/terminal-output.ts";
import { visible } from "../../shared/visible.ts";
import type { EditorHost } from "../editor-host.ts";
import { EditorSignIn } from "./editor-sign-in.ts";

export interface EditorServers extends Disposable {
  servers: ProjectServers;
  logs: ServerLogs;
}

export interface EditorServersOptions {
  host: EditorHost;
  context: Pick<vscode.ExtensionContext, "extension" | "extensionUri" | "globalStorageUri" | "secrets">;
}

/** Reads and starts nothing until a session or the list of servers needs it. */
export function createEditorServers({ host, context }: EditorServersOptions): EditorServers {
  const store = new DisposableStore();
  const logs = store.add(new ServerLogs());
  const signIn = store.add(new EditorSignIn(context.extension));
  // Without a home folder, the editor's own storage is used for the user's files.
  const ownDir = context.globalStorageUri.fsPath;
  const dataDir = defaultDataDir(process.env) ?? ownDir;
  const secrets = editorSecrets(context.secrets);
  const servers = createProjectServers({
    host,
    connector: createServerConnector({
      folder: path.join(context.extensionUri.fsPath, "dist"),
      roots: () => host.workspace.roots.map((root) => root.path),
      environment: process.env,
      fetch: host.fetch ?? fetch,
      version: versionOf(context.extension),
      secrets,
      dataDir,
      signIn: signIn.ways,
    }),
    configDir: defaultConfigDir(process.env) ?? path.join(ownDir, "config"),
    dataDir,
    environment: process.env,
    secrets,
    askInput,
    log: (server, line) => logs.append(server, line),
  });
  const reload = () => {
    servers.reload().catch((error: unknown) => host.log.error("the MCP servers were not read", error));
  };
  store.add(vscode.workspace.onDidGrantWorkspaceTrust(reload));
  store.add(vscode.workspace.onDidChangeWorkspaceFolders(reload));
  return { servers, logs, dispose: () => store.dispose() };
}

function versionOf({ packageJSON }: vscode.Extension<unknown>): string {
  const manifest: unknown = packageJSON;
  const isNamed = typeof manifest === "object" && manifest !== null && "version" in manifest;
  return isNamed && typeof manifest.version === "string" ? manifest.version : "0";
}

/** Keeps the secrets of MCP servers in the editor's secret storage, which all windows share. */
function editorSecrets(storage: vscode.SecretStorage): Secrets {
  const key = (name: string) => `nekode.servers.${name}`;
  return {
    get: async (name) => storage.get(key(name)),
    set: async (name, value) => storage.store(key(name), value),
    delete: async (name) => storage.delete(key(name)),
  };
}

/** The texts may come from a workspace's configuration, so their invisible characters are made visible. */
const askInput: AskInput = async (server, input, signal) => {
  const dismissed = new vscode.CancellationTokenSource();
  const onAbort = () => dismissed.cancel();
  signal.addEventListener("abort", onAbort, { once: true });
  const title = vscode.l10n.t("MCP server {0}", visible(server.name));
  const prompt = visible(input.description === "" ? input.id : input.description);
  try {
    if (input.options) {
      const options = input.options.map((option) => ({ label: visible(option), option }));
      const chosen = await vscode.window.showQuickPick(
        options,
        { title, placeHolder: prompt, ignoreFocusOut: true },
        dismissed.token,
      );
      return chosen?.option;
    }
    return await vscode.window.showInputBox(
      {
        title,
        prompt,
        password: input.password,
        ignoreFocusOut: true,
        ...(input.default === undefined ? {} : { value: input.default }),
      },
      dismissed.token,
    );
  } finally {
    signal.removeEventListener("abort", onAbort);
    dismissed.dispose();
  }
};

/** One output channel for each MCP server that logged something. */
class ServerLogs implements Disposable {
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
