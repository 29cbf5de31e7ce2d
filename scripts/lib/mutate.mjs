// Applies the faults of test/mutations, one at a time, to copies of the repository, and runs the tests that should
// notice. Import only after the packages are installed.
import { fork } from "node:child_process";
import { once } from "node:events";
import { rmSync } from "node:fs";
import { copyFile, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { PROPERTIES } from "../../test/mutations/properties.mjs";
import { TERMINAL_BUNDLES } from "./build.mjs";
import { ROOT } from "./dependencies.mjs";
import { duration, say, step, Trouble } from "./log.mjs";
import { gaps, loadMutations, readTest, roomOf, wrongEntries } from "./mutation-list.mjs";
import { killTree, run } from "./processes.mjs";
import { RESULTS } from "./suites.mjs";

/** @typedef {import("../../test/mutations/properties.mjs").Mutation} Mutation */

/**
 * @typedef {object} Outcome
 * @property {Mutation} mutation
 * @property {string} [caughtBy] file and title of a test that failed
 * @property {string} [broken] why no test could judge it
 */

/** @typedef {import("./test-runner.mjs").TestAnswer} TestAnswer */

/** A run of tests that takes longer hangs. */
const TESTS_MS = 20 * 60_000;

/** Milliseconds for one test, which a fault may let wait for ever. All tests pass within them where nothing is wrong. */
const TEST_MS = 15_000;

/** What a process of tests may take to end. */
const END_MS = 10_000;

/** Projects whose tests read the sources. */
const KEPT = ["unit", "system"];

/**
 * @param {{ only: string, jobs: number }} options
 * @returns {Promise<number>} the exit code
 */
export async function mutate({ only, jobs }) {
  const start = performance.now();
  const all = await loadMutations();
  const mutations = all.filter((mutation) => matches(mutation, only));
  const wrong = wrongEntries(all);
  for (const line of wrong) say(`WRONG: ${line}`);
  if (wrong.length > 0) return 1;
  if (mutations.length === 0) throw new Trouble(`No mutation contains "${only}".`);
  const folder = await mkdtemp(path.join(tmpdir(), "nekode-mutate-"));
  /** @type {Tests[]} */
  const tests = [];
  const removeNow = () => rmSync(folder, { recursive: true, force: true });
  process.once("exit", removeNow);
  for (const signal of /** @type {const} */ (["SIGINT", "SIGTERM"]))
    process.once(signal, () => process.exit(1));
  try {
    const copies = await step("Copying the repository", () =>
      copyTree(folder, Math.min(jobs, mutations.length)),
    );
    for (const copy of copies) if (mutations.some(usesBuild)) await build(copy, []);
    for (const copy of copies) tests.push(new Tests(copy));
    const [first] = tests;
    if (first === undefined) throw new Error("nothing was copied");
    await step("Running the tests without any mutation", () => expectPasses(first, mutations));
    const outcomes = await judgeAll(tests, mutations);
    await writeResults(outcomes);
    const missing = only === "" ? gaps(all) : [];
    summarize(outcomes, missing);
    say(`Judged ${outcomes.length} mutations in ${duration(performance.now() - start)}`);
    return missing.length > 0 || outcomes.some(({ caughtBy }) => caughtBy === undefined) ? 1 : 0;
  } finally {
    for (const each of tests) await each.close();
    await rm(folder, { recursive: true, force: true, maxRetries: 3 });
    process.removeListener("exit", removeNow);
  }
}

/** @param {Mutation} mutation @param {string} text */
const matches = ({ name, file, property }, text) =>
  `${property}` === text || [name, file].some((each) => each.includes(text)) || roomOf(file) === text;

/** @param {Mutation} mutation */
const usesBuild = ({ tests }) => tests.some((test) => readTest(test).project === "cli");

/**
 * Copies of the work tree as it is, without ignored files. They share the installed packages.
 * @param {string} folder @param {number} count
 * @returns {Promise<string[]>}
 */
async function copyTree(folder, count) {
  const listed = await run("git", ["ls-files", "-z", "--cached", "--others", "--exclude-standard"], {
    cwd: ROOT,
  });
  const deleted = await run("git", ["ls-files", "-z", "--deleted"], { cwd: ROOT });
  const gone = new Set(deleted.output.split("\0"));
  const files = listed.output.split("\0").filter((file) => !gone.has(file));
  const copies = Array.from({ length: count }, (_, index) => path.join(folder, `nekode-${index + 1}`));
  for (const copy of copies) {
    for (const parent of new Set(files.map((file) => path.dirname(file))))
      await mkdir(path.join(copy, parent), { recursive: true });
    for (const file of files) await copyFile(path.join(ROOT, file), path.join(copy, file));
    await symlink(path.join(ROOT, "node_modules"), path.join(copy, "node_modules"), "junction");
  }
  return copies;
}

/** Builds everything or some bundles of a copy. @param {string} copy @param {string[]} names */
async function build(copy, names) {
  const runs = names.length === 0 ? [[]] : names.map((name) => ["--only", name]);
  for (const args of runs) await run(process.execPath, ["scripts/build.mjs", ...args], { cwd: copy });
}

/** The tests of all mutations must pass as long as nothing is wrong. @param {Tests} tests @param {Mutation[]} mutations */
async function expectPasses(tests, mutations) {
  const named = [...new Set(mutations.flatMap((mutation) => mutation.tests))].map(readTest);
  for (const project of new Set(named.map((test) => test.project))) {
    const files = named.filter((test) => test.project === project).map(({ file }) => file);
    const { failed, broken, ran } = await tests.run(project, files, false);
    if (failed !== undefined || broken !== undefined)
      throw new Trouble(`The tests fail without any mutation: ${failed ?? broken}`);
    const absent = files.filter((file) => !ran.includes(file));
    if (absent.length > 0) throw new Trouble(`The project ${project} does not run ${absent.join(", ")}`);
  }
}

/** @param {Tests[]} copies @param {Mutation[]} mutations @returns {Promise<Outcome[]>} */
async function judgeAll(copies, mutations) {
  /** @type {Outcome[]} */
  const outcomes = [];
  const queue = mutations.entries();
  await Promise.all(
    copies.map(async (tests) => {
      for (const [at, mutation] of queue) {
        const outcome = { mutation, ...(await judge(tests, mutation)) };
        outcomes[at] = outcome;
        say(`${mutation.name}: ${verdict(outcome)}`);
      }
    }),
  );
  return outcomes;
}

/** @param {Outcome} outcome */
function verdict({ caughtBy, broken }) {
  if (broken !== undefined) return `NOT JUDGED, ${broken}`;
  return caughtBy === undefined ? "SURVIVED" : `caught by ${caughtBy}`;
}

/**
 * Applies a mutation, runs its tests until one fails, and reverts it.
 * @param {Tests} tests @param {Mutation} mutation
 * @returns {Promise<Omit<Outcome, "mutation">>}
 */
async function judge(tests, mutation) {
  const { copy } = tests;
  const file = path.join(copy, mutation.file);
  const text = await readFile(file, "utf8");
  await writeFile(file, text.split(mutation.find).join(mutation.replace));
  tests.changed(mutation.file);
  try {
    if (usesBuild(mutation)) await build(copy, TERMINAL_BUNDLES);
    for (const test of mutation.tests) {
      const { project, file: testFile } = readTest(test);
      const { failed, broken } = await tests.run(project, [testFile], true);
      if (failed !== undefined) return { caughtBy: failed };
      if (broken !== undefined) return { broken };
    }
    return {};
  } catch (error) {
    return { broken: error instanceof Error ? error.message : String(error) };
  } finally {
    await writeFile(file, text);
    tests.changed(mutation.file);
  }
}

/** Runs the tests of one copy. Those of one project share a process, which keeps what it has read of unchanged files. */
class Tests {
  /** @type {Map<string, import("node:child_process").ChildProcess>} */
  #runners = new Map();
  /** Files that changed since a process last ran tests, by project. @type {Map<string, Set<string>>} */
  #changed = new Map();

  /** @param {string} copy its folder */
  constructor(copy) {
    this.copy = copy;
  }

  /** A source file has changed. @param {string} file */
  changed(file) {
    for (const files of this.#changed.values()) files.add(file);
  }

  /**
   * @param {string} project @param {string[]} files @param {boolean} firstOnly
   * @returns {Promise<TestAnswer>}
   */
  async run(project, files, firstOnly) {
    try {
      const runner = this.#runners.get(project) ?? (await this.#start(project));
      const changed = [...(this.#changed.get(project) ?? [])];
      this.#changed.set(project, new Set());
      runner.send({ files, firstOnly, changed });
      const [answer] = await next(runner, TESTS_MS);
      return answer;
    } catch (error) {
      await this.#end(project);
      return { broken: error instanceof Error ? error.message : String(error), ran: [] };
    } finally {
      // The global setup of the others builds what they test.
      if (!KEPT.includes(project)) await this.#end(project);
    }
  }

  async close() {
    for (const project of this.#runners.keys()) await this.#end(project);
  }

  /** @param {string} project */
  async #start(project) {
    const { NEKODE_VSIX: _, ...env } = process.env;
    const runner = fork(path.join(this.copy, "scripts/lib/test-runner.mjs"), [project], {
      cwd: this.copy,
      env: { ...env, NO_COLOR: "1", NEKODE_TEST_TIMEOUT: `${TEST_MS}` },
    });
    this.#runners.set(project, runner);
    await next(runner, TESTS_MS);
    return runner;
  }

  /** @param {string} project */
  async #end(project) {
    const runner = this.#runners.get(project);
    this.#runners.delete(project);
    this.#changed.delete(project);
    if (runner?.pid === undefined || runner.exitCode !== null || runner.signalCode !== null) return;
    const ended = once(runner, "exit");
    runner.disconnect();
    const timer = setTimeout(() => void killTree(runner.pid ?? 0), END_MS);
    await ended;
    clearTimeout(timer);
  }
}

/** The next message of a process. @param {import("node:child_process").ChildProcess} child @param {number} atMost */
async function next(child, atMost) {
  const answered = new AbortController();
  const signal = AbortSignal.any([answered.signal, AbortSignal.timeout(atMost)]);
  const exit = once(child, "exit", { signal }).then(([code]) => {
    throw new Error(`The tests ended with code ${code}.`);
  });
  try {
    return await Promise.race([once(child, "message", { signal }), exit]);
  } finally {
    // One process answers many times: what waited for its exit is removed.
    answered.abort();
  }
}

/** @param {Outcome[]} outcomes */
async function writeResults(outcomes) {
  await mkdir(RESULTS, { recursive: true });
  const entries = outcomes.map(({ mutation: { name, property, file }, caughtBy, broken }) => ({
    name,
    property,
    room: roomOf(file),
    file,
    caughtBy: caughtBy ?? null,
    ...(broken === undefined ? {} : { broken }),
  }));
  await writeFile(path.join(RESULTS, "mutations.json"), `${JSON.stringify(entries, undefined, 2)}\n`);
  const lines = entries.map(({ name, property, file, caughtBy, broken }) =>
    [name, property, file, caughtBy ?? (broken === undefined ? "SURVIVED" : "NOT JUDGED")]
      .map((cell) => `${cell}`.replaceAll("|", "\\|"))
      .join(" | "),
  );
  const table = ["name | property | file | caught by", "--- | --- | --- | ---", ...lines];
  await writeFile(path.join(RESULTS, "mutations.md"), `${table.map((line) => `| ${line} |`).join("\n")}\n`);
}

/** @param {Outcome[]} outcomes @param {string[]} missing */
function summarize(outcomes, missing) {
  /** @param {string} title @param {(mutation: Mutation) => boolean} belongs */
  const count = (title, belongs) => {
    const group = outcomes.filter(({ mutation }) => belongs(mutation));
    const caught = group.filter(({ caughtBy }) => caughtBy !== undefined);
    if (group.length > 0) say(`  ${caught.length} of ${group.length} caught: ${title}`);
  };
  say("\nBy property:");
  for (const [number, title] of Object.entries(PROPERTIES))
    count(`${number}. ${title}`, ({ property }) => property === Number(number));
  say("\nBy room:");
  for (const room of [...new Set(outcomes.map(({ mutation }) => roomOf(mutation.file)))].sort())
    count(room, ({ file }) => roomOf(file) === room);
  say("");
  for (const line of missing) say(`TOO FEW: ${line}`);
  for (const outcome of outcomes)
    if (outcome.caughtBy === undefined) say(`${outcome.mutation.name}: ${verdict(outcome)}`);
}
