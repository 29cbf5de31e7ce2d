/** Estimates tokens without a tokenizer, by kind of character. `TokenMeter` corrects the estimate with the endpoint's counts. */
import { imageSize } from "../image-facts.ts";

/** Units in a token. Everything is counted in whole units, which add up exactly. */
const TOKEN = 60;

/** Units per character: Japanese and other wide scripts (1.5 characters a token), and ASCII (4). */
const WIDE = TOKEN / 1.5;
const ASCII = TOKEN / 4;
/** Letters of other alphabets, and rare symbols (2.5 characters a token). */
const OTHER_LETTER = TOKEN / 2.5;
/** Extra for a digit or symbol, because such tokens have fewer characters than words. */
const DENSE_EXTRA = 0.15 * TOKEN;
/** Extra for a change between lowercase, uppercase and digits (base64, hashes, keys), where tokens have about two characters. */
const TURN_EXTRA = 0.8 * TOKEN;

/** Safety factor for an estimate that is not corrected yet; tool definitions cost more than their text. */
export const TOKEN_BUFFER = { plain: 1.2, withTools: 1.5 } as const;

const KINDS = { space: 0, small: 1, capital: 2, digit: 3, sign: 4 } as const;
const kindOf = Uint8Array.from({ length: 128 }, (_, code) => {
  if (code <= 32) return KINDS.space;
  if (code >= 97 && code <= 122) return KINDS.small;
  if (code >= 65 && code <= 90) return KINDS.capital;
  return code >= 48 && code <= 57 ? KINDS.digit : KINDS.sign;
});

/** By the kinds of two adjacent characters: a token ends between them. A capital and a following small letter stay together. */
const endsBetween = (before: number, after: number) =>
  (after === KINDS.capital && before === KINDS.small) ||
  (after === KINDS.digit && (before === KINDS.small || before === KINDS.capital)) ||
  (before === KINDS.digit && (after === KINDS.small || after === KINDS.capital));

/** Where the units of ASCII characters begin in `unitTable`, by the character before. */
const rowOf = Uint16Array.from(kindOf, (kind) => kind * 128);
/** Units of each ASCII character after a character of each kind. */
const unitTable = Uint8Array.from({ length: 5 * 128 }, (_, at) => {
  const kind = kindOf[at & 127] ?? KINDS.space;
  return ASCII + (kind >= KINDS.digit ? DENSE_EXTRA : 0) + (endsBetween(at >> 7, kind) ? TURN_EXTRA : 0);
});

/** Estimated tokens of `text`, rounded up; 0 for an empty text. */
export function estimateTokens(text: string): number {
  let units = 0;
  let row = 0;
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code < 128) {
      units += unitTable[row + code] ?? 0;
      row = rowOf[code] ?? 0;
    } else {
      units += code < 0x2000 ? OTHER_LETTER : WIDE;
      row = 0;
    }
  }
  return Math.ceil(units / TOKEN);
}

/** Tokens of an image: 85, plus 170 for each tile of 512 x 512 pixels after its shorter side is scaled down to 768. */
const IMAGE_BASE = 85;
const IMAGE_TILE = 170;
/** Tokens of an image whose size cannot be read. */
const IMAGE_UNKNOWN = 1_105;

/** Estimated tokens of an image, from the size in its header. */
export function estimateImageTokens(base64: string): number {
  const size = imageSize(base64);
  if (!size) return IMAGE_UNKNOWN;
  let { width, height } = size;
  const fit = Math.min(1, 2048 / Math.max(width, height));
  width *= fit;
  height *= fit;
  const shrink = Math.min(1, 768 / Math.min(width, height));
  return IMAGE_BASE + IMAGE_TILE * Math.ceil((width * shrink) / 512) * Math.ceil((height * shrink) / 512);
}
