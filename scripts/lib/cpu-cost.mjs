// What a run of the tests costs in CPU-seconds, of all processes: also of those that nobody waits for, which `time` does not
// count. Linux counts them by control group: https://docs.kernel.org/admin-guide/cgroup-v2.html
import { mkdirSync, readdirSync, readFileSync, rmdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { say } from "./log.mjs";

/**
 * @typedef {{ name: string, seconds: number }} Cost
 * @typedef {{ seconds: number, suites: Cost[], files: Cost[] }} CostReport files: the most expensive first
 */

/** Name of the file in a suite's folder of results to which its workers add a line for each test file. */
const FILES_OF_SUITE = "cost-of-files.jsonl";

/** The control group of this process, in which it may make others; undefined where there is none. */
function ownGroup() {
  if (process.platform !== "linux") return undefined;
  try {
    const mount = readFileSync("/proc/mounts", "utf8")
      .split("\n")
      .map((line) => line.split(" "))
      .find(([, , type]) => type === "cgroup2")?.[1];
    const own = /^0::(.*)$/m.exec(readFileSync("/proc/self/cgroup", "utf8"))?.[1];
    return mount === undefined || own === undefined ? undefined : path.join(mount, own);
  } catch {
    return undefined;
  }
}

/** Measures this process and every process that it starts from now on. */
export class CpuCost {
  /** @type {string | undefined} */
  #group;
  /** @type {Map<string, string>} */
  #suites = new Map();

  /** Begins to measure. Without this, nothing is measured and no group is made. */
  start() {
    const parent = ownGroup();
    if (parent === undefined) return;
    const group = path.join(parent, `nekode-tests-${process.pid}`);
    try {
      mkdirSync(group);
      writeFileSync(path.join(group, "cgroup.procs"), String(process.pid));
      this.#group = group;
    } catch {
      // Only root, or whom the system has given a part of the tree, may make control groups: nothing is measured then.
      removeGroup(group);
    }
  }

  /** The group for a suite's processes; undefined where nothing is measured. @param {string} suite */
  groupOf(suite) {
    if (this.#group === undefined) return undefined;
    const group = path.join(this.#group, suite.replaceAll(/\W+/g, "-"));
    mkdirSync(group, { recursive: true });
    this.#suites.set(suite, group);
    return group;
  }

  /** @param {string} results folder in which the suites' workers wrote @returns {CostReport | undefined} */
  report(results) {
    if (this.#group === undefined) return undefined;
    const suites = [...this.#suites].map(([name, group]) => ({ name, seconds: usedSeconds(group) }));
    const seconds = usedSeconds(this.#group);
    const measured = suites.reduce((sum, suite) => sum + suite.seconds, 0);
    suites.push({ name: "build, package, this script", seconds: seconds - measured });
    return { seconds, suites: dearestFirst(suites), files: dearestFirst(readFileCosts(results)) };
  }

  /** Removes the groups, except those in which something still runs. */
  close() {
    if (this.#group === undefined) return;
    const parent = path.dirname(this.#group);
    try {
      writeFileSync(path.join(parent, "cgroup.procs"), String(process.pid));
    } catch {
      // The group goes with this process at the latest.
    }
    removeGroup(this.#group);
  }
}

/** Prints what each suite cost, and the most expensive files. @param {CostReport} report */
export function sayCost({ seconds, suites, files }) {
  say(`CPU-seconds, all processes: ${seconds.toFixed(0)}`);
  for (const suite of suites) say(`  ${suite.seconds.toFixed(1).padStart(7)}  ${suite.name}`);
  say("The most expensive test files:");
  for (const file of files.slice(0, 15)) say(`  ${file.seconds.toFixed(1).padStart(7)}  ${file.name}`);
}

/** Starts `command` in a group. @param {string} group @param {string} command @param {string[]} args */
export function inGroup(group, command, args) {
  const script = 'echo $$ > "$0/cgroup.procs" && exec "$@"';
  return { command: "/bin/sh", args: ["-c", script, group, command, ...args] };
}

/** @param {string} group */
function usedSeconds(group) {
  const microseconds = /^usage_usec (\d+)$/m.exec(readFileSync(path.join(group, "cpu.stat"), "utf8"))?.[1];
  return Number(microseconds) / 1e6;
}

/** The variables of a suite's workers, which test/support/file-cost.ts reads. @param {string | undefined} group @param {string} results */
export const costEnvironment = (group, results) =>
  group === undefined
    ? {}
    : { NEKODE_COST_GROUP: group, NEKODE_COST_FILE: path.join(results, FILES_OF_SUITE) };

/** @param {string} results @returns {Cost[]} */
function readFileCosts(results) {
  let lines = "";
  try {
    lines = readFileSync(path.join(results, FILES_OF_SUITE), "utf8");
  } catch {
    return [];
  }
  return lines
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line));
}

/** @param {Cost[]} costs */
const dearestFirst = (costs) => costs.toSorted((a, b) => b.seconds - a.seconds);

/** @param {string} group */
function removeGroup(group) {
  try {
    for (const entry of readdirSync(group, { withFileTypes: true }))
      if (entry.isDirectory()) removeGroup(path.join(group, entry.name));
    rmdirSync(group);
  } catch {
    // It was never made, or a process is still in it.
  }
}
