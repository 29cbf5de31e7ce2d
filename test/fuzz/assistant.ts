import { Random } from "../support/random.ts";
import { checkArguments, checkMessage } from "../unit/core/assistant/checks.ts";

/** What a fuzzing suite takes: the first seed, when to stop, and where to say how it goes. */
export interface FuzzOptions {
  seed: number;
  until: () => boolean;
  log: (line: string) => void;
}

/**
 * Reads hostile messages and argument texts, cut in many ways, until told to stop. Each round has a seed of its own,
 * `seed` plus the round; the error of a round that fails names it.
 */
export function fuzzAssistant({ seed, until, log }: FuzzOptions): void {
  let rounds = 0;
  for (; !until(); rounds++) {
    const round = (seed + rounds) >>> 0;
    try {
      checkMessage(new Random(round));
      checkArguments(new Random(round));
    } catch (error) {
      throw new Error(`assistant, --seed ${round}: ${String(error)}`, { cause: error });
    }
  }
  log(`assistant: ${rounds} rounds from seed ${seed}`);
}
