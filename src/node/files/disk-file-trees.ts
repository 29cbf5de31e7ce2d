/** The `FileTrees` port on the local disk. */
import type { BigIntStats, Dirent } from "node:fs";
import { lstat, readdir, readFile, readlink, realpath } from "node:fs/promises";
import path from "node:path";
import {
  DEPENDENCY_FOLDERS,
  type FileTrees,
  type Survey,
  type SurveyLimits,
  type Target,
  type TreeEntry,
} from "../../core/ports/file-trees.ts";
import { findHead } from "../git/find-repository.ts";
import { realTarget } from "./disk-files.ts";

/** Folders that are read in parallel. */
const WIDTH = 16;

const isWindows = process.platform === "win32";
const separator = isWindows ? /[\\/]/ : "/";

export const nodeFileTrees: FileTrees = {
  async survey(targets, { roots, limits, ...how }) {
    const realRoots = await Promise.all(roots.map((root) => realpath(root)));
    const walk = new Walk(realRoots, how, limits);
    for (const target of targets) await walk.target(target);
    return walk.finish();
  },

  async read(entry, limit) {
    if (entry.kind === "directory") return { kind: "directory", bytes: new Uint8Array(), ...modeOf(entry) };
    if (entry.kind === "other" || entry.size > limit) return undefined;
    try {
      const bytes =
        entry.kind === "link"
          ? await readlink(entry.path, { encoding: "buffer" })
          : await readFile(entry.path);
      if (bytes.length > limit) return undefined;
      return { kind: entry.kind, bytes, ...modeOf(entry) };
    } catch {
      // Missing, not accessible or changed in kind: it counts as not backed up.
      return undefined;
    }
  },

  head: findHead,
};

function modeOf({ kind, mode }: TreeEntry): { mode?: number } {
  return mode === undefined || kind === "link" ? {} : { mode };
}

interface PendingFolder {
  folder: string;
  light: boolean;
}

class Walk {
  readonly #roots: readonly string[];
  readonly #how: { git: boolean; follow: boolean };
  readonly #limits: SurveyLimits;
  readonly #until: number;
  readonly #entries = new Map<string, TreeEntry>();
  readonly #entered = new Set<string>();
  readonly #targets: Target[] = [];
  readonly #outside = new Set<string>();
  readonly #first: PendingFolder[] = [];
  /** Folders to read after all others. */
  readonly #last: PendingFolder[] = [];

  constructor(roots: readonly string[], how: { git: boolean; follow: boolean }, limits: SurveyLimits) {
    this.#roots = roots;
    this.#how = how;
    this.#limits = limits;
    this.#until = performance.now() + limits.time;
  }

  async target(target: Target): Promise<void> {
    const { receives, ...rest } = target;
    if (target.glob) {
      const pattern = await grounded(target.path);
      this.#targets.push({ ...rest, path: pattern });
      for (const found of await expand(pattern)) await this.#place(found, target);
      return;
    }
    const place = await this.#place(target.path, target);
    if (place) this.#targets.push({ ...rest, ...place });
  }

  /** The target's path for a second survey; undefined: it is outside. */
  async #place(named: string, target: Target): Promise<{ path: string; receives?: boolean } | undefined> {
    const file = await located(named);
    const entry = await stats(file);
    const isInside = this.#isInside(file);
    if (!isInside && entry) this.#outside.add(named);
    if (isInside && entry) await this.#enter(file, entry, target);
    if (this.#how.follow && entry?.isSymbolicLink()) await this.#placeLinked(file, target);
    if (!isInside) return undefined;
    if (!entry) return { path: await outermostMissing(file) };
    return { path: file, ...(target.receives && entry.isDirectory() ? { receives: true } : {}) };
  }

