/** The processes of this machine, as far as ending a command needs to know them. */
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
  /** 0: not known. */
  session: number;
  /** Tells a process from a later one of the same number. */
  started: string;
  /** Carries the mark that was looked for in its environment. */
  marked: boolean;
}

/** Those that run; `mark`: text looked for in their environments, where the system shows them. */
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

/** The same at once, for a host that is going away; none where the system has no list to read. */
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
 * `leader`, its process group and its session, those that carry the mark, and all that descends from any of these:
 * what a command started, whether it made a group of its own, a session of its own, or lost its parent.
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
  // A set is walked on through what is added on the way.
  for (const { pid } of found) for (const child of children.get(pid) ?? []) found.add(child);
  return [...found];
}
