/** Where rules files are looked for: our own places and those of other agents that projects already have. */
import { join } from "node:path";
import type { RuleSource } from "../../shared/rule-list.ts";
import { Interrupt } from "../errors.ts";
import type { Host } from "../ports/host.ts";

/** Files that are looked at for nested rules and for path conditions. */
const listedFiles = 50_000;

type Place = { source: RuleSource; path: string } & ({ kind: "file" } | { kind: "folder"; ending: RegExp });

const places: readonly Place[] = [
  { source: "nekode", path: ".nekode/rules", kind: "folder", ending: /\.md$/i },
  { source: "agents", path: "AGENTS.md", kind: "file" },
  { source: "cline", path: ".clinerules", kind: "file" },
  { source: "cline", path: ".clinerules", kind: "folder", ending: /\.(?:md|txt)$/i },
  { source: "cursor", path: ".cursor/rules", kind: "folder", ending: /\.mdc?$/i },
  { source: "cursor", path: ".cursorrules", kind: "file" },
  { source: "windsurf", path: ".windsurf/rules", kind: "folder", ending: /\.md$/i },
  { source: "windsurf", path: ".windsurfrules", kind: "file" },
  { source: "claude", path: "CLAUDE.md", kind: "file" },
  { source: "copilot", path: ".github/copilot-instructions.md", kind: "file" },
  { source: "copilot", path: ".github/instructions", kind: "folder", ending: /\.instructions\.md$/i },
];

/** A rules file that is there, not read yet. */
export interface FoundRule {
  source: RuleSource;
  /** As it is named to the model and the person: relative to the workspace, or with `~`. */
  name: string;
  /** Absolute. */
  path: string;
  /** The folder that the file must really be in. */
  within: string;
  /** What a nested file is for. */
  below?: string;
}

/** The folder of the person's own rules, for every project. */
export function globalRulesFolder(home: string): string {
  return join(home, ".nekode/rules");
}

export function findGlobalRules(host: Host): Promise<FoundRule[]> {
  const folder = globalRulesFolder(host.system.home);
  return filesIn(host, folder, "~/.nekode/rules", /\.md$/i, "global", folder);
}

/** Those of the sources that are wanted, in the order in which the model gets them. `listed`: files of the first folder. */
export async function findProjectRules(
  host: Host,
  wanted: (source: RuleSource) => boolean,
  listed: readonly string[],
): Promise<FoundRule[]> {
  const { root, roots } = host.workspace;
  const found: FoundRule[] = [];
  for (const { path, name } of roots) {
    const prefix = path === root ? "" : `${name}/`;
    for (const place of places) {
      if (wanted(place.source)) found.push(...(await look(host, path, prefix, place)));
    }
  }
  if (root !== undefined && wanted("agents")) found.push(...nested(root, listed));
  return found;
}

/** None where they cannot be listed: then conditions and nested files have no effect. */
export async function listFiles(host: Host, root: string, signal: AbortSignal): Promise<string[]> {
  try {
    return (await host.search.files(root, { limit: listedFiles, signal })).paths;
  } catch (error) {
    if (error instanceof Interrupt) throw error;
    host.log.error("the files of the workspace could not be listed", error);
    return [];
  }
}

async function look(host: Host, root: string, prefix: string, place: Place): Promise<FoundRule[]> {
  const path = join(root, place.path);
  const name = `${prefix}${place.path}`;
  if (place.kind === "folder") return filesIn(host, path, name, place.ending, place.source, root);
  const stat = await host.files.stat(path).catch(() => undefined);
  // Something else than a file is found, too, so that it can be said.
  return stat && stat.kind !== "directory" ? [{ source: place.source, name, path, within: root }] : [];
}

async function filesIn(
  host: Host,
  folder: string,
  name: string,
  ending: RegExp,
  source: RuleSource,
  within: string,
): Promise<FoundRule[]> {
  const stat = await host.files.stat(folder).catch(() => undefined);
  if (stat?.kind !== "directory") return [];
  const entries = await host.files.list(folder).catch(() => []);
  return entries
    .filter((entry) => entry.kind !== "directory" && ending.test(entry.name))
    .map((entry) => entry.name)
    .sort()
    .map((file) => ({ source, name: `${name}/${file}`, path: join(folder, file), within }));
}

function nested(root: string, listed: readonly string[]): FoundRule[] {
  return listed
    .filter((path) => path.endsWith("/AGENTS.md"))
    .sort()
    .map((path) => ({
      source: "agents" as const,
      name: path,
      path: join(root, path),
      within: root,
      below: `${path.slice(0, -"AGENTS.md".length)}**`,
    }));
}
