import { generator } from "../../../support/random.ts";

/** Choices of a seeded generator: the same seed gives the same sequence everywhere. */
export class Random {
  /** A number from 0 up to 1. */
  readonly next: () => number;

  constructor(seed: number) {
    this.next = generator(seed);
  }

  /** A whole number from `from` to `to`, both included. */
  int(from: number, to: number): number {
    return from + Math.floor(this.next() * (to - from + 1));
  }

  chance(share: number): boolean {
    return this.next() < share;
  }

  pick<T>(items: readonly T[]): T {
    const item = items[this.int(0, items.length - 1)];
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
}
