/** The `Files` port on the local disk. */

import { isUtf8 } from "node:buffer";
import {
  type BigIntStats,
  closeSync,
  constants,
  type Dirent,
  lstatSync,
  openSync,
  readSync,
  type Stats,
} from "node:fs";
import { readlink } from "node:fs/promises";
import path from "node:path";
import { setImmediate } from "node:timers/promises";
import { NotTextError, ToolError } from "../../core/errors.ts";
import type { FileStat, Files, TextFile } from "../../core/ports/files.ts";
import { reasonOf } from "../../shared/reason.ts";
import { describeBytes, formatSize } from "./binary.ts";
import { changedBytes } from "./changed-bytes.ts";
import { exactStat, type OpenFile, openFile, readEntries } from "./direct-calls.ts";
import { decodeFile, type EncodingNames, editorConfigNames } from "./encoding-names.ts";
import { codeOf, isMissing } from "./fs-errors.ts";
import { resolveLinks } from "./resolve-links.ts";

/** Bytes of the largest file that is read as text. */
export const TEXT_LIMIT = 50 * 1024 * 1024;

/** Milliseconds for which small files are read before other work may run. */
const READ_SLICE_MS = 8;
/** Windows does not have it. */
const NO_FOLLOW: number | undefined = constants.O_NOFOLLOW;

/** `names`: what names the encoding of a file. */
export function createDiskFiles(names: EncodingNames): Files {
  return { ...diskFiles, readText: (path) => readText(path, names), checkText };
}

const diskFiles: Omit<Files, "readText"> = {
  async stat(path) {
    try {
      const stats = await exactStat(path);
      const { size, ctimeMs } = stats;
      return {
        kind: kindOf(stats),
        size: Number(size),
        version: versionOf(stats),
        changedAt: Number(ctimeMs),
      };
    } catch (error) {
      if (isMissing(error)) return undefined;
      throw readable(error, path);
    }
  },

  async realpath(path) {
    try {
      return await resolveLinks(path);
    } catch (error) {
      throw readable(error, path);
    }
  },

  async readlink(path) {
    try {
      return await readlink(path);
    } catch (error) {
      throw readable(error, path);
    }
  },

  async readBytes(path, limit) {
    return (await readWhole(path, limit)).bytes;
  },

  async readSmall(paths, limit) {
    const texts: (string | undefined)[] = [];
    // One byte more than is allowed shows that a file is too large, for less than asking for its size.
    const buffer = Buffer.allocUnsafe(limit + 1);
    let since = performance.now();
    for (const path of paths) {
      texts.push(readNow(path, buffer));
      if (performance.now() - since < READ_SLICE_MS) continue;
      await setImmediate();
      since = performance.now();
    }
    return texts;
  },

  async list(path) {
    let entries: Dirent[];
    try {
      entries = await readEntries(path);
    } catch (error) {
      throw readable(error, path);
    }
    return entries.map((entry) => ({ name: entry.name, kind: kindOf(entry) }));
  },
};

/**
 * The text of a file that is smaller than the buffer, read at once: the steps of an asynchronous read take several times as long.
 * undefined: it is larger, is not UTF-8, or cannot be read.
 */
function readNow(path: string, buffer: Buffer): string | undefined {
  let file: number | undefined;
  try {
    if (NO_FOLLOW === undefined && !lstatSync(path).isFile()) return undefined;
    file = openSync(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0) | (NO_FOLLOW ?? 0));
    // A pipe or a device has nothing to read at a position.
    const count = readSync(file, buffer, 0, buffer.length, 0);
    const bytes = buffer.subarray(0, count);
    return count > 0 && count < buffer.length && isUtf8(bytes) ? bytes.toString("utf8") : undefined;
  } catch (error) {
    if (codeOf(error) === undefined) throw error;
    return undefined;
  } finally {
    if (file !== undefined) closeSync(file);
  }
}

/** For files of Nekode, and of a project whose settings are not known: `.editorconfig` names the encoding. */
export const nodeFiles: Files = createDiskFiles(editorConfigNames);

