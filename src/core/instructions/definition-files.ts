/**
 * Reads folders of Markdown files with front matter, each of which defines something: a skill, a command, an agent; and single files
 * that define several. Whatever a repository contains, the cost is bounded, no file outside its folder is read, and a file that cannot be
 * used has a reason.
 */
import { basename, dirname, join, relative, sep } from "node:path";
import type { DefinitionFault } from "../../shared/definition-list.ts";
import type { DefinitionScope, DefinitionSource } from "../../shared/definition-origin.ts";
import { type Reason, reasonOf } from "../../shared/reason.ts";
import { Interrupt } from "../errors.ts";
import { type DefinitionFolder, SKILL_FILE } from "../instruction-kinds.ts";
import type { Host } from "../ports/host.ts";
import type { PluginOrigin } from "../ports/plugins.ts";
import { isInside } from "../roots.ts";
import { secretName } from "../safety/paths/secret-names.ts";
import { hiddenCharacter } from "../safety/shells/hidden-characters.ts";
import { IgnoredFiles } from "./ignored-files.ts";
import { MAX_SIZE, readInstructionFile } from "./instruction-file.ts";
import { foldersAbove } from "./repository-folders.ts";

/** Levels of folders in a definition folder. */
const MOST_LEVELS = 5;
/** Folders that are looked into, in all definition folders of one kind. */
const MOST_FOLDERS = 2_000;
/** Files of one kind. */
const MOST_FILES = 1_000;
/** Folders of this name, and those whose names begin with a period, contain no definitions. */
const SKIPPED = new Set(["node_modules"]);

/** A file that exists, and its text. */
export interface DefinitionFile {
  source: DefinitionSource;
  scope: DefinitionScope;
  /** For the user: relative to the workspace, or with `~`. No two files have the same. */
  name: string;
  /** Absolute. */
  path: string;
  /** Its folder, absolute, with all links resolved. */
  folder: string;
  /** The folder that contains its real path. Absolute. */
  within: string;
  /** The names from the definition folder down to the file. */
  below: readonly string[];
  /** The plugin that it is from. */
  plugin?: PluginOrigin;
  content: DefinitionText | DefinitionUnread;
}

export interface DefinitionText {
  text: string;
}

/** Why there is no text. `untrusted`: nothing of an untrusted workspace is read. */
export interface DefinitionUnread {
  fault: DefinitionFault | "untrusted";
  why?: Reason;
}

/** Where a definition folder may be. */
interface DefinitionPlace extends DefinitionFolder {
  /** For the user. */
  name: string;
  /** The folder of the project that it must not lead out of. */
  parent: string | undefined;
  isRead: boolean;
}

/** What finding the folders takes. */
type FolderHost = Pick<Host, "files" | "git" | "log" | "system" | "workspace">;

/** A definition folder that exists here. */
interface DefinitionRoot extends DefinitionPlace {
  /** `path` with all links resolved. */
  real: string;
  /** The folder that must contain the real path of each file. */
  within: string;
}

type Located = Omit<DefinitionFile, "content"> & {
  /** It or a folder above it is a link, so that its real path has to be judged. */
  isLinked: boolean;
  isRead: boolean;
  /** Known already. */
  text?: string;
  fault?: DefinitionUnread;
};

/**
 * The files of these folders, those of a folder sorted by their names, then those of plugins. `untrusted`: in an untrusted workspace, the
 * project's files are listed without their texts; otherwise they are left out. `inPlugins`: which files of plugins; default: none.
 */
