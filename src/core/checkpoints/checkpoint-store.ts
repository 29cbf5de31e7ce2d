/**
 * Stores checkpoints: contents by their SHA-256, shared by all sessions of the project, and one file of records per
 * session. The total size is bounded: the contents whose last use is oldest are removed first. Their records stay and
 * report the content as missing.
 */

import { sha256 } from "../checksums.ts";
import { ContentStore } from "../content-store.ts";
import { inParallel } from "../in-parallel.ts";
import type { FileContent } from "../ports/file-states.ts";
import type { Storage } from "../ports/storage.ts";
import type { Log } from "../ports/system.ts";
import {
  type CheckpointRecord,
  contentsOf,
  decodeRecords,
  encodeRecord,
  type FileState,
  type Kept,
} from "./change-records.ts";
import { readManifest } from "./manifest.ts";

const FOLDER = "checkpoints";
const SUFFIX = ".jsonl";
/** Share of the limit that stays used when space is freed, so that not every change frees space. */
const RETAINED_SHARE = 0.8;

export type Found = FileContent | null | "large" | "other";

export class CheckpointStore {
  readonly #storage: Storage;
  readonly #contents: ContentStore;
  readonly #log: Log;
  /** Sessions whose file ends in a torn line. */
  readonly #torn = new Set<string>();
  /** Bytes written since the used space was last measured. */
  #added = 0;
  #total: number | undefined;

  constructor(storage: Storage, log: Log) {
    this.#storage = storage;
    this.#contents = new ContentStore(storage, `${FOLDER}/contents`);
    this.#log = log;
  }

  async describe(found: Found): Promise<FileState> {
    if (found === null || found === "large" || found === "other") return found;
    const hash = await sha256(found.bytes);
    const { kind, mode } = found;
    return { kind, hash, size: found.bytes.length, ...(mode === undefined ? {} : { mode }) };
  }

  /** Durable when it resolves. */
  async keep(found: Found): Promise<FileState> {
    const state = await this.describe(found);
    if (typeof state === "object" && state !== null && typeof found === "object" && found !== null) {
      if (await this.#contents.put(state.hash, found.bytes)) this.#added += state.size;
    }
    return state;
  }

  /** undefined: it was never kept, or its space was needed. */
  async content(state: FileState): Promise<FileContent | null | undefined> {
    if (state === null) return null;
    if (typeof state === "string") return undefined;
    const bytes = await this.#contents.read(state.hash);
    if (typeof bytes === "string") return undefined;
    return { kind: state.kind, bytes, ...(state.mode === undefined ? {} : { mode: state.mode }) };
  }

  async has(state: FileState): Promise<boolean> {
    if (state === null) return true;
    if (typeof state === "string") return false;
    return this.#contents.has(state.hash, state.size);
  }

  async load(session: string): Promise<CheckpointRecord[]> {
    const bytes = await this.#storage.read(journalOf(session));
    if (bytes && bytes.length > 0 && bytes.at(-1) !== 10) this.#torn.add(session);
    return bytes ? decodeRecords(bytes) : [];
  }

  /** Durable when it resolves. */
  async append(session: string, record: CheckpointRecord): Promise<void> {
    const line = encodeRecord(record);
    const bytes = this.#torn.has(session) ? new Uint8Array([10, ...line]) : line;
    await this.#storage.append(journalOf(session), bytes);
    this.#torn.delete(session);
  }

  /** Copies one session's records up to a user message to another session. */
  async copy(from: string, to: string, beforeMark: string): Promise<void> {
    const records = await this.load(from);
    const end = records.findIndex((record) => record.t === "mark" && record.id === beforeMark);
    const taken = end < 0 ? records : records.slice(0, end);
    if (taken.length === 0) return;
    const lines = taken.map((record) => new TextDecoder().decode(encodeRecord(record)));
    await this.#storage.replace(journalOf(to), new TextEncoder().encode(lines.join("")));
  }

  /**
   * Another process may have removed a content whose use it did not see yet, so contents are checked again once the
   * record is written.
   */
  async ensure(contents: readonly Found[]): Promise<void> {
    await inParallel(contents, (found) => this.keep(found));
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
    const kept = new Set<string>();
    let room = total <= limit ? Number.POSITIVE_INFINITY : limit * RETAINED_SHARE;
    for (const hash of uses.keys()) {
      const size = sizes.get(hash);
      if (size === undefined || kept.has(hash)) continue;
      room -= size;
      if (room < 0) break;
      kept.add(hash);
    }
    const unwanted = [...sizes.keys()].filter((hash) => !kept.has(hash));
    const usedSince = async () => {
      const now = await this.#uses();
      return new Set(unwanted.filter((hash) => now.get(hash) !== uses.get(hash)));
    };
    // Contents that could not be removed only take up space.
    await this.#contents
      .release(unwanted, usedSince)
      .catch((error: unknown) => this.#log.error("checkpoints: contents were not removed", error));
    await this.#contents.cancelRemoval(
      (await this.#contents.pendingRemovals()).filter((hash) => kept.has(hash)),
    );
    if (total > limit) this.#log.info(`checkpoints: ${unwanted.length} old contents were freed`);
    return sum([...sizes].filter(([hash]) => kept.has(hash)).map(([, size]) => size));
  }

  /** Returns the manifest of a command that has not ended, and all contents listed in it. */
  async #manifestContents(kept: Kept | undefined): Promise<{ hash: string }[]> {
    if (!kept) return [];
    const { manifest } = kept;
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
        const isOpen = record.t === "begin" && record.kept && !ended.has(record.id);
        const before = isOpen ? await this.#manifestContents(record.kept) : [];
        for (const { hash } of [...contentsOf(record), ...before]) {
          if ((uses.get(hash) ?? "") < record.at) uses.set(hash, record.at);
        }
      }
    }
    return new Map([...uses].sort(([, a], [, b]) => (a < b ? 1 : a > b ? -1 : 0)));
  }
}

function journalOf(session: string): string {
  return `${FOLDER}/${session.replace(/[^\w-]/g, "_")}${SUFFIX}`;
}

function sum(values: Iterable<number>): number {
  let total = 0;
  for (const value of values) total += value;
  return total;
}
