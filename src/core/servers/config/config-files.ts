/**
 * Finds and reads the configuration files of MCP servers: the user's, and those in each folder of the workspace. In an untrusted
 * workspace, no project file is read.
 */

import { join } from "node:path";
import { type Reason, reasonOf } from "../../../shared/reason.ts";
import type { ServerSource } from "../../../shared/server-list.ts";
import { faultOf } from "../../errors.ts";
import type { Disposable } from "../../lifecycle.ts";
import type { Files } from "../../ports/files.ts";
import type { PluginOrigin, Plugins } from "../../ports/plugins.ts";
import type { Workspace } from "../../ports/workspace.ts";
import { isInside } from "../../roots.ts";
import type { ConfigProblem, LoadedServers, ServerConfig, ServerDefinition } from "../server-types.ts";
import { parseServerFile } from "./configuration.ts";

/** The name of the user's file, in the configuration folder. */
export const USER_FILE = "mcp.json";
const PROJECT_FILE = ".mcp.json";
const VSCODE_FILE = join(".vscode", "mcp.json");

/** Bytes of the largest file that is read. */
const LARGEST_FILE = 1024 * 1024;

export interface ConfigSources {
  /** Reads from the disk, because only saved content counts. */
  files: Pick<Files, "stat" | "realpath" | "readText">;
  workspace: Workspace;
  /** Absolute path of the user's file. undefined: the user has no home folder. */
  userFile: string | undefined;
  plugins?: Plugins | undefined;
  /** Calls `onChange` when one of the files is created, changed or removed, or the list of files changes. */
  watch(files: () => string[], onChange: () => void): Disposable;
}

interface Place {
  source: ServerSource;
  file: string;
  folder?: string;
  plugin?: PluginOrigin;
}

export class ServerConfigFiles implements ServerConfig {
  readonly #sources: ConfigSources;

  constructor(sources: ConfigSources) {
    this.#sources = sources;
  }

  async load(): Promise<LoadedServers> {
    const loaded: LoadedServers[] = [];
    for (const place of [...this.#places(), ...(await this.#pluginPlaces())])
      loaded.push(await this.#read(place));
    return merged(loaded);
  }

  onChange(listener: () => void): Disposable {
    const { plugins, watch } = this.#sources;
    const files = () => [...this.#places().map(({ file }) => file), ...(plugins ? [plugins.file] : [])];
    return watch(files, listener);
  }

  /** In the order of precedence. */
  #places(): Place[] {
    const { userFile, workspace } = this.#sources;
    const { root } = workspace;
    const folders = workspace.trusted ? workspace.roots.map(({ path }) => path) : [];
    return [
      ...(userFile === undefined
        ? []
        : [{ source: "user" as const, file: userFile, ...(root === undefined ? {} : { folder: root }) }]),
      ...folders.map((folder) => ({ source: "project" as const, file: join(folder, PROJECT_FILE), folder })),
      ...folders.map((folder) => ({ source: "vscode" as const, file: join(folder, VSCODE_FILE), folder })),
    ];
  }

  async #pluginPlaces(): Promise<Place[]> {
    const { plugins, workspace } = this.#sources;
    const folder = workspace.root === undefined ? {} : { folder: workspace.root };
    return ((await plugins?.active()) ?? []).flatMap((plugin) =>
      plugin.servers.map((file) => ({
        source: "plugin" as const,
        file: join(plugin.root, file),
        ...folder,
        plugin,
      })),
    );
  }

  async #read(place: Place): Promise<LoadedServers> {
    const { files } = this.#sources;
    const { file } = place;
    const failed = (reason: Reason) => ({ servers: [], problems: [{ file, line: 1, reason }] });
    try {
      const stat = await files.stat(file);
      if (!stat) return { servers: [], problems: [] };
      if (stat.kind === "directory") return failed(reasonOf("is-a-folder"));
      if (stat.size > LARGEST_FILE) return failed(reasonOf("file-too-large", sizeText(stat.size)));
      const elsewhere = place.source === "user" ? undefined : await this.#linkTarget(place);
      if (elsewhere !== undefined) return failed(reasonOf("link-elsewhere", elsewhere));
      const { text } = await files.readText(file);
      return parseServerFile({ ...place, text });
    } catch (error) {
      return failed(faultOf(error));
    }
  }

  /** The real path of a file of a project or a plugin that is outside it. */
  async #linkTarget({ file, folder = "", plugin }: Place): Promise<string | undefined> {
    const { files } = this.#sources;
    const base = plugin?.root ?? folder;
    const [target, root] = await Promise.all([files.realpath(file), files.realpath(base)]);
    return isInside(root, target) ? undefined : target;
  }
}

function sizeText(bytes: number): string {
  return `${(bytes / 1024 / 1024).toFixed(1)} MB`;
}

/** If several entries have the same name, the first one is used and the others are reported. */
function merged(files: readonly LoadedServers[]): LoadedServers {
  const servers = new Map<string, ServerDefinition>();
  const problems: ConfigProblem[] = [];
  for (const file of files) {
    problems.push(...file.problems);
    for (const server of file.servers) {
      const used = servers.get(server.name);
      if (!used) servers.set(server.name, server);
      else problems.push({ file: server.file, line: server.line, server: server.name, reason: hidden(used) });
    }
  }
  return { servers: [...servers.values()], problems };
}

function hidden({ file }: ServerDefinition): Reason {
  return reasonOf("server-hidden", file);
}
