/** The `Storage` port in a local folder. The first write creates the folder, so reading leaves no trace. */
import { createHash, randomUUID } from "node:crypto";
import { type BigIntStats, realpathSync } from "node:fs";
import { link, mkdir, open, rename, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import type { Appender, Storage } from "../../core/ports/storage.ts";
import { createSynced, replaceFile, syncFolder } from "../files/atomic-write.ts";
import {
  exactStat,
  type OpenFile,
  openFile,
  readBytes,
  readdir,
  readEntries,
  stat,
} from "../files/direct-calls.ts";
import { isMissing } from "../files/fs-errors.ts";
import { lockedElsewhere, takeLock, withLock } from "./process-locks.ts";

/** Milliseconds after which temporary files of writers that died are removed. */
const LEFTOVER_MS = 60 * 60 * 1000;
const TEMPORARY_FOLDER = "tmp";
/** The folder below the data folder that contains a folder for each project. */
export const PROJECTS_FOLDER = "projects";
/** Folders that only the user can read. */
const PRIVATELY = { recursive: true, mode: 0o700 };

/**
 * The folder of one project's sessions below `dataDir`. Its name has the project's name, for users to find it, and a hash of
 * its real path, so that a link to a project is the same project.
 */
export function projectFolder(dataDir: string, root: string): string {
  const key = projectKey(root);
  const name = path
    .basename(key)
    .replace(/[^\p{Letter}\p{Number}._-]+/gu, "-")
    .slice(0, 40);
  return path.join(dataDir, PROJECTS_FOLDER, `${name.replace(/^[.-]+/, "") || "root"}-${hashOf(key)}`);
}

/** Identifies a project's folder, whatever path it is named by. */
export function projectKey(root: string): string {
  const resolved = realPath(path.resolve(root));
  const isCaseBlind = process.platform === "win32" || process.platform === "darwin";
  return isCaseBlind ? resolved.toLowerCase() : resolved;
}

export function hashOf(key: string): string {
  return createHash("sha256").update(key).digest("hex").slice(0, 16);
}

/** The path without links, in the disk's letter case. */
export function realPath(folder: string): string {
  try {
    return realpathSync.native(folder);
  } catch {
    // The folder does not exist; its sessions may still be listed.
    return folder;
  }
}

export function createStorage(folder: string): Storage {
  const at = (name: string): string => {
    const parts = name.split("/");
    if (parts.some((part) => part === "" || part === "." || part === "..")) {
      throw new Error(`not a name in the store: ${name}`);
    }
    return path.join(folder, ...parts);
  };

  let temporary: Promise<string> | undefined;
  /** In the same folder as the files, so that a rename stays on one file system. */
  const temporaryPath = async (): Promise<string> => {
    temporary ??= prepareTemporary(path.join(folder, TEMPORARY_FOLDER));
    try {
      return path.join(await temporary, randomUUID());
    } catch (error) {
      temporary = undefined;
      throw error;
    }
  };

  /** Created files whose entry in their folder is not synced yet. */
  const created = new Set<string>();
  const syncName = async (file: string): Promise<void> => {
    if (created.delete(file)) await syncFolder(path.dirname(file));
  };

  return {
    async read(name, from = 0) {
      try {
        if (from === 0) return await readBytes(at(name));
        return await readFrom(at(name), from);
      } catch (error) {
        if (isMissing(error)) return undefined;
        throw error;
      }
    },

    async stat(name) {
      return describe(at(name));
    },

    async append(name, bytes, synced = true) {
      const file = at(name);
      const handle = await openMakingFolders(file, "a");
      try {
        await handle.write(bytes);
        const [{ size }] = await Promise.all([handle.stat(), synced ? handle.datasync() : undefined]);
        if (size === bytes.length) created.add(file);
      } finally {
        await handle.close();
      }
      if (synced) await syncName(file);
    },

    appender: (name) => openAppender(at(name), created, syncName),

    async sync(name) {
      const file = at(name);
      try {
        // Windows syncs only what is open for writing.
        const handle = await open(file, "r+");
        try {
          await handle.datasync();
        } finally {
          await handle.close();
        }
      } catch (error) {
        if (!isMissing(error)) throw error;
      }
      await syncName(file);
    },

    async replace(name, bytes, expected, synced = true) {
      const file = at(name);
      if (!synced) created.add(file);
      await replaceFile({
        temp: await temporaryPath(),
        file,
        synced,
        write: (temp) =>
          synced ? createSynced(temp, bytes, { dataOnly: true }) : writeFile(temp, bytes, { flag: "wx" }),
        // The lock may have been lost meanwhile.
        async check() {
          if (expected && (await describe(file))?.version !== expected.version)
            throw new Error(`${name} was replaced by another process`);
        },
        place: renameMakingFolders,
      });
    },

    async duplicate(from, to) {
      await replaceFile({
        temp: await temporaryPath(),
        file: at(to),
        write: (temp) => linkOrCopy(at(from), temp),
        async place(temp, file) {
          await renameMakingFolders(temp, file);
          // Where both are names of the same file already, a rename does nothing.
          return false;
        },
      });
    },

    async remove(name) {
      await rm(at(name), { force: true });
    },

    async rename(from, to) {
      await mkdir(path.dirname(at(to)), PRIVATELY);
      await rename(at(from), at(to));
      await syncFolder(path.dirname(at(to)));
    },

    async list(name) {
      try {
        const entries = await readEntries(at(name));
        return entries.filter((entry) => entry.isFile()).map((entry) => entry.name);
      } catch (error) {
        if (isMissing(error)) return [];
        throw error;
      }
    },

    withLock: (name, work, waitMs = 20_000) => withLock(at(name), work, waitMs),
    takeLock: (name, takeOver = false) => takeLock(at(name), takeOver),
    lockedElsewhere: (name) => lockedElsewhere(at(name)),
  };
}

/** `created` and `syncName`: those of the storage, for an entry that is new in its folder. */
function openAppender(
  file: string,
  created: Set<string>,
  syncName: (file: string) => Promise<void>,
): Appender {
  let opened: { handle: OpenFile; ino: bigint } | undefined;
  const open = async () => {
    const handle = await openMakingFolders(file, "a");
    const { size, ino } = await handle.exactStat();
    if (size === 0n) created.add(file);
    return { handle, ino };
  };
  const close = async () => {
    const { handle } = opened ?? {};
    opened = undefined;
    await handle?.close();
  };
  return {
    async append(bytes) {
      const isNew = opened === undefined;
      opened ??= await open();
      const { handle, ino } = opened;
      await handle.write(bytes);
      // Some network drives give a file another number at each look: of one that was just opened, the name says enough.
      const found = await statOf(file);
      const isInPlace = found !== undefined && (isNew || found.ino === ino);
      if (!isInPlace) await close();
      return isInPlace;
    },
    async sync() {
      await opened?.handle.datasync();
      await syncName(file);
    },
    close,
  };
}

async function describe(file: string): Promise<{ size: number; version: string } | undefined> {
  const found = await statOf(file);
  if (!found) return undefined;
  const { size, ino, mtimeNs } = found;
  return { size: Number(size), version: `${ino}-${mtimeNs}-${size}` };
}

/** undefined: there is no such file. */
async function statOf(file: string): Promise<BigIntStats | undefined> {
  try {
    return await exactStat(file);
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}

async function prepareTemporary(folder: string): Promise<string> {
  await mkdir(folder, PRIVATELY);
  for (const name of await readdir(folder)) {
    const file = path.join(folder, name);
    const found = await stat(file).catch(() => undefined);
    if (found && Math.abs(Date.now() - found.mtimeMs) > LEFTOVER_MS) await rm(file, { force: true });
  }
  return folder;
}

async function openMakingFolders(file: string, flags: string): Promise<OpenFile> {
  try {
    return await openFile(file, flags);
  } catch (error) {
    if (!isMissing(error)) throw error;
    await mkdir(path.dirname(file), PRIVATELY);
    return openFile(file, flags);
  }
}

async function renameMakingFolders(from: string, to: string): Promise<true> {
  try {
    await rename(from, to);
  } catch (error) {
    if (!isMissing(error)) throw error;
    await mkdir(path.dirname(to), PRIVATELY);
    await rename(from, to);
  }
  return true;
}

/** Copies the file if the file system does not support links. */
async function linkOrCopy(from: string, to: string): Promise<void> {
  try {
    await link(from, to);
  } catch (error) {
    if (isMissing(error)) throw error;
    await createSynced(to, await readBytes(from), { dataOnly: true });
  }
}

async function readFrom(file: string, from: number): Promise<Uint8Array> {
  const handle = await open(file, "r");
  try {
    const { size } = await handle.stat();
    const bytes = new Uint8Array(Math.max(0, size - from));
    let filled = 0;
    while (filled < bytes.length) {
      const { bytesRead } = await handle.read(bytes, filled, bytes.length - filled, from + filled);
      if (bytesRead === 0) break;
      filled += bytesRead;
    }
    return bytes.subarray(0, filled);
  } finally {
    await handle.close();
  }
}
