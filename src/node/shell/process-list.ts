/** Lists this machine's processes with the facts needed to end a command. */
import { existsSync, readdirSync } from "node:fs";
import { readdir } from "node:fs/promises";
import {
  hasEnded,
  type ProcessStat,
  parseStat,
  ps,
  readProc,
  readProcNow,
  readStat,
} from "../process-status.ts";

export interface ProcessEntry {
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
export async function processes(mark: string | undefined): Promise<ProcessEntry[]> {
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
export function processesNow(mark: string): ProcessEntry[] {
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
export function familyOf(leader: number, entries: readonly ProcessEntry[]): ProcessEntry[] {
  const children = new Map<number, ProcessEntry[]>();
  for (const entry of entries) {
    const siblings = children.get(entry.parent);
    if (siblings) siblings.push(entry);
    else children.set(entry.parent, [entry]);
  }
  const found = new Set(
    entries.filter(
      ({ pid, group, session, marked }) =>
        pid !== process.pid && (marked || [pid, group, session].includes(leader)),
    ),
  );
  // Iterating a set includes elements that are added meanwhile.
  for (const { pid } of found) for (const child of children.get(pid) ?? []) found.add(child);
  return [...found];
}
