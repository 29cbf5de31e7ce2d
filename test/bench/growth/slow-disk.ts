/** A disk each of whose operations takes longer: how long a task waits for it. */
import { writeFile } from "node:fs/promises";
import path from "node:path";
import { FOUR_STEPS_FILES, fourSteps } from "../../model-server/scripts/four-steps.ts";
import type { Curve } from "../report.ts";
import { openPlace, type Place, runTask } from "../startup/program.ts";
import { type Costs, curvesOf, type Wanted } from "./curve.ts";

const SIZES = [2, 5, 10, 20];
const ROUNDS = 3;
const SLOW = path.resolve("test/fixtures/slow-disk.cjs");
const size = "ms that each operation takes longer";
const WANTED: Wanted[] = [
  { name: "read, edit, command, answer", size, unit: "ms" },
  { name: "from an edit to the next request", size, unit: "ms", target: "< 50 operations in a row" },
];

async function withDelay(place: Place, ms: number): Promise<Costs> {
  const { root, server } = place;
  const costs: Costs = Object.fromEntries(WANTED.map(({ name }) => [name, []]));
  for (let round = 0; round < ROUNDS; round++) {
    server.forgetRequests();
    for (const [name, text] of Object.entries(FOUR_STEPS_FILES)) await writeFile(path.join(root, name), text);
    const ran = await runTask(place, ["--protocol", "native", "Count the cats"], {
      NODE_OPTIONS: `--require=${SLOW}`,
      NEKODE_TEST_DISK_DELAY: String(ms),
    });
    costs["read, edit, command, answer"]?.push(ran.endedAt - ran.startedAt);
    const [, edit, command] = server.requests;
    const gap = (command?.receivedAt ?? Number.NaN) - (edit?.receivedAt ?? Number.NaN);
    costs["from an edit to the next request"]?.push(gap);
  }
  return costs;
}

export async function slowDiskCurves(): Promise<Curve[]> {
  const place = await openPlace(fourSteps());
  try {
    return await curvesOf(WANTED, SIZES, (ms) => withDelay(place, ms));
  } finally {
    await place.close();
  }
}
