import { expect, test } from "vitest";
import { corpus } from "./corpus.ts";
import { endingKinds } from "./ending-kinds.ts";
import { endingRound } from "./ending-rounds.ts";
import { hostileRound } from "./hostile.ts";
import { Random } from "./random.ts";
import { allKinds, runCases, tallyTable } from "./run-cases.ts";

const SEED = 20_251;
const EACH = 40;
/** Kinds for which another line of the file, or what the text is made of, may rightly leave the meaning in doubt. */
const doubtful = new Set([
  "last marker missing",
  ...Object.keys(endingKinds),
  "new text ends with an underline as long as its heading",
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
    expect(refused, told).toBeLessThanOrEqual(doubtful.has(kind) ? 2 : 0);
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

test(`whatever a block ends with, only its text is written and shown (seed ${SEED})`, () => {
  const outcomes = { applied: 0, refused: 0 };
  for (let round = 0; round < 4_000; round++) {
    try {
      outcomes[endingRound(new Random(SEED + round))] += 1;
    } catch (error) {
      throw new Error(`seed ${SEED + round}: ${String(error)}`, { cause: error });
    }
  }
  expect(Math.min(outcomes.applied, outcomes.refused), JSON.stringify(outcomes)).toBeGreaterThan(400);
}, 60_000);
