/** Mulberry32: numbers in [0, 1), the same everywhere for the same seed. */
export function generator(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let value = Math.imul(state ^ (state >>> 15), state | 1);
    value ^= value + Math.imul(value ^ (value >>> 7), value | 61);
    return ((value ^ (value >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** Choices of a seeded generator: the same seed gives the same sequence everywhere. */
export class Random {
  /** A number from 0 up to 1. */
  readonly next: () => number;

  constructor(readonly seed: number) {
    this.next = generator(seed);
  }

  /** A whole number from 0 up to, not including, `limit`. */
  below(limit: number): number {
    return this.int(0, limit - 1);
  }

  /** A whole number from `from` to `to`, both included. */
  int(from: number, to: number): number {
    return from + Math.floor(this.next() * (to - from + 1));
  }

  /** True in this share of cases, from 0 to 1. */
  chance(share: number): boolean {
    return this.next() < share;
  }

  pick<T>(items: readonly T[]): T {
    const item = items[this.below(items.length)];
    if (item === undefined) throw new Error("nothing to pick from");
    return item;
  }

  shuffle<T>(items: readonly T[]): T[] {
    const copy = [...items];
    for (let at = copy.length - 1; at > 0; at--) {
      const other = this.int(0, at);
      const [a, b] = [copy[at], copy[other]];
      if (a === undefined || b === undefined) continue;
      copy[at] = b;
      copy[other] = a;
    }
    return copy;
  }

  /** The text cut into pieces of 1 to `longest` code units. */
  split(text: string, longest: number): string[] {
    const chunks: string[] = [];
    for (let at = 0; at < text.length; ) {
      const size = 1 + this.below(longest);
      chunks.push(text.slice(at, at + size));
      at += size;
    }
    return chunks;
  }
}

/**
 * How much of a long test runs. `npm test` takes a fixed sample with fixed seeds, so that a run is red or green for the
 * same reasons as the run before. `npm run endure` sets NEKODE_ROUNDS to "whole", or to a number: so many times the whole.
 * NEKODE_SEED repeats a run of it.
 */
const asked = process.env.NEKODE_ROUNDS;

/** Whether this run takes everything that can be tried, and not a sample. */
export const isWhole = asked !== undefined;
const factor = asked === undefined || asked === "whole" ? 1 : Number(asked);
if (!(factor > 0)) throw new Error(`NEKODE_ROUNDS is "whole" or a number, not ${JSON.stringify(asked)}`);

/** How many rounds to play: `sample` in `npm test`, `whole` in `npm run endure`. */
export function rounds(sample: number, whole: number): number {
  return isWhole ? Math.max(1, Math.round(whole * factor)) : sample;
}

/** Of each kind every `nth`, beginning with the first, in `npm test`; all of them in `npm run endure`. */
export function sampled<T>(all: readonly T[], nth: number, kindOf: (item: T) => string = () => ""): T[] {
  if (isWhole) return [...all];
  const counts = new Map<string, number>();
  return all.filter((item) => {
    const kind = kindOf(item);
    const count = counts.get(kind) ?? 0;
    counts.set(kind, count + 1);
    return count % nth === 0;
  });
}

/**
 * The seed of a test, by the test's name: always the same in `npm test`, a new one in each run of `npm run endure`, and
 * NEKODE_SEED where that is set. A failure has to name it.
 */
export function seedOf(name: string): number {
  const { NEKODE_SEED: repeated } = process.env;
  if (repeated !== undefined) return Number(repeated);
  if (isWhole) return Math.floor(Math.random() * 2 ** 31);
  return [...name].reduce((sum, character) => (Math.imul(sum, 31) + character.charCodeAt(0)) >>> 0, 7) >>> 1;
}

/** Bytes that no pattern shortens, the same at every run. */
export function noise(length: number): Buffer {
  const bytes = Buffer.alloc(length);
  let state = 12345;
  for (let i = 0; i < length; i++) {
    state = (state * 1103515245 + 12345) % 2147483648;
    bytes[i] = state >> 16;
  }
  return bytes;
}
