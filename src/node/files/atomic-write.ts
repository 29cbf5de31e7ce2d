/**
 * Files that are replaced as a whole: written under another name, synced, then put in place in one step. Whoever looks,
 * also after a crash, finds the old content or the new.
 */
import { type FileHandle, open, rename, rm } from "node:fs/promises";
import path from "node:path";

export interface Replacement {
  /** A name on the same file system, at which nothing is. Nothing is left there. */
  temp: string;
  file: string;
  /** Makes `temp`, synced. */
  write(temp: string): Promise<void>;
  /** Runs right before the one step that counts, because writing takes a moment; throws where `file` is not as expected. */
  check?(): Promise<void>;
  /** That step; by default a rename. */
  place?(temp: string, file: string): Promise<void>;
}

/** Durable when it resolves; when it rejects before the step, `file` is as it was. */
export async function replaceFile({ temp, file, write, check, place = rename }: Replacement): Promise<void> {
  try {
    await write(temp);
    await check?.();
    await place(temp, file);
  } finally {
    // One that stays is only in the way.
    await rm(temp, { force: true }).catch(() => undefined);
  }
  await syncFolder(path.dirname(file));
}

export interface NewFile {
  mode?: number;
  /** Sets what else belongs to the file, such as its owner. */
  prepare?(handle: FileHandle): Promise<void>;
  /** Content and size must survive a crash, nothing else that the system knows of the file. */
  dataOnly?: boolean;
}

/** Creates a file where there is none, and never through a link; on the disk when it resolves. */
export async function createSynced(
  file: string,
  bytes: Uint8Array,
  { mode = 0o666, prepare, dataOnly = false }: NewFile = {},
): Promise<void> {
  const handle = await open(file, "wx", mode);
  try {
    await handle.writeFile(bytes);
    await prepare?.(handle);
    await (dataOnly ? handle.datasync() : handle.sync());
  } finally {
    await handle.close();
  }
}

/** Folders that are being synced, and what is to be synced once that is done. */
const syncing = new Map<string, { now: Promise<void>; next?: Promise<void> }>();

/**
 * Makes a new or renamed entry itself durable. Windows has no such call, and some file systems refuse it. Of many calls
 * at once, those that come during a sync share the next one, which covers them all.
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
    // The file itself is synced; this file system keeps its entries by its own rules.
  } finally {
    // Nothing was written by this handle.
    await handle.close().catch(() => undefined);
  }
}
