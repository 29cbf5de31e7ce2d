// npm run check: format, lint, types and unit tests. Writes nothing into the work tree. Ends with the longest files and the
// fullest folders, as information.
import { ensureDependencies } from "./lib/install.mjs";
import { duration, runMain, say } from "./lib/log.mjs";

await runMain(async () => {
  await ensureDependencies();
  const { lint, types, vitest } = await import("./lib/suites.mjs");
  const start = performance.now();
  const results = [
    ...(await Promise.all([lint(), types()])),
    await vitest("unit", ["unit"], { timeoutMs: 5 * 60_000, keep: false }),
  ];
  const { largest } = await import("./lib/largest.mjs");
  for (const line of largest()) say(line);
  say(`Checked in ${duration(performance.now() - start)}`);
  return results.some((result) => result.failed > 0) ? 1 : 0;
});
