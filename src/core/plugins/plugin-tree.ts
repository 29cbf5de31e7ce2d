/**
 * The files of a plugin in memory, as they are reviewed, hashed and installed. Names are checked and links are resolved here, by the
 * names alone, so that no link is ever followed on a disk.
 */
import { posix } from "node:path";
import type { PluginProblem } from "../../shared/plugin-list.ts";
import { sha256 } from "../bytes.ts";
import { hiddenCharacter } from "../safety/shells/hidden-characters.ts";
import { PluginError } from "./plugin-error.ts";

export const MOST_FILES = 2_000;
/** Bytes of the largest file, and of all files together. */
export const LARGEST_PLUGIN_FILE = 10 * 1024 * 1024;
export const LARGEST_PLUGIN = 50 * 1024 * 1024;
const LONGEST_PATH = 300;
const MOST_LEVELS = 20;
const MOST_LINKS = 40;
/** Names that Windows gives to devices, whatever their ending. */
const DEVICE = /^(?:con|nul|aux|prn|com\d|lpt\d)(?:\.|$)/i;

/** Something in the source of a plugin. Paths are relative to the plugin, with `/`. */
export type PluginEntry =
  | { kind: "file"; path: string; bytes: Uint8Array; isExecutable: boolean }
  | { kind: "link"; path: string; target: string };

export interface PluginFile {
  bytes: Uint8Array;
  isExecutable: boolean;
}

export interface PluginTree {
  /** By path, sorted. There are no links. */
  files: ReadonlyMap<string, PluginFile>;
  problems: PluginProblem[];
}

/** What is recorded about an installed file. */
export interface FileRecord {
  hash: string;
  isExecutable: boolean;
}

/** Throws PluginError for a name that cannot be used everywhere, a link that leaves the plugin, and a plugin that is too large. */
export function treeOf(entries: readonly PluginEntry[]): PluginTree {
  const problems: PluginProblem[] = [];
  const kept = entries.filter(({ path }) => isPackaged(path, problems));
  for (const { path } of kept) if (!isUsablePath(path)) throw new PluginError("path-invalid", path);
  const byPath = new Map(kept.map((entry) => [entry.path, entry]));
  const files = new Map<string, PluginFile>();
  const add = (path: string, { bytes, isExecutable }: PluginFile) => {
    if (!isUsablePath(path)) throw new PluginError("path-invalid", path);
    files.set(path, { bytes, isExecutable });
    if (files.size > MOST_FILES) throw new PluginError("too-many-files", String(MOST_FILES));
  };
  for (const entry of kept) {
    if (entry.kind === "file") add(entry.path, entry);
    else if (!copyTarget(entry.path, byPath, add))
      problems.push({ code: "link-useless", values: [entry.path] });
  }
  checkSizes(files);
  checkCase(files);
  const sorted = [...files].sort(([a], [b]) => (a < b ? -1 : 1));
  return { files: new Map(sorted), problems };
}

/** The folder of a repository is not part of a plugin. */
function isPackaged(path: string, problems: PluginProblem[]): boolean {
  const parts = path.split("/");
  const at = parts.findIndex((part) => part.toLowerCase() === ".git");
  const folder = parts.slice(0, at + 1).join("/");
  if (at > 0 && !problems.some(({ values }) => values[0] === folder))
    problems.push({ code: "git-folder", values: [folder] });
  return at < 0;
}

/** Whether the path can be used on every system, and stays below the folder that it is relative to. */
export function isUsablePath(path: string): boolean {
  const parts = path.split("/");
  return path.length <= LONGEST_PATH && parts.length <= MOST_LEVELS && parts.every(isUsableName);
}

function isUsableName(name: string): boolean {
  if (name === "" || name === "." || name === ".." || /[\\:\t\n]/.test(name)) return false;
  // An object with such a key is not read back as it was written.
  if (name === "__proto__") return false;
  return !/[. ]$/.test(name) && !DEVICE.test(name) && hiddenCharacter(name) === undefined;
}

/** Adds what the link leads to under the link's own path. False: it leads to nothing, or to a folder that it is in. */
function copyTarget(
  link: string,
  entries: ReadonlyMap<string, PluginEntry>,
  add: (path: string, file: PluginFile) => void,
): boolean {
  const target = resolvedPath(link, entries);
  if (target === undefined) return false;
  const entry = entries.get(target);
  if (entry?.kind === "file") {
    add(link, entry);
    return true;
  }
  if (target === "" || `${link}/`.startsWith(`${target}/`)) return false;
  let hasFiles = false;
  for (const inside of entries.values()) {
    if (!inside.path.startsWith(`${target}/`)) continue;
    const real = inside.kind === "file" ? inside.path : resolvedPath(inside.path, entries);
    const file = real === undefined ? undefined : entries.get(real);
    if (file?.kind !== "file") continue;
    add(`${link}${inside.path.slice(target.length)}`, file);
    hasFiles = true;
  }
  return hasFiles;
}

/** The path without links; undefined: the links lead in a circle. Throws PluginError if it leaves the plugin. */
function resolvedPath(path: string, entries: ReadonlyMap<string, PluginEntry>): string | undefined {
  const waiting = path.split("/");
  const done: string[] = [];
  for (let links = 0; waiting.length > 0; ) {
    const part = waiting.shift() ?? "";
    if (part === "" || part === ".") continue;
    if (part !== "..") done.push(part);
    else if (done.pop() === undefined) throw new PluginError("link-outside", path);
    const entry = entries.get(done.join("/"));
    if (entry?.kind !== "link") continue;
    if (++links > MOST_LINKS) return undefined;
    if (posix.isAbsolute(entry.target) || /^[A-Za-z]:|\\/.test(entry.target))
      throw new PluginError("link-outside", path, entry.target);
    done.pop();
    waiting.unshift(...entry.target.split("/"));
  }
  return done.join("/");
}

function checkSizes(files: ReadonlyMap<string, PluginFile>): void {
  let size = 0;
  for (const [path, { bytes }] of files) {
    if (bytes.length > LARGEST_PLUGIN_FILE)
      throw new PluginError("file-too-large", path, megabytes(LARGEST_PLUGIN_FILE));
    size += bytes.length;
  }
  if (size > LARGEST_PLUGIN) throw new PluginError("too-large", megabytes(LARGEST_PLUGIN));
}

export function megabytes(bytes: number): string {
  return String(Math.round(bytes / 1024 / 1024));
}

/** On many disks, one of two files whose names differ only in case would replace the other. */
function checkCase(files: ReadonlyMap<string, PluginFile>): void {
  const seen = new Map<string, string>();
  for (const path of files.keys()) {
    const key = path.normalize("NFC").toLowerCase();
    const other = seen.get(key);
    if (other !== undefined) throw new PluginError("names-alike", other, path);
    seen.set(key, path);
  }
}

/** By path. */
export async function recordsOf({ files }: PluginTree): Promise<Record<string, FileRecord>> {
  const records = [...files].map(async ([path, { bytes, isExecutable }]) => {
    return [path, { hash: await sha256(bytes), isExecutable }] as const;
  });
  return Object.fromEntries(await Promise.all(records));
}

/** Names exactly these files. */
export function hashOfFiles(records: Readonly<Record<string, FileRecord>>): Promise<string> {
  const lines = Object.entries(records)
    .map(([path, { hash, isExecutable }]) => JSON.stringify([path, hash, isExecutable]))
    .sort();
  return sha256(new TextEncoder().encode(lines.join("\n")));
}
