/** Finds rules files in Nekode's locations and in those of other agents. */
import { join } from "node:path";
import type { RuleSource } from "../../shared/rule-list.ts";
import { Interrupt } from "../errors.ts";
import type { Host } from "../ports/host.ts";

/** Applies to the folder that it is in. */
const NESTED = "AGENTS.md";

/** Files that are listed to find nested rules and to check path conditions. */
const LISTED_FILES = 50_000;

type Location = { source: RuleSource; path: string } & (
  | { kind: "file" }
  | { kind: "folder"; ending: RegExp }
);

const LOCATIONS: readonly Location[] = [
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

/** An existing rules file, not read yet. */
export interface FoundRule {
  source: RuleSource;
  /** The name for the model and the user: relative to the workspace, or with `~`. */
  name: string;
  /** Absolute. */
  path: string;
  /** The folder that must contain the file's real path. */
  within: string;
  /** The pattern of the files that a nested rules file applies to. */
  below?: string;
}

/** The folder of the user's rules, which apply to every project. */
export function globalRulesFolder(home: string): string {
  return join(home, ".nekode/rules");
}

export function findGlobalRules(host: Host): Promise<FoundRule[]> {
  const folder = globalRulesFolder(host.system.home);
  return filesIn(host, folder, "~/.nekode/rules", /\.md$/i, "global", folder);
}

/** The rules files of the enabled sources, in the order for the model. `files`: those of the first folder named AGENTS.md. */
export async function findProjectRules(
  host: Host,
  isEnabled: (source: RuleSource) => boolean,
  files: readonly string[],
): Promise<FoundRule[]> {
  const { root, roots } = host.workspace;
  const found: FoundRule[] = [];
  for (const { path, name } of roots) {
    const prefix = path === root ? "" : `${name}/`;
    for (const location of LOCATIONS) {
      if (isEnabled(location.source)) found.push(...(await findAt(host, path, prefix, location)));
    }
  }
  if (root !== undefined && isEnabled("agents")) found.push(...nested(root, files));
  return found;
}

/** The files of the workspace's first folder, as rules need them: each list is made once, when it is first needed. */
export class RulesFiles {
  readonly #host: Host;
  readonly #root: string;
  #nested: string[] | undefined;
  #all: string[] | undefined;

  constructor(host: Host, root: string) {
    this.#host = host;
    this.#root = root;
  }

  /** Those named AGENTS.md. */
  async nested(signal: AbortSignal): Promise<readonly string[]> {
    this.#nested ??= await this.#list({ signal, name: NESTED });
    return this.#nested;
  }

  /** All of them, for rules with path conditions; listing 100,000 takes half a second. */
  async all(signal: AbortSignal): Promise<readonly string[]> {
    this.#all ??= await this.#list({ signal });
    return this.#all;
  }

  /** None if they cannot be listed, so that conditions and nested files have no effect. */
  async #list(options: { signal: AbortSignal; name?: string }): Promise<string[]> {
    try {
      return (await this.#host.search.files(this.#root, { limit: LISTED_FILES, ...options })).paths;
    } catch (error) {
      if (error instanceof Interrupt) throw error;
      this.#host.log.error("the files of the workspace could not be listed", error);
      return [];
    }
  }
}

async function findAt(host: Host, root: string, prefix: string, location: Location): Promise<FoundRule[]> {
  const path = join(root, location.path);
  const name = `${prefix}${location.path}`;
  if (location.kind === "folder") return filesIn(host, path, name, location.ending, location.source, root);
  const stat = await host.files.stat(path).catch(() => undefined);
  // Includes special files, so that the problem can be reported.
  return stat && stat.kind !== "directory" ? [{ source: location.source, name, path, within: root }] : [];
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
    .filter((path) => path.endsWith(`/${NESTED}`))
    .sort()
    .map((path) => ({
      source: "agents" as const,
      name: path,
      path: join(root, path),
      within: root,
      below: `${path.slice(0, -NESTED.length)}**`,
    }));
}
