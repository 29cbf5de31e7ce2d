/** The new content of a file, written beside its place before it takes that place in one step. */
import { randomUUID } from "node:crypto";
import { readdir, rm } from "node:fs/promises";
import path from "node:path";
import { isRunning } from "../process-status.ts";

/** A name that tells who writes there. */
export function tempFilePath(folder: string): string {
  return path.join(folder, `.nekode-${process.pid}-${randomUUID()}.tmp`);
}

/** Removes what processes that died in the middle of a write left in a folder. Never rejects. */
export async function removeStaleTempFiles(folder: string): Promise<void> {
  const names = await readdir(folder).catch(() => []);
  for (const name of names) {
    const pid = Number(/^\.nekode-(\d+)-[0-9a-f-]{36}\.tmp$/.exec(name)?.[1]);
    // One that stays is only in the way.
    if (pid > 0 && !(await isRunning(pid)))
      await rm(path.join(folder, name), { force: true }).catch(() => undefined);
  }
}
