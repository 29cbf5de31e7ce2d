// The repository's test suites: each runs a check, writes its output to test-results/NAME.log and counts results.
import { mkdir, readFile, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { CpuCost, costEnvironment, inGroup } from "./cpu-cost.mjs";
import { ROOT } from "./dependencies.mjs";
import { failedPart } from "./failed-part.mjs";
import { duration, say } from "./log.mjs";
import { run, tail } from "./processes.mjs";
import { LATER_COLLECTION, ONE_CHECKER } from "./tsc.mjs";

/**
 * @typedef {object} SuiteResult
 * @property {string} name
 * @property {number} passed
 * @property {number} failed
 * @property {number} skipped
 * @property {number} durationMs
 * @property {string[]} failures each a title and what was wrong
 */

/** @typedef {Pick<SuiteResult, "passed" | "failed" | "skipped" | "failures">} Counts */

export const RESULTS = path.join(ROOT, "test-results");

/** What all suites of this process cost. */
export const cost = new CpuCost();

/**
 * Runs a program as `run` does, in the control group of a suite where its cost is measured.
 * @param {string} suiteName
 * @param {string} command
 * @param {string[]} args
 * @param {Parameters<typeof run>[2]} options
 */
function runMeasured(suiteName, command, args, options) {
  const group = cost.groupOf(suiteName);
  if (group === undefined) return run(command, args, options);
  const grouped = inGroup(group, command, args);
  return run(grouped.command, grouped.args, options);
}

/** @param {string} name of a program in node_modules/.bin, run with this Node */
const bin = (name) => path.join(ROOT, "node_modules/.bin", name);

/**
 * Runs one suite and reports its result. An exception fails the suite, and so does a suite without tests.
 * @param {string} name
 * @param {() => Promise<Counts>} work
 * @returns {Promise<SuiteResult>}
 */
export async function suite(name, work) {
  const start = performance.now();
  /** @type {Counts} */
  let counts;
  try {
    counts = await work();
    if (counts.passed + counts.failed === 0) counts = failure("No test ran");
  } catch (error) {
    counts = failure(error instanceof Error ? error.message : String(error));
  }
  const result = { name, durationMs: performance.now() - start, ...counts };
  const { passed, failed, skipped, durationMs } = result;
  say(`${name}: ${passed} passed, ${failed} failed, ${skipped} skipped (${duration(durationMs)})`);
  for (const text of result.failures) say(`\n  FAILED in ${name}: ${text}\n`);
  return result;
}

/** A single check that passes or fails. @param {() => Promise<unknown>} work @returns {Promise<Counts>} */
export async function check(work) {
  await work();
  return { passed: 1, failed: 0, skipped: 0, failures: [] };
}

/** @param {string} text @returns {Counts} */
const failure = (text) => ({ passed: 0, failed: 1, skipped: 0, failures: [text] });

/** Type-checks every project of the repository. */
export const types = () =>
  suite("types", () =>
    check(async () => {
      const projects = ["tsconfig.json", "src/core/tsconfig.json", "webview-ui/tsconfig.json"];
      const results = await Promise.all(
        projects.map((project) =>
          runMeasured("types", bin("tsc"), ["-p", project, "--noEmit", ...ONE_CHECKER], {
            cwd: ROOT,
            env: LATER_COLLECTION,
            anyExit: true,
          }),
        ),
      );
      const errors = results.filter((result) => result.code !== 0).map((result) => result.output.trim());
      if (errors.length > 0) throw new Error(tail(errors.join("\n"), 60));
    }));

/** Format and lint. */
export const lint = () =>
  suite("lint", () =>
    check(() =>
      runMeasured(
        "lint",
        bin("biome"),
        ["ci", "--colors=off", "--diagnostic-level=error", "--max-diagnostics=50"],
        {
          cwd: ROOT,
        },
      ),
    ));

/** @typedef {"unit" | "system" | "cli" | "browser" | "e2e" | "windows" | "servers"} Project */

/**
 * Tests of vitest projects, in one process: what they share is transformed once.
 * @param {string} name of the suite, of its log and its report
 * @param {Project[]} projects
 * @param {{ env?: NodeJS.ProcessEnv, timeoutMs: number, workers?: number, files?: string, keep?: boolean }} options
 *   workers: test files that run at once, where the projects' own number is not wanted; files: a part of the paths of those
 *   to run; keep: false leaves no file behind
 */
export const vitest = (name, projects, { env = {}, timeoutMs, workers, files, keep = true }) =>
  suite(name, async () => {
    const report = path.join(
      keep ? RESULTS : path.join(ROOT, "node_modules/.cache"),
      `${fileName(name)}.json`,
    );
    await mkdir(path.dirname(report), { recursive: true });
    await rm(report, { force: true });
    const args = [
      "run",
      ...projects.flatMap((project) => ["--project", project]),
      ...(files === undefined ? [] : [files]),
      "--reporter=default",
      "--reporter=json",
      `--outputFile.json=${report}`,
    ];
    const { code, output } = await runMeasured(name, bin("vitest"), args, {
      cwd: ROOT,
      env: {
        ...process.env,
        ...{ NO_COLOR: "1", ...costEnvironment(cost.groupOf(name), RESULTS) },
        ...(workers === undefined ? {} : { NEKODE_WORKERS: `${workers}` }),
        ...env,
      },
      anyExit: true,
      timeoutMs,
    });
    if (keep) await saveLog(name, output);
    const counts = countVitest(await readFile(report, "utf8").catch(() => undefined));
    if (counts === undefined) throw new Error(failedPart(output));
    if (counts.failed > 0) counts.failures = [failedPart(output)];
    // An error outside any test fails the run without failing a test.
    if (code !== 0 && counts.failed === 0) return { ...counts, failed: 1, failures: [failedPart(output)] };
    return counts;
  });

/** A suite's name as that of a file. @param {string} name */
const fileName = (name) => name.replaceAll(" ", "-");

/** @param {string | undefined} json of vitest's reporter @returns {Counts | undefined} */
function countVitest(json) {
  if (json === undefined) return undefined;
  /** @type {{ testResults: { status: string, assertionResults: { status: string }[] }[] }} */
  const report = JSON.parse(json);
  const states = report.testResults.flatMap((file) => file.assertionResults.map((test) => test.status));
  // A file that cannot be loaded has no tests, and fails.
  const broken = report.testResults.filter(
    (file) => file.status === "failed" && !file.assertionResults.some((test) => test.status === "failed"),
  );
  return {
    passed: states.filter((state) => state === "passed").length,
    failed: states.filter((state) => state === "failed").length + broken.length,
    skipped: states.filter((state) => ["pending", "skipped", "todo"].includes(state)).length,
    failures: [],
  };
}

/** Suites inside a real extension host. @param {NodeJS.ProcessEnv} [env] over this process's environment */
export const extensionHost = (env = {}) =>
  suite("extension host", async () => {
    const { runExtensionHostSuites } = await import("../../test/vscode/run.mjs");
    const { code, results, output } = await runExtensionHostSuites((command, args, options) =>
      runMeasured("extension host", command, args, { ...options, env: { ...process.env, ...env } }),
    );
    await saveLog("extension host", output);
    const failed = results.filter((result) => result.state === "failed");
    if (code !== 0 && failed.length === 0)
      throw new Error(`The extension host ended with code ${code}.\n${tail(output)}`);
    return {
      passed: results.filter((result) => result.state === "passed").length,
      failed: failed.length,
      skipped: results.filter((result) => result.state === "skipped").length,
      failures: failed.map((result) => `${result.title}\n${result.error ?? ""}`),
    };
  });

/** @param {string} name @param {string} output */
async function saveLog(name, output) {
  await mkdir(RESULTS, { recursive: true });
  await writeFile(path.join(RESULTS, `${fileName(name)}.log`), output);
}
