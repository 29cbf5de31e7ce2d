/** Puts the new content of a user's file in its place where a rename cannot, or where it would break what the file is. */
import { constants } from "node:fs";
import { type FileHandle, open, readFile, rename } from "node:fs/promises";
import { lstat, stat } from "./direct-calls.ts";
import { codeOf } from "./fs-errors.ts";

/**
 * Moves `temp` to `file`. A file with several names (hard links) and a file that is a mount point of its own, as in
 * containers, are written in place: a rename would leave the other names with the old content, or is refused. If that
 * fails, the old content is written back; only the end of this process in between can leave a part of the new content. Resolves
 * with whether `temp` is gone.
 */
export async function placeContent(temp: string, file: string): Promise<boolean> {
  const before = await lstat(file).catch(() => undefined);
  if (before?.isFile() && before.nlink > 1) {
    await overwrite(temp, file);
    return false;
  }
  try {
    await rename(temp, file);
    return true;
  } catch (error) {
    // Windows reports the same error for a file that a program has open.
    if (codeOf(error) !== "EBUSY" || process.platform === "win32" || !before?.isFile()) throw error;
    await overwrite(temp, file);
    return false;
  }
}

/** `file` becomes equal to `temp` in content and mode. */
async function overwrite(temp: string, file: string): Promise<void> {
  const [bytes, { mode }] = await Promise.all([readFile(temp), stat(temp)]);
  // A link that took the place of the file is not followed. The flag does not exist on Windows.
  const handle = await open(file, constants.O_RDWR | (constants.O_NOFOLLOW ?? 0));
  try {
    const old = await handle.readFile();
    try {
      await fill(handle, bytes);
    } catch (error) {
      await fill(handle, old);
      throw error;
    }
    if (((await handle.stat()).mode & 0o7777) !== (mode & 0o7777)) await handle.chmod(mode & 0o7777);
  } finally {
    await handle.close();
  }
}

async function fill(handle: FileHandle, bytes: Uint8Array): Promise<void> {
  for (let at = 0; at < bytes.length; )
    at += (await handle.write(bytes, at, bytes.length - at, at)).bytesWritten;
  await handle.truncate(bytes.length);
  await handle.sync();
}
