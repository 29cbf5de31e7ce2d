/** The MCP servers of this window's project. */
import * as path from "node:path";
import * as vscode from "vscode";
import { type Disposable, DisposableStore } from "../../core/lifecycle.ts";
import type { ProjectServers } from "../../core/servers/project-servers.ts";
import { defaultConfigDir } from "../../node/config/config-dir.ts";
import { createServerConnector } from "../../node/servers/connector.ts";
import { createProjectServers } from "../../node/servers/project-mcp.ts";
import { defaultDataDir } from "../../node/store/project-store.ts";
import type { EditorHost } from "../editor-host.ts";
import { askInput } from "./ask-input.ts";
import { EditorSignIn } from "./editor-sign-in.ts";
import { editorSecrets } from "./secret-storage.ts";
import { ServerLogs } from "./server-logs.ts";

export interface EditorServers extends Disposable {
  servers: ProjectServers;
  logs: ServerLogs;
}

export interface EditorServersOptions {
  host: EditorHost;
  context: Pick<vscode.ExtensionContext, "extension" | "extensionUri" | "globalStorageUri" | "secrets">;
}

/** Nothing is read or started before a session or the list of servers needs it. */
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
