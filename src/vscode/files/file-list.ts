/**
 * The workspace's files and folders in memory, with fuzzy search. A query over 100,000 paths takes a few milliseconds:
 * a cheap pass over all of them leaves some hundreds, which fzf ranks.
 */
import { Fzf } from "fzf";
import type { FileHit } from "../../shared/protocol.ts";

interface Entry {
  /** With `/`; a folder's ends in `/`. */
  path: string;
  lower: string;
  /** One bit for each kind of character in the path. */
  mask: number;
  /** Index at which the last name begins. */
  name: number;
}

/** Maximum number of candidates from the cheap pass that are ranked. */
const RANKED = 600;

export class FileList {
  readonly #entries: Entry[] = [];
  readonly #index = new Map<string, number>();
  /** Files below each folder, at any depth. */
  readonly #below = new Map<string, number>();
  /** The last query and its matches, until the list changes. */
  #last: { wanted: string; tiers: readonly (readonly Entry[])[] } | undefined;

  get fileCount(): number {
    return this.#entries.length - this.#below.size;
  }

  has(path: string): boolean {
    return this.#index.has(path);
  }

  hasFolder(path: string): boolean {
    return this.#below.has(path.endsWith("/") ? path : `${path}/`);
  }

  add(path: string): void {
    if (this.#index.has(path)) return;
    this.#insert(path);
    for (const folder of foldersOf(path)) {
      const count = this.#below.get(folder) ?? 0;
      if (count === 0) this.#insert(folder);
      this.#below.set(folder, count + 1);
    }
  }

  delete(path: string): void {
    if (!this.#index.has(path)) return;
    this.#remove(path);
    for (const folder of foldersOf(path)) {
      const count = (this.#below.get(folder) ?? 1) - 1;
      if (count > 0) this.#below.set(folder, count);
      else {
        this.#below.delete(folder);
        this.#remove(folder);
      }
    }
  }

  /** A file, or a folder with everything in it. */
  deleteTree(path: string): void {
    if (this.#index.has(path)) this.delete(path);
    const prefix = `${path}/`;
    if (!this.#below.has(prefix)) return;
    const files = this.#entries.filter((entry) => entry.path.startsWith(prefix) && !entry.path.endsWith("/"));
    for (const { path: file } of files) this.delete(file);
  }

  /** Replaces the list with exactly `paths`. */
  replace(paths: readonly string[]): void {
    const wanted = new Set(paths);
    const gone = this.#entries.filter(({ path }) => !path.endsWith("/") && !wanted.has(path));
    for (const { path } of gone) this.delete(path);
    for (const path of paths) this.add(path);
  }

  /** The best matches of `query`, best first; `first` (open files) that match well precede the rest. */
  find(query: string, limit: number, first: readonly string[] = [], kind?: FileHit["kind"]): FileHit[] {
    const wanted = query.toLowerCase().replace(/\s+/g, "");
    if (wanted === "") return this.#unfiltered(limit, first, kind);
    const candidates = this.#candidates(wanted, kind);
    const fzf = new Fzf(candidates, {
      selector: (entry: Entry) => entry.path,
      casing: "case-insensitive",
      fuzzy: "v2",
      limit: RANKED,
      tiebreakers: [(a, b) => a.item.path.length - b.item.path.length],
    });
    const hits = fzf.find(wanted).map(({ item, positions }) => ({ item, positions: [...positions] }));
    const rank = new Map(first.map((path, index) => [path, index]));
    const isFirst = (entry: Entry) => rank.has(entry.path) && tierOf(entry, wanted) !== 3;
    const ahead = hits.filter(({ item }) => isFirst(item));
    ahead.sort((a, b) => (rank.get(a.item.path) ?? 0) - (rank.get(b.item.path) ?? 0));
    // A contiguous match in the name ranks first, whatever its score.
    const rest = hits.filter(({ item }) => !isFirst(item));
    const named = rest.filter(({ item }) => tierOf(item, wanted) === 0);
    const others = rest.filter(({ item }) => tierOf(item, wanted) !== 0);
    return [...ahead, ...named, ...others].slice(0, limit).map(({ item, positions }) => ({
      path: item.path,
      kind: kindOf(item.path),
      positions: positions.sort((a, b) => a - b),
    }));
  }

  #candidates(wanted: string, kind: FileHit["kind"] | undefined): Entry[] {
    const chosen: Entry[] = [];
    for (const all of this.#matching(wanted)) {
      const tier = kind === undefined ? all : all.filter(({ path }) => kindOf(path) === kind);
      const room = RANKED - chosen.length;
      if (room <= 0) break;
      chosen.push(...(tier.length <= room ? tier : shortest(tier, room)));
    }
    return chosen;
  }

  /** Every entry that has the query's characters in order, by tier. A longer query matches only a subset. */
  #matching(wanted: string): readonly (readonly Entry[])[] {
    const known = this.#last && wanted.startsWith(this.#last.wanted) ? this.#last : undefined;
    if (known?.wanted === wanted) return known.tiers;
    const mask = maskOf(wanted);
    const tiers: Entry[][] = [[], [], [], []];
    for (const entries of known?.tiers ?? [this.#entries]) {
      for (const entry of entries) {
        if ((entry.mask & mask) !== mask) continue;
        const tier = tierOf(entry, wanted);
        if (tier !== undefined) tiers[tier]?.push(entry);
      }
    }
    this.#last = { wanted, tiers };
    return tiers;
  }

  #unfiltered(limit: number, first: readonly string[], kind: FileHit["kind"] | undefined): FileHit[] {
    const fits = (path: string) => kind === undefined || kindOf(path) === kind;
    const ahead = first.filter((path) => this.#index.has(path) && fits(path)).slice(0, limit);
    const recent = new Set(ahead);
    const paths = [...ahead];
    for (let depth = 0; paths.length < limit && depth < 4; depth++) {
      const level = this.#entries
        .filter(({ path }) => depthOf(path) === depth && !recent.has(path) && fits(path))
        .map(({ path }) => path)
        .sort();
      paths.push(...level.slice(0, limit - paths.length));
    }
    return paths.map((path) => ({
      path,
      kind: kindOf(path),
      positions: [],
      ...(recent.has(path) ? { recent: true } : {}),
    }));
  }

  #insert(path: string): void {
    this.#last = undefined;
    const lower = path.toLowerCase();
    const name = path.lastIndexOf("/", path.length - 2) + 1;
    this.#index.set(path, this.#entries.length);
    this.#entries.push({ path, lower, mask: maskOf(lower), name });
  }

  /** The last entry takes the place of the removed one. */
  #remove(path: string): void {
    this.#last = undefined;
    const at = this.#index.get(path);
    const last = this.#entries.pop();
    this.#index.delete(path);
    if (at === undefined || !last || last.path === path) return;
    this.#entries[at] = last;
    this.#index.set(last.path, at);
  }
}

function foldersOf(path: string): string[] {
  const folders: string[] = [];
  for (let at = path.indexOf("/"); at !== -1; at = path.indexOf("/", at + 1))
    folders.push(path.slice(0, at + 1));
  return folders;
}

function kindOf(path: string): FileHit["kind"] {
  return path.endsWith("/") ? "folder" : "file";
}

function depthOf(path: string): number {
  let depth = 0;
  for (let at = path.indexOf("/"); at !== -1 && at < path.length - 1; at = path.indexOf("/", at + 1))
    depth += 1;
  return depth;
}

function maskOf(lower: string): number {
  let mask = 0;
  for (let at = 0; at < lower.length; at++) mask |= 1 << (lower.charCodeAt(at) & 31);
  return mask;
}

/** `indexOf` is native and faster than a loop over the characters. */
function isSubsequence(wanted: string, text: string, from: number): boolean {
  let at = from;
  for (let index = 0; index < wanted.length; index++) {
    at = text.indexOf(wanted.charAt(index), at) + 1;
    if (at === 0) return false;
  }
  return true;
}

/** 0: contiguous in the name, 1: in the name, 2: contiguous in the path, 3: in the path; undefined: no match. */
function tierOf({ lower, name }: Entry, wanted: string): 0 | 1 | 2 | 3 | undefined {
  if (lower.indexOf(wanted, name) !== -1) return 0;
  if (wanted.length > 1 && isSubsequence(wanted, lower, name)) return 1;
  if (lower.includes(wanted)) return 2;
  return wanted.length > 1 && isSubsequence(wanted, lower, 0) ? 3 : undefined;
}

/** The `count` entries with the shortest paths, in no order, in linear time. */
function shortest(entries: readonly Entry[], count: number): Entry[] {
  const byLength: Entry[][] = [];
  for (const entry of entries) {
    const length = Math.min(entry.path.length, 511);
    const bucket = byLength[length] ?? [];
    byLength[length] = bucket;
    bucket.push(entry);
  }
  const chosen: Entry[] = [];
  for (const bucket of byLength) {
    if (!bucket) continue;
    for (const entry of bucket) {
      if (chosen.length === count) return chosen;
      chosen.push(entry);
    }
  }
  return chosen;
}
