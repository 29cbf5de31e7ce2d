/** The status of single processes, from `/proc` on Linux and from `ps` on other POSIX systems. */
import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { readdir, readFile, stat } from "node:fs/promises";
import { promisify } from "node:util";
import { codeOf } from "./files/fs-errors.ts";
import { systemProgram } from "./find-programs.ts";

const run = promisify(execFile);

/** The parsed fields of `/proc/PID/stat`. */
export interface ProcessStat {
  state: string;
  parent: number;
  group: number;
  session: number;
  /** The device number of the controlling terminal; 0: none. */
  terminal: number;
  /** Start time in clock ticks since boot; distinguishes the process from a later one with the same id. */
  started: string;
}

export function parseStat(text: string): ProcessStat | undefined {
  // The name is in parentheses and may contain any characters; the other fields follow it.
  const fields = text.slice(text.lastIndexOf(")") + 2).split(" ");
  const [state, parent, group, session, terminal] = fields;
  const started = fields[19];
  if (state === undefined || started === undefined) return undefined;
  const numbers = { parent: Number(parent), group: Number(group), session: Number(session) };
  return { state, ...numbers, terminal: Number(terminal), started };
}

/** undefined: the process ended, is hidden because it is another user's, or the system has no `/proc`. */
export async function readStat(pid: number): Promise<ProcessStat | undefined> {
  return parseStat(await readProc(pid, "stat"));
}

/** A file of `/proc/PID`; "" for a process that ended or is another user's. */
export function readProc(pid: number, name: "stat" | "environ"): Promise<string> {
  return readFile(`/proc/${pid}/${name}`, "latin1").catch(() => "");
}

/** Synchronous `readProc`, for a host that is shutting down. */
export function readProcNow(pid: number, name: "stat" | "environ"): string {
  try {
    return readFileSync(`/proc/${pid}/${name}`, "latin1");
  } catch {
    return "";
  }
}

/** The output of `ps`; "" if it fails. */
export async function ps(...args: readonly string[]): Promise<string> {
  const asked = run(systemProgram("ps") ?? "/bin/ps", args);
  return asked.then(
    ({ stdout }) => stdout,
    () => "",
  );
}

/** Whether a state of `/proc` or `ps` is that of a zombie or a dead process, which has an id but no longer runs. */
export function hasEnded(state: string): boolean {
  return /^[ZXx]/.test(state);
}

/** The start time of a process, in the form that `isRunning` takes; "" if the system does not report it. */
export async function startOf(pid: number): Promise<string> {
  return process.platform === "linux" ? ((await readStat(pid))?.started ?? "") : "";
}

/**
 * Whether the process runs; with `started`, whether it is the one that started then, because process ids are reused. Without
 * that information, the process counts as running.
 */
export async function isRunning(pid: number, started = ""): Promise<boolean> {
  if (process.platform === "linux") {
    const stat = await readStat(pid);
    if (stat) return !hasEnded(stat.state) && (started === "" || started === stat.started);
  }
  // Checked after reading, so that a process that ended in between does not count.
  if (!exists(pid)) return false;
  if (process.platform === "win32" || process.platform === "linux") return true;
  return !hasEnded((await ps("-o", "state=", "-p", String(pid))).trim());
}

/**
 * Whether a thread of the process computes or waits for a disk, and the process has no device open from which it could read without an
 * end. False where the system does not tell.
 */
export async function isBusyProcess(pid: number): Promise<boolean> {
  for (const thread of await readdir(`/proc/${pid}/task`).catch(() => [])) {
    const text = await readFile(`/proc/${pid}/task/${thread}/stat`, "latin1").catch(() => "");
    if (/^[RD]/.test(parseStat(text)?.state ?? "")) return !(await readsDevice(pid));
  }
  return false;
}

async function readsDevice(pid: number): Promise<boolean> {
  for (const file of await readdir(`/proc/${pid}/fd`).catch(() => [])) {
    // Its own input and output are not what it reads files from.
    if (Number(file) <= 2) continue;
    const found = await stat(`/proc/${pid}/fd/${file}`).catch(() => undefined);
    if (found?.isCharacterDevice() || found?.isBlockDevice()) return true;
  }
  return false;
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
