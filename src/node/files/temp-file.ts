/** Temporary files for atomic writes, in the same folder as the target. */
import { randomUUID } from "node:crypto";
import { readdir, rm } from "node:fs/promises";
import path from "node:path";
import { isRunning } from "../process-status.ts";

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
