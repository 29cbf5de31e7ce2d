/** What the system says of single processes: `/proc` on Linux, `ps` on other systems with process states. */
import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { promisify } from "node:util";
import { codeOf } from "./files/fs-errors.ts";
import { systemProgram } from "./find-programs.ts";

const run = promisify(execFile);

/** A line of `/proc/PID/stat`. */
export interface ProcessStat {
  state: string;
  parent: number;
  group: number;
  session: number;
  /** The device number of its terminal; 0: none. */
  terminal: number;
  /** Since the system's start, in clock ticks: tells a process from a later one of the same number. */
  started: string;
}

export function parseStat(text: string): ProcessStat | undefined {
  // The name stands in parentheses and may hold any characters; what follows are plain fields.
  const fields = text.slice(text.lastIndexOf(")") + 2).split(" ");
  const [state, parent, group, session, terminal] = fields;
  const started = fields[19];
  if (state === undefined || started === undefined) return undefined;
  const numbers = { parent: Number(parent), group: Number(group), session: Number(session) };
  return { state, ...numbers, terminal: Number(terminal), started };
}

/** undefined: it is gone, another user's that is hidden, or the system has no `/proc`. */
export async function readStat(pid: number): Promise<ProcessStat | undefined> {
  return parseStat(await readProc(pid, "stat"));
}

/** A file of `/proc/PID`; "" for a process that is gone or another user's. */
export function readProc(pid: number, name: "stat" | "environ"): Promise<string> {
  return readFile(`/proc/${pid}/${name}`, "latin1").catch(() => "");
}

/** The same synchronously, for a host that is going away. */
export function readProcNow(pid: number, name: "stat" | "environ"): string {
  try {
    return readFileSync(`/proc/${pid}/${name}`, "latin1");
  } catch {
    return "";
  }
}

/** What `ps` prints; "" when it cannot say. */
export async function ps(...args: readonly string[]): Promise<string> {
  const asked = run(systemProgram("ps") ?? "/bin/ps", args);
  return asked.then(
    ({ stdout }) => stdout,
    () => "",
  );
}

/** As `/proc` and `ps` name the states: a zombie, or a process that is being removed. It has a number and runs no more. */
export function hasEnded(state: string): boolean {
  return /^[ZXx]/.test(state);
}

/** When a process started, in the form in which `isRunning` takes it; "" where the system does not tell. */
export async function startOf(pid: number): Promise<string> {
  return process.platform === "linux" ? ((await readStat(pid))?.started ?? "") : "";
}

/**
 * Whether the process runs; with `started`, whether it is the one that started then, because numbers of processes are used
 * again. Where the system does not tell, it is taken to run.
 */
export async function isRunning(pid: number, started = ""): Promise<boolean> {
  if (process.platform === "linux") {
    const stat = await readStat(pid);
    if (stat) return !hasEnded(stat.state) && (started === "" || started === stat.started);
  }
  // After reading: one that ended in between is gone by now.
  if (!exists(pid)) return false;
  if (process.platform === "win32" || process.platform === "linux") return true;
  return !hasEnded((await ps("-o", "state=", "-p", String(pid))).trim());
}

function exists(pid: number): boolean {
  if (!Number.isInteger(pid) || pid <= 0 || pid > 0x7fff_ffff) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // Another user's process answers EPERM.
    return codeOf(error) !== "ESRCH";
  }
}
