/** Reads the files that configure language servers: the user's own, and those of plugins. A file of a project is never read. */
import { join } from "node:path";
import { reasonOf } from "../../shared/reason.ts";
import { faultOf } from "../errors.ts";
import type { Files } from "../ports/files.ts";
import type { PluginOrigin, Plugins } from "../ports/plugins.ts";
import { type LoadedLanguageServers, parseLanguageServers } from "./language-server-file.ts";

const LARGEST_FILE = 1024 * 1024;

export interface LanguageServerSources {
  files: Pick<Files, "stat" | "readText">;
  /** Absolute path of the user's file; undefined: there is no place for one. */
  userFile: string | undefined;
  plugins: Plugins | undefined;
}

/** Never rejects because of a file. Of servers with the same extension, the first one is used. */
export async function loadLanguageServers({
  files,
  userFile,
  plugins,
}: LanguageServerSources): Promise<LoadedLanguageServers> {
  const places: [file: string, plugin?: PluginOrigin][] = userFile === undefined ? [] : [[userFile]];
  for (const plugin of (await plugins?.active()) ?? [])
    for (const file of plugin.languageServers) places.push([join(plugin.root, file), plugin]);
  const loaded = await Promise.all(places.map(([file, plugin]) => loadFile(files, file, plugin)));
  return {
    servers: loaded.flatMap(({ servers }) => servers),
    problems: loaded.flatMap(({ problems }) => problems),
  };
}

async function loadFile(
  files: LanguageServerSources["files"],
  file: string,
  plugin: PluginOrigin | undefined,
): Promise<LoadedLanguageServers> {
  try {
    const stat = await files.stat(file);
    if (!stat) return { servers: [], problems: [] };
    if (stat.size > LARGEST_FILE)
      return { servers: [], problems: [{ file, line: 1, reason: reasonOf("not-json") }] };
    return parseLanguageServers(file, (await files.readText(file)).text, plugin);
  } catch (error) {
    return { servers: [], problems: [{ file, line: 1, reason: faultOf(error) }] };
  }
}
