// npm run test:windows: builds dist/, then runs the terminal host on Windows' own Node under Wine.
import { ensureDependencies } from "./lib/install.mjs";
import { runMain } from "./lib/log.mjs";
import { ensureWindowsPrograms } from "./lib/windows.mjs";

/** Milliseconds after which the tests count as hung. */
const LONGEST = 60 * 60_000;

await runMain(async () => {
  await ensureWindowsPrograms();
  await ensureDependencies();
  const { buildAll } = await import("./lib/build.mjs");
  await buildAll();
  const { vitest } = await import("./lib/suites.mjs");
  const { failed } = await vitest("windows", ["windows"], { timeoutMs: LONGEST, files: ".long.test.ts" });
  return failed > 0 ? 1 : 0;
});