export async function readDefinitions(
  host: Host,
  folders: readonly DefinitionFolder[],
  { untrusted = false, inPlugins }: DefinitionReading = {},
): Promise<DefinitionFile[]> {
  const roots = await definitionRoots(host, folders, untrusted);
  const counts = { folders: 0, files: 0 };
  const located = new Map<string, Located>();
  // The same file by another way, through a link, counts once.
  for (const root of roots)
    for (const file of await locate(host, root, counts))
      if (!located.has(file.path)) located.set(file.path, file);
  if (counts.folders >= MOST_FOLDERS || counts.files >= MOST_FILES)
    host.log.info(
      `more than ${MOST_FILES} files or ${MOST_FOLDERS} folders define something; the others are ignored`,
    );
  return readAll(host, [...located.values(), ...(inPlugins ? await locateInPlugins(host, inPlugins) : [])]);
}

export interface DefinitionReading {
  untrusted?: boolean;
  inPlugins?: "skills" | "commands" | "agents";
}

/** Which files these are was decided when the plugin was installed, and none of them is a link. */
async function locateInPlugins(
  { plugins }: Pick<Host, "plugins">,
  kind: NonNullable<DefinitionReading["inPlugins"]>,
): Promise<Located[]> {
  return ((await plugins?.active()) ?? []).flatMap((plugin) =>
    plugin[kind].map((file) => {
      const path = join(plugin.root, file);
      return {
        ...({ source: "plugin", scope: "plugin", name: `${plugin.name}:${file}`, path } as const),
        ...{ folder: dirname(path), within: plugin.root, below: file.split("/"), plugin },
        ...{ isLinked: false, isRead: true },
      };
    }),
  );
}

/** The real paths of the definition folders whose files may be used: those of the user, and of a trusted project. */
export async function definitionFolders(
  host: FolderHost,
  folders: readonly DefinitionFolder[],
): Promise<string[]> {
  return (await definitionRoots(host, folders, false)).map(({ real }) => real);
}

async function definitionRoots(
  host: FolderHost,
  folders: readonly DefinitionFolder[],
  untrusted: boolean,
): Promise<DefinitionRoot[]> {
  const { files, system, workspace } = host;
  const inProject = workspace.trusted || untrusted ? await projectFolders(host, folders) : [];
  const places = folders.flatMap((folder): DefinitionPlace[] => {
    const { scope, path } = folder;
    const at = { ...folder, isRead: scope !== "project" || workspace.trusted, parent: undefined };
    if (scope === "system") return system.platform === "win32" ? [] : [{ ...at, name: path }];
    if (scope === "user") return [{ ...at, name: `~/${path}`, path: join(system.home, path) }];
    return inProject.map((folder) => ({
      ...at,
      name: `${folder.prefix}${path}`,
      path: join(folder.path, path),
      parent: folder.path,
    }));
  });
  const found = await Promise.all(
    places.map(async (place): Promise<DefinitionRoot[]> => {
      try {
        // A file is read by its own path, so that a link is judged and reported.
        const real = await files.realpath(place.ending === "" ? dirname(place.path) : place.path);
        // The user may keep a folder of theirs anywhere. A project's must not lead out of it.
        const within = place.parent === undefined ? real : await files.realpath(place.parent);
        return isInside(within, real) ? [{ ...place, real, within }] : [];
      } catch (error) {
        if (error instanceof Interrupt) throw error;
        // There is no such folder.
        return [];
      }
    }),
  );
  const seen = new Set<string>();
  return found.flat().filter(({ real, ending, path }) => {
    // The home folder may be the project, and one folder may be a link to another. One folder may have several of these files.
    const key = `${ending === "" ? basename(path) : ending} ${real}`;
    return !seen.has(key) && seen.add(key);
  });
}

/** The workspace's folders, the first one with those above it in its repository that have one of these folders. */
async function projectFolders(
  host: FolderHost,
  folders: readonly DefinitionFolder[],
): Promise<{ path: string; prefix: string }[]> {
  const { root, roots } = host.workspace;
  const own = roots.map(({ path, name }) => ({ path, prefix: path === root ? "" : `${name}/` }));
  if (root === undefined || !host.workspace.trusted) return own;
  const names = folders.flatMap(({ scope, path }) => (scope === "project" ? [path] : []));
  const above = await foldersAbove(host, root, names);
  return [...own, ...above.map(({ path, levels }) => ({ path, prefix: "../".repeat(levels) }))];
}

