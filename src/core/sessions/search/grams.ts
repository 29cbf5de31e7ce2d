/**
 * What a text may contain, in a fraction of its size: a set of bits for the runs of one to four characters in it.
 * A text that contains a term has all of the term's bits; one that does not lacks some, nearly always. Japanese is
 * written without spaces, so words play no part.
 */

/** Upper and lower case, full and half width are the same for a search. */
export function fold(text: string): string {
  return (isAscii(text) ? text : text.normalize("NFKC")).toLowerCase();
}

function isAscii(text: string): boolean {
  return !/[^\x00-\x7f]/.test(text);
}

/** The words of a query, folded; a text matches when it contains each of them. */
export function termsOf(query: string): string[] {
  return [...new Set(fold(query).split(/\s+/))].filter((term) => term !== "").slice(0, 8);
}

function mix(value: number): number {
  let hash = Math.imul(value ^ (value >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}

const space = 0x20;
const lastAscii = 0x7f;

/**
 * Calls `set` with the hashes of a folded text. A single character outside ASCII can be a whole query, so it has four;
 * in ASCII, where two characters say little, runs of three and four count too. No run spans white space, which ends a
 * term.
 */
function eachHash(text: string, set: (hash: number) => void): void {
  let first = space;
  let before = space;
  let last = space;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code <= space || code === 0x3000) {
      first = space;
      before = space;
      last = space;
      continue;
    }
    if (code > lastAscii) {
      const hash = mix(code + 0x5000000);
      set(hash);
      set(mix(hash + 1));
      set(mix(hash + 2));
      set(mix(hash + 3));
    }
    if (last !== space) {
      const hash = mix(last * 0x10000 + code);
      set(hash);
      if (code > lastAscii || last > lastAscii) set(mix(hash + 1));
      else if (before !== space && before <= lastAscii) {
        set(mix(0x40000000 + before * 0x4000 + last * 0x80 + code));
        if (first !== space && first <= lastAscii) {
          set(mix(0x60000000 + first * 0x200000 + before * 0x4000 + last * 0x80 + code));
        }
      }
    }
    first = before;
    before = last;
    last = code;
  }
}

const smallest = 1 << 8;
const largest = 1 << 22;
/** Share of bits that may be set: more, and terms are seen where they are not; less, and it takes more space. */
const fullest = 0.35;

/** The bits of folded texts, which are added one after the other. */
export class Signature {
  #bits: Uint8Array;

  /** `length`: characters of all texts together, about. As many bits as it takes, a power of two. */
  constructor(length: number) {
    let size = smallest;
    while (size < largest && size < length * 8) size *= 2;
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
    // Half as many bits is the two halves in one, for the lower digits of a hash stay the same.
    while (bits.length * 8 > smallest && count(bits) < bits.length * 8 * (fullest / 2)) {
      const half = bits.slice(0, bits.length / 2);
      for (let at = 0; at < half.length; at++) half[at] = (half[at] ?? 0) | (bits[half.length + at] ?? 0);
      bits = half;
    }
    return bits;
  }
}

/** Bits for folded texts. */
export function signatureOf(texts: readonly string[]): Uint8Array {
  const signature = new Signature(texts.reduce((sum, text) => sum + text.length, 0));
  for (const text of texts) signature.add(text);
  return signature.end();
}

/** The hashes that `mayContain` looks for. */
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
