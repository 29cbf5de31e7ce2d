/**
 * Long texts live beside the database, one file a content, named by its SHA-256: the database stays small, and a file
 * that is read ten times is stored once. In a stored value such a text is `{"$payload": "<hash>"}`.
 */

import { sha256 } from "../../checksums.ts";
import { Emitter } from "../../lifecycle.ts";
import type { Storage } from "../../ports/storage.ts";
import type { Log } from "../../ports/system.ts";

export const payloadFolder = "payloads";

/** Characters. A shorter text would cost more as a file than in the database. */
export const payloadThreshold = 4096;

const reference = "$payload";
/** Wraps an object of the conversation's own that looks like ours. */
const escaped = "$escaped";

/** Suffix of a payload about to be removed: see `PayloadStore.release`. */
const leaving = ".leaving";

export class PayloadStore {
  readonly #storage: Storage;
  readonly #log: Log;
  readonly #lost = new Emitter<string>();

  /** The name of a payload that is damaged or gone, when it is read. */
  readonly onLost = this.#lost.on;

  constructor(storage: Storage, log: Log) {
    this.#storage = storage;
    this.#log = log;
  }

  /** The value with its long texts written to files, durable when it resolves, and the files' names. */
  async externalize(value: unknown): Promise<{ value: unknown; payloads: Map<string, Uint8Array> }> {
    const texts = new Set<string>();
    collect(value, texts);
    const hashes = new Map<string, string>();
    const payloads = new Map<string, Uint8Array>();
    for (const text of texts) {
      const bytes = new TextEncoder().encode(text);
      const hash = await sha256(bytes);
      hashes.set(text, hash);
      payloads.set(hash, bytes);
    }
    await this.ensure(payloads);
    return { value: substitute(value, hashes), payloads };
  }

  /** Writes a text of any length, durable when it resolves with its name. */
  async put(text: string): Promise<string> {
    const bytes = new TextEncoder().encode(text);
    const hash = await sha256(bytes);
    await this.ensure(new Map([[hash, bytes]]));
    return hash;
  }

  /** Writes what is not there. */
  async ensure(payloads: ReadonlyMap<string, Uint8Array>): Promise<void> {
    for (const [hash, bytes] of payloads) {
      const name = `${payloadFolder}/${hash}`;
      if ((await this.#storage.stat(name))?.size !== bytes.length) await this.#storage.replace(name, bytes);
    }
  }

  /** The values as they were before `externalize`. A text that is lost is replaced by a sentence that says so. */
  async inline(values: readonly unknown[]): Promise<unknown[]> {
    const texts = await this.texts(values.flatMap((value) => [...references(value)]));
    return values.map((value) => restore(value, texts));
  }

  /** The texts of these payloads, by name. */
  async texts(hashes: Iterable<string>): Promise<Map<string, string>> {
    const waiting = new Set(hashes);
    const texts = new Map<string, string>();
    const worker = async (): Promise<void> => {
      for (const hash of waiting) {
        waiting.delete(hash);
        texts.set(hash, await this.#read(hash));
      }
    };
    // Some at a time: each is an open file.
    await Promise.all(Array.from({ length: Math.min(16, waiting.size) }, worker));
    return texts;
  }

  /**
   * Removes payloads that `stillUsed` does not name. Another process may be about to use one: it looks again after
   * its record is written, and here the names are asked for again after the file was moved away, so one of the two
   * notices.
   */
  async release(hashes: readonly string[], stillUsed: () => Promise<ReadonlySet<string>>): Promise<void> {
    const moved: string[] = [];
    for (const hash of hashes) {
      const name = `${payloadFolder}/${hash}`;
      if (!(await this.#storage.stat(name))) continue;
      await this.#storage.rename(name, name + leaving);
      moved.push(hash);
    }
    const used = await stillUsed();
    for (const hash of moved) {
      const name = `${payloadFolder}/${hash}`;
      if (used.has(hash)) await this.#storage.rename(name + leaving, name);
      else await this.#storage.remove(name + leaving);
    }
  }

  /** All that are there. */
  async names(): Promise<string[]> {
    return (await this.#storage.list(payloadFolder)).filter((name) => /^[0-9a-f]{64}$/.test(name));
  }

  /** Those whose removal was cut off. */
  async leaving(): Promise<string[]> {
    const names = await this.#storage.list(payloadFolder);
    return names.flatMap((name) => (name.endsWith(leaving) ? [name.slice(0, -leaving.length)] : []));
  }

  /** Takes back the removal of these, where it was cut off. Under the store's lock, so that nobody is at it. */
  async bringBack(hashes: readonly string[]): Promise<void> {
    for (const hash of hashes) {
      const name = `${payloadFolder}/${hash}`;
      if (!(await this.#storage.stat(name + leaving))) continue;
      if (await this.#storage.stat(name)) await this.#storage.remove(name + leaving);
      else await this.#storage.rename(name + leaving, name);
    }
  }

  async #read(hash: string): Promise<string> {
    const name = `${payloadFolder}/${hash}`;
    const bytes = (await this.#storage.read(name)) ?? (await this.#storage.read(name + leaving));
    if (bytes && (await sha256(bytes)) === hash) {
      return new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes);
    }
    this.#log.error(`session store: ${name} is ${bytes ? "damaged" : "missing"}`);
    this.#lost.emit(hash);
    return "[This part of the conversation could not be read back from the disk.]";
  }
}

/** The payload that a stored value stands for; undefined: it is no reference. */
export function payloadOf(value: Record<string, unknown>): string | undefined {
  const hash = value[reference];
  return typeof hash === "string" ? hash : undefined;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function isLong(text: string): boolean {
  // A lone surrogate has no UTF-8 form; JSON escapes it, so such a text stays where it is.
  return text.length > payloadThreshold && !/\p{Surrogate}/u.test(text);
}

function collect(value: unknown, texts: Set<string>): void {
  if (typeof value === "string") {
    if (isLong(value)) texts.add(value);
  } else if (Array.isArray(value)) {
    for (const item of value) collect(item, texts);
  } else if (isObject(value)) {
    for (const item of Object.values(value)) collect(item, texts);
  }
}

function substitute(value: unknown, hashes: ReadonlyMap<string, string>): unknown {
  if (typeof value === "string") {
    const hash = hashes.get(value);
    return hash === undefined ? value : { [reference]: hash };
  }
  if (Array.isArray(value)) return value.map((item) => substitute(item, hashes));
  if (!isObject(value)) return value;
  const object = mapObject(value, (item) => substitute(item, hashes));
  return reference in value || escaped in value ? { [escaped]: object } : object;
}

function* references(value: unknown): Generator<string> {
  if (Array.isArray(value)) {
    for (const item of value) yield* references(item);
  } else if (isObject(value)) {
    if (typeof value[reference] === "string") yield value[reference];
    else {
      const inner = isObject(value[escaped]) ? value[escaped] : value;
      for (const item of Object.values(inner)) yield* references(item);
    }
  }
}

function restore(value: unknown, texts: ReadonlyMap<string, string>): unknown {
  if (Array.isArray(value)) return value.map((item) => restore(item, texts));
  if (!isObject(value)) return value;
  if (typeof value[reference] === "string") return texts.get(value[reference]) ?? "";
  const inner = isObject(value[escaped]) ? value[escaped] : value;
  return mapObject(inner, (item) => restore(item, texts));
}

function mapObject(
  value: Record<string, unknown>,
  change: (item: unknown) => unknown,
): Record<string, unknown> {
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, change(item)]));
}
