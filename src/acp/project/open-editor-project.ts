/**
 * Opens a project for one session in a folder: the agent with the project's stored sessions, and with servers of its own. Every
 * session has a project of its own, so sessions of a folder run side by side.
 */
import path from "node:path";
import type { Project } from "../../core/agent/project.ts";
import type { View } from "../../core/agent/view.ts";
import type { Host } from "../../core/ports/host.ts";
import type { ProjectServers } from "../../core/servers/project-servers.ts";
import type { ServerDefinition } from "../../core/servers/server-types.ts";
import { addLanguageServers } from "../../node/config/language-server-setup.ts";
import { createServerSetup } from "../../node/config/server-setup.ts";
import { createSearchProviders } from "../../node/net/web-search/search-providers.ts";
import { openProject } from "../../node/open-project.ts";
import { createServerConnector } from "../../node/servers/connector.ts";
import { projectServers } from "../../node/servers/project-mcp.ts";
import { createFileSecrets } from "../../node/store/secret-file.ts";
import { openTerminalHost, type TerminalHost } from "../../node/terminal-host.ts";
import type { Settings } from "../../shared/settings.ts";
import type { AcpParts } from "../acp-parts.ts";
import { ProposedTexts } from "./proposed-texts.ts";
import { withSessionServers } from "./session-servers.ts";

export interface EditorProject {
  project: Project;
  view: View;
  servers: ProjectServers;
  host: TerminalHost;
  settings(): Settings;
  proposals: ProposedTexts;
  /** Stops the session, ends its processes, and resolves when everything is on disk. */
  close(): Promise<void>;
}

export interface EditorProjectPlace {
  /** Absolute. */
  cwd: string;
  servers: readonly ServerDefinition[];
}

export async function openEditorProject(
  parts: AcpParts,
  { cwd, servers: passed }: EditorProjectPlace,
): Promise<EditorProject> {
  const { dataDir, environment, searchKey, log } = parts;
  const assetsDir = path.join(parts.programDir, "wasm");
  const host = await openTerminalHost({
    root: cwd,
    assetsDir,
    environment,
    dataDir,
    log,
  });
  host.editor = ProposedTexts.keptBy(host.editor);
  const settings = () => parts.settings;
  const servers = sessionServers(parts, host, passed);
  const languageServers = await addLanguageServers(host, parts);
  const opened = await openProject({
    host,
    sessions: { root: cwd },
    dataDir,
    environment,
    settings,
    apiKey: async (connection) => parts.apiKey(connection),
    searchProviders: createSearchProviders({
      settings,
      key: async () => searchKey,
      onChange: () => ({ dispose: () => undefined }),
      fetch: (input, init) => (host.fetch ?? fetch)(input, init),
    }),
    servers,
    otherKeys: async () => (searchKey === "" ? [] : [searchKey]),
    unattended: true,
    t: parts.t,
    allowCommand: (entry) => parts.allowCommand(entry),
  });
  const { project } = opened;
  const { view } = project;
  return {
    project,
    view,
    servers,
    host,
    settings,
    proposals: new ProposedTexts(),
    async close() {
      try {
        await view.stop();
        // The session must not be left open: the next window would continue it.
        await view.newTask();
      } finally {
        host.shell.dispose();
        await opened.close();
        await languageServers?.close();
      }
    },
  };
}

function sessionServers(
  { dataDir, configDir, environment, programDir, version }: AcpParts,
  host: Host,
  passed: readonly ServerDefinition[],
): ProjectServers {
  const secrets = createFileSecrets(path.join(dataDir, "servers", "secrets.json"));
  const setup = createServerSetup({ host, configDir, dataDir, environment, secrets, askInput: undefined });
  const connector = createServerConnector({
    folder: programDir,
    roots: () => host.workspace.roots.map((root) => root.path),
    environment,
    fetch: host.fetch ?? fetch,
    version,
    secrets,
    dataDir,
    // Signing in takes a terminal: `nekode mcp login`.
    signIn: [],
  });
  const config = withSessionServers(setup.config, passed);
  return projectServers({ ...setup, config }, { host, connector, log: () => undefined });
}