async function readText(path: string, names: EncodingNames): Promise<TextFile> {
  const { bytes, version } = await readWhole(path, TEXT_LIMIT);
  const decoded = await decodeFile(path, bytes, names);
  if (decoded.kind === "binary") {
    throw new NotTextError(`${path} is not text: ${describeBytes(bytes)}, ${formatSize(bytes.length)}.`);
  }
  const { text, encoding, bom, exact, alternatives } = decoded;
  return {
    text,
    encoding,
    bom,
    version,
    ...(exact ? {} : { inexact: true }),
    ...(alternatives.length > 0 ? { alternatives } : {}),
  };
}

async function checkText(path: string, original: TextFile, text: string): Promise<void> {
  const { bytes, version } = await readWhole(path, TEXT_LIMIT);
  // A file that changed is refused when it is written.
  if (version !== original.version) return;
  const changed = changedBytes(bytes, original, text);
  if (!changed.ok) throw new ToolError(`${path} cannot be saved: ${changed.message}`);
}

/** Reads content and version from the same file handle. `limit`: bytes. */
export async function readWhole(
  path: string,
  limit: number,
): Promise<{ bytes: Buffer; version: string; stats: BigIntStats }> {
  let handle: OpenFile;
  try {
    // Without O_NONBLOCK, opening a pipe blocks until a process writes to it.
    handle = await openFile(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
  } catch (error) {
    throw readable(error, path);
  }
  try {
    const found = await handle.exactStat();
    refuseUnreadable(found, path);
    if (found.size > BigInt(limit)) {
      throw new ToolError(
        `${path} has ${formatSize(Number(found.size))}, which is more than the limit of ${formatSize(limit)}. Use a search or a command to read parts of it.`,
        reasonOf("file-too-large", formatSize(Number(found.size))),
      );
    }
    const bytes = await handle.read(Number(found.size));
    if (bytes.length > limit)
      throw new ToolError(
        `${path} grew past ${formatSize(limit)} while it was read.`,
        reasonOf("file-changed"),
      );
    const stats = await handle.exactStat();
    return { bytes, version: versionOf(stats), stats };
  } catch (error) {
    throw readable(error, path);
  } finally {
    await handle.close();
  }
}

export function versionOf(found: BigIntStats): string {
  return `${found.ino}-${found.mtimeNs}-${found.size}`;
}

function kindOf(entry: Stats | BigIntStats | Dirent): FileStat["kind"] {
  if (entry.isFile()) return "file";
  return entry.isDirectory() ? "directory" : "other";
}

function refuseUnreadable(stats: BigIntStats, path: string): void {
  if (stats.isFile()) return;
  if (stats.isDirectory()) throw new ToolError(`${path} is a folder, not a file.`, reasonOf("is-a-folder"));
  const what = stats.isFIFO()
    ? "a pipe"
    : stats.isSocket()
      ? "a socket"
      : stats.isCharacterDevice() || stats.isBlockDevice()
        ? "a device"
        : "no regular file";
  throw new ToolError(`${path} is ${what}; only regular files can be read.`, reasonOf("not-a-regular-file"));
}

/** Converts a system error to a ToolError that the model can act on; other errors are returned unchanged. */
export function readable(error: unknown, path: string): unknown {
  if (error instanceof ToolError) return error;
  switch (codeOf(error)) {
    case "ENOENT":
    case "ENOTDIR":
      return new ToolError(`${path} does not exist.`, reasonOf("no-such-file"));
    case "EACCES":
    case "EPERM":
      return new ToolError(`Permission denied: ${path}`, reasonOf("no-permission"));
    case "EISDIR":
      return new ToolError(`${path} is a folder, not a file.`, reasonOf("is-a-folder"));
    case "ELOOP":
      return new ToolError(`${path} is a link that refers to itself.`, reasonOf("link-circle"));
    case "ENAMETOOLONG":
      return new ToolError(`The path is too long: ${path.slice(0, 200)}...`, reasonOf("path-too-long"));
    case "ENXIO":
      return new ToolError(
        `${path} is a socket or a device; only regular files can be read.`,
        reasonOf("not-a-regular-file"),
      );
    default:
      return error;
  }
}

/**
 * The real path of a file, with all links followed; for a missing file, its folder's real path and its name. This includes
 * dangling links.
 */
export async function realTarget(file: string): Promise<string> {
  try {
    return await resolveLinks(file);
  } catch (error) {
    if (!isMissing(error)) throw readable(error, file);
    const parent = path.dirname(file);
    return parent === file ? file : path.join(await realTarget(parent), path.basename(file));
  }
}
