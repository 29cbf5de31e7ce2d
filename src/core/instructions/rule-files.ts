/** Finds rules files: those of Nekode and those of other agents. */
import { basename, dirname, join, relative, sep } from "node:path";
import type { RuleSource } from "../../shared/rule-list.ts";
import { Interrupt } from "../errors.ts";
import { RULE_KINDS, type RuleKind } from "../instruction-kinds.ts";
import type { Host } from "../ports/host.ts";
import type { Workspace } from "../ports/workspace.ts";
import { foldersAbove } from "./repository-folders.ts";

/** Files that are listed to check path conditions. */
const LISTED_FILES = 50_000;
/** Nested rules files of one name that the list of rules shows. */
const LISTED_NESTED = 50;
/** Files of one kind, and levels and folders in which they are looked for. */
const MOST_OF_KIND = 100;
const MOST_LEVELS = 5;
const MOST_FOLDERS = 200;
/** Levels of folders whose nested rules apply. */
const MOST_NESTED_LEVELS = 40;

/** An existing rules file, not read yet. */
export interface RuleLocation {
  kind: RuleKind;
  source: RuleSource;
  /** The name for the model and the user: relative to the workspace, or with `~`. */
  name: string;
  /** Absolute. */
  path: string;
  place: RulePlace;
  /** The pattern of the files that a nested rules file applies to. */
  below?: string;
  /** The mode of its product that it is for. */
  mode?: string;
  /** Milliseconds since 1970; see `FileStat`. */
  changedAt?: number;
}

/** A folder whose rules files are named relative to it. */
export interface RulePlace {
  /** Absolute. It must contain the real path of each file. */
  folder: string;
  /** What precedes a path in the names of its files. */
  prefix: string;
  /** What precedes a path in it for a tool that reads files; undefined: a tool needs the absolute path. */
  toolPrefix: string | undefined;
}

/** The kinds of the files that any folder may have. */
const NESTED_KINDS = RULE_KINDS.filter(({ scope }) => scope === "nested");

export async function findUserRules(
  host: Host,
  isEnabled: (source: RuleSource) => boolean,
): Promise<RuleLocation[]> {
  const kinds = RULE_KINDS.filter(({ scope, source }) => scope === "user" && isEnabled(source));
  return findKinds(host, kinds, homePlace(host));
}

/**
 * The rules files of the enabled sources in the workspace's folders, in the order for the model. Nested ones are left out. In a trusted
 * workspace, those that any folder may have also count above it in its repository, and the outermost come first.
 */
export async function findProjectRules(
  host: Host,
  isEnabled: (source: RuleSource) => boolean,
): Promise<RuleLocation[]> {
  const kinds = RULE_KINDS.filter(({ scope, source }) => scope === "project" && isEnabled(source));
  const found = await Promise.all([
    findRulesAbove(host, isEnabled),
    ...projectPlaces(host.workspace).map((place) => findKinds(host, kinds, place)),
  ]);
  return found.flat();
}

async function findRulesAbove(
  host: Host,
  isEnabled: (source: RuleSource) => boolean,
): Promise<RuleLocation[]> {
  const { root, trusted } = host.workspace;
  if (root === undefined || !trusted) return [];
  const kinds = NESTED_KINDS.filter(({ source }) => isEnabled(source));
  const names = kinds.map(({ path }) => path);
  const above = await foldersAbove(host, root, names);
  const found = await Promise.all(
    above.map(({ path: folder, levels }) =>
      findKinds(host, kinds, { folder, prefix: "../".repeat(levels), toolPrefix: undefined }),
    ),
  );
  return found.reverse().flat();
}

