// npm run endure: what npm test tries a few times, at full count: processes killed while they write sessions, and two that
// write at once, and files of a store that are damaged. --kills N, --appends N, --damages N; NEKODE_SEED repeats a run.
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
