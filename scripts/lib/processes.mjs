// Child processes: run to completion with a time limit, or in the background under a guard that ends the whole process
// tree.
import { spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { accessSync, constants, readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { duration, Trouble } from "./log.mjs";

const windows = process.platform === "win32";

/**
 * The full path of a command on PATH, or undefined.
 * @param {string} name
 */
export function which(name) {
  for (const folder of (process.env.PATH ?? "").split(path.delimiter)) {
    for (const suffix of windows ? [".exe", ".cmd", ".bat"] : [""]) {
      const candidate = path.join(folder, name + suffix);
      try {
        accessSync(candidate, constants.X_OK);
        return candidate;
      } catch {
        // not in this folder
      }
    }
  }
  return undefined;
}

/**
 * Runs a command to completion and returns its output. A non-zero exit or a timeout throws a Trouble with the command
 * and the last lines of its output.
 * @param {string} command
 * @param {string[]} args
 * @param {{ cwd?: string, env?: NodeJS.ProcessEnv, timeoutMs?: number, onOutput?: (text: string) => void,
 *           anyExit?: boolean }} [options]
 * @returns {Promise<{ code: number, output: string }>}
 */
export async function run(command, args, options = {}) {
  const { timeoutMs = 10 * 60_000 } = options;
  const child = spawn(command, args, {
    cwd: options.cwd,
    env: options.env ?? process.env,
    stdio: ["ignore", "pipe", "pipe"],
    shell: windows,
  });
  let output = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding("utf8");
    stream.on("data", (/** @type {string} */ text) => {
      output += text;
      options.onOutput?.(text);
    });
  }
  let late = false;
  const timer = setTimeout(() => {
    late = true;
    if (child.pid !== undefined) void killTree(child.pid);
  }, timeoutMs);
  try {
    const [code] = await once(child, "close");
    if (late)
      throw new Trouble(
        `${describe(command, args)} did not end within ${duration(timeoutMs)}.\n${tail(output)}`,
      );
    if (code !== 0 && !options.anyExit)
      throw new Trouble(`${describe(command, args)} ended with exit code ${code}.\n${tail(output)}`);
    return { code: code ?? 1, output };
  } catch (error) {
    if (error instanceof Trouble) throw error;
    throw new Trouble(
      `${describe(command, args)} could not be started: ${error instanceof Error ? error.message : error}`,
    );
  } finally {
    clearTimeout(timer);
  }
}

/** @param {string} command @param {string[]} args */
const describe = (command, args) => `\`${[command, ...args].join(" ")}\``;

/** The last lines of a log. @param {string} text @param {number} [lines] */
export const tail = (text, lines = 50) => text.trimEnd().split("\n").slice(-lines).join("\n");

/**
 * Starts a long-lived process under a guard: when this process ends in any way, kill -9 included, the guard ends the
 * child's whole process tree. `stop` does the same and resolves when the tree is gone.
 * @param {string} command
 * @param {string[]} args
 * @param {{ cwd?: string, env?: NodeJS.ProcessEnv, onOutput?: (text: string) => void }} [options]
 */
export function startGuarded(command, args, options = {}) {
  const mark = randomUUID();
  const guard = spawn(
    process.execPath,
    [fileURLToPath(new URL("./guard.mjs", import.meta.url)), command, ...args],
    {
      cwd: options.cwd,
      env: { ...(options.env ?? process.env), NEKODE_PROCESS_MARK: mark },
      stdio: ["pipe", "pipe", "pipe"],
      // Its own process group: Ctrl-C in a terminal reaches this process, which ends the tree in order.
      detached: !windows,
    },
  );
  /** @type {(code: number) => void} */
  let settle = () => {};
  /** @type {Promise<number>} */
  const exited = new Promise((resolve) => {
    settle = resolve;
  });
  guard.on("error", () => settle(127));
  guard.on("close", (code) => settle(code ?? 1));
  for (const stream of [guard.stdout, guard.stderr]) {
    stream.setEncoding("utf8");
    stream.on("data", (/** @type {string} */ text) => options.onOutput?.(text));
  }
  guard.stdin.on("error", () => {});
  return {
    exited,
    /** Ends the whole tree. Safe to call twice. */
    async stop() {
      guard.stdin.end();
      await exited;
    },
  };
}

/** How long processes that were killed may take to be gone, in milliseconds: on a busy machine they wait for their turn to end. */
const KILLED_MS = 30_000;

/**
 * Ends a process and all its descendants: gracefully, then by force after `graceMs`. On Linux, processes that left the
 * tree (a daemon of the terminal) are found by the mark that they inherited in their environment.
 * @param {number} root
 * @param {{ graceMs?: number, mark?: string | undefined }} [options]
 */
export async function killTree(root, options = {}) {
  const { graceMs = 2000, mark } = options;
  if (windows) {
    await run("taskkill", ["/pid", String(root), "/T", "/F"], { anyExit: true });
    return;
  }
  const victims = new Set([root, ...(await descendantsOf(root, mark))]);
  for (const pid of victims) signal(pid, "SIGTERM");
  await gone(victims, graceMs);
  let survivors = [...victims];
  for (const deadline = performance.now() + KILLED_MS; performance.now() < deadline; ) {
    // What one of them started after it was listed is found by the next look.
    survivors = [...new Set([...survivors, ...(await descendantsOf(root, mark))])].filter(alive);
    if (survivors.length === 0) return;
    for (const pid of survivors) signal(pid, "SIGKILL");
    await gone(new Set(survivors), 100);
  }
}

/** Waits until none of them runs. No event tells of the end of a process that is not one's child. @param {Set<number>} pids @param {number} atMostMs */
async function gone(pids, atMostMs) {
  const deadline = performance.now() + atMostMs;
  while ([...pids].some(alive) && performance.now() < deadline) await new Promise((r) => setTimeout(r, 20));
}

/** @param {number} pid @param {NodeJS.Signals} name */
function signal(pid, name) {
  try {
    process.kill(pid, name);
  } catch {
    // already gone
  }
}

/** Whether a process runs; a zombie does not count. @param {number} pid */
export function alive(pid) {
  try {
    process.kill(pid, 0);
  } catch {
    return false;
  }
  try {
    return !/\) Z /.test(readFileSync(`/proc/${pid}/stat`, "utf8"));
  } catch {
    return process.platform !== "linux";
  }
}

