import { Random } from "../support/random.ts";
import { type FuzzOptions, fuzzAssistant } from "./assistant.ts";
import { fuzzEdits } from "./edits.ts";

// Run by `npm run fuzz -- --minutes N --seed S`. The suites take turns; each turn has a seed of its own, drawn from S.
// A failure ends the run with exit code 1 and names the seed that gives it again at once.

const suites: Record<string, (options: FuzzOptions) => void | Promise<void>> = {
  assistant: fuzzAssistant,
  edits: fuzzEdits,
};

const TURN_MS = 5000;
const SEEDS = 0x7fffffff;

function option(name: string, otherwise: number): number {
  const at = process.argv.indexOf(`--${name}`);
  if (at < 0) return otherwise;
  const value = Number(process.argv[at + 1]);
  if (Number.isFinite(value) && value >= 0) return value;
  console.error(`--${name} takes a number`);
  process.exit(2);
}

const minutes = option("minutes", 1);
const seed = option("seed", Date.now() % SEEDS);
const end = Date.now() + minutes * 60_000;
const seeds = new Random(seed);
console.log(`fuzzing for ${minutes} minutes, --seed ${seed}`);

try {
  // The first turn starts from the seed itself, so that the seed of a failure fails in its first round.
  for (let turn = 0; turn === 0 || Date.now() < end; turn++) {
    for (const fuzz of Object.values(suites)) {
      const turnEnd = Math.min(end, Date.now() + TURN_MS);
      let rounds = 0;
      const until = () => rounds++ > 0 && Date.now() >= turnEnd;
      await fuzz({ seed: turn === 0 ? seed : seeds.below(SEEDS), until, log: console.log });
    }
  }
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
