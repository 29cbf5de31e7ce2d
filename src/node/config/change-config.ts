/** Changes a configuration file atomically, under a lock that windows and terminals share. */
import { mkdir, writeFile } from "node:fs/promises";
import path from "node:path";
import { nodeFiles, realTarget } from "../files/disk-files.ts";
import { codeOf } from "../files/fs-errors.ts";
import { writeApproved } from "../files/write-file.ts";
import { withLock } from "../store/process-locks.ts";

/** Milliseconds to wait for another process that changes the file. */
const LOCK_WAIT_MS = 10_000;

/** Creates the file unless there is one. Only the user can read it, because entries may contain secrets. */
export async function createConfigFile(file: string, empty: string): Promise<void> {
  await createFolderOf(file);
  try {
    await writeFile(file, empty, { flag: "wx", mode: 0o600 });
  } catch (error) {
    if (codeOf(error) !== "EEXIST") throw error;
  }
}

async function createFolderOf(file: string): Promise<void> {
  await mkdir(path.dirname(file), { recursive: true, mode: 0o700 });
}

/**
 * `change` returns the new text, or undefined to leave the file as it is; then this resolves with false. It is called with
 * `empty` if there is no file, and may be called twice. Rejects with what it throws, without a change.
 */
export async function changeConfigFile(
  file: string,
  empty: string,
  change: (text: string) => string | undefined,
): Promise<boolean> {
  await createFolderOf(file);
  const read = async () => ((await nodeFiles.stat(file)) ? nodeFiles.readText(file) : null);
  const work = async () => {
    let original = await read();
    if (change(original?.text ?? empty) === undefined) return false;
    if (!original) {
      await createConfigFile(file, empty);
      original = await read();
    }
    const text = change(original?.text ?? empty);
    if (text === undefined) return false;
    const expected = { expectedVersion: original?.version ?? null, expectedTarget: await realTarget(file) };
    await writeApproved(file, text, { original, ...expected });
    return true;
  };
  return withLock(file, work, LOCK_WAIT_MS);
}
