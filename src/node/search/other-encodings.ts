/**
 * Text files that ripgrep does not read as the file tools do: those in an older encoding than Unicode, and UTF-16 without a
 * byte order mark. They are decoded here and searched as UTF-8.
 */
import { constants } from "node:fs";
import { open, stat } from "node:fs/promises";
import path from "node:path";
import { Interrupt } from "../../core/errors.ts";
import { readWhole, versionOf } from "../files/disk-files.ts";
import type { EncodingNames } from "../files/encoding-names.ts";
import { decode } from "../files/encodings.ts";

/** Bytes of the largest file that is decoded for a search. */
const DECODED_LIMIT = 2 * 1024 * 1024;
/** Bytes by which a file that is not decoded is judged. */
const HEAD = 8192;
/** Files that are decoded for one search. */
export const MOST_DECODED = 300;

/**
 * Fits bytes that UTF-8 text does not have, and escape sequences of ISO-2022-JP; many files with them are not text at all. In UTF-16
 * with a byte order mark it fits nothing, because ripgrep decodes that itself.
 */
export const NOT_UTF8 = String.raw`(?-u)\x00|\x1b\$[@B]|[\xc0\xc1\xf5-\xff]|(?:^|[\x00-\x7f])[\x80-\xbf]|[\xc2-\xf4](?:[^\x80-\xbf]|$)|[\xe0-\xef][\x80-\xbf](?:[^\x80-\xbf]|$)|[\xf0-\xf4][\x80-\xbf]{1,2}(?:[^\x80-\xbf]|$)`;

export interface OtherTexts {
  /** As UTF-8, by path. */
  texts: ReadonlyMap<string, Buffer>;
  /** Files that may be such texts and are not searched, each with the reason. */
  unread: string[];
}

/** Characters of all texts that are kept for later searches. */
const KEPT_LIMIT = 16 * 1024 * 1024;

interface DecodedFile {
  version: string;
  /** The encoding that is named for the file, if any. */
  named: string | undefined;
  /** undefined: ripgrep reads the file as the tools do, or it is not text. */
  text: string | undefined;
}

/** What earlier searches decoded, by path; the oldest first. */
export class DecodedTexts {
  readonly #names: EncodingNames;
  readonly #decoded = new Map<string, DecodedFile>();
  #size = 0;

  constructor(names: EncodingNames) {
    this.#names = names;
  }

  /** undefined: ripgrep reads the file as the tools do, or it is not text. */
  async textOf(file: string): Promise<string | undefined> {
    const found = await stat(file, { bigint: true }).catch(() => undefined);
    const named = await this.#names(file);
    const kept = this.#decoded.get(file);
    if (kept && found && kept.version === versionOf(found) && kept.named === named) return kept.text;
    this.#forget(file);
    const read = await readWhole(file, DECODED_LIMIT).catch(() => undefined);
    if (!read) return undefined;
    const decoded = await decode(read.bytes, { named });
    const isOther = decoded.kind === "text" && decoded.encoding !== "utf8" && !decoded.bom;
    const text = isOther ? decoded.text : undefined;
    this.#keep(file, { version: read.version, named, text });
    return text;
  }

  #keep(file: string, decoded: DecodedFile): void {
    this.#forget(file);
    this.#decoded.set(file, decoded);
    this.#size += sizeOf(decoded);
    for (const oldest of this.#decoded.keys()) {
      if (this.#size <= KEPT_LIMIT) return;
      this.#forget(oldest);
    }
  }

  #forget(file: string): void {
    const kept = this.#decoded.get(file);
    if (!kept) return;
    this.#decoded.delete(file);
    this.#size -= sizeOf(kept);
  }
}

/** An entry without a text takes room too. */
function sizeOf({ text = "" }: DecodedFile): number {
  return text.length + 1_000;
}

/** `files`: relative to `folder`, with matches of `NOT_UTF8`. `most`: how many texts may be decoded. */
export async function decodeOthers(
  folder: string,
  files: readonly string[],
  { decoded, most, signal }: { decoded: DecodedTexts; most: number; signal: AbortSignal },
): Promise<OtherTexts> {
  const texts = new Map<string, Buffer>();
  const unread: string[] = [];
  for (const file of files) {
    if (signal.aborted) throw new Interrupt();
    const full = path.join(folder, file);
    const size = await stat(full).then(
      (found) => found.size,
      () => 0,
    );
    if (size > DECODED_LIMIT || texts.size === most) {
      if (!(await beginsAsText(full))) continue;
      unread.push(
        `${file}: not UTF-8, and ${size > DECODED_LIMIT ? "larger than 2 MB" : "one of too many such files"}`,
      );
      continue;
    }
    const text = await decoded.textOf(full);
    if (text !== undefined) texts.set(file, Buffer.from(text, "utf8"));
  }
  return { texts, unread };
}

/** Judged by the beginning of the file: NUL bytes and most formats of binary files are found there. */
async function beginsAsText(file: string): Promise<boolean> {
  const handle = await open(file, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0)).catch(() => undefined);
  if (!handle) return false;
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(HEAD), 0, HEAD, 0);
    const head = buffer.subarray(0, bytesRead);
    // The head may end within a character.
    for (const cut of [0, 1, 2, 3])
      if ((await decode(head.subarray(0, bytesRead - cut))).kind === "text") return true;
    return false;
  } catch {
    return false;
  } finally {
    await handle.close();
  }
}
