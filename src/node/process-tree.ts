/** Ending a command with everything that it started. */
import { execFile } from "node:child_process";
import { readdir, readFile } from "node:fs/promises";
import { promisify } from "node:util";
import { codeOf } from "./fs-errors.ts";

const run = promisify(execFile);

interface Entry {
  pid: number;
  parent: number;
  group: number;
  /** Tells a process from a later one of the same number. */
  started: string;
}

/** Time that a process gets to clean up after it was asked to end. */
const graceMs = 700;

/**
 * Ends the process group of `leader` and what left the group but descends from it: asked first, killed after a short
 * grace. Resolves when `ended` does, or when all were killed.
 */
export async function endTree(leader: number, ended: Promise<unknown>): Promise<void> {
  if (process.platform === "win32") {
    await run("taskkill", ["/pid", String(leader), "/t", "/f"]).catch(() => {});
    return;
  }
  const strays = (await descendants(leader)).filter((entry) => entry.group !== leader);
  signalAll(leader, strays, "SIGTERM");
  if (strays.length === 0 && (await endsWithin(ended, graceMs)) && !groupLives(leader)) return;
  if (strays.length > 0) await endsWithin(ended, graceMs);
  const same = new Map((await processes()).map((entry) => [entry.pid, entry.started]));
  const left = strays.filter((entry) => same.get(entry.pid) === entry.started);
  signalAll(leader, left, "SIGKILL");
  await endsWithin(ended, graceMs);
}

/** At once, for a host that is going away. */
export function killGroup(leader: number): void {
  signal(process.platform === "win32" ? leader : -leader, "SIGKILL");
}

function groupLives(leader: number): boolean {
  return signal(-leader, 0);
}

function signalAll(leader: number, strays: readonly Entry[], name: NodeJS.Signals): void {
  signal(-leader, name);
  for (const { pid } of strays) signal(pid, name);
}

function signal(pid: number, name: NodeJS.Signals | 0): boolean {
  try {
    process.kill(pid, name);
    return true;
  } catch (error) {
    return codeOf(error) !== "ESRCH";
  }
}

/** A deadline, not a wait: whichever comes first. */
async function endsWithin(ended: Promise<unknown>, ms: number): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<false>((resolve) => {
    timer = setTimeout(() => resolve(false), ms);
  });
  const result = await Promise.race([ended.then(() => true), late]);
  clearTimeout(timer);
  return result;
}

async function descendants(leader: number): Promise<Entry[]> {
  const children = new Map<number, Entry[]>();
  for (const entry of await processes()) {
    const siblings = children.get(entry.parent);
    if (siblings) siblings.push(entry);
    else children.set(entry.parent, [entry]);
  }
  const found: Entry[] = [];
  const open = [leader];
  for (let pid = open.pop(); pid !== undefined; pid = open.pop()) {
    for (const child of children.get(pid) ?? []) {
      found.push(child);
      open.push(child.pid);
    }
  }
  return found;
}

async function processes(): Promise<Entry[]> {
  return process.platform === "linux" ? fromProc() : fromPs();
}

async function fromProc(): Promise<Entry[]> {
  const pids = (await readdir("/proc").catch(() => [])).filter((name) => /^\d+$/.test(name));
  const entries = await Promise.all(
    pids.map(async (pid): Promise<Entry | undefined> => {
      const text = await readFile(`/proc/${pid}/stat`, "latin1").catch(() => "");
      // The name stands in parentheses and may hold any characters; what follows are plain fields.
      const fields = text.slice(text.lastIndexOf(")") + 2).split(" ");
      const [, parent, group] = fields;
      const started = fields[19];
      if (parent === undefined || group === undefined || started === undefined) return undefined;
      return { pid: Number(pid), parent: Number(parent), group: Number(group), started };
    }),
  );
  return entries.filter((entry) => entry !== undefined);
}

async function fromPs(): Promise<Entry[]> {
  const { stdout } = await run("ps", ["-A", "-o", "pid=,ppid=,pgid=,lstart="]).catch(() => ({ stdout: "" }));
  return stdout.split("\n").flatMap((line) => {
    const match = /^\s*(\d+)\s+(\d+)\s+(\d+)\s+(.*)$/.exec(line);
    if (!match) return [];
    return [
      { pid: Number(match[1]), parent: Number(match[2]), group: Number(match[3]), started: match[4] ?? "" },
    ];
  });
}
