// npm test: everything but the second tier. --all: that, too, then the end-to-end tests in the newest VS Code that we have
// tried, and those with Windows' Node and with servers that others wrote, where these can be installed. --newest: everything in the
// newest instead of the oldest.
import { mkdir, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { sayCost } from "./lib/cpu-cost.mjs";
import { ensureForeignServers } from "./lib/foreign-servers.mjs";
import {
  ensureCodeServer,
  ensureDependencies,
  ensureTestBrowser,
  ensureTestPrograms,
  NEWEST_VERSION,
  OLDEST_VERSION,
  ROOT,
} from "./lib/install.mjs";
import { duration, runMain, say } from "./lib/log.mjs";
import { ensureWindowsPrograms } from "./lib/windows.mjs";

/** Milliseconds after which a suite counts as hung: more than twice the longest on the smallest machine, which may be busy. */
const LONGEST = 60 * 60_000;

/**
 * Projects of the second tier with programs that not every machine can have, and what installs these.
 * @type {[import("./lib/suites.mjs").Project, () => Promise<unknown>][]}
 */
const LANES = [
  ["windows", ensureWindowsPrograms],
  ["servers", ensureForeignServers],
];

/** Part of the paths of the tests that only `npm run test:all` runs; see vitest.config.ts. */
const SECOND_TIER = ".long.test.ts";

await runMain(async () => {
  const start = performance.now();
  const [all, newest] = ["--all", "--newest"].map((option) => process.argv.includes(option));
  const version = newest ? NEWEST_VERSION : OLDEST_VERSION;
  // These need no packages of this repository, and wait more for the network than for a processor.
  const installing = Promise.allSettled([
    ensureCodeServer(version),
    ensureTestBrowser(),
    ensureTestPrograms(),
  ]);
  await ensureDependencies();
  const { check, cost, extensionHost, lint, RESULTS, suite, types, vitest } = await import(
    "./lib/suites.mjs"
  );
  cost.start();
  await rm(RESULTS, { recursive: true, force: true });
  process.env.NEKODE_CODE_SERVER = version;

  const installed = suite("install", () =>
    check(async () => {
      for (const each of await installing) if (each.status === "rejected") throw each.reason;
    }));
  let vsix = "";
  const built = suite("build", () =>
    check(async () => {
      const { packageExtension } = await import("./lib/package.mjs");
      vsix = await packageExtension();
    }));
  const isReady = Promise.all([installed, built]).then((results) =>
    results.every(({ failed }) => failed === 0),
  );
  // In a real VS Code the second tier takes the whole of what the first takes a sample of; elsewhere npm run endure does.
  const whole = all ? { NEKODE_ROUNDS: "whole" } : {};
  const options = () => ({
    env: { NEKODE_VSIX: vsix, NEKODE_PANEL: path.join(ROOT, "dist/webview") },
    timeoutMs: LONGEST,
  });
  /** @param {import("./lib/suites.mjs").Project} project */
  const testsOf = async (project) => [await vitest(project, [project], { ...options(), workers: 1 })];
  /** @param {() => Promise<import("./lib/suites.mjs").SuiteResult[]>} tests of the built files */
  const ofTheBuild = (tests) => async () => ((await isReady) ? await tests() : []);
  // The longest first, two at a time, on the two cores of the smallest machine: beside a third one, each takes longer by so much
  // that nothing is done sooner.
  const suites = [
    async () => [await built],
    () => Promise.all([lint(), types()]),
    () => testsOf("unit"),
    () => installed.then(() => testsOf("system")),
    ofTheBuild(() => testsOf("browser")),
    ofTheBuild(() => testsOf("e2e")),
    ofTheBuild(() => testsOf("cli")),
    ofTheBuild(async () => [await extensionHost(whole)]),
  ];
  const ran = await inOrder(suites, 2);
  const results = [await installed, ...ran.flat()];
  if (all && (await isReady)) {
    await ensureCodeServer(NEWEST_VERSION);
    const projects = /** @type {const} */ (["unit", "system", "cli", "browser", "e2e"]);
    results.push(await vitest("second tier", [...projects], { ...options(), files: SECOND_TIER }));
    const env = { ...options().env, ...whole, NEKODE_CODE_SERVER: NEWEST_VERSION };
    results.push(await vitest("newest VS Code", ["e2e"], { ...options(), env }));
    for (const [name, ensure] of LANES) {
      const reason = await ensure().then(
        () => undefined,
        (/** @type {unknown} */ error) => String(error),
      );
      if (reason === undefined)
        results.push(await vitest(name, [name], { ...options(), files: SECOND_TIER }));
      else {
        say(`${name}: not run. ${reason}`);
        results.push({ name, passed: 0, failed: 0, skipped: 1, durationMs: 0, failures: [] });
      }
    }
  }
  const total = (/** @type {"passed" | "failed" | "skipped"} */ kind) =>
    results.reduce((sum, result) => sum + result[kind], 0);
  if (total("failed") > 0) say("Logs, screenshots and traces of failures are in test-results/");
  const report = cost.report(RESULTS);
  cost.close();
  if (report) {
    sayCost(report);
    await mkdir(RESULTS, { recursive: true });
    await writeFile(path.join(RESULTS, "cost.json"), `${JSON.stringify(report, undefined, 2)}\n`);
  }
  say(`Ran everything in ${duration(performance.now() - start)}`);
  say(`${total("passed")} passed, ${total("failed")} failed, ${total("skipped")} skipped`);
  return total("failed") > 0 ? 1 : 0;
});

/**
 * Starts `tasks` in order and runs at most `width` at a time.
 * @template T
 * @param {(() => Promise<T>)[]} tasks
 * @param {number} width
 * @returns {Promise<T[]>}
 */
async function inOrder(tasks, width) {
  const next = tasks.entries();
  /** @type {T[]} */
  const results = [];
  const worker = async () => {
    for (const [at, task] of next) results[at] = await task();
  };
  await Promise.all(Array.from({ length: width }, worker));
  return results;
}
