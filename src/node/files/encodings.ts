import iconv from "iconv-lite";
import { type LineEndings, lineEndings } from "../../core/text.ts";
import {
  type Score,
  scoreChinese,
  scoreCyrillic,
  scoreJapanese,
  scoreKorean,
  scoreWestern,
} from "./encoding-guess.ts";

/** The encoding of a file. `encoding` is one of the editor's names: utf8, utf16le, shiftjis, gb18030... */
export interface Encoded {
  encoding: string;
  bom: boolean;
}

/** Decoded bytes. `text` has no byte order mark. */
export type Decoded =
  | ({
      kind: "text";
      text: string;
      eol: LineEndings;
      /** Whether encoding the text again gives the same bytes. If false, the file can be read but must not be written. */
      exact: boolean;
    } & Encoded)
  | { kind: "binary" };

/** The bytes of a text, or the character that the encoding lacks. Line and column are 1-based. */
export type EncodeResult =
  | { ok: true; bytes: Uint8Array }
  | { ok: false; character: string; line: number; column: number; message: string };

const NAMES: Record<string, string> = {
  utf8: "UTF-8",
  utf16le: "UTF-16 LE",
  utf16be: "UTF-16 BE",
  shiftjis: "Shift JIS",
  eucjp: "EUC-JP",
  gb18030: "GB 18030",
  gbk: "GBK",
  big5hkscs: "Big5",
  euckr: "EUC-KR",
  windows1251: "Windows-1251",
  windows1252: "Windows-1252",
  iso88591: "ISO 8859-1",
};

/** The display name of an encoding. */
export function encodingName({ encoding, bom }: Encoded): string {
  const name = NAMES[encoding] ?? encoding;
  return bom && encoding === "utf8" ? `${name} with BOM` : name;
}

/**
 * Decodes bytes as text. A byte order mark decides; otherwise valid UTF-8 is UTF-8; otherwise the legacy encoding with the
 * best score among those that round-trip. `preferred` (such as the editor's setting for the file) takes precedence over the
 * guess if it round-trips. NUL bytes outside UTF-16, and bytes that match no encoding, are binary.
 */
export function decode(bytes: Uint8Array, options: { preferred?: string } = {}): Decoded {
  const marked = fromMark(bytes);
  if (marked !== undefined) return marked;
  if (bytes.includes(0)) return withoutMark16(bytes) ?? { kind: "binary" };
  if (looksBinary(bytes)) return { kind: "binary" };
  const { preferred } = options;
  const utf8 = strictUtf8(bytes);
  if (utf8 !== undefined && (preferred === undefined || preferred === "utf8" || isAsciiOnly(bytes))) {
    return textOf(utf8, "utf8", false, true);
  }
  if (preferred !== undefined && iconv.encodingExists(preferred) && !/^utf-?16|^ucs/.test(preferred)) {
    const text = roundTrip(bytes, preferred);
    if (text !== undefined) return textOf(text, preferred, false, true);
  }
  if (utf8 !== undefined) return textOf(utf8, "utf8", false, true);
  return mostlyUtf8(bytes) ?? legacy(bytes);
}

/**
 * Encodes a text in the encoding of an existing file. Fails with the position of a character that the encoding lacks;
 * nothing is ever replaced by a question mark.
 */
export function encode(text: string, like: Encoded): EncodeResult {
  const { encoding, bom } = like;
  if (!iconv.encodingExists(encoding)) {
    return {
      ok: false,
      character: "",
      line: 1,
      column: 1,
      message: `The encoding "${encoding}" is not known.`,
    };
  }
  const body = iconv.encode(text, encoding, { addBOM: false });
  if (decodePlain(body, encoding) !== text) return missingCharacter(text, like);
  const mark = bom ? markOf(encoding) : [];
  const bytes = new Uint8Array(mark.length + body.length);
  bytes.set(mark);
  bytes.set(body, mark.length);
  return { ok: true, bytes };
}

function decodePlain(bytes: Uint8Array, encoding: string): string {
  return iconv.decode(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength), encoding, {
    stripBOM: false,
  });
}

function markOf(encoding: string): number[] {
  if (encoding === "utf8") return [0xef, 0xbb, 0xbf];
  if (encoding === "utf16le") return [0xff, 0xfe];
  return encoding === "utf16be" ? [0xfe, 0xff] : [];
}

function textOf(text: string, encoding: string, bom: boolean, exact: boolean): Decoded {
  return { kind: "text", text, encoding, bom, exact, eol: lineEndings(text) };
}

function fromMark(bytes: Uint8Array): Decoded | undefined {
  const [a, b, c, d] = bytes;
  if (a === 0xef && b === 0xbb && c === 0xbf) {
    const rest = bytes.subarray(3);
    if (rest.includes(0)) return { kind: "binary" };
    const text = strictUtf8(rest);
    return text === undefined
      ? textOf(new TextDecoder().decode(rest), "utf8", true, false)
      : textOf(text, "utf8", true, true);
  }
  const little = a === 0xff && b === 0xfe;
  if (!little && !(a === 0xfe && b === 0xff)) return undefined;
  if (little && c === 0 && d === 0 && bytes.length >= 4) return { kind: "binary" };
  const encoding = little ? "utf16le" : "utf16be";
  const text = decodePlain(bytes.subarray(2), encoding);
  if (text.includes("\0")) return { kind: "binary" };
  return textOf(text, encoding, true, bytes.length % 2 === 0);
}

