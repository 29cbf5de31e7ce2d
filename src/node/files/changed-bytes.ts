/**
 * The new bytes of a file whose text changed in parts: what did not change is copied as it is, so that bytes which are no
 * characters, and characters that the encoding has twice, stay. Also for files whose encoding is not certain.
 */
import { matchLines } from "../../shared/text/line-diff.ts";
import { bytesOfText, textOfBytes } from "./encoding/codecs.ts";
import {
  decodeAs,
  type Encoded,
  type EncodeResult,
  encode,
  encodingName,
  markOf,
  withoutMark,
} from "./encodings.ts";

export interface ReadFile extends Encoded {
  text: string;
  /** Other encodings that the file may be in. */
  alternatives?: readonly string[];
}

/** Characters up to which a changed part is compared character by character. */
const COMPARED = 4_000;

/** The bytes of `text`, which replaces the text of the file with the bytes `before`. */
export function changedBytes(before: Uint8Array, file: ReadFile, text: string): EncodeResult {
  const { alternatives = [] } = file;
  const decoded = decodeAs(before, file);
  if (decoded.text !== file.text) return refused("The file changed. Nothing was written.");
  if (text === file.text) return { ok: true, bytes: before };
  if (decoded.exact && alternatives.length === 0) return encode(text, file);
  if (/^utf16|^iso2022/.test(file.encoding)) return refused(notKept(file));
  const body = withoutMark(before, file.encoding);
  const splice = new Splice(file, alternatives);
  const parts = splice.parts(body, text);
  if (!Array.isArray(parts)) return parts;
  const bytes = Buffer.concat([...(file.bom ? [Uint8Array.from(markOf(file.encoding))] : []), ...parts]);
  return decodeAs(bytes, file).text === text ? { ok: true, bytes } : refused(notKept(file));
}

class Splice {
  readonly #file: ReadFile;
  readonly #alternatives: readonly string[];

  constructor(file: ReadFile, alternatives: readonly string[]) {
    this.#file = file;
    this.#alternatives = alternatives;
  }

