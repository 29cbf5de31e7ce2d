/** Finds rules files: those of Nekode and those of other agents. */
import { dirname, join } from "node:path";
import type { RuleSource } from "../../shared/rule-list.ts";
import { Interrupt } from "../errors.ts";
import { RULE_KINDS, type RuleKind } from "../instruction-kinds.ts";
import type { Host } from "../ports/host.ts";

/** Files that are listed to find nested rules and to check path conditions. */
const LISTED_FILES = 50_000;

/** An existing rules file, not read yet. */
export interface RuleLocation {
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

export async function findUserRules(host: Host): Promise<RuleLocation[]> {
  const locations: RuleLocation[] = [];
  for (const kind of RULE_KINDS) {
    if (kind.scope !== "user") continue;
    const path = join(host.system.home, kind.path);
    // The home folder itself has files of all kinds.
    const within = kind.names ? path : dirname(path);
    locations.push(...(await findAt(host, kind, { name: `~/${kind.path}`, path, within })));
  }
  return locations;
}

/** The rules files of the enabled sources, in the order for the model. Without `listed`, nested ones are left out. */
export async function findProjectRules(
  host: Host,
  isEnabled: (source: RuleSource) => boolean,
  listed: ProjectFiles | undefined,
  signal: AbortSignal,
): Promise<RuleLocation[]> {
  const { root, roots } = host.workspace;
  const kinds = RULE_KINDS.filter(({ source }) => isEnabled(source));
  const locations: RuleLocation[] = [];
  for (const { path: folder, name } of roots) {
    const prefix = folder === root ? "" : `${name}/`;
    for (const kind of kinds) {
      if (kind.scope !== "project") continue;
      const at = { name: `${prefix}${kind.path}`, path: join(folder, kind.path), within: folder };
      locations.push(...(await findAt(host, kind, at)));
    }
  }
  if (root === undefined || !listed) return locations;
  for (const { scope, source, path } of kinds)
    if (scope === "nested") locations.push(...nested(root, source, path, await listed.named(path, signal)));
  return locations;
}

/** The files of the workspace's first folder, for rules. Each list is read once, when it is first needed. */
export class ProjectFiles {
  readonly #host: Host;
  readonly #root: string;
  readonly #named = new Map<string, string[]>();
  #all: string[] | undefined;

  constructor(host: Host, root: string) {
    this.#host = host;
    this.#root = root;
  }

  /** The files of that name, in all folders. */
  async named(name: string, signal: AbortSignal): Promise<readonly string[]> {
    const known = this.#named.get(name);
    if (known) return known;
    const paths = await this.#list({ signal, name });
    this.#named.set(name, paths);
    return paths;
  }

  /** All files, for rules with path conditions; listing 100,000 takes half a second. */
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

/** The file at the kind's path, or the files in the folder there. */
async function findAt(
  { files }: Host,
  { source, names }: RuleKind,
  { name, path, within }: Pick<RuleLocation, "name" | "path" | "within">,
): Promise<RuleLocation[]> {
  const stat = await files.stat(path).catch(() => undefined);
  if (names === undefined) {
    // Includes special files, so that the problem can be reported.
    return stat && stat.kind !== "directory" ? [{ source, name, path, within }] : [];
  }
  if (stat?.kind !== "directory") return [];
  const entries = await files.list(path).catch(() => []);
  return entries
    .filter((entry) => entry.kind !== "directory" && names.test(entry.name))
    .map((entry) => entry.name)
    .sort()
    .map((file) => ({ source, name: `${name}/${file}`, path: join(path, file), within }));
}

function nested(root: string, source: RuleSource, name: string, paths: readonly string[]): RuleLocation[] {
  return paths
    .filter((path) => path.endsWith(`/${name}`))
    .sort()
    .map((path) => ({
      source,
      name: path,
      path: join(root, path),
      within: root,
      below: `${path.slice(0, -name.length)}**`,
    }));
}
