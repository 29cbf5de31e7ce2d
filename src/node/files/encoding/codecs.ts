/** Encodings as functions between bytes and text: those of iconv-lite, and ISO-2022-JP, which it lacks. */
import { iconv } from "./iconv.ts";

const UTF8 = "utf8";
const ISO_2022_JP = "iso2022jp";

/** Names in settings and `.editorconfig` that iconv-lite does not know or that have another meaning here. */
const OTHER_NAMES: Readonly<Record<string, string>> = {
  utf8bom: UTF8,
  csiso2022jp: ISO_2022_JP,
  latin1: "iso88591",
  ascii: UTF8,
  usascii: UTF8,
  unicode: "utf16le",
  utf16: "utf16le",
  big5: "big5hkscs",
  sjis: "shiftjis",
  xsjis: "shiftjis",
  windows31j: "shiftjis",
  cp932: "shiftjis",
};

/** The editor's name of an encoding, however it is written (`Shift_JIS`, `utf-8-bom`); undefined: there is no such encoding. */
export function encodingNamed(name: string): string | undefined {
  const plain = name.toLowerCase().replace(/[^a-z0-9]/g, "");
  const known = OTHER_NAMES[plain] ?? plain;
  if (known === UTF8 || known === ISO_2022_JP) return known;
  // These convert bytes to digits and letters, or have states that this file does not know.
  if (/^(?:hex|base64|binary|utf7|utf7imap|ucs2|utf32|utf32le|utf32be|cesu8)$/.test(known)) return undefined;
  return iconv().encodingExists(known) ? known : undefined;
}

/** The text has no byte order mark removed. Bytes that the encoding lacks become U+FFFD. */
export function textOfBytes(bytes: Uint8Array, encoding: string): string {
  if (encoding === UTF8) return new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes);
  if (encoding === ISO_2022_JP) return new TextDecoder("iso-2022-jp").decode(bytes);
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return iconv().decode(buffer, encoding, { stripBOM: false });
}

/** The bytes without a byte order mark. Characters that the encoding lacks become others: compare with `textOfBytes`. */
export function bytesOfText(text: string, encoding: string): Buffer {
  if (encoding === UTF8) return Buffer.from(text, "utf8");
  if (encoding === ISO_2022_JP) return toIso2022Jp(text);
  if (encoding === "eucjp" && text.includes(WAVE)) {
    const parts = text.split(WAVE).flatMap((part, at) => {
      const bytes = iconv().encode(part, encoding);
      return at === 0 ? [bytes] : [EUC_WAVE, bytes];
    });
    return Buffer.concat(parts);
  }
  return iconv().encode(text, encoding, { addBOM: false });
}

/** iconv-lite reads the bytes as this character and writes it as another one of JIS X 0212. */
const WAVE = "\uff5e";
const EUC_WAVE = Buffer.from([0xa1, 0xc1]);

/** Escape sequences (RFC 1468): US-ASCII and JIS X 0208-1983. */
const TO_ASCII = [0x1b, 0x28, 0x42];
const TO_JIS = [0x1b, 0x24, 0x42];

/** By way of EUC-JP, whose two-byte characters are those of JIS X 0208 with the high bits set. */
function toIso2022Jp(text: string): Buffer {
  const euc = bytesOfText(text, "eucjp");
  const bytes: number[] = [];
  let isWide = false;
  for (let at = 0; at < euc.length; at++) {
    const byte = euc[at] ?? 0;
    const wide = byte >= 0xa1;
    if (wide !== isWide) bytes.push(...(wide ? TO_JIS : TO_ASCII));
    isWide = wide;
    if (byte < 0x80) bytes.push(byte);
    else if (wide) bytes.push(byte & 0x7f, (euc[++at] ?? 0) & 0x7f);
    // Half-width katakana and JIS X 0212 are not in this encoding.
    else {
      bytes.push(0x3f);
      at += byte === 0x8f ? 2 : 1;
    }
  }
  return Buffer.from(isWide ? [...bytes, ...TO_ASCII] : bytes);
}