  parts(body: Uint8Array, text: string): Uint8Array[] | EncodeResult {
    const old = linesOfBytes(body);
    const oldTexts = old.map((line) => this.#decode(line));
    if (oldTexts.join("") !== this.#file.text) return refused(notKept(this.#file));
    const texts = linesOfText(text);
    const parts: Uint8Array[] = [];
    let [from, to] = [0, 0];
    for (const { a, b, length } of [
      ...matchLines(oldTexts, texts),
      { a: old.length, b: texts.length, length: 0 },
    ]) {
      const changed = this.#hunk(old.slice(from, a), texts.slice(to, b));
      if (!Array.isArray(changed)) return changed;
      parts.push(...changed, ...old.slice(a, a + length));
      [from, to] = [a + length, b + length];
    }
    return parts;
  }

  /** The bytes of lines that were replaced. If there are as many new lines as old ones, each is compared with its old one. */
  #hunk(old: readonly Uint8Array[], texts: readonly string[]): Uint8Array[] | EncodeResult {
    if (old.length !== texts.length) return this.#line(Buffer.concat(old), texts.join(""));
    const parts: Uint8Array[] = [];
    for (const [index, line] of old.entries()) {
      const changed = this.#line(line, texts[index] ?? "");
      if (!Array.isArray(changed)) return changed;
      parts.push(...changed);
    }
    return parts;
  }

  /** The characters that both have in common are copied. */
  #line(bytes: Uint8Array, text: string): Uint8Array[] | EncodeResult {
    const old = [...this.#decode(bytes)];
    const characters = [...text];
    const parts: Uint8Array[] = [];
    const starts = startsOf(old);
    let [from, to, at] = [0, 0, 0];
    const common = old.length + characters.length > COMPARED ? [] : matchLines(old, characters);
    for (const { a, b, length } of [...common, { a: old.length, b: characters.length, length: 0 }]) {
      // A part is copied only if it begins and ends between two characters in every encoding that the file may be in.
      const end = length === 0 ? bytes.length : this.#boundary(bytes, starts[a] ?? 0);
      const next = length === 0 ? bytes.length : this.#boundary(bytes, starts[a + length] ?? 0);
      if (end === undefined || next === undefined || end < at) continue;
      const added = characters.slice(to, b).join("");
      const written = this.#added(bytes.subarray(at, end), old.slice(from, a).join(""), added);
      if (!(written instanceof Uint8Array)) return written;
      parts.push(written, bytes.subarray(end, next));
      [from, to, at] = [a + length, b + length, next];
    }
    return parts;
  }

  /** The bytes of a text that replaces `old`. */
  #added(bytes: Uint8Array, old: string, text: string): Uint8Array | EncodeResult {
    if (old === text) return bytes;
    // This character stands for bytes that are no characters. Those that stay in their place were copied before.
    if (text.includes("\ufffd")) return refused(notKept(this.#file));
    const encoded = encode(text, { encoding: this.#file.encoding, bom: false });
    if (!encoded.ok) return encoded;
    for (const other of this.#alternatives) {
      const same = bytesOfText(text, other);
      if (Buffer.compare(same, encoded.bytes) !== 0 || textOfBytes(same, other) !== text)
        return refused(notCertain(this.#file));
    }
    return encoded.bytes;
  }

  #decode(bytes: Uint8Array): string {
    return textOfBytes(bytes, this.#file.encoding);
  }

  /** The byte at which the character begins; undefined: it is not known for sure. `offset`: in UTF-16 units. */
  #boundary(bytes: Uint8Array, offset: number): number | undefined {
    const whole = this.#decode(bytes);
    // The length of the text grows with the bytes.
    let [low, high] = [0, bytes.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.#decode(bytes.subarray(0, middle)).length < offset) low = middle + 1;
      else high = middle;
    }
    for (let at = low; at <= Math.min(low + 4, bytes.length); at++) {
      const isEnd =
        this.#decode(bytes.subarray(0, at)) === whole.slice(0, offset) &&
        this.#decode(bytes.subarray(at)) === whole.slice(offset);
      if (isEnd) return this.#alternatives.length === 0 || isBetween(bytes, at) ? at : undefined;
    }
    return undefined;
  }
}

/** Whether a character ends there in any encoding of the editor: no second byte is below the digits, no first byte below 0x80. */
function isBetween(bytes: Uint8Array, at: number): boolean {
  const [before, after] = [bytes[at - 1], bytes[at]];
  if (before === undefined || after === undefined) return true;
  const isDigit = before >= 0x30 && before <= 0x39;
  return after < 0x30 || (before < 0x80 && (after < 0x80 || !isDigit));
}

function startsOf(characters: readonly string[]): number[] {
  const starts = [0];
  for (const character of characters) starts.push((starts.at(-1) ?? 0) + character.length);
  return starts;
}

const LINE_FEED = 10;
const RETURN = 13;

/** Each with its line end. */
function linesOfBytes(bytes: Uint8Array): Uint8Array[] {
  const lines: Uint8Array[] = [];
  let from = 0;
  for (let at = 0; at < bytes.length; at++) {
    const isEnd = bytes[at] === LINE_FEED || (bytes[at] === RETURN && bytes[at + 1] !== LINE_FEED);
    if (!isEnd) continue;
    lines.push(bytes.subarray(from, at + 1));
    from = at + 1;
  }
  return from < bytes.length ? [...lines, bytes.subarray(from)] : lines;
}

function linesOfText(text: string): string[] {
  return text.match(/[^\r\n]*(?:\r\n|\r|\n)|[^\r\n]+$/g) ?? [];
}

function refused(message: string): EncodeResult {
  return { ok: false, character: "", line: 1, column: 1, message };
}

function notKept(file: ReadFile): string {
  return `The file contains bytes that are not ${encodingName(file)}, and they are in the lines to change. Nothing was written. Change only other parts, or ask the user to convert the file.`;
}

function notCertain(file: ReadFile): string {
  return `The encoding of the file is not certain: it was read as ${encodingName(file)}, which is a guess. Text outside ASCII would perhaps be written wrongly, so nothing was written. Write the text in ASCII, or ask the user to name the encoding, with "charset" in .editorconfig or "files.encoding" in .vscode/settings.json, for this file or its language.`;
}
