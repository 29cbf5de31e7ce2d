/** Ends a command together with everything that it started. */
import { execFile, spawnSync } from "node:child_process";
import { existsSync, readdirSync } from "node:fs";
import { readdir } from "node:fs/promises";
import { setTimeout as pause } from "node:timers/promises";
import { promisify } from "node:util";
import { within } from "../clock.ts";
import { codeOf } from "../files/fs-errors.ts";
import { systemProgram } from "../find-programs.ts";
import {
  hasEnded,
  type ProcessStat,
  parseStat,
  ps,
  readProc,
  readProcNow,
  readStat,
} from "../process-status.ts";

const run = promisify(execFile);

interface ProcessEntry {
  pid: number;
  parent: number;
  group: number;
  /** 0: unknown. */
  session: number;
  /** Distinguishes the process from a later one with the same id. */
  started: string;
  /** Its environment contains the mark. */
  marked: boolean;
}

/** Running processes. `mark`: text to find in their environments, where the system shows them. */
async function processes(mark: string | undefined): Promise<ProcessEntry[]> {
  if (process.platform !== "linux") return fromPs();
  const pids = (await readdir("/proc").catch(() => [])).flatMap(pidOf);
  const entries = await Promise.all(
    pids.map(async (pid) => {
      const stat = await readStat(pid);
      return entryOf(pid, stat, mark !== undefined && (await readProc(pid, "environ")).includes(mark));
    }),
  );
  return entries.flat();
}

/** Synchronous `processes`, for a host that is shutting down; empty if the system has no `/proc`. */
function processesNow(mark: string): ProcessEntry[] {
  if (process.platform !== "linux" || !existsSync("/proc")) return [];
  return readdirSync("/proc")
    .flatMap(pidOf)
    .flatMap((pid) =>
      entryOf(pid, parseStat(readProcNow(pid, "stat")), readProcNow(pid, "environ").includes(mark)),
    );
}

const pidOf = (name: string): number[] => (/^\d+$/.test(name) ? [Number(name)] : []);

function entryOf(pid: number, stat: ProcessStat | undefined, marked: boolean): ProcessEntry[] {
  if (!stat || hasEnded(stat.state)) return [];
  const { parent, group, session, started } = stat;
  return [{ pid, parent, group, session, started, marked }];
}

async function fromPs(): Promise<ProcessEntry[]> {
  const lines = (await ps("-A", "-o", "pid=,ppid=,pgid=,state=,lstart=")).split("\n");
  return lines.flatMap((line) => {
    const [, pid, parent, group, state, started] =
      /^\s*(\d+)\s+(\d+)\s+(\d+)\s+(\S+)\s+(.*)$/.exec(line) ?? [];
    if (state === undefined || started === undefined || hasEnded(state)) return [];
    const ids = { pid: Number(pid), parent: Number(parent), group: Number(group), session: 0 };
    return [{ ...ids, started, marked: false }];
  });
}

/**
 * The processes that a command started: `leader`, its process group and its session, marked processes, and all their
 * descendants. This includes processes that created a group or a session, or that lost their parent.
 */
function processesOf(leader: number, entries: readonly ProcessEntry[]): ProcessEntry[] {
  const children = new Map<number, ProcessEntry[]>();
  for (const entry of entries) {
    const siblings = children.get(entry.parent);
    if (siblings) siblings.push(entry);
    else children.set(entry.parent, [entry]);
  }
  const tree = new Set(
    entries.filter(
      ({ pid, group, session, marked }) =>
        pid !== process.pid && (marked || [pid, group, session].includes(leader)),
    ),
  );
  // Iterating a set includes elements that are added meanwhile.
  for (const { pid } of tree) for (const child of children.get(pid) ?? []) tree.add(child);
  return [...tree];
}

/** Milliseconds that Windows' program for it may take while the host shuts down. */
const TASKKILL_MS = 3_000;

/**
 * Windows' program that ends a process with all that it started, and its arguments. It fails where a policy forbids it, and where
 * the process has ended: then the process itself is ended, which needs no program.
 */
function treeEnder(leader: number): [file: string, ...args: string[]] {
  const file = systemProgram("taskkill") ?? "C:\\Windows\\System32\\taskkill.exe";
  return [file, "/pid", String(leader), "/t", "/f"];
}

/**
 * The ids 0 and 1 are nobody's command: to the system, they also mean "my own group" and "everything". A process that did not start may
 * have the first.
 */
const isCommand = (leader: number) => leader > 1;

/** Milliseconds that processes have to clean up after SIGTERM. */
const GRACE_MS = 700;
/** Rounds of killing, to catch processes that start meanwhile. */
const ROUNDS = 4;
/** Milliseconds between two looks at processes whose end no event reports, because others started them. */
const LOOK_MS = 20;

/** Milliseconds that each step of an end may take. */
interface TreePatience {
  /** For the processes to clean up after SIGTERM. */
  asked?: number;
  /** For `ended`, once no process is left. */
  collected?: number;
}

/** Identifies a command's processes: the leader of its process group, and text in their environment. */
interface Tree {
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
  if (!isCommand(leader)) return;
  if (process.platform === "win32") {
    const [file, ...args] = treeEnder(leader);
    await run(file, args, { windowsHide: true }).catch(() => kill(leader, "SIGKILL"));
    return;
  }
  const asked = processesOf(leader, await processes(mark));
  for (const entry of asked) signal(entry, "SIGTERM");
  // A stopped process handles SIGTERM only after it continues.
  for (const entry of asked) signal(entry, "SIGCONT");
  await within(Promise.all([ended, waitUntilGone(asked, askedMs)]), askedMs);
  for (let round = 0; round < ROUNDS; round++) {
    const now = await processes(mark);
    // Processes that have lost their parent are known from the first list.
    const survivors = join(processesOf(leader, now), alive(asked, now));
    if (survivors.length === 0) {
      // A process that was just killed keeps its id until its parent has collected it.
      await within(ended, collectedMs);
      return;
    }
    for (const entry of survivors) signal(entry, "SIGKILL");
    await waitUntilGone(survivors, GRACE_MS / ROUNDS);
  }
}

/** Resolves when none of these processes is left, or after `ms` milliseconds. */
async function waitUntilGone(entries: readonly ProcessEntry[], ms: number): Promise<void> {
  const end = performance.now() + ms;
  while (performance.now() < end && alive(entries, await processes(undefined)).length > 0)
    await pause(LOOK_MS);
}

/** Synchronous and immediate, for a host that is shutting down. */
export function killTree({ leader, mark }: Tree): void {
  if (!isCommand(leader)) return;
  if (process.platform === "win32") {
    const [file, ...args] = treeEnder(leader);
    const { status } = spawnSync(file, args, { stdio: "ignore", windowsHide: true, timeout: TASKKILL_MS });
    if (status !== 0) kill(leader, "SIGKILL");
    return;
  }
  kill(-leader, "SIGKILL");
  if (mark === undefined) return;
  for (const entry of processesOf(leader, processesNow(mark))) signal(entry, "SIGKILL");
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
