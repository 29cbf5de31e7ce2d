/** Tokens without a tokenizer: an estimate by kind of character, corrected by what the endpoint counts. */
import { imageFacts } from "../image-facts.ts";

/** Tokens a character, by the reference figures: Japanese and other wide scripts, and ASCII. */
const wide = 1 / 1.5;
const ascii = 1 / 4;
/** Letters of other alphabets, and signs that few texts hold. */
const otherLetter = 1 / 2.5;
/** A digit or a sign is shorter a token than a word's letter. */
const denseExtra = 0.15;
/** Where small letters, capitals and digits alternate (base64, hashes, keys), tokens are hardly longer than two. */
const turnExtra = 0.8;

/** Factor of safety on an estimate that nothing has corrected yet; tool definitions cost more than their text. */
export const tokenBuffer = { plain: 1.2, withTools: 1.5 } as const;

const kinds = { space: 0, small: 1, capital: 2, digit: 3, sign: 4 } as const;
const kindOf = Uint8Array.from({ length: 128 }, (_, code) => {
  if (code <= 32) return kinds.space;
  if (code >= 97 && code <= 122) return kinds.small;
  if (code >= 65 && code <= 90) return kinds.capital;
  return code >= 48 && code <= 57 ? kinds.digit : kinds.sign;
});

/** By the kinds of two neighbours: 1 where a token is cut within a word. A capital before a small letter begins one. */
const turnTable = new Uint8Array(25);
for (const [from, to] of [
  [kinds.small, kinds.capital],
  [kinds.small, kinds.digit],
  [kinds.capital, kinds.digit],
  [kinds.digit, kinds.small],
  [kinds.digit, kinds.capital],
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
  let last: number = kinds.space;
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code >= 128) {
      if (code < 0x2000) others++;
      else wides++;
      last = kinds.space;
      continue;
    }
    const kind = kindOf[code] ?? kinds.space;
    if (kind >= kinds.digit) denseCount++;
    else plainCount++;
    if (turnTable[last * 5 + kind] === 1) turns++;
    last = kind;
  }
  return Math.ceil(
    plainCount * ascii +
      denseCount * (ascii + denseExtra) +
      turns * turnExtra +
      others * otherLetter +
      wides * wide,
  );
}

/** An image's tokens are counted by its size in pixels: 85, and 170 for each tile of 512 after shrinking to 768. */
const imageBase = 85;
const imageTile = 170;
/** Where the size cannot be read. */
const imageUnknown = 1_105;

/** Estimated tokens of an image, from the size that its header states. */
export function estimateImageTokens(base64: string): number {
  const size = imageSize(base64);
  if (!size) return imageUnknown;
  let { width, height } = size;
  const fit = Math.min(1, 2048 / Math.max(width, height));
  width *= fit;
  height *= fit;
  const shrink = Math.min(1, 768 / Math.min(width, height));
  return imageBase + imageTile * Math.ceil((width * shrink) / 512) * Math.ceil((height * shrink) / 512);
}

/** The start of an image has its size, unless it is a JPEG with much before its frame. */
function imageSize(base64: string): { width: number; height: number } | undefined {
  return (
    imageFacts(bytesOf(base64.slice(0, 64)))?.size ?? imageFacts(bytesOf(base64.slice(0, 64 * 1024)))?.size
  );
}

function bytesOf(base64: string): Uint8Array {
  try {
    return Uint8Array.from(atob(base64.slice(0, base64.length - (base64.length % 4))), (character) =>
      character.charCodeAt(0),
    );
  } catch {
    return new Uint8Array();
  }
}
