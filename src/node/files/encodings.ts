import { type LineEndings, lineEndings } from "../../core/text.ts";
import { nameOfEncoding } from "../../shared/text/encoding-name.ts";
import { bytesOfText, encodingNamed, textOfBytes } from "./encoding/codecs.ts";
import { guessEncoding } from "./encoding/encoding-guess.ts";

/** The encoding of a file. `encoding` is one of the editor's names: utf8, utf16le, shiftjis, gb18030... */
export interface Encoded {
  encoding: string;
  bom: boolean;
}

export interface DecodedText extends Encoded {
  kind: "text";
  /** Without a byte order mark. */
  text: string;
  eol: LineEndings;
  /** Whether encoding the text again gives the same bytes. If false, only parts of the file may be written. */
  exact: boolean;
  /** Other encodings that the file may be in. Empty: the encoding is known, or certain. */
  alternatives: readonly string[];
}

/** Decoded bytes. */
export type Decoded = DecodedText | { kind: "binary" };

/** The bytes of a text, or the character that the encoding lacks. Line and column are 1-based. */
export type EncodeResult =
  | { ok: true; bytes: Uint8Array }
  | { ok: false; character: string; line: number; column: number; message: string };

/** The display name of an encoding. */
export function encodingName({ encoding, bom }: Encoded): string {
  const name = nameOfEncoding(encoding);
  return bom && encoding === "utf8" ? `${name} with BOM` : name;
}

/**
 * Decodes bytes as text, by the first of these that fits: the byte order mark; what is `named` for the file, such as by the
 * editor's setting; UTF-8, also with a few other bytes; ISO-2022-JP by its escape sequences; and otherwise a guess. NUL bytes
 * outside UTF-16, and bytes that match no encoding, are binary.
 */
export async function decode(
  bytes: Uint8Array,
  { named }: { named?: string | undefined } = {},
): Promise<Decoded> {
  const marked = fromMark(bytes);
  if (marked !== undefined) return marked;
  const preferred = named === undefined ? undefined : encodingNamed(named);
  if (preferred?.startsWith("utf16") && bytes.length > 0) {
    const decoded = decodeAs(bytes, { encoding: preferred, bom: false });
    if (decoded.exact && !/[\0\ufffd]/.test(decoded.text)) return decoded;
  }
  if (bytes.includes(0)) return withoutMark16(bytes) ?? { kind: "binary" };
  if (looksBinary(bytes)) return { kind: "binary" };
  const byName =
    preferred !== undefined && preferred !== "utf8" && !preferred.startsWith("utf16")
      ? decodeAs(bytes, { encoding: preferred, bom: false })
      : undefined;
  const isAscii = isAsciiOnly(bytes);
  if (byName?.exact && !(isAscii && byName.text === latin1(bytes))) return byName;
  const utf8 = strictUtf8(bytes);
  if (utf8 !== undefined)
    return (isAscii ? iso2022jp(bytes) : undefined) ?? textOf(utf8, "utf8", false, true);
  // The name is right where it reads nearly everything.
  if (byName && isMostlyText(byName.text)) return byName;
  return mostlyUtf8(bytes) ?? (await guessed(bytes));
}

/** Decodes bytes in the encoding that the file was read in. */
export function decodeAs(bytes: Uint8Array, { encoding, bom }: Encoded): DecodedText {
  const body = bom ? withoutMark(bytes, encoding) : bytes;
  const text = textOfBytes(body, encoding);
  return textOf(text, encoding, bom, Buffer.compare(bytesOfText(text, encoding), body) === 0);
}

/** The bytes behind the byte order mark of the encoding. */
export function withoutMark(bytes: Uint8Array, encoding: string): Uint8Array {
  const mark = markOf(encoding);
  return mark.length > 0 && mark.every((byte, at) => bytes[at] === byte)
    ? bytes.subarray(mark.length)
    : bytes;
}

/**
 * Encodes a text in the encoding of an existing file. Fails with the position of a character that the encoding lacks;
 * nothing is ever replaced by a question mark.
 */
export function encode(text: string, like: Encoded): EncodeResult {
  const { encoding, bom } = like;
  if (encodingNamed(encoding) === undefined) {
    return {
      ok: false,
      character: "",
      line: 1,
      column: 1,
      message: `The encoding "${encoding}" is not known.`,
    };
  }
  const body = bytesOfText(text, encoding);
  if (textOfBytes(body, encoding) !== text) return missingCharacter(text, like);
  const mark = bom ? markOf(encoding) : [];
  const bytes = new Uint8Array(mark.length + body.length);
  bytes.set(mark);
  bytes.set(body, mark.length);
  return { ok: true, bytes };
}

