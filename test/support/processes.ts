/** Processes of tests. These functions query the system itself, not the product. */
import { spawnSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";

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

export interface RunningProcess {
  pid: number;
  /** The program first. */
  args: string[];
}

/**
 * The running processes that are wanted; one that ends meanwhile is left out. `environment` returns the variables that the
 * process was started with, NUL-separated. Linux only.
 */
export function runningProcesses(
  isWanted: (found: RunningProcess, environment: () => string) => boolean,
): RunningProcess[] {
  return readdirSync("/proc").flatMap((name) => {
    const pid = Number(name);
    try {
      const args = readFileSync(`/proc/${pid}/cmdline`, "utf8").replace(/\0+$/, "").split("\0");
      const environment = () => readFileSync(`/proc/${pid}/environ`, "utf8");
      return isWanted({ pid, args }, environment) && isAlive(pid) ? [{ pid, args }] : [];
    } catch {
      // Not a process, or one that has ended.
      return [];
    }
  });
}

/** The running processes that have an argument with that text. */
export function processesNaming(text: string): RunningProcess[] {
  return runningProcesses(({ args }) => args.some((arg) => arg.includes(text)));
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
