// npm run mutate: applies the faults of test/mutations one at a time to a copy of the repository and lists those that no
// test notices. --only TEXT: those whose name, file or property contains the text; --jobs N: as many at once.
import { parseArgs } from "node:util";
import { ensureChromium, ensureDependencies } from "./lib/install.mjs";
import { runMain, Trouble } from "./lib/log.mjs";

await runMain(async () => {
  const { only, jobs } = readOptions();
  await ensureDependencies();
  await ensureChromium();
  const { mutate } = await import("./lib/mutate.mjs");
  return mutate({ only, jobs: Number(jobs) });
});

function readOptions() {
  try {
    const { values } = parseArgs({
      options: { only: { type: "string", default: "" }, jobs: { type: "string", default: "1" } },
    });
    if (!/^[1-9]\d*$/.test(values.jobs)) throw new Trouble("--jobs must be a positive number.");
    return values;
  } catch (error) {
    throw error instanceof Trouble
      ? error
      : new Trouble(error instanceof Error ? error.message : String(error));
  }
}
