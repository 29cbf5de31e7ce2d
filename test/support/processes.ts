/** Processes of tests. What is asked here is asked of the system itself, not of the product. */
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";

/** A zombie is dead: only its parent has not asked yet. */
export function isAlive(pid: number): boolean {
  try {
    return statOf(pid)[0] !== "Z";
  } catch {
    return false;
  }
}

/** What Linux tells of a process after its name: the state first, the start twentieth. Throws when it is gone. */
export function statOf(pid: number): string[] {
  const stat = readFileSync(`/proc/${pid}/stat`, "latin1");
  return stat.slice(stat.lastIndexOf(")") + 2).split(" ");
}

/** The number of a process that has ended. */
export function endedProcess(): number {
  return spawnSync(process.execPath, ["-e", ""]).pid;
}
