/**
 * Guesses the encoding of bytes that nothing names. The detector knows how often pairs of bytes occur in each language and
 * encoding. Where it cannot tell, which is so in short texts, the guess has alternatives, and a text that these write differently
 * must not be added.
 */
import { bytesOfText, encodingNamed, textOfBytes } from "./codecs.ts";
import { scoreChinese, scoreCyrillic, scoreJapanese, scoreKorean, scoreWestern } from "./reading-scores.ts";

export interface Guess {
  encoding: string;
  /** Other encodings that the bytes may be in. Empty: the guess is certain. */
  alternatives: string[];
}

/** The encodings that the detector is asked for, by its names. */
const DETECTED: Readonly<Record<string, string>> = {
  Big5: "big5hkscs",
  "Big5-HKSCS": "big5hkscs",
  CP932: "shiftjis",
  SHIFT_JIS: "shiftjis",
  CP949: "euckr",
  "EUC-JP": "eucjp",
  "EUC-KR": "euckr",
  GB18030: "gb18030",
  "Windows-1250": "windows1250",
  "Windows-1251": "windows1251",
  "Windows-1252": "windows1252",
  "Windows-1253": "windows1253",
  "Windows-1254": "windows1254",
  "Windows-1255": "windows1255",
  "Windows-1256": "windows1256",
  "Windows-1257": "windows1257",
  "Windows-1258": "windows1258",
  cp1258: "windows1258",
  CP874: "windows874",
  "TIS-620": "windows874",
  IBM866: "cp866",
  "ISO-8859-1": "iso88591",
  "ISO-8859-2": "iso88592",
  "ISO-8859-4": "iso88594",
  "ISO-8859-5": "iso88595",
  "ISO-8859-6": "iso88596",
  "ISO-8859-7": "iso88597",
  "ISO-8859-8": "iso88598",
  "ISO-8859-9": "iso88599",
  "ISO-8859-13": "iso885913",
  "ISO-8859-15": "iso885915",
  "KOI8-R": "koi8r",
  "KOI8-U": "koi8u",
  MacRoman: "macroman",
  cp437: "cp437",
  cp850: "cp850",
  cp852: "cp852",
};
const CANDIDATES = [...new Set(Object.values(DETECTED))];

/** Encodings with several bytes for a character, with others that differ in few of them. */
const RELATED: Readonly<Record<string, readonly string[]>> = {
  shiftjis: [],
  eucjp: [],
  euckr: [],
  gb18030: ["gbk"],
  big5hkscs: ["cp950"],
};

/** The editor's other encodings with one byte for a character. The detector cannot distinguish them from their relatives. */
const OTHERS = [
  ...["cp865", "cp1125", "koi8ru", "iso88593", "iso885910", "iso885911", "iso885914", "iso885916"],
];

/** Few texts have these encodings, but damaged texts look like them, because every byte is a character in them. */
const UNUSUAL = new Set(["macroman", "cp437", "cp850", "cp852"]);

// Chosen with the texts that `npm run bench -- encodings` measures, and with other translations: with half of the margin, no
// text was written in a wrong encoding.
/** The share of the best score down to which others may be right is 1 - MARGIN / sqrt(bytes). */
const MARGIN = 0.4;
const LEAST_MARGIN = 0.02;
/** With fewer non-ASCII bytes, or a lower score of the detector, every encoding that can read the bytes may be the right one. */
const LEAST_BYTES = 8;
const LEAST_SCORE = 0.02;
/** How many times better an encoding that lacks a few of the bytes must read, so that the text is shown in it. */
const MUCH = 1.5;

/** Bytes of lines with non-ASCII characters that are used for the guess. */
const SAMPLE = 16_384;
/**
 * If the detector is not certain, and the text has at most this number of non-ASCII bytes, frequent characters decide in which encoding
 * it is shown. `FEW` applies to encodings with several bytes for a character, `FEW_LATIN` to Windows-1252 if the detector takes the text
 * for another script, and `VERY_FEW` to all others.
 */
const FEW = 40;
const FEW_LATIN = 12;
const VERY_FEW = 3;
/** The lowest score for such a decision: if the detector has an idea, and if it has none. */
const READS_WELL = 1.9;
const READS = 1.1;
/** The detector's score below which it has none. */
const NO_IDEA = 0.05;

const FREQUENT = [
  { encoding: "shiftjis", score: scoreJapanese },
  { encoding: "eucjp", score: scoreJapanese },
  { encoding: "gb18030", score: scoreChinese },
  { encoding: "windows1252", score: scoreWestern },
  { encoding: "windows1251", score: scoreCyrillic },
  { encoding: "euckr", score: scoreKorean },
];

/** undefined: the bytes can be read in no encoding. */
export async function guessEncoding(bytes: Uint8Array): Promise<Guess | undefined> {
  const sample = sampleOf(bytes);
  const size = sample.filter((byte) => byte >= 0x80).length;
  const readable = CANDIDATES.filter((encoding) => lostIn(sample, encoding) === 0);
  const ranked = [...(await scores(sample))]
    .filter(([encoding]) => readable.includes(encoding))
    .map(([encoding, score]) => ({ encoding, score }));
  ranked.sort((x, y) => y.score - x.score);
  const damaged = size < LEAST_BYTES ? [] : await damagedScores(sample, size);
  const [best = damaged[0]] = ranked;
  const all = [...readable, ...damaged.map(({ encoding }) => encoding)];
  if (!best) return guessOf(all, bytes, wellRead(sample, size, undefined));
  const margin = Math.max(LEAST_MARGIN, MARGIN / Math.sqrt(size));
  const isWeak = size < LEAST_BYTES || best.score < LEAST_SCORE || UNUSUAL.has(best.encoding);
  const close = [...ranked, ...damaged].filter(({ score }) => score >= best.score * (1 - margin));
  const possible = new Set([best.encoding, ...(isWeak ? all : close.map(({ encoding }) => encoding))]);
  const read = wellRead(sample, size, best);
  if (read !== undefined) possible.add(read);
  const clearly = damaged.find(({ score }) => score > best.score * MUCH)?.encoding;
  return guessOf([...possible], bytes, possible.size > 1 ? (clearly ?? read) : undefined);
}

