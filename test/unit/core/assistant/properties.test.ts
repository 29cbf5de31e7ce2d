import { test } from "vitest";
import { Random } from "../../../support/random.ts";
import { checkArguments, checkMessage } from "./checks.ts";

// A seed of its own for each run, so that runs add up; a failure names the one to set here.
const seed = Number(process.env.NEKODE_TEST_SEED ?? Date.now() % 0x7fffffff);
/** In the names of the tests, because one that takes too long throws nothing that could name it. */
const SEED = `NEKODE_TEST_SEED=${seed}`;

// A count, not a time, bounds them: about three seconds in all, more on a busy machine.
const LONG = 60_000;

function repeat(count: number, check: (random: Random) => void): void {
  for (let i = 0; i < count; i++) {
    const random = new Random(seed + i);
    try {
      check(random);
    } catch (error) {
      throw new Error(`NEKODE_TEST_SEED=${random.seed} gives this: ${String(error)}`, { cause: error });
    }
  }
}

test(
  `a message gives the same blocks however it is cut, those of the reference (${SEED})`,
  () => {
    repeat(2000, checkMessage);
  },
  LONG,
);

test(
  `arguments give the same value and deltas however they are cut, those of JSON.parse (${SEED})`,
  () => {
    repeat(1500, checkArguments);
  },
  LONG,
);