/** What was looked into so far, in all definition folders of one kind. */
interface Counts {
  folders: number;
  files: number;
}

/** The files of one definition folder. */
async function locate(host: Host, root: DefinitionRoot, counts: Counts): Promise<Located[]> {
  if (root.ending === "") return (await existsIn(host, root)) ? [fileOf(root)] : [];
  const locator = new Locator(host, root, counts);
  await locator.visit(root.real, [], false);
  return locator.found.sort((a, b) => (a.name < b.name ? -1 : 1));
}

async function existsIn({ files }: Host, { real, path }: DefinitionRoot): Promise<boolean> {
  const entries = await files.list(real).catch(() => []);
  return entries.some(({ name, kind }) => name === basename(path) && kind !== "directory");
}

/** A definition folder that is a file. */
function fileOf(root: DefinitionRoot): Located {
  const { source, scope, name, within, isRead, real, path } = root;
  const below = [basename(path)];
  return {
    ...{ source, scope, name, within, below, isRead },
    path: join(real, ...below),
    folder: real,
    isLinked: true,
  };
}

class Locator {
  readonly found: Located[] = [];
  readonly #host: Host;
  readonly #root: DefinitionRoot;
  readonly #counts: Counts;
  /** Each folder has one file, of that name. */
  readonly #isWholeName: boolean;

  constructor(host: Host, root: DefinitionRoot, counts: Counts) {
    this.#host = host;
    this.#root = root;
    this.#counts = counts;
    this.#isWholeName = !root.ending.startsWith(".");
  }

