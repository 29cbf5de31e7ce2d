/**
 * Stores checkpoints: contents by their SHA-256, shared by all sessions of the project, and one file of records per session,
 * which `CheckpointJournal` writes. The total size is bounded: the contents whose last use is oldest are removed first. Their
 * records stay and report the content as missing.
 */

import { inParallel, SerialQueue } from "../async.ts";
import { joinedBytes, sha256 } from "../bytes.ts";
import { cachedValue } from "../cached-value.ts";
import { ContentStore } from "../content-store.ts";
import type { FileContent } from "../ports/file-states.ts";
import type { Storage } from "../ports/storage.ts";
import type { Log } from "../ports/system.ts";
import {
  type CheckpointRecord,
  decodeRecords,
  encodeRecord,
  type FileState,
  linesBefore,
  recordedContents,
} from "./change-records.ts";
import { CheckpointHistory } from "./changes.ts";
import type { CheckpointDeps } from "./checkpoint-types.ts";
import { InlineContents, inlineLine } from "./inline-contents.ts";
import { readManifest } from "./manifest.ts";

const FOLDER = "checkpoints";
const SUFFIX = ".jsonl";
const NEW_LINE = Uint8Array.of(10);
/** Share of the limit that stays used when space is freed, so that not every change frees space. */
const RETAINED_SHARE = 0.8;

export type FileReading = FileContent | null | "large" | "other";

export class CheckpointStore {
  readonly #storage: Storage;
  readonly #contents: ContentStore;
  readonly #inline: InlineContents;
  readonly #log: Log;
  readonly #sha256: NonNullable<CheckpointDeps["sha256"]>;
  /** A content is described several times: before it is stored, with its record, and when both are written. */
  readonly #hashes = new WeakMap<Uint8Array, Promise<string> | string>();
  /** Contents that files of records contain, with their session. */
  readonly #inlined = new Set<string>();
  /** Sessions whose file ends in a torn line. */
  readonly #torn = new Set<string>();
  /** Bytes written since the used space was last measured. */
  #added = 0;
  #total: number | undefined;