/** Detects UTF-16 without a byte order mark: nearly all zero bytes of ASCII characters are at even or at odd positions. */
function withoutMark16(bytes: Uint8Array): Decoded | undefined {
  if (bytes.length % 2 !== 0) return undefined;
  let even = 0;
  let odd = 0;
  for (let at = 0; at < bytes.length; at++) {
    if (bytes[at] !== 0) continue;
    if (at % 2 === 0) even += 1;
    else odd += 1;
  }
  if (Math.min(even, odd) * 2 > Math.max(even, odd)) return undefined;
  const encoding = odd > even ? "utf16le" : "utf16be";
  const text = decodePlain(bytes, encoding);
  // Control characters, lone surrogates and private-use characters indicate binary data.
  if (/[\0-\x08\x0e-\x1a\x1c-\x1f\ud800-\udfff\ue000-\uf8ff\ufffe\uffff]/u.test(text)) return undefined;
  const plain = text.match(/[\t\n\r\x20-\x7e]/g)?.length ?? 0;
  return plain * 10 >= text.length ? textOf(text, encoding, false, true) : undefined;
}

/** Whether more than 1 in 20 of the first bytes are control characters. */
function looksBinary(bytes: Uint8Array): boolean {
  const sample = Math.min(bytes.length, 65_536);
  let controls = 0;
  for (let at = 0; at < sample; at++) {
    const byte = bytes[at] ?? 0;
    if ((byte < 32 && byte !== 9 && byte !== 10 && byte !== 13 && byte !== 12 && byte !== 27) || byte === 127)
      controls += 1;
  }
  return controls * 20 > sample;
}

function isAsciiOnly(bytes: Uint8Array): boolean {
  return bytes.every((byte) => byte < 0x80);
}

function strictUtf8(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

/** Decodes UTF-8 with a few invalid bytes, which can be read but not written without losing them. */
function mostlyUtf8(bytes: Uint8Array): Decoded | undefined {
  const text = new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes);
  const broken = text.match(/\ufffd/g)?.length ?? 0;
  const wide = text.match(/[\u0080-\ufffc]/g)?.length ?? 0;
  return wide >= 10 && broken * 10 <= wide ? textOf(text, "utf8", false, false) : undefined;
}

const candidates: readonly { encoding: string; score(text: string): Score }[] = [
  { encoding: "shiftjis", score: scoreJapanese },
  { encoding: "eucjp", score: scoreJapanese },
  { encoding: "gb18030", score: scoreChinese },
  { encoding: "windows1252", score: scoreWestern },
  { encoding: "windows1251", score: scoreCyrillic },
  { encoding: "euckr", score: scoreKorean },
];

/** Bytes of lines with non-ASCII characters that are used for the guess. */
const SAMPLE = 32_768;

function legacy(bytes: Uint8Array): Decoded {
  const sample = sampleOf(bytes);
  const ranked = candidates
    .flatMap(({ encoding, score }) => {
      const found = score(decodePlain(sample, encoding).replace(/[\ufffd]$/, ""));
      return found === undefined ? [] : [{ encoding, score: found }];
    })
    .sort((x, y) => y.score - x.score);
  for (const { encoding } of ranked) {
    const text = roundTrip(bytes, encoding);
    if (text !== undefined) return textOf(text, encoding, false, true);
  }
  const [best] = ranked;
  if (best === undefined || best.score <= 0) return { kind: "binary" };
  return textOf(decodePlain(bytes, best.encoding), best.encoding, false, false);
}

/** The lines that contain non-ASCII bytes, up to the limit, so that a short comment in a long file decides. */
function sampleOf(bytes: Uint8Array): Uint8Array {
  if (bytes.length <= SAMPLE) return bytes;
  const sample = new Uint8Array(SAMPLE);
  let length = 0;
  let start = 0;
  let wide = false;
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at] ?? 0;
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
  return length === 0 ? bytes : sample.subarray(0, length);
}

function roundTrip(bytes: Uint8Array, encoding: string): string | undefined {
  const text = decodePlain(bytes, encoding);
  if (text.includes("\ufffd") && encoding !== "gb18030") return undefined;
  const again = iconv.encode(text, encoding, { addBOM: false });
  return Buffer.compare(again, bytes) === 0 ? text : undefined;
}

const TWINS: Record<string, string> = {
  "\u301c": "\uff5e",
  "\u2212": "\uff0d",
  "\u2016": "\u2225",
  "\u2014": "\u2015",
  "\u00a5": "\uffe5",
};

function missingCharacter(text: string, like: Encoded): EncodeResult {
  let line = 1;
  let column = 1;
  for (const character of text) {
    if (character.charCodeAt(0) > 0x7e || character.charCodeAt(0) < 0x20) {
      const there = decodePlain(iconv.encode(character, like.encoding, { addBOM: false }), like.encoding);
      if (there !== character) return refusal(character, line, column, like);
    }
    if (character === "\n") {
      line += 1;
      column = 1;
    } else column += character.length;
  }
  return refusal("", 1, 1, like);
}

function refusal(character: string, line: number, column: number, like: Encoded): EncodeResult {
  const code = character.codePointAt(0);
  const point = code === undefined ? "" : `U+${code.toString(16).toUpperCase().padStart(4, "0")}`;
  const half = code !== undefined && code >= 0xd800 && code <= 0xdfff;
  const what = half ? `half of a surrogate pair (${point})` : `"${character}" (${point})`;
  const twin = TWINS[character];
  const hint =
    twin !== undefined && decodePlain(iconv.encode(twin, like.encoding), like.encoding) === twin
      ? ` Use "${twin}" instead.`
      : "";
  const message =
    character === ""
      ? `The text cannot be kept in ${encodingName(like)} without changing it. Nothing was written.`
      : `Line ${line}, column ${column}: ${what} does not exist in ${encodingName(like)}, the file's encoding. Nothing was written.${hint}`;
  return { ok: false, character, line, column, message };
}
