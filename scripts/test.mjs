// npm test: everything. --newest: in the newest VS Code that we have tried, instead of the oldest.
import { mkdir, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { sayCost } from "./lib/cpu-cost.mjs";
import {
  ensureChromium,
  ensureCodeServer,
  ensureDependencies,
  ensureTestPrograms,
  NEWEST_VERSION,
  OLDEST_VERSION,
} from "./lib/install.mjs";
import { duration, runMain, say } from "./lib/log.mjs";

/** Milliseconds after which a suite counts as hung: three times the longest on the smallest machine, which may be busy. */
const LONGEST = 40 * 60_000;

await runMain(async () => {
  const start = performance.now();
  const newest = process.argv.includes("--newest");
  const version = newest ? NEWEST_VERSION : OLDEST_VERSION;
  await ensureDependencies();
  const { check, cost, extensionHost, lint, RESULTS, suite, types, vitest } = await import(
    "./lib/suites.mjs"
  );
  cost.start();
  await rm(RESULTS, { recursive: true, force: true });

  let vsix = "";
  const build = () =>
    suite("build", () =>
      check(async () => {
        await ensureCodeServer(version);
        await ensureChromium();
        const { packageExtension } = await import("./lib/package.mjs");
        vsix = await packageExtension();
      }));
  const [built, ...checks] = await Promise.all([build(), lint(), types(), ensureTestPrograms()]);
  process.env.NEKODE_CODE_SERVER = version;
  /** @param {Parameters<typeof vitest>[0]} project */
  const tests = (project) => () => vitest(project, { env: { NEKODE_VSIX: vsix }, timeoutMs: LONGEST });
  const ofSources = [tests("unit"), tests("system")];
  const ofTheBuild = [tests("browser"), tests("cli"), extensionHost];
  // The longest first. Two at a time keep the two cores of the smallest machine busy.
  const suites = built.failed > 0 ? ofSources : [tests("e2e"), ...ofSources, ...ofTheBuild];
  const results = [built, ...checks.filter((each) => each !== undefined), ...(await inOrder(suites, 2))];
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