/** Nested rules files anywhere in the workspace's first folder, for the list of rules: as many as it shows. */
export async function listNestedRules(host: Host, signal: AbortSignal): Promise<RuleLocation[]> {
  const [place] = projectPlaces(host.workspace);
  if (!place) return [];
  const listed = new ProjectFiles(host, place.folder);
  const names = await Promise.all(NESTED_KINDS.map(({ path }) => listed.named(path, signal)));
  const files = NESTED_KINDS.flatMap((kind, index) =>
    (names[index] ?? [])
      .filter((path) => path.endsWith(`/${kind.path}`))
      .map((path) => nestedLocation(kind, place, dirname(path), undefined)),
  );
  const order = (at: RuleLocation) => NESTED_KINDS.indexOf(at.kind);
  return files.sort((a, b) => compare(dirname(a.name), dirname(b.name)) || order(a) - order(b));
}

/**
 * The folders between those of the workspace and this file, the nearest to the workspace first, and the file's name for the user. All
 * are absolute but the name.
 */
export function foldersDownTo(path: string, workspace: Workspace): { folders: string[]; name: string } {
  const place = placeOf(path, workspace);
  if (!place) return { folders: [], name: path };
  const names = relative(place.folder, path).split(sep);
  const folders = names
    .slice(0, -1)
    .slice(0, MOST_NESTED_LEVELS)
    .map((_, index) => join(place.folder, ...names.slice(0, index + 1)));
  return { folders, name: `${place.prefix}${names.join("/")}` };
}

/** The nested rules files of these folders, in the order for the model. Nothing else is looked at. */
export async function findNestedRules(
  { files, workspace }: Host,
  folders: readonly string[],
  isEnabled: (source: RuleSource) => boolean,
): Promise<RuleLocation[]> {
  const kinds = NESTED_KINDS.filter(({ source }) => isEnabled(source));
  const found = await Promise.all(
    folders.flatMap((folder) => {
      const place = placeOf(join(folder, "x"), workspace);
      if (!place || folder === place.folder) return [];
      return kinds.map(async (kind): Promise<RuleLocation[]> => {
        const stat = await files.stat(join(folder, kind.path)).catch(() => undefined);
        if (!stat || stat.kind === "directory") return [];
        const below = relative(place.folder, folder).split(sep).join("/");
        return [nestedLocation(kind, place, below, await changeOf(files, folder, kind.path, stat.changedAt))];
      });
    }),
  );
  return found.flat();
}

/** The folder of a nested rules file of this name, absolute; undefined: it is none. */
export function nestedFolder(
  name: string,
  paths: readonly string[],
  workspace: Workspace,
): string | undefined {
  if (!NESTED_KINDS.some(({ path }) => path === basename(name))) return undefined;
  const below = `${dirname(name)}/**`;
  const place = projectPlaces(workspace).findLast(({ prefix }) => below.startsWith(prefix));
  if (!place || paths[0] !== below) return undefined;
  return join(place.folder, below.slice(place.prefix.length, -"/**".length));
}

/** The files of the workspace's first folder, for rules. Each list is read once, when it is first needed. */
export class ProjectFiles {
  readonly #host: Host;
  readonly #root: string;
  #all: string[] | undefined;

  constructor(host: Host, root: string) {
    this.#host = host;
    this.#root = root;
  }

  /** The first files of that name, in all folders. */
  named(name: string, signal: AbortSignal): Promise<readonly string[]> {
    return this.#list({ signal, name, limit: LISTED_NESTED });
  }

  /** All files, for rules with path conditions; listing 100,000 takes half a second. */
  async all(signal: AbortSignal): Promise<readonly string[]> {
    this.#all ??= await this.#list({ signal, limit: LISTED_FILES });
    return this.#all;
  }

  /** None if they cannot be listed, so that conditions and nested files have no effect. */
  async #list(options: { signal: AbortSignal; name?: string; limit: number }): Promise<string[]> {
    try {
      return (await this.#host.search.files(this.#root, options)).paths;
    } catch (error) {
      if (error instanceof Interrupt) throw error;
      this.#host.log.error("the files of the workspace could not be listed", error);
      return [];
    }
  }
}

function homePlace({ system }: Host): RulePlace {
  return { folder: system.home, prefix: "~/", toolPrefix: undefined };
}