  /** `real`: a folder by its real path. `isLinked`: a link led to it. */
  async visit(real: string, below: readonly string[], isLinked: boolean): Promise<void> {
    if (this.#counts.folders++ >= MOST_FOLDERS) return;
    const entries = await this.#host.files.list(real).catch(() => []);
    entries.sort((a, b) => (a.name < b.name ? -1 : 1));
    const files = entries.filter(({ name, kind }) => kind !== "directory" && this.#isFile(name, below));
    for (const { name, kind } of files) this.#add(real, [...below, name], isLinked || kind === "other");
    // What a skill's folder contains belongs to the skill.
    const isDone = this.#isWholeName && files.length > 0;
    if (isDone || !this.#root.isDeep || below.length >= MOST_LEVELS) return;
    const others = entries.filter((entry) => !files.includes(entry) && isVisited(entry.name));
    const named = (kind: string) => others.filter((entry) => entry.kind === kind).map(({ name }) => name);
    await this.#visitFolders(real, named("directory"), below, isLinked);
    await this.#visitLinks(real, named("other"), below);
  }

  #isFile(name: string, below: readonly string[]): boolean {
    const { ending } = this.#root;
    if (this.#isWholeName) return name === ending && below.length > 0;
    return name.endsWith(ending) && !name.startsWith(".");
  }

  /** Most folders have the file of that name, so that they need not be listed. */
  async #visitFolders(
    real: string,
    names: readonly string[],
    below: readonly string[],
    isLinked: boolean,
  ): Promise<void> {
    const { ending, isRead } = this.#root;
    const inEach = names.map((name) => join(real, name, ending));
    const isKnown = this.#isWholeName && isRead && !isLinked;
    const texts = isKnown ? await this.#host.files.readSmall(inEach, MAX_SIZE) : [];
    for (const [index, name] of names.entries()) {
      const text = texts[index];
      if (text !== undefined) this.#add(join(real, name), [...below, name, ending], false, { text });
      else await this.visit(join(real, name), [...below, name], isLinked);
    }
  }

  async #visitLinks(real: string, names: readonly string[], below: readonly string[]): Promise<void> {
    for (const name of names) {
      const target = await linkedFolder(this.#host, this.#root, join(real, name));
      const isSkill = this.#isWholeName && below.length === 0;
      if (target !== undefined && target !== "elsewhere") await this.visit(target, [...below, name], true);
      else if (target !== undefined && isSkill)
        this.#add(join(real, name), [name, this.#root.ending], true, { fault: { fault: target } });
    }
  }

  #add(folder: string, below: readonly string[], isLinked: boolean, more: Partial<Located> = {}): void {
    if (this.#counts.files++ >= MOST_FILES) return;
    this.found.push({ ...locatedAt(this.#root, folder, below, isLinked), ...more });
  }
}

function isVisited(name: string): boolean {
  return !SKIPPED.has(name) && !name.startsWith(".");
}

/** The real path of a link to a folder; undefined: it leads to a file, to nothing, or back to a folder above itself. */
async function linkedFolder(
  { files, system }: Host,
  { within, scope }: DefinitionRoot,
  path: string,
): Promise<string | undefined> {
  try {
    const real = await files.realpath(path);
    if (isInside(real, path) || (await files.stat(real))?.kind !== "directory") return undefined;
    if (isInside(within, real)) return real;
    // Managers of skills link folders of the user to one another.
    const isOfUser = scope === "user" && isInside(await files.realpath(system.home), real);
    return isOfUser ? real : "elsewhere";
  } catch {
    // The link is broken.
    return undefined;
  }
}

function locatedAt(
  { source, scope, name, within, isRead }: DefinitionRoot,
  folder: string,
  below: readonly string[],
  isLinked: boolean,
): Located {
  return {
    source,
    scope,
    name: [name, ...below].join("/"),
    path: join(folder, below.at(-1) ?? ""),
    folder,
    within: isInside(within, folder) ? within : folder,
    below,
    isLinked,
    isRead,
  };
}

/** Reads plain files in one go, and judges the real path of each link. */
async function readAll(host: Host, located: readonly Located[]): Promise<DefinitionFile[]> {
  const ignored = await new IgnoredFiles(host).rules();
  const plain = located.filter(({ isRead, isLinked, text }) => isRead && !isLinked && text === undefined);
  const texts = await host.files.readSmall(
    plain.map(({ path }) => path),
    MAX_SIZE,
  );
  for (const [index, file] of plain.entries()) {
    const text = texts[index];
    if (text !== undefined) file.text = text;
  }
  const read: DefinitionFile[] = [];
  for (const file of located) read.push({ ...file, content: await contentOf(host, file, ignored) });
  return read;
}

async function contentOf(
  host: Host,
  file: Located,
  ignored: Awaited<ReturnType<IgnoredFiles["rules"]>>,
): Promise<DefinitionFile["content"]> {
  const { isRead, fault, text, path, within } = file;
  if (!isRead) return { fault: "untrusted" };
  const refused = fault ?? unusable(file, ignored);
  if (refused) return refused;
  // Another encoding, a link, a large file: read with all checks, which say what is wrong.
  return text === undefined || text.includes("\0") ? readInstructionFile(host, path, within) : { text };
}

/** Names of folders that are no secrets. */
const PLAIN_NAME = /^[A-Za-z0-9-]+$/;

function unusable(
  { below, path, within }: Located,
  ignored: Awaited<ReturnType<IgnoredFiles["rules"]>>,
): DefinitionUnread | undefined {
  const inside = below.join("/");
  const hidden = hiddenCharacter(inside) ?? (/[\t\n]/.test(inside) ? "U+0009, U+000A" : undefined);
  if (hidden !== undefined) return { fault: "hidden-name", why: reasonOf("hidden-character", hidden) };
  const isPlain = below.every((name) => name === SKILL_FILE || PLAIN_NAME.test(name));
  if (!isPlain && secretName(inside) !== undefined) return { fault: "secret" };
  if (!ignored) return undefined;
  return ignored(relative(within, path).split(sep).join("/"), within) ? { fault: "ignored" } : undefined;
}