export function markOf(encoding: string): number[] {
  if (encoding === "utf8") return [0xef, 0xbb, 0xbf];
  if (encoding === "utf16le") return [0xff, 0xfe];
  return encoding === "utf16be" ? [0xfe, 0xff] : [];
}

function textOf(
  text: string,
  encoding: string,
  bom: boolean,
  exact: boolean,
  alternatives: readonly string[] = [],
): DecodedText {
  return { kind: "text", text, encoding, bom, exact, alternatives, eol: lineEndings(text) };
}

function fromMark(bytes: Uint8Array): Decoded | undefined {
  const [a, b, c, d] = bytes;
  if (a === 0xef && b === 0xbb && c === 0xbf) {
    const rest = bytes.subarray(3);
    if (rest.includes(0)) return { kind: "binary" };
    const text = strictUtf8(rest);
    return text === undefined
      ? textOf(textOfBytes(rest, "utf8"), "utf8", true, false)
      : textOf(text, "utf8", true, true);
  }
  const little = a === 0xff && b === 0xfe;
  if (!little && !(a === 0xfe && b === 0xff)) return undefined;
  if (little && c === 0 && d === 0 && bytes.length >= 4) return { kind: "binary" };
  const encoding = little ? "utf16le" : "utf16be";
  const text = textOfBytes(bytes.subarray(2), encoding);
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
  const text = textOfBytes(bytes, encoding);
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

const latin1 = (bytes: Uint8Array) => textOfBytes(bytes, "iso88591");

function strictUtf8(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

/** A file with an escape sequence of this encoding contains it for nothing else. */
function iso2022jp(bytes: Uint8Array): Decoded | undefined {
  if (!bytes.includes(0x1b)) return undefined;
  if (!/\x1b\$[@B][!-~]{2}/.test(latin1(bytes))) return undefined;
  const decoded = decodeAs(bytes, { encoding: "iso2022jp", bom: false });
  return decoded.text.includes("\ufffd") || !/[^\0-\x7f]/.test(decoded.text) ? undefined : decoded;
}

/** Whether at most 1 in 10 of what is not ASCII could not be decoded. */
function isMostlyText(text: string): boolean {
  const lost = text.match(/\ufffd/g)?.length ?? 0;
  const wide = text.match(/[^\0-\x7f\ufffd]/g)?.length ?? 0;
  return lost * 10 <= wide || (lost === 1 && wide > 1);
}

/**
 * Decodes UTF-8 with a few other bytes. In other encodings, bytes seldom form characters of UTF-8, and those of three and four
 * bytes hardly ever.
 */
function mostlyUtf8(bytes: Uint8Array): Decoded | undefined {
  const text = textOfBytes(bytes, "utf8");
  const lost = text.match(/\ufffd/g)?.length ?? 0;
  const two = text.match(/[\u0080-\u07ff]/g)?.length ?? 0;
  const more = text.match(/[\u0800-\ufffc]/g)?.length ?? 0;
  const isUtf8 = lost <= 1 ? two + more * 3 >= 4 : two + more >= 10 && lost * 10 <= two + more;
  return isUtf8 ? textOf(text, "utf8", false, false) : undefined;
}

async function guessed(bytes: Uint8Array): Promise<Decoded> {
  const guess = await guessEncoding(bytes);
  if (guess === undefined) return { kind: "binary" };
  const decoded = decodeAs(bytes, { encoding: guess.encoding, bom: false });
  return { ...decoded, alternatives: guess.alternatives };
}

const TWINS: Record<string, string> = {
  "\u301c": "\uff5e",
  "\u2212": "\uff0d",
  "\u2016": "\u2225",
  "\u2014": "\u2015",
  "\u00a5": "\uffe5",
};

function has(character: string, encoding: string): boolean {
  return textOfBytes(bytesOfText(character, encoding), encoding) === character;
}

function missingCharacter(text: string, like: Encoded): EncodeResult {
  let line = 1;
  let column = 1;
  for (const character of text) {
    if (character.charCodeAt(0) > 0x7e || character.charCodeAt(0) < 0x20) {
      if (!has(character, like.encoding)) return refusal(character, line, column, like);
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
  const hint = twin !== undefined && has(twin, like.encoding) ? ` Use "${twin}" instead.` : "";
  const message =
    character === ""
      ? `The text cannot be kept in ${encodingName(like)} without changing it. Nothing was written.`
      : `Line ${line}, column ${column}: ${what} does not exist in ${encodingName(like)}, the file's encoding. Nothing was written.${hint}`;
  return { ok: false, character, line, column, message };
}