function projectPlaces({ root, roots }: Workspace): RulePlace[] {
  return roots.map(({ path: folder, name }) =>
    folder === root
      ? { folder, prefix: "", toolPrefix: "" }
      : { folder, prefix: `${name}/`, toolPrefix: `@${name}:/` },
  );
}

/** The innermost folder of the workspace that contains the file. */
function placeOf(path: string, workspace: Workspace): RulePlace | undefined {
  return projectPlaces(workspace)
    .filter(({ folder }) => path.startsWith(folder.endsWith(sep) ? folder : `${folder}${sep}`))
    .sort((a, b) => b.folder.length - a.folder.length)[0];
}

async function findKinds(host: Host, kinds: readonly RuleKind[], place: RulePlace): Promise<RuleLocation[]> {
  const found = await Promise.all(kinds.map((kind) => findKind(host, kind, place)));
  return found.flat();
}

async function findKind(host: Host, kind: RuleKind, place: RulePlace): Promise<RuleLocation[]> {
  const { modes, path } = kind;
  if (!modes) return findAt(host, kind, place, path);
  const entries = await host.files.list(join(place.folder, path)).catch(() => []);
  const folders = entries
    .flatMap(({ name, kind: entry }) => {
      const [, mode] = modes.exec(name) ?? [];
      return mode === undefined || entry === "file" ? [] : [{ name, mode }];
    })
    .sort((a, b) => compare(a.name, b.name))
    .slice(0, MOST_FOLDERS);
  const found = await Promise.all(
    folders.map(async ({ name, mode }) =>
      (await findAt(host, kind, place, `${path}/${name}`)).map((file) => ({ ...file, mode })),
    ),
  );
  return found.flat();
}

/** The file at `path`, or the files of the kind in the folder there. */
async function findAt(
  { files }: Host,
  kind: RuleKind,
  place: RulePlace,
  path: string,
): Promise<RuleLocation[]> {
  const stat = await files.stat(join(place.folder, path)).catch(() => undefined);
  const at = (below: string): RuleLocation => ({
    kind,
    source: kind.source,
    name: `${place.prefix}${below}`,
    path: join(place.folder, below),
    place,
  });
  const { names, isDeep = false } = kind;
  // Includes special files, so that the problem can be reported.
  if (names === undefined) return stat && stat.kind !== "directory" ? [at(path)] : [];
  if (stat?.kind !== "directory") return [];
  const found: string[] = [];
  const folders = [{ path, level: 0 }];
  for (let index = 0; index < Math.min(folders.length, MOST_FOLDERS); index++) {
    const folder = folders[index];
    if (!folder) break;
    for (const entry of await files.list(join(place.folder, folder.path)).catch(() => [])) {
      const below = `${folder.path}/${entry.name}`;
      if (entry.kind !== "directory") {
        if (names.test(entry.name)) found.push(below);
      } else if (isDeep && folder.level < MOST_LEVELS) folders.push({ path: below, level: folder.level + 1 });
    }
  }
  return found.sort(compare).slice(0, MOST_OF_KIND).map(at);
}

/** When a file changed, or if it is a link, the folder that has the link: a new link may lead to an old file. */
async function changeOf(
  files: Host["files"],
  folder: string,
  name: string,
  changedAt: number | undefined,
): Promise<number | undefined> {
  const isLink = await files.readlink(join(folder, name)).then(
    () => true,
    () => false,
  );
  if (!isLink) return changedAt;
  const { changedAt: ofFolder = 0 } = (await files.stat(folder).catch(() => undefined)) ?? {};
  return Math.max(changedAt ?? 0, ofFolder);
}

/** `below`: its folder, relative to the one of the workspace, with `/`. */
function nestedLocation(
  kind: RuleKind,
  place: RulePlace,
  below: string,
  changedAt: number | undefined,
): RuleLocation {
  return {
    kind,
    source: kind.source,
    name: `${place.prefix}${below}/${kind.path}`,
    path: join(place.folder, below, kind.path),
    place,
    below: `${place.prefix}${below}/**`,
    ...(changedAt === undefined ? {} : { changedAt }),
  };
}

const compare = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0);