/** Every descendant of `root`, and on Linux every process that carries `mark`. @param {number} root @param {string} [mark] */
async function descendantsOf(root, mark) {
  /** @type {Map<number, number>} */
  const parents = process.platform === "linux" ? parentsFromProc() : await parentsFromPs();
  const descendants = new Set([root]);
  for (let grown = true; grown; ) {
    grown = false;
    for (const [pid, parent] of parents) {
      if (!descendants.has(pid) && descendants.has(parent)) {
        descendants.add(pid);
        grown = true;
      }
    }
  }
  descendants.delete(root);
  if (mark !== undefined && process.platform === "linux") {
    for (const pid of parents.keys())
      if (pid !== root && pid !== process.pid && carries(pid, mark)) descendants.add(pid);
  }
  descendants.delete(process.pid);
  return descendants;
}

function parentsFromProc() {
  /** @type {Map<number, number>} */
  const parents = new Map();
  for (const name of readdirSync("/proc")) {
    const pid = Number(name);
    if (!Number.isInteger(pid)) continue;
    try {
      const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
      const parent = /^\S+ (\d+)/.exec(stat.slice(stat.lastIndexOf(")") + 2))?.[1];
      if (parent !== undefined) parents.set(pid, Number(parent));
    } catch {
      // The process has ended in the meantime.
    }
  }
  return parents;
}

async function parentsFromPs() {
  const { output } = await run("ps", ["-A", "-o", "pid=,ppid="], { anyExit: true, timeoutMs: 10_000 });
  /** @type {Map<number, number>} */
  const parents = new Map();
  for (const line of output.split("\n")) {
    const match = /^\s*(\d+)\s+(\d+)/.exec(line);
    if (match) parents.set(Number(match[1]), Number(match[2]));
  }
  return parents;
}

/** @param {number} pid @param {string} mark */
function carries(pid, mark) {
  try {
    return readFileSync(`/proc/${pid}/environ`, "utf8").includes(mark);
  } catch {
    return false;
  }
}
