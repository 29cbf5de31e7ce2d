// npm run endure: the whole of those tests of which npm test runs a fixed sample, with new seeds. Takes hours.
//   npm run endure -- [--times N] [FILE...]: runs everything N times; only these test files. NEKODE_SEED repeats a run.
import { parseArgs } from "node:util";
import { ensureDependencies } from "./lib/install.mjs";
import { runMain, Trouble } from "./lib/log.mjs";

await runMain(async () => {
  const { times, files } = readOptions();
  await ensureDependencies();
  const { runEndurance } = await import("./lib/endure.mjs");
  return runEndurance({ times, files });
});

function readOptions() {
  try {
    const { values, positionals } = parseArgs({
      options: { times: { type: "string", default: "1" } },
      allowPositionals: true,
    });
    const times = Number(values.times);
    if (!(times > 0)) throw new Error(`--times takes a number above 0, not ${values.times}`);
    return { times, files: positionals };
  } catch (error) {
    throw new Trouble(error instanceof Error ? error.message : String(error));
  }
}
