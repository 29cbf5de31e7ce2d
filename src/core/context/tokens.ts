/** Estimates tokens without a tokenizer, by kind of character. `TokenMeter` corrects the estimate with the endpoint's counts. */
import { imageSize } from "../image-facts.ts";

/** Tokens per character, from the reference: Japanese and other wide scripts, and ASCII. */
const WIDE = 1 / 1.5;
const ASCII = 1 / 4;
/** Letters of other alphabets, and rare symbols. */
const OTHER_LETTER = 1 / 2.5;
/** Extra tokens for a digit or symbol, because such tokens have fewer characters than words. */
const DENSE_EXTRA = 0.15;
/** Extra tokens for a change between lowercase, uppercase and digits (base64, hashes, keys), where tokens have about two characters. */
const TURN_EXTRA = 0.8;

/** Safety factor for an estimate that is not corrected yet; tool definitions cost more than their text. */
export const TOKEN_BUFFER = { plain: 1.2, withTools: 1.5 } as const;

const KINDS = { space: 0, small: 1, capital: 2, digit: 3, sign: 4 } as const;
const kindOf = Uint8Array.from({ length: 128 }, (_, code) => {
  if (code <= 32) return KINDS.space;
  if (code >= 97 && code <= 122) return KINDS.small;
  if (code >= 65 && code <= 90) return KINDS.capital;
  return code >= 48 && code <= 57 ? KINDS.digit : KINDS.sign;
});

/** By the kinds of two adjacent characters: 1 if a token ends between them. A capital and a following small letter stay together. */
const turnTable = new Uint8Array(25);
for (const [from, to] of [
  [KINDS.small, KINDS.capital],
  [KINDS.small, KINDS.digit],
  [KINDS.capital, KINDS.digit],
  [KINDS.digit, KINDS.small],
  [KINDS.digit, KINDS.capital],
] as const) {
  turnTable[from * 5 + to] = 1;
}

/** Estimated tokens of `text`, rounded up; 0 for an empty text. */
export function estimateTokens(text: string): number {
  let plainCount = 0;
  let denseCount = 0;
  let turns = 0;
  let others = 0;
  let wides = 0;
  let last: number = KINDS.space;
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code >= 128) {
      if (code < 0x2000) others++;
      else wides++;
      last = KINDS.space;
      continue;
    }
    const kind = kindOf[code] ?? KINDS.space;
    if (kind >= KINDS.digit) denseCount++;
    else plainCount++;
    if (turnTable[last * 5 + kind] === 1) turns++;
    last = kind;
  }
  return Math.ceil(
    plainCount * ASCII +
      denseCount * (ASCII + DENSE_EXTRA) +
      turns * TURN_EXTRA +
      others * OTHER_LETTER +
      wides * WIDE,
  );
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
