/** Ends a command together with everything that it started. */
import { execFile } from "node:child_process";
import { setTimeout as pause } from "node:timers/promises";
import { promisify } from "node:util";
import { within } from "../clock.ts";
import { codeOf } from "../files/fs-errors.ts";
import { systemProgram } from "../find-programs.ts";
import { familyOf, type ProcessEntry, processes, processesNow } from "./process-list.ts";

const run = promisify(execFile);

/** Milliseconds that processes have to clean up after SIGTERM. */
const GRACE_MS = 700;
/** Rounds of killing, to catch processes that start meanwhile. */
const ROUNDS = 4;
/** Milliseconds between two looks at processes whose end no event reports, because others started them. */
const LOOK_MS = 20;

/** Milliseconds that each step of an end may take. */
export interface TreePatience {
  /** For the processes to clean up after SIGTERM. */
  asked?: number;
  /** For `ended`, once no process is left. */
  collected?: number;
}

/** Identifies a command's processes: the leader of its process group, and text in their environment. */
export interface Tree {
  leader: number;
  mark?: string | undefined;
}

/**
 * Ends all processes of the tree with SIGTERM, then with SIGKILL after a short grace period. Resolves when `ended` resolves
 * and no process is left, or, if `ended` does not follow, a grace period after all were killed.
 */
export async function endTree(
  { leader, mark }: Tree,
  ended: Promise<unknown>,
  { asked: askedMs = GRACE_MS, collected: collectedMs = GRACE_MS }: TreePatience = {},
): Promise<void> {
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
  // A stopped process handles SIGTERM only after it continues.
  for (const entry of asked) signal(entry, "SIGCONT");
  await within(Promise.all([ended, gone(asked, askedMs)]), askedMs);
  for (let round = 0; round < ROUNDS; round++) {
    const now = await processes(mark);
    // Processes that have lost their parent are known from the first list.
    const left = join(familyOf(leader, now), alive(asked, now));
    if (left.length === 0) {
      // A process that was just killed keeps its id until its parent has collected it.
      await within(ended, collectedMs);
      return;
    }
    for (const entry of left) signal(entry, "SIGKILL");
    await gone(left, GRACE_MS / ROUNDS);
  }
}

/** Resolves when none of these processes is left, or after `ms` milliseconds. */
async function gone(entries: readonly ProcessEntry[], ms: number): Promise<void> {
  const end = performance.now() + ms;
  while (performance.now() < end && alive(entries, await processes(undefined)).length > 0)
    await pause(LOOK_MS);
}

/** Synchronous and immediate, for a host that is shutting down. */
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

/** Ignores a process that has ended or belongs to another user. */
function kill(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch (error) {
    const code = codeOf(error);
    if (code !== "ESRCH" && code !== "EPERM") throw error;
  }
}
