// npm run endure: runs the endurance tests of npm test at full count: processes killed while they write sessions, two
// processes that write at once, and damaged store files. --kills N, --appends N, --damages N; NEKODE_SEED repeats a
// run.
import { parseArgs } from "node:util";
import { ensureDependencies } from "./lib/install.mjs";
import { runMain, Trouble } from "./lib/log.mjs";

await runMain(async () => {
  const { kills, appends, damages } = readOptions();
  await ensureDependencies();
  const { runEndurance } = await import("./lib/endure.mjs");
  return runEndurance({ kills, appends, damages });
});

function readOptions() {
  try {
    const { values } = parseArgs({
      options: {
        kills: { type: "string", default: "100" },
        appends: { type: "string", default: "10000" },
        damages: { type: "string", default: "2000" },
      },
    });
    return values;
  } catch (error) {
    throw new Trouble(error instanceof Error ? error.message : String(error));
  }
}
