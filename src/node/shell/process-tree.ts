/** Ending a command with everything that it started. */
import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { within } from "../clock.ts";
import { codeOf } from "../files/fs-errors.ts";
import { systemProgram } from "../find-programs.ts";
import { familyOf, type ProcessEntry, processes, processesNow } from "./process-list.ts";

const run = promisify(execFile);

/** Milliseconds that processes get to clean up after they were asked to end. */
const graceMs = 700;
/** How often it is looked for processes that were started while the others were killed. */
const rounds = 4;

/** What a command is found by: the leader of its process group, and text that its environment holds. */
export interface Tree {
  leader: number;
  mark?: string | undefined;
}

/**
 * Ends all that belongs to the tree: asked first, killed after a short grace. Resolves when `ended` does and nothing
 * is left, or when all were killed.
 */
export async function endTree({ leader, mark }: Tree, ended: Promise<unknown>): Promise<void> {
  if (process.platform === "win32") {
    await run(systemProgram("taskkill") ?? "C:\\Windows\\System32\\taskkill.exe", [
      "/pid",
      String(leader),
      "/t",
      "/f",
    ]).catch(() => {});
    return;
  }
  const asked = familyOf(leader, await processes(mark));
  for (const entry of asked) signal(entry, "SIGTERM");
  // One that was stopped hears of it only when it goes on.
  for (const entry of asked) signal(entry, "SIGCONT");
  await within(ended, graceMs);
  for (let round = 0; round < rounds; round++) {
    const now = await processes(mark);
    // What lost its parent by now is still known from before.
    const left = join(familyOf(leader, now), alive(asked, now));
    if (left.length === 0) return;
    for (const entry of left) signal(entry, "SIGKILL");
    await within(ended, graceMs / rounds);
  }
}

/** At once, for a host that is going away. */
export function killTree({ leader, mark }: Tree): void {
  if (process.platform === "win32") {
    kill(leader, "SIGKILL");
    return;
  }
  kill(-leader, "SIGKILL");
  if (mark === undefined) return;
  for (const entry of familyOf(leader, processesNow(mark))) signal(entry, "SIGKILL");
}

function alive(known: readonly ProcessEntry[], now: readonly ProcessEntry[]): ProcessEntry[] {
  const started = new Map(now.map((entry) => [entry.pid, entry.started]));
  return known.filter((entry) => started.get(entry.pid) === entry.started);
}

function join(some: readonly ProcessEntry[], others: readonly ProcessEntry[]): ProcessEntry[] {
  return [...new Map([...some, ...others].map((entry) => [entry.pid, entry])).values()];
}

function signal({ pid }: ProcessEntry, name: NodeJS.Signals): void {
  kill(pid, name);
}

/** What is gone, or is somebody else's by now, is left alone. */
function kill(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch (error) {
    const code = codeOf(error);
    if (code !== "ESRCH" && code !== "EPERM") throw error;
  }
}
