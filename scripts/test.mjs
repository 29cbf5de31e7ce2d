// npm test: everything. --newest: in the newest VS Code that we have tried, instead of the oldest.
import { rm } from "node:fs/promises";
import {
  ensureChromium,
  ensureCodeServer,
  ensureDependencies,
  ensureTestPrograms,
  NEWEST_VERSION,
  OLDEST_VERSION,
} from "./lib/install.mjs";
import { duration, runMain, say } from "./lib/log.mjs";

const MINUTE = 60_000;

await runMain(async () => {
  const start = performance.now();
  const newest = process.argv.includes("--newest");
  const version = newest ? NEWEST_VERSION : OLDEST_VERSION;
  await ensureDependencies();
  const { check, extensionHost, lint, RESULTS, suite, types, vitest } = await import("./lib/suites.mjs");
  await rm(RESULTS, { recursive: true, force: true });

  // Beside what takes longer; the suites that run commands wait for it.
  const installed = ensureTestPrograms();
  let vsix = "";
  const build = suite("build", () =>
    check(async () => {
      await ensureCodeServer(version);
      await ensureChromium();
      const { packageExtension } = await import("./lib/package.mjs");
      vsix = await packageExtension();
    }));
  // Two rows of suites, one for each core of the smallest machine: what drives a window stands in one of them.
  const programs = async () => {
    const checks = await Promise.all([lint(), types()]);
    const unit = await vitest("unit", { timeoutMs: 10 * MINUTE });
    await installed;
    const system = await vitest("system", { timeoutMs: 10 * MINUTE });
    if ((await build).failed > 0) return [...checks, unit, system];
    return [...checks, unit, system, await vitest("cli", { timeoutMs: 10 * MINUTE })];
  };
  const windows = async () => {
    const built = await build;
    if (built.failed > 0) return [built];
    await installed;
    process.env.NEKODE_CODE_SERVER = version;
    const env = { NEKODE_VSIX: vsix };
    const host = await extensionHost();
    const browser = await vitest("browser", { timeoutMs: 10 * MINUTE });
    return [built, host, browser, await vitest("e2e", { env, timeoutMs: 20 * MINUTE })];
  };

  const results = (await Promise.all([programs(), windows()])).flat();
  const total = (/** @type {"passed" | "failed" | "skipped"} */ kind) =>
    results.reduce((sum, result) => sum + result[kind], 0);
  if (total("failed") > 0) say("Logs, screenshots and traces of failures are in test-results/");
  say(`Ran everything in ${duration(performance.now() - start)}`);
  say(`${total("passed")} passed, ${total("failed")} failed, ${total("skipped")} skipped`);
  return total("failed") > 0 ? 1 : 0;
});
