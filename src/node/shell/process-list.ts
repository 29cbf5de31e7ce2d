/** The processes of this machine, as far as ending a command needs to know them. */
import { execFile } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { readdir, readFile } from "node:fs/promises";
import { promisify } from "node:util";
import { systemProgram } from "../find-programs.ts";

const run = promisify(execFile);

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
  const names = await readdir("/proc").catch(() => []);
  const entries = await Promise.all(
    names.map(async (name) => {
      if (!/^\d+$/.test(name)) return undefined;
      const stat = await readFile(`/proc/${name}/stat`, "latin1").catch(() => "");
      const environment =
        mark === undefined ? "" : await readFile(`/proc/${name}/environ`, "latin1").catch(() => "");
      return entryOf(name, stat, mark !== undefined && environment.includes(mark));
    }),
  );
  return entries.filter((entry) => entry !== undefined);
}

/** The same at once, for a host that is going away; none where the system has no list to read. */
export function processesNow(mark: string): ProcessEntry[] {
  if (process.platform !== "linux" || !existsSync("/proc")) return [];
  return readdirSync("/proc").flatMap((name) => {
    if (!/^\d+$/.test(name)) return [];
    const entry = entryOf(
      name,
      readNow(`/proc/${name}/stat`),
      readNow(`/proc/${name}/environ`).includes(mark),
    );
    return entry ? [entry] : [];
  });
}

/** "" for a process that is gone or somebody else's. */
function readNow(file: string): string {
  try {
    return readFileSync(file, "latin1");
  } catch {
    return "";
  }
}

/** undefined: it is gone, or a zombie, which is gone but for its parent's asking. */
function entryOf(pid: string, stat: string, marked: boolean): ProcessEntry | undefined {
  // The name stands in parentheses and may hold any characters; what follows are plain fields.
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  const [state, parent, group, session] = fields;
  const started = fields[19];
  if (started === undefined || state === "Z") return undefined;
  return {
    pid: Number(pid),
    parent: Number(parent),
    group: Number(group),
    session: Number(session),
    started,
    marked,
  };
}

async function fromPs(): Promise<ProcessEntry[]> {
  const { stdout } = await run(systemProgram("ps") ?? "/bin/ps", [
    "-A",
    "-o",
    "pid=,ppid=,pgid=,state=,lstart=",
  ]).catch(() => ({
    stdout: "",
  }));
  return stdout.split("\n").flatMap((line) => {
    const [, pid, parent, group, state, started] =
      /^\s*(\d+)\s+(\d+)\s+(\d+)\s+(\S+)\s+(.*)$/.exec(line) ?? [];
    if (started === undefined || state?.startsWith("Z")) return [];
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
