/** Processes of tests. These functions query the system itself, not the product. */
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";

/** A zombie counts as dead: its parent just has not reaped it yet. */
export function isAlive(pid: number): boolean {
  try {
    return statOf(pid)[0] !== "Z";
  } catch {
    return false;
  }
}

/**
 * The fields of Linux's process status after the name: the state first, the start time twentieth. Throws when the
 * process is gone.
 */
export function statOf(pid: number): string[] {
  const stat = readFileSync(`/proc/${pid}/stat`, "latin1");
  return stat.slice(stat.lastIndexOf(")") + 2).split(" ");
}

/** Kills a process that may have ended since it was listed, as the others of a family do when one of them is killed. */
export function killListed(pid: number): void {
  try {
    process.kill(pid, "SIGKILL");
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === "ESRCH")) throw error;
  }
}

/** The id of a process that has ended. */
export function endedProcess(): number {
  return spawnSync(process.execPath, ["-e", ""]).pid;
}
