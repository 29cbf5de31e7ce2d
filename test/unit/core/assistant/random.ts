import { generator } from "../../../support/random.ts";

/** A small seeded generator of numbers, so that a failure can be had again from its seed. */
export class Random {
  readonly #next: () => number;

  constructor(readonly seed: number) {
    this.#next = generator(seed);
  }

  /** A whole number from 0 up to, not including, `limit`. */
  below(limit: number): number {
    return Math.floor(this.#next() * limit);
  }

  chance(percent: number): boolean {
    return this.below(100) < percent;
  }

  pick<T>(items: readonly T[]): T {
    const item = items[this.below(items.length)];
    if (item === undefined) throw new Error("nothing to pick from");
    return item;
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