  constructor({ storage, log, sha256: own = sha256 }: Pick<CheckpointDeps, "storage" | "log" | "sha256">) {
    this.#storage = storage;
    this.#sha256 = own;
    this.#contents = new ContentStore(storage, `${FOLDER}/contents`);
    this.#inline = new InlineContents(storage, async () => {
      const names = await storage.list(FOLDER);
      return names.filter((name) => name.endsWith(SUFFIX)).map((name) => `${FOLDER}/${name}`);
    });
    this.#log = log;
  }

  async describe(reading: FileReading): Promise<FileState> {
    if (reading === null || reading === "large" || reading === "other") return reading;
    const { bytes, kind, mode } = reading;
    const hash = await cachedValue(this.#hashes, bytes, () => this.#sha256(bytes));
    return { kind, hash, size: bytes.length, ...(mode === undefined ? {} : { mode }) };
  }

  /** Stores a content. Durable when it resolves, unless `synced` is false. */
  async keep(reading: FileReading, synced = true): Promise<FileState> {
    const state = await this.describe(reading);
    if (typeof state === "object" && state !== null && typeof reading === "object" && reading !== null) {
      if (await this.#contents.put(state.hash, reading.bytes, synced)) this.#added += state.size;
    }
    return state;
  }

  /** undefined: it was never stored, or was deleted to free space. */
  async content(state: FileState): Promise<FileContent | null | undefined> {
    if (state === null) return null;
    if (typeof state === "string") return undefined;
    const read = await this.#contents.read(state.hash);
    const bytes = typeof read === "string" ? await this.#inline.read(state.hash) : read;
    if (!bytes) return undefined;
    return { kind: state.kind, bytes, ...(state.mode === undefined ? {} : { mode: state.mode }) };
  }

  async has(state: FileState): Promise<boolean> {
    if (state === null) return true;
    if (typeof state === "string") return false;
    return (await this.#contents.has(state.hash, state.size)) || this.#inline.has(state.hash);
  }

  async load(session: string): Promise<CheckpointRecord[]> {
    const bytes = await this.#storage.read(journalOf(session));
    if (bytes && bytes.length > 0 && bytes.at(-1) !== 10) this.#torn.add(session);
    return bytes ? decodeRecords(bytes) : [];
  }

  /** With `before`, the record and these contents, which were stored unsynced, are durable when it resolves. */
  async append(session: string, record: CheckpointRecord, before?: readonly FileReading[]): Promise<void> {
    const inline = await this.#inlineLines(session, before ?? []);
    const lines = [...inline.values(), encodeRecord(record)];
    if (this.#torn.has(session)) lines.unshift(NEW_LINE);
    await this.#storage.append(journalOf(session), joinedBytes(lines), before !== undefined);
    this.#torn.delete(session);
    for (const key of inline.keys()) this.#inlined.add(key);
  }

  /** Returns lines with those of these contents that are small and new, and syncs the others. */
  async #inlineLines(session: string, contents: readonly FileReading[]): Promise<Map<string, Uint8Array>> {
    const lines = new Map<string, Uint8Array>();
    for (const reading of contents) {
      const state = await this.describe(reading);
      if (typeof state !== "object" || !state || typeof reading !== "object" || !reading) continue;
      const key = `${session} ${state.hash}`;
      if (this.#inlined.has(key)) continue;
      const line = inlineLine(state.hash, reading.bytes);
      if (line) lines.set(key, line);
      else await this.keep(reading);
    }
    return lines;
  }

  /** Copies one session's records up to a user message to another session. */
  async copy(from: string, to: string, beforeMark: string): Promise<void> {
    const bytes = await this.#storage.read(journalOf(from));
    const lines = bytes ? linesBefore(bytes, beforeMark) : "";
    if (lines !== "") await this.#storage.replace(journalOf(to), new TextEncoder().encode(lines));
  }

  /**
   * Another process may have removed a content whose use it did not see yet, so contents are checked again once the
   * record is written.
   */
  async ensure(contents: readonly FileReading[]): Promise<void> {
    await inParallel(contents, async (reading) => {
      const state = await this.describe(reading);
      if (typeof state !== "object" || !state) return;
      if (!(await this.#contents.has(state.hash, state.size))) await this.keep(reading);
    });
  }

  /** Removes the sessions' records and all contents that nothing else uses. */
  async forget(sessions: readonly string[]): Promise<void> {
    for (const session of sessions) await this.#storage.remove(journalOf(session));
    await this.#sweep(Number.POSITIVE_INFINITY);
  }

  /** Keeps the total size of the contents within `limit` bytes; cheap if little was added. */
  async bound(limit: number): Promise<void> {
    if (this.#total !== undefined && this.#total + this.#added <= limit) return;
    this.#total = await this.#sweep(limit);
    this.#added = 0;
  }

  /** Returns the remaining size in bytes. */
  async #sweep(limit: number): Promise<number> {
    const sizes = await this.#contents.sizes();
    const total = sum(sizes.values());
    if (total <= limit && Number.isFinite(limit)) return total;
    const uses = await this.#uses();
    const retained = retainedContents(
      sizes,
      uses.keys(),
      total <= limit ? undefined : limit * RETAINED_SHARE,
    );
    const unwanted = [...sizes.keys()].filter((hash) => !retained.has(hash));
    const usedSince = async () => {
      const now = await this.#uses();
      return new Set(unwanted.filter((hash) => now.get(hash) !== uses.get(hash)));
    };
    // Contents that could not be removed only take up space.
    await this.#contents
      .release(unwanted, usedSince)
      .catch((error: unknown) => this.#log.error("checkpoints: contents were not removed", error));
    await this.#contents.cancelRemoval(
      (await this.#contents.pendingRemovals()).filter((hash) => retained.has(hash)),
    );
    if (total > limit) this.#log.info(`checkpoints: ${unwanted.length} old contents were freed`);
    return sum([...sizes].filter(([hash]) => retained.has(hash)).map(([, size]) => size));
  }

  /** Returns the manifest of a command that has not ended, and all contents listed in it. */
  async #backedUpContents(record: CheckpointRecord): Promise<{ hash: string }[]> {
    if (record.t !== "begin" || !record.kept) return [];
    const { manifest } = record.kept;
    const content = await this.content({ kind: "file", ...manifest });
    const states = content ? readManifest(content.bytes).states : [];
    return [manifest, ...states.flatMap(([, state]) => (typeof state === "object" && state ? [state] : []))];
  }

  /** Returns every content that a record of any session refers to, with its last use, most recently used first. */
  async #uses(): Promise<Map<string, string>> {
    const uses = new Map<string, string>();
    for (const name of await this.#storage.list(FOLDER)) {
      if (!name.endsWith(SUFFIX)) continue;
      const bytes = await this.#storage.read(`${FOLDER}/${name}`);
      const records = bytes ? decodeRecords(bytes) : [];
      const ended = new Set(records.flatMap((record) => (record.t === "end" ? [record.id] : [])));
      for (const record of records) {
        const backedUp = ended.has(record.id) ? [] : await this.#backedUpContents(record);
        for (const { hash } of [...recordedContents(record), ...backedUp]) {
          if ((uses.get(hash) ?? "") < record.at) uses.set(hash, record.at);
        }
      }
    }
    return new Map([...uses].sort(([, a], [, b]) => (a < b ? 1 : a > b ? -1 : 0)));
  }
}

/** Those of the used contents, in the order of `uses`, whose sizes fit the room. `room` undefined: all of them. */
function retainedContents(
  sizes: ReadonlyMap<string, number>,
  uses: Iterable<string>,
  room: number | undefined,
): ReadonlySet<string> {
  const retained = new Set<string>();
  let remaining = room ?? Number.POSITIVE_INFINITY;
  for (const hash of uses) {
    const size = sizes.get(hash);
    if (size === undefined || retained.has(hash)) continue;
    remaining -= size;
    if (remaining < 0) break;
    retained.add(hash);
  }
  return retained;
}

function journalOf(session: string): string {
  return `${FOLDER}/${session.replace(/[^\w-]/g, "_")}${SUFFIX}`;
}

function sum(values: Iterable<number>): number {
  let total = 0;
  for (const value of values) total += value;
  return total;
}

/** The journal of one session: its changes so far, and the file that they are written to. */
export class CheckpointJournal {
  readonly id: string;
  readonly history: CheckpointHistory;
  readonly #store: CheckpointStore;
  readonly #queue = new SerialQueue();

  static async load(store: CheckpointStore, id: string): Promise<CheckpointJournal> {
    return new CheckpointJournal(store, id, CheckpointHistory.of(await store.load(id)));
  }

  private constructor(store: CheckpointStore, id: string, history: CheckpointHistory) {
    this.#store = store;
    this.id = id;
    this.history = history;
  }

  /**
   * Writes records in the order of the calls. With `before`, the record and the contents that are about to be replaced are
   * durable when it resolves; otherwise it only survives the end of the process.
   */
  write(record: CheckpointRecord, before?: readonly FileReading[]): Promise<void> {
    return this.#queue.run(async () => {
      await this.#store.append(this.id, record, before);
      this.history.add(record);
    });
  }

  /** Resolves when all pending writes are done. */
  async written(): Promise<void> {
    await this.#queue.over;
  }
}