  /** Writing through a link changes what it points to. */
  async #placeLinked(link: string, target: Target): Promise<void> {
    const file = await realTarget(link).catch(() => undefined);
    if (file === undefined || file === link) return;
    const entry = await stats(file);
    if (entry && this.#isInside(file)) {
      await this.#enter(file, entry, target);
      this.#targets.push({ path: file, ...(target.receives ? { receives: true } : {}) });
    } else if (entry?.isFile()) this.#outside.add(file);
  }

  #isInside(file: string): boolean {
    return this.#roots.some(
      (root) => file === root || file.startsWith(root.endsWith(path.sep) ? root : root + path.sep),
    );
  }

  async #enter(file: string, found: BigIntStats, { receives, light = false }: Target): Promise<void> {
    this.#add(file, found);
    if (!found.isDirectory() || receives) return;
    this.#first.push({ folder: file, light });
    await this.#run(this.#first);
  }

  async finish(): Promise<Survey> {
    await this.#run(this.#last);
    const entries = [...this.#entries.values()];
    const cut = [...this.#first, ...this.#last].map(({ folder }) => folder);
    return { entries, targets: this.#targets, cut, outside: [...this.#outside] };
  }

  get #isFull(): boolean {
    return this.#entries.size >= this.#limits.entries || performance.now() > this.#until;
  }

  async #run(waiting: PendingFolder[]): Promise<void> {
    while (waiting.length > 0 && !this.#isFull) {
      await Promise.all(waiting.splice(0, WIDTH).map((each) => this.#read(each, waiting)));
    }
  }

  async #read({ folder, light }: PendingFolder, waiting: PendingFolder[]): Promise<void> {
    if (this.#entered.has(folder)) return;
    this.#entered.add(folder);
    let names: Dirent[];
    try {
      names = await readdir(folder, { withFileTypes: true });
    } catch {
      // Not accessible or missing.
      return;
    }
    for (const entry of names) {
      if (this.#entries.size >= this.#limits.entries) {
        this.#entered.delete(folder);
        waiting.push({ folder, light });
        return;
      }
      const file = path.join(folder, entry.name);
      const isDependency = entry.isDirectory() && DEPENDENCY_FOLDERS.has(entry.name);
      if (light && isDependency) continue;
      const isGit = entry.name === ".git";
      if (isGit && this.#how.git && this.#roots.includes(folder)) continue;
      const found = await stats(file);
      if (!found) continue;
      this.#add(file, found);
      if (!found.isDirectory()) continue;
      if (isDependency || (isGit && waiting === this.#first)) this.#last.push({ folder: file, light });
      else waiting.push({ folder: file, light });
    }
  }

  #add(file: string, stats: BigIntStats): void {
    const isFile = stats.isFile();
    const mode = isWindows ? undefined : Number(stats.mode & 0o7777n);
    const executable = mode !== undefined && (mode & 0o100) !== 0;
    const kind = isFile
      ? executable
        ? "executable"
        : "file"
      : stats.isSymbolicLink()
        ? "link"
        : stats.isDirectory()
          ? "directory"
          : "other";
    this.#entries.set(file, {
      path: file,
      kind,
      size: isFile ? Number(stats.size) : 0,
      ...(mode === undefined ? {} : { mode }),
      stamp: `${stats.ino}-${stats.size}-${stats.mtimeNs}-${stats.ctimeNs}-${stats.mode}`,
      changed: Math.max(Number(stats.mtimeMs), Number(stats.ctimeMs)),
      born: Number(stats.birthtimeMs > 0n ? stats.birthtimeMs : stats.ctimeMs),
      id: `${stats.dev}-${stats.ino}`,
    });
  }
}

function stats(file: string): Promise<BigIntStats | undefined> {
  return lstat(file, { bigint: true }).catch(() => undefined);
}

/** The path with all links of its folder resolved. */
async function located(file: string): Promise<string> {
  const folder = path.dirname(file);
  return folder === file ? file : path.join(await realTarget(folder), path.basename(file));
}

/** The outermost missing folder of a path, because creating the path creates it too. */
async function outermostMissing(file: string): Promise<string> {
  let missing = file;
  for (let folder = path.dirname(file); !(await stats(folder)); folder = path.dirname(folder))
    missing = folder;
  return missing;
}

/** Resolves the links before the pattern's first wildcard, so that it matches the same files if those links change. */
async function grounded(pattern: string): Promise<string> {
  const { root } = path.parse(pattern);
  const segments = pattern.slice(root.length).split(separator);
  const first = segments.findIndex(
    (segment) => typeof segmentPattern(segment) !== "string" || segment.includes("*"),
  );
  const folder = segments.slice(0, Math.max(0, first)).map((segment) => segment.replace(/\\(.)/gs, "$1"));
  const real = await realTarget(path.join(root, ...folder)).catch(() => undefined);
  if (real === undefined || first < 0) return pattern;
  const quoted = isWindows ? real : real.replace(/[\\*?[\]]/g, "\\$&");
  return [quoted, ...segments.slice(first)].join(path.sep);
}

/** Paths that the pattern may match. Includes more than the shell's expansion where that depends on shell options. */
async function expand(pattern: string): Promise<string[]> {
  const { root } = path.parse(pattern);
  let places = [root];
  for (const segment of pattern.slice(root.length).split(separator)) {
    const matches = segmentPattern(segment);
    if (matches === "everything") return places;
    const next: string[] = [];
    for (const place of places) {
      if (typeof matches === "string") next.push(path.join(place, matches.slice(1)));
      else {
        const names = await readdir(place).catch(() => []);
        next.push(...names.filter((name) => matches.test(name)).map((name) => path.join(place, name)));
      }
    }
    places = next;
  }
  return places;
}

/**
 * A plain name after a slash, a RegExp for the segment's wildcards, or "everything" below the folder if the pattern's syntax
 * is not supported. `.git` matches only if the segment begins with a dot.
 */
function segmentPattern(segment: string): RegExp | `/${string}` | "everything" {
  if (/\*\*|[!@+?*]\(|\|/.test(segment)) return "everything";
  let source = segment.startsWith(".") ? "^" : "^(?!\\.git$)";
  let isPlain = true;
  let plain = "";
  for (let at = 0; at < segment.length; at++) {
    const c = segment.charAt(at);
    if (c === "\\") {
      at++;
      plain += segment.charAt(at);
      source += literal(segment.charAt(at));
    } else if (c === "*" || c === "?") {
      isPlain = false;
      source += c === "*" ? "[\\s\\S]*" : "[\\s\\S]{1,2}";
    } else if (c === "[") {
      const end = segment.indexOf("]", at + 2);
      if (end < 0) {
        plain += c;
        source += literal(c);
        continue;
      }
      isPlain = false;
      // Bracket expressions have many forms; this one matches any character.
      source += "[\\s\\S]{1,2}";
      at = end;
      while (segment.charAt(at + 1) === "]") at++;
    } else {
      plain += c;
      source += literal(c);
    }
  }
  // A shell, or a file system, may not distinguish case.
  return isPlain ? `/${plain}` : new RegExp(`${source}$`, "i");
}

function literal(c: string): string {
  return c.replace(/[\\^$.*+?()[\]{}|/-]/, "\\$&");
}
