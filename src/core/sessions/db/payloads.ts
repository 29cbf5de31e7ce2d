/**
 * Stores long texts next to the database, one file per content: the database stays small, and a file that is read ten
 * times is stored once. In a stored value, such a text is `{"$payload": "<hash>"}`.
 */

import { inParallel } from "../../async.ts";
import { sha256 } from "../../bytes.ts";
import { ContentStore } from "../../content-store.ts";
import { Emitter } from "../../lifecycle.ts";
import type { Storage } from "../../ports/storage.ts";
import type { Log } from "../../ports/system.ts";

/** In characters. A shorter text would cost more as a file than in the database. */
const PAYLOAD_THRESHOLD = 4096;

const REFERENCE = "$payload";
/** Wraps an object of the conversation that looks like one of our references. */
const ESCAPED = "$escaped";

export class PayloadStore {
  /** The payload files. */
  readonly contents: ContentStore;
  readonly #log: Log;
  readonly #lost = new Emitter<string>();

  /** Fires with the name of a damaged or missing payload when it is read. */
  readonly onLost = this.#lost.on;

  constructor(storage: Storage, log: Log) {
    this.contents = new ContentStore(storage, "payloads");
    this.#log = log;
  }

  /**
   * Writes the long texts of a value to files. Returns the value with references to them, and the files by name;
   * durable when it resolves.
   */
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

  /** Writes a text of any length and returns its name; durable when it resolves. */
  async put(text: string): Promise<string> {
    const bytes = new TextEncoder().encode(text);
    const hash = await sha256(bytes);
    await this.ensure(new Map([[hash, bytes]]));
    return hash;
  }

  /** Writes payloads that do not exist. */
  async ensure(payloads: ReadonlyMap<string, Uint8Array>): Promise<void> {
    for (const [hash, bytes] of payloads) await this.contents.put(hash, bytes);
  }

  /** Restores the values passed to `externalize`. Replaces a lost text with a note about the loss. */
  async inline(values: readonly unknown[]): Promise<unknown[]> {
    const texts = await this.texts(values.flatMap((value) => [...references(value)]));
    return values.map((value) => restore(value, texts));
  }

  /** Returns the texts of these payloads, by name. */
  async texts(hashes: Iterable<string>): Promise<Map<string, string>> {
    const texts = new Map<string, string>();
    await inParallel(new Set(hashes), async (hash) => texts.set(hash, await this.#read(hash)));
    return texts;
  }

  async #read(hash: string): Promise<string> {
    const bytes = await this.contents.read(hash);
    if (typeof bytes !== "string") return new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes);
    this.#log.error(`session store: ${this.contents.nameOf(hash)} is ${bytes}`);
    this.#lost.emit(hash);
    return "[This part of the conversation could not be read back from the disk.]";
  }
}

/** Returns the payload that a stored value refers to; undefined if it is not a reference. */
export function payloadOf(value: Record<string, unknown>): string | undefined {
  const hash = value[REFERENCE];
  return typeof hash === "string" ? hash : undefined;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function isLong(text: string): boolean {
  // A lone surrogate has no UTF-8 form, but JSON can escape it, so such a text stays in the value.
  return text.length > PAYLOAD_THRESHOLD && !/\p{Surrogate}/u.test(text);
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
    return hash === undefined ? value : { [REFERENCE]: hash };
  }
  if (Array.isArray(value)) return value.map((item) => substitute(item, hashes));
  if (!isObject(value)) return value;
  const object = mapObject(value, (item) => substitute(item, hashes));
  return REFERENCE in value || ESCAPED in value ? { [ESCAPED]: object } : object;
}

function* references(value: unknown): Generator<string> {
  if (Array.isArray(value)) {
    for (const item of value) yield* references(item);
  } else if (isObject(value)) {
    if (typeof value[REFERENCE] === "string") yield value[REFERENCE];
    else {
      const inner = isObject(value[ESCAPED]) ? value[ESCAPED] : value;
      for (const item of Object.values(inner)) yield* references(item);
    }
  }
}

function restore(value: unknown, texts: ReadonlyMap<string, string>): unknown {
  if (Array.isArray(value)) return value.map((item) => restore(item, texts));
  if (!isObject(value)) return value;
  if (typeof value[REFERENCE] === "string") return texts.get(value[REFERENCE]) ?? "";
  const inner = isObject(value[ESCAPED]) ? value[ESCAPED] : value;
  return mapObject(inner, (item) => restore(item, texts));
}

function mapObject(
  value: Record<string, unknown>,
  change: (item: unknown) => unknown,
): Record<string, unknown> {
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, change(item)]));
}
