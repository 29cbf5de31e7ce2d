/**
 * Replaces files atomically: the content is written under another name, synced, then moved into place in one step. Readers
 * find the old or the new content, also after a crash.
 */
import { randomUUID } from "node:crypto";
import { open, readdir, rename, rm, unlink } from "node:fs/promises";
import path from "node:path";
import { isRunning } from "../process-status.ts";
import { type OpenFile, openFile } from "./direct-calls.ts";

interface Replacement {
  /** An unused path on the same file system. Nothing remains there. */
  temp: string;
  file: string;
  /** Creates `temp` and syncs it. */
  write(temp: string): Promise<void>;
  /** Runs right before `place`, because `file` may change during `write`; throws if `file` is not as expected. */
  check?(): Promise<void>;
  /** Whether the new directory entry is synced, too; default: true. Without, a power failure may leave the old content. */
  synced?: boolean;
  /** Moves `temp` into place, and resolves with whether nothing is left of it there; default: a rename. */
  place?(temp: string, file: string): Promise<boolean>;
}

/** The change is durable when this resolves, unless `synced` is false. If it rejects before `place`, `file` is unchanged. */
export async function replaceFile(replacement: Replacement): Promise<void> {
  const { temp, file, write, check, synced = true, place = renamed } = replacement;
  let isGone = false;
  try {
    await write(temp);
    await check?.();
    isGone = await place(temp, file);
  } finally {
    // A leftover temporary file does no harm.
    if (!isGone) await unlink(temp).catch(() => undefined);
  }
  if (synced) await syncFolder(path.dirname(file));
}

async function renamed(temp: string, file: string): Promise<boolean> {
  await rename(temp, file);
  return true;
}

interface NewFile {
  mode?: number;
  /** Sets further properties, such as the owner. */
  prepare?(file: OpenFile): Promise<void>;
  /** Syncs only content and size, not other metadata. */
  dataOnly?: boolean;
}

/** Creates a file; fails if the path exists, also as a link. The file is on disk when this resolves. */
export async function createSynced(
  file: string,
  bytes: Uint8Array,
  { mode = 0o666, prepare, dataOnly = false }: NewFile = {},
): Promise<void> {
  const handle = await openFile(file, "wx", mode);
  try {
    await handle.write(bytes);
    await prepare?.(handle);
    await (dataOnly ? handle.datasync() : handle.sync());
  } finally {
    await handle.close();
  }
}

/** Folders that are being synced, with the current sync and the next one. */
const syncing = new Map<string, { now: Promise<void>; next?: Promise<void> }>();

/**
 * Makes new or renamed directory entries durable. Does nothing on Windows, and some file systems do not support it. Calls
 * during a sync share the next one, which covers all of them.
 */
export function syncFolder(folder: string): Promise<void> {
  if (process.platform === "win32") return Promise.resolve();
  const running = syncing.get(folder);
  if (!running) return beginSync(folder);
  running.next ??= running.now.then(() => beginSync(folder));
  return running.next;
}

function beginSync(folder: string): Promise<void> {
  const entry: { now: Promise<void>; next?: Promise<void> } = { now: syncNow(folder) };
  syncing.set(folder, entry);
  void entry.now.then(() => {
    if (!entry.next) syncing.delete(folder);
  });
  return entry.now;
}

/** Never rejects. */
async function syncNow(folder: string): Promise<void> {
  const handle = await open(folder, "r").catch(() => undefined);
  if (!handle) return;
  try {
    await handle.sync();
  } catch {
    // The file itself is synced; this file system does not support syncing folders.
  } finally {
    // The handle wrote nothing, so an error while closing is irrelevant.
    await handle.close().catch(() => undefined);
  }
}

/** A unique path that contains the id of this process. */
export function tempFilePath(folder: string): string {
  return path.join(folder, `.nekode-${process.pid}-${randomUUID()}.tmp`);
}

/** Removes temporary files of processes that died during a write. Never rejects. */
export async function removeStaleTempFiles(folder: string): Promise<void> {
  const names = await readdir(folder).catch(() => []);
  for (const name of names) {
    const pid = Number(/^\.nekode-(\d+)-[0-9a-f-]{36}\.tmp$/.exec(name)?.[1]);
    // A leftover temporary file does no harm.
    if (pid > 0 && !(await isRunning(pid)))
      await rm(path.join(folder, name), { force: true }).catch(() => undefined);
  }
}
