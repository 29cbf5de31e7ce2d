import { expect, test } from "vitest";
import { corpus } from "./corpus.ts";
import { hostileRound } from "./hostile.ts";
import { Random } from "./random.ts";
import { allKinds, runCases, tallyTable } from "./run-cases.ts";

const SEED = 20_251;
const EACH = 40;
/** Kinds for which another line of the file may rightly make the close match doubtful. */
const close = new Set([
  "one word misspelt in a kept line",
  "spacing inside a kept line",
  "other quotes in a kept line",
  "a letter more in a kept comment",
  "comma lost from a kept line",
]);

test(`edits with slips over real files are right or refused, never wrong (seed ${SEED})`, () => {
  const tallies = runCases(corpus(), EACH, SEED);
  const table = tallyTable(tallies);
  const total = tallies.reduce((sum, tally) => sum + tally.right + tally.refused + tally.wrong, 0);
  expect(total, table).toBeGreaterThanOrEqual(2_000);
  for (const { kind, right, refused, wrong, failures } of tallies) {
    const [first] = failures;
    const told =
      first &&
      `${kind}: ${first.path}, seed ${first.seed}\n${first.made.diff}\ngave\n${first.got.slice(0, 2_000)}`;
    expect(wrong, told).toBe(0);
    expect(refused, told).toBeLessThanOrEqual(close.has(kind) ? 2 : 0);
    expect(right, `${kind}: too few files lend themselves to it\n${table}`).toBeGreaterThanOrEqual(EACH / 2);
  }
  expect(Object.keys(allKinds).length).toBeGreaterThanOrEqual(22);
}, 60_000);

test(`hostile diffs, files and patches never throw and never touch other lines (seed ${SEED})`, () => {
  for (let round = 0; round < 1_500; round++) {
    try {
      hostileRound(new Random(SEED + round));
    } catch (error) {
      throw new Error(`seed ${SEED + round}: ${String(error)}`, { cause: error });
    }
  }
}, 60_000);
