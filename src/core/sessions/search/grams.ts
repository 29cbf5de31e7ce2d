/**
 * A compact summary of what a text may contain: a bit set of its runs of one to four characters. A text that contains a
 * term has all of the term's bits; a text that does not contain it nearly always lacks some. Words play no role,
 * because Japanese is written without spaces.
 */

/** Searches ignore case and character width. */
export function fold(text: string): string {
  return (isAscii(text) ? text : text.normalize("NFKC")).toLowerCase();
}

function isAscii(text: string): boolean {
  return !/[^\x00-\x7f]/.test(text);
}

/** Returns the folded words of a query. A text matches if it contains all of them. */
export function termsOf(query: string): string[] {
  return [...new Set(fold(query).split(/\s+/))].filter((term) => term !== "").slice(0, 8);
}

function mix(value: number): number {
  let hash = Math.imul(value ^ (value >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}

const SPACE = 0x20;
const LAST_ASCII = 0x7f;

/**
 * Calls `set` with the hashes of a folded text. A single non-ASCII character can be a complete query, so it gets four
 * hashes. In ASCII, where two characters are not specific, runs of three and four are hashed too. No run spans white
 * space, which ends a term.
 */
function eachHash(text: string, set: (hash: number) => void): void {
  let first = SPACE;
  let before = SPACE;
  let last = SPACE;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code <= SPACE || code === 0x3000) {
      first = SPACE;
      before = SPACE;
      last = SPACE;
      continue;
    }
    if (code > LAST_ASCII) {
      const hash = mix(code + 0x5000000);
      set(hash);
      set(mix(hash + 1));
      set(mix(hash + 2));
      set(mix(hash + 3));
    }
    if (last !== SPACE) {
      const hash = mix(last * 0x10000 + code);
      set(hash);
      if (code > LAST_ASCII || last > LAST_ASCII) set(mix(hash + 1));
      else if (before !== SPACE && before <= LAST_ASCII) {
        set(mix(0x40000000 + before * 0x4000 + last * 0x80 + code));
        if (first !== SPACE && first <= LAST_ASCII) {
          set(mix(0x60000000 + first * 0x200000 + before * 0x4000 + last * 0x80 + code));
        }
      }
    }
    first = before;
    before = last;
    last = code;
  }
}

const SMALLEST = 1 << 8;
const LARGEST = 1 << 22;
/** Maximum share of set bits. A higher share causes more false matches; a lower one takes more space. */
const FULLEST = 0.35;

/** Accumulates the bits of folded texts. */
export class Signature {
  #bits: Uint8Array;

  /** `length`: the approximate number of characters in all texts. Determines the number of bits, a power of two. */
  constructor(length: number) {
    let size = SMALLEST;
    while (size < LARGEST && size < length * 8) size *= 2;
    this.#bits = new Uint8Array(size / 8);
  }

  add(text: string): void {
    const bits = this.#bits;
    const mask = bits.length * 8 - 1;
    eachHash(text, (hash) => {
      const at = hash & mask;
      bits[at >>> 3] = (bits[at >>> 3] ?? 0) | (1 << (at & 7));
    });
  }

  end(): Uint8Array {
    let bits = this.#bits;
    // Halving the bit set means combining its halves, because the lower digits of the hashes stay the same.
    while (bits.length * 8 > SMALLEST && count(bits) < bits.length * 8 * (FULLEST / 2)) {
      const half = bits.slice(0, bits.length / 2);
      for (let at = 0; at < half.length; at++) half[at] = (half[at] ?? 0) | (bits[half.length + at] ?? 0);
      bits = half;
    }
    return bits;
  }
}

/** Returns the hashes that `mayContain` looks for. */
export function hashesOf(term: string): number[] {
  const hashes: number[] = [];
  eachHash(term, (hash) => hashes.push(hash));
  return hashes;
}

export function mayContain(bits: Uint8Array, hashes: readonly number[]): boolean {
  const mask = bits.length * 8 - 1;
  return hashes.every((hash) => ((bits[(hash & mask) >>> 3] ?? 0) & (1 << (hash & 7))) !== 0);
}

const ones = Uint8Array.from({ length: 256 }, (_, byte) => byte.toString(2).replaceAll("0", "").length);

function count(bits: Uint8Array): number {
  let sum = 0;
  for (let at = 0; at < bits.length; at++) sum += ones[bits[at] ?? 0] ?? 0;
  return sum;
}