/** With the encodings that differ in no byte of the text. `first`: what is shown. */
function guessOf(
  possible: readonly string[],
  bytes: Uint8Array,
  first: string | undefined,
): Guess | undefined {
  const encoding = first ?? possible[0];
  if (encoding === undefined) return undefined;
  const all = new Set(possible);
  for (const each of possible) for (const twin of twinsOf(each, bytes)) all.add(twin);
  all.delete(encoding);
  return { encoding, alternatives: [...all] };
}

interface Ranked {
  encoding: string;
  score: number;
}

/** The detector warns on the console where it may not name this one. */
const FALLBACK = "Windows-1252";

/** How much a text reads like the texts that the detector knows in each encoding. */
async function scores(sample: Uint8Array, names = Object.keys(DETECTED)): Promise<Map<string, number>> {
  const { detectAll } = await import("./detector.ts");
  const found = detectAll(sample, { minimumThreshold: 0.001, detectEncodings: names });
  const all = new Map<string, number>();
  for (const { encoding: name, confidence } of found) {
    const encoding = name === null ? undefined : (DETECTED[name] ?? encodingNamed(name));
    if (encoding !== undefined && !all.has(encoding)) all.set(encoding, confidence);
  }
  return all;
}

/**
 * The scores of the encodings that lack a few of the bytes, without these bytes: the detector excludes an encoding for a single
 * one, and then takes another one that has all of them.
 */
async function damagedScores(sample: Uint8Array, size: number): Promise<Ranked[]> {
  const ranked: Ranked[] = [];
  for (const encoding of CANDIDATES) {
    const lost = lostIn(sample, encoding);
    if (lost === 0 || lost > Math.max(2, size / 20)) continue;
    const text = textOfBytes(sample, encoding).replace(LOST, "");
    const names = Object.keys(DETECTED).filter((name) => DETECTED[name] === encoding || name === FALLBACK);
    const score = (await scores(bytesOfText(text, encoding), names)).get(encoding);
    if (score !== undefined) ranked.push({ encoding, score });
  }
  return ranked.sort((x, y) => y.score - x.score);
}

/** What stands in a decoded text for bytes that are no characters. No text contains control characters above ASCII. */
const LOST = /[\u0080-\u009f\ufffd]/g;

function lostIn(sample: Uint8Array, encoding: string): number {
  return textOfBytes(sample, encoding).match(LOST)?.length ?? 0;
}

/** The encoding in which the text consists of frequent characters, if it is short; undefined: there is none. */
function wellRead(sample: Uint8Array, size: number, best: Ranked | undefined): string | undefined {
  const least = best === undefined || best.score < NO_IDEA ? READS : READS_WELL;
  const ranked = FREQUENT.flatMap(({ encoding, score }) => {
    const isWide = RELATED[encoding] !== undefined;
    // The detector tells languages of one script better, and short texts of other scripts worse.
    const isOther = encoding === "windows1252" && best !== undefined && !LATIN.test(best.encoding);
    const most = isWide ? FEW : isOther ? FEW_LATIN : VERY_FEW;
    if (size > most || lostIn(sample, encoding) > 0) return [];
    const value = score(textOfBytes(sample, encoding));
    return value === undefined || value < (size > VERY_FEW && !isWide ? READS_WELL : least)
      ? []
      : [{ encoding, value }];
  });
  return ranked.sort((x, y) => y.value - x.value)[0]?.encoding;
}

/** Encodings of Latin letters. */
const LATIN = /^(?:windows125[02478]|iso8859(?:1|2|4|9|13|15)|cp(?:437|850|852)|macroman)$/;

/** Encodings that read all bytes as this one does. */
function twinsOf(encoding: string, bytes: Uint8Array): string[] {
  const related = RELATED[encoding];
  if (related !== undefined) {
    const text = textOfBytes(bytes, encoding);
    return related.filter((other) => textOfBytes(bytes, other) === text);
  }
  const used = Uint8Array.from(new Set(bytes.filter((byte) => byte >= 0x80)));
  const characters = textOfBytes(used, encoding);
  return [...CANDIDATES, ...OTHERS].filter(
    (other) => other !== encoding && RELATED[other] === undefined && textOfBytes(used, other) === characters,
  );
}

/** The lines that contain non-ASCII bytes, up to the limit, so that a short comment in a long file decides. */
function sampleOf(bytes: Uint8Array): Uint8Array {
  const sample = new Uint8Array(Math.min(SAMPLE, bytes.length));
  let length = 0;
  let start = 0;
  let wide = false;
  for (let at = 0; at <= bytes.length; at++) {
    // The last line may have no end.
    const byte = bytes[at] ?? 10;
    if (byte >= 0x80) wide = true;
    if (byte !== 10 && byte !== 13) continue;
    if (wide) {
      const line = bytes.subarray(start, at + 1);
      if (length + line.length > SAMPLE) break;
      sample.set(line, length);
      length += line.length;
    }
    start = at + 1;
    wide = false;
  }
  if (length > 0) return sample.subarray(0, length);
  // One line that is longer than the limit. No encoding has a character whose last byte is below the digits.
  const long = bytes.subarray(0, SAMPLE);
  const end = bytes.length > SAMPLE ? long.findLastIndex((byte) => byte < 0x30) : -1;
  return end < 0 ? long : long.subarray(0, end + 1);
}
