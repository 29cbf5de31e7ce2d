/**
 * Long texts are kept beside the database, one file a content: the database stays small, and a file that is read ten times is
 * stored once. In a stored value such a text is `{"$payload": "<hash>"}`.
 */
import { sha256 } from "../../checksums.ts";
import { ContentStore } from "../../content-store.ts";
import { inParallel } from "../../in-parallel.ts";
import { Emitter } from "../../lifecycle.ts";
import type { Storage } from "../../ports/storage.ts";
import type { Log } from "../../ports/system.ts";

/** Characters. A shorter text would cost more as a file than in the database. */
export const payloadThreshold = 4096;

const reference = "$payload";
/** Wraps an object of the conversation's own that looks like ours. */
const escaped = "$escaped";

export class PayloadStore {
  /** Their files. */
  readonly contents: ContentStore;
  readonly #log: Log;
  readonly #lost = new Emitter<string>();

  /** The name of a payload that is damaged or gone, when it is read. */
  readonly onLost = this.#lost.on;

  constructor(storage: Storage, log: Log) {
    this.contents = new ContentStore(storage, "payloads");
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
    for (const [hash, bytes] of payloads) await this.contents.put(hash, bytes);
  }

  /** The values as they were before `externalize`. A text that is lost is replaced by a sentence that says so. */
  async inline(values: readonly unknown[]): Promise<unknown[]> {
    const texts = await this.texts(values.flatMap((value) => [...references(value)]));
    return values.map((value) => restore(value, texts));
  }

  /** The texts of these payloads, by name. */
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
