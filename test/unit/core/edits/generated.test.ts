import { expect, test } from "vitest";
import { Random, rounds } from "../../../support/random.ts";
import { corpus } from "./corpus.ts";
import { endingKinds } from "./ending-kinds.ts";
import { endingRound } from "./ending-rounds.ts";
import { hostileRound } from "./hostile.ts";
import { patchRound } from "./patch-rounds.ts";
import { formKinds, runCases, tallyTable, textKinds } from "./run-cases.ts";

const SEED = 20_251;
/** Cases of each kind; the table of `npm run bench` has 40. */
const EACH = rounds(3, 40);
const EACH_FORM = rounds(2, 40);
const ROUNDS = rounds(100, 3_000);
/** Kinds for which another line of the file, or what the text is made of, may rightly leave the meaning in doubt. */
const doubtful = new Set([
  ...Object.keys(endingKinds),
  "patch, dedented by a level",
  "patch, last line missing",
  "new text ends with an underline as long as its heading",
  "heading underline in REPLACE",
  "one word misspelled in a kept line",
  "spacing inside a kept line",
  "other quotes in a kept line",
  "a letter more in a kept comment",
  "comma lost from a kept line",
]);

/** How many of a kind may be refused. */
function mostRefused(kind: string, each: number): number {
  return doubtful.has(kind) ? Math.ceil(each / 20) : 0;
}

test.each([
  ["texts", textKinds, EACH],
  ["forms", formKinds, EACH_FORM],
])(`edits with slips in their %s are right or refused, never wrong (seed ${SEED})`, (_name, kinds, each) => {
  const tallies = runCases(corpus(), each, SEED, kinds);
  const table = tallyTable(tallies);
  for (const { kind, right, refused, wrong, failures } of tallies) {
    const [first] = failures;
    const told =
      first &&
      `${kind}: ${first.path}, seed ${first.seed}\n${first.made.diff}\ngave\n${first.got.slice(0, 2_000)}`;
    expect(wrong, told).toBe(0);
    expect(refused, told).toBeLessThanOrEqual(mostRefused(kind, each));
    expect(right, `${kind}: too few files lend themselves to it\n${table}`).toBeGreaterThanOrEqual(each / 2);
  }
  expect(Object.keys(kinds).length).toBeGreaterThanOrEqual(40);
});

test(`hostile diffs, files and patches never throw and never touch other lines (seed ${SEED})`, () => {
  for (let round = 0; round < ROUNDS / 2; round++) {
    try {
      hostileRound(new Random(SEED + round));
    } catch (error) {
      throw new Error(`seed ${SEED + round}: ${String(error)}`, { cause: error });
    }
  }
});

test.each([
  ["whatever a block ends with, only its text is written and shown", endingRound],
  ["however a patch is written, only what it means is written", patchRound],
])(`%s (seed ${SEED})`, (_name, playRound) => {
  const outcomes = { applied: 0, refused: 0 };
  for (let round = 0; round < ROUNDS; round++) {
    try {
      outcomes[playRound(new Random(SEED + round))] += 1;
    } catch (error) {
      throw new Error(`seed ${SEED + round}: ${String(error)}`, { cause: error });
    }
  }
  expect(Math.min(outcomes.applied, outcomes.refused), JSON.stringify(outcomes)).toBeGreaterThan(ROUNDS / 8);
});
