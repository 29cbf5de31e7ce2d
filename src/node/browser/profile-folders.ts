/** Temporary folders for browser profiles. Each names the process that owns it, so that a later launch can remove the rest. */
import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { isRunning, startOf } from "../process-status.ts";

const PREFIX = "nekode-browser-";
const NAME = new RegExp(`^${PREFIX}(\\d+)-(\\d*)-`);

/** A new, empty folder that only this user can read. */
export async function createProfile(): Promise<string> {
  return mkdtemp(path.join(tmpdir(), `${PREFIX}${process.pid}-${await startOf(process.pid)}-`));
}

/** A browser that just ended may still hold files for a moment. */
export async function removeProfile(folder: string): Promise<void> {
  await rm(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 50 });
}

/** Removes the folders of processes that no longer run. */
export async function removeStaleProfiles(): Promise<void> {
  for (const name of await readdir(tmpdir())) {
    const [, pid, started] = NAME.exec(name) ?? [];
    if (pid === undefined || (await isRunning(Number(pid), started))) continue;
    await removeProfile(path.join(tmpdir(), name));
  }
}
