import { test } from "vitest";
import { Random, rounds, seedOf } from "../../../support/random.ts";
import { checkArguments, checkMessage } from "./checks.ts";

const seed = seedOf("properties");
/** In the names of the tests, because one that takes too long throws nothing that could name it. */
const SEED = `NEKODE_SEED=${seed}`;

function repeat(count: number, check: (random: Random) => void): void {
  for (let i = 0; i < count; i++) {
    const random = new Random(seed + i);
    try {
      check(random);
    } catch (error) {
      throw new Error(`NEKODE_SEED=${random.seed} gives this: ${String(error)}`, { cause: error });
    }
  }
}

test(`a message gives the same blocks however it is cut, those of the reference (${SEED})`, () => {
  repeat(rounds(350, 2_000), checkMessage);
});

test(`arguments give the same value and deltas however they are cut, those of JSON.parse (${SEED})`, () => {
  repeat(rounds(250, 1_500), checkArguments);
});
