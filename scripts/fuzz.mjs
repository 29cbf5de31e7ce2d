// npm run fuzz: tests on random input, --minutes N, from test/fuzz/main.ts; options are passed on.
import { ensureDependencies } from "./lib/install.mjs";
import { runMain } from "./lib/log.mjs";
import { runTool } from "./lib/tool.mjs";

await runMain(async () => {
  await ensureDependencies();
  return runTool("fuzz", process.argv.slice(2));
});
