// npm run bench: measurements, from test/bench/main.ts; options are passed on.
import { ensureDependencies } from "./lib/install.mjs";
import { runMain } from "./lib/log.mjs";
import { runTool } from "./lib/tool.mjs";

await runMain(async () => {
  await ensureDependencies();
  return runTool("bench", process.argv.slice(2));
});
