/** The text of git's diffs, in which each file has bytes of its own encoding. */
import path from "node:path";
import { readWhole } from "../files/disk-files.ts";
import { decodeFile, type EncodingNames } from "../files/encoding-names.ts";
import { decodeAs } from "../files/encodings.ts";

export interface DiffSource {
  /** The folder that names in the diff are relative to. */
  top: string;
  /** What names the encoding of a file. */
  names: EncodingNames;
}

/** Begins the part of one file. Every line of a content has a mark before it, and every line of a message is indented. */
const FILE_HEADER = Buffer.from("diff --");
const LINE_END = 0x0a;
/** Bytes of the largest file that is read to learn its encoding. */
const LARGEST = 2 * 1024 * 1024;

/** `output`: of `git diff` or `git show` with the prefixes a/ and b/; its end may be cut. Text outside of files is UTF-8. */
export async function diffText(output: Buffer, source: DiffSource): Promise<string> {
  let text = "";
  for (const part of partsOf(output)) text += await partText(part, source);
  return text;
}

function partsOf(output: Buffer): Buffer[] {
  const parts: Buffer[] = [];
  let from = 0;
  for (let at = lineThatBegins(output, FILE_HEADER, 0); at >= 0; ) {
    if (at > from) parts.push(output.subarray(from, at));
    from = at;
    at = lineThatBegins(output, FILE_HEADER, at + 1);
  }
  return [...parts, output.subarray(from)];
}

/** -1: there is none at or behind `from`. */
function lineThatBegins(bytes: Buffer, start: Buffer, from: number): number {
  for (let at = bytes.indexOf(start, from); at >= 0; at = bytes.indexOf(start, at + 1))
    if (at === 0 || bytes[at - 1] === LINE_END) return at;
  return -1;
}

async function partText(part: Buffer, source: DiffSource): Promise<string> {
  const hunks = lineThatBegins(part, Buffer.from("@@"), 0);
  const isFile = part.subarray(0, FILE_HEADER.length).equals(FILE_HEADER);
  if (!isFile || hunks < 0) return part.toString("utf8");
  const header = part.subarray(0, hunks).toString("utf8");
  const name = nameIn(header);
  return header + (await hunksText(part.subarray(hunks), name && path.join(source.top, name), source.names));
}

async function hunksText(bytes: Buffer, file: string | undefined, names: EncodingNames): Promise<string> {
  const utf8 = strictUtf8(bytes);
  if (file === undefined || (utf8 !== undefined && isAscii(utf8))) return utf8 ?? bytes.toString("utf8");
  const now = (await readWhole(file, LARGEST).catch(() => undefined))?.bytes;
  const read = now && (await decodeFile(file, now, names));
  // Git may convert a file to UTF-8 (working-tree-encoding): then the diff does not have the bytes of the file.
  if (
    now &&
    read?.kind === "text" &&
    read.encoding !== "utf8" &&
    (utf8 === undefined || hasLineOf(now, bytes))
  )
    return decodeAs(bytes, { encoding: read.encoding, bom: false }).text;
  if (utf8 !== undefined) return utf8;
  // The file no longer exists, or was in another encoding.
  const decoded = await decodeFile(file, bytes, names);
  return decoded.kind === "text" ? decoded.text : bytes.toString("utf8");
}

/** Whether the file has the first line of its hunks that is not ASCII. */
function hasLineOf(file: Buffer, hunks: Buffer): boolean {
  const lines = hunks.toString("latin1").split("\n");
  const line = lines.find((each) => /^[ +].*[^\0-\x7f]/s.test(each));
  return line !== undefined && file.includes(Buffer.from(line.slice(1), "latin1"));
}

/** The file after the change, or before it was deleted. */
function nameIn(header: string): string | undefined {
  for (const start of ["+++ ", "--- "]) {
    const line = header.split("\n").find((each) => each.startsWith(start));
    // Git ends a name with spaces by a tab.
    const named = line?.slice(start.length).replace(/\t$/, "");
    const name = named?.startsWith('"') ? unquoted(named) : named;
    if (name !== undefined && /^[ab]\/./.test(name)) return name.slice(2);
  }
  return undefined;
}

/** undefined: the name has a character that git writes as a number. */
function unquoted(name: string): string | undefined {
  const inside = name.slice(1, -1);
  const signs: Readonly<Record<string, string>> = { t: "\t", n: "\n", r: "\r", '"': '"', "\\": "\\" };
  if (/(?<!\\)(?:\\\\)*\\[^tnr"\\]/.test(inside)) return undefined;
  return inside.replace(/\\(.)/g, (_, sign: string) => signs[sign] ?? sign);
}

/** The end may be within a character. */
function strictUtf8(bytes: Buffer): string | undefined {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes, { stream: true });
  } catch {
    return undefined;
  }
}

const isAscii = (text: string) => !/[^\0-\x7f]/.test(text);
