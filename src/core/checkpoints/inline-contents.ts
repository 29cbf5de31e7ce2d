/**
 * Contents that a session's file of records itself contains, as lines before the record that needs them. So the contents that an
 * edit replaces and its record are synced to the disk together, in one step. Each content is also stored by its hash, unsynced, and
 * is read from there. The line is read only if a power failure destroyed that copy.
 */
import { sha256 } from "../bytes.ts";
import type { Storage } from "../ports/storage.ts";

/** Bytes; a larger content is synced in its own file. */
const INLINE_LIMIT = 64 * 1024;

const START = '{"t":"content","hash":"';

/** undefined: the content is too large or not UTF-8. */
export function inlineLine(hash: string, bytes: Uint8Array): Uint8Array | undefined {
  if (bytes.length > INLINE_LIMIT) return undefined;
  try {
    const text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
    return new TextEncoder().encode(`${START}${hash}","text":${JSON.stringify(text)}}\n`);
  } catch {
    return undefined;
  }
}

export function isInlineLine(line: string): boolean {
  return line.startsWith(START);
}

/** Finds contents in the files of records of all sessions. */
export class InlineContents {
  readonly #storage: Storage;
  readonly #files: () => Promise<string[]>;
  /** The file that contains each content; built when it is first needed. */
  #fileByHash: Promise<Map<string, string>> | undefined;

  /** `files`: the names of all files of records. */
  constructor(storage: Storage, files: () => Promise<string[]>) {
    this.#storage = storage;
    this.#files = files;
  }

  async has(hash: string): Promise<boolean> {
    return (await this.read(hash)) !== undefined;
  }

  /** undefined: no file contains it undamaged. */
  async read(hash: string): Promise<Uint8Array | undefined> {
    this.#fileByHash ??= this.#find();
    const file = (await this.#fileByHash).get(hash);
    const lines = file === undefined ? undefined : await this.#storage.read(file);
    const line = lines && linesIn(lines).findLast((each) => each.startsWith(`${START}${hash}"`));
    const bytes = line === undefined ? undefined : textIn(line);
    return bytes && (await sha256(bytes)) === hash ? bytes : undefined;
  }

  async #find(): Promise<Map<string, string>> {
    const fileByHash = new Map<string, string>();
    for (const file of await this.#files()) {
      const bytes = await this.#storage.read(file);
      if (!bytes) continue;
      for (const line of linesIn(bytes))
        fileByHash.set(line.slice(START.length, line.indexOf('"', START.length)), file);
    }
    return fileByHash;
  }
}

function linesIn(bytes: Uint8Array): string[] {
  return new TextDecoder().decode(bytes).split("\n").filter(isInlineLine);
}

/** undefined: the line is torn. */
function textIn(line: string): Uint8Array | undefined {
  try {
    const { text }: { text?: unknown } = JSON.parse(line);
    return typeof text === "string" ? new TextEncoder().encode(text) : undefined;
  } catch {
    return undefined;
  }
}
