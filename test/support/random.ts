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
