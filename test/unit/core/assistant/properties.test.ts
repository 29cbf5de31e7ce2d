import { test } from "vitest";
import { checkArguments, checkMessage } from "./checks.ts";
import { Random } from "./random.ts";

// A seed of its own for each run, so that runs add up; a failure names the one to set here.
const seed = Number(process.env.NEKODE_TEST_SEED ?? Date.now() % 0x7fffffff);

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

test("a message gives the same blocks however it is cut, those of the reference", () => {
  repeat(2500, checkMessage);
});

test("arguments give the same value and deltas however they are cut, those of JSON.parse", () => {
  repeat(2500, checkArguments);
});
