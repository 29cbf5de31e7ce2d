import { decode, encode } from "../../src/node/files/encodings.ts";
import { Random } from "../support/random.ts";
import { corpus } from "../unit/core/edits/corpus.ts";
import type { EditCase } from "../unit/core/edits/edit-case.ts";
import { endingRound } from "../unit/core/edits/ending-rounds.ts";
import { hostileRound } from "../unit/core/edits/hostile.ts";
import { patchRound } from "../unit/core/edits/patch-rounds.ts";
import { allKinds, judge } from "../unit/core/edits/run-cases.ts";

/** What a fuzzing suite takes: the first seed, when to stop, and where to say how it goes. */
export interface FuzzOptions {
  seed: number;
  until: () => boolean;
  log: (line: string) => void;
}

/**
 * Makes edits with slips over real files, spoils their diffs, and throws bytes at the decoder, until told to stop. Each
 * round has a seed of its own, `seed` plus the round; the error of a round that fails names it.
 */
export async function fuzzEdits({ seed, until, log }: FuzzOptions): Promise<void> {
  const files = corpus();
  const kinds = Object.entries(allKinds);
  const counts = { right: 0, refused: 0, wrong: 0 };
  const patches = { applied: 0, refused: 0 };
  const ends = { applied: 0, refused: 0 };
  let rounds = 0;
  for (; !until(); rounds++) {
    const round = (seed + rounds) >>> 0;
    const random = new Random(round);
    try {
      const [kind, make] = random.pick(kinds);
      const made = make(random.pick(files), random);
      const cases: EditCase[] = [];
      if (made !== undefined) {
        const { verdict, got } = judge(made, random);
        counts[verdict] += 1;
        if (verdict === "wrong")
          throw new Error(`${kind}: wrong: ${made.diff}\ngave\n${got.slice(0, 4_000)}`);
        cases.push(made);
      }
      hostileRound(random, cases);
      for (let count = 0; count < 10; count++) {
        ends[endingRound(random)] += 1;
        patches[patchRound(random)] += 1;
      }
      await bytesRound(random);
    } catch (error) {
      throw new Error(`edits, --seed ${round}: ${String(error)}`, { cause: error });
    }
  }
  log(
    `edits: ${rounds} rounds from seed ${seed}; made edits: ${counts.right} right, ${counts.refused} refused, ${counts.wrong} wrong; ends of blocks: ${ends.applied} applied, ${ends.refused} refused; patches: ${patches.applied} applied, ${patches.refused} refused`,
  );
}

/** Whatever the bytes are: what counts as exact text encodes to the very same bytes. */
async function bytesRound(random: Random): Promise<void> {
  const bytes = new Uint8Array(random.int(0, 80));
  const ascii = random.next();
  for (let at = 0; at < bytes.length; at++) {
    bytes[at] = random.chance(ascii)
      ? random.pick([9, 10, 13, 32, 65, 97, 92, 126])
      : random.int(random.chance(0.02) ? 0 : 128, 255);
  }
  const decoded = await decode(bytes);
  if (decoded.kind === "binary" || !decoded.exact) return;
  const again = encode(decoded.text, decoded);
  if (!again.ok || Buffer.compare(again.bytes, bytes) !== 0) {
    throw new Error(`bytes ${[...bytes].join(" ")} came back otherwise from ${decoded.encoding}`);
  }
}
