/** A store's disk in memory, with the failures that disks have; and builders for what the tests store. */
import { randomUUID } from "node:crypto";
import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import type { Appender, ProcessLock, Storage } from "../../../../src/core/ports/storage.ts";
import type { Assets, Clock, Log } from "../../../../src/core/ports/system.ts";
import type { SessionStore } from "../../../../src/core/sessions/session-store.ts";
import type { Message } from "../../../../src/shared/message.ts";

const wasm = createRequire(import.meta.url).resolve("sql.js/dist/sql-wasm.wasm");

export const assets: Assets = { read: () => readFile(wasm) };

export const quietLog: Log = { info: () => {}, error: () => {} };

export function clockAt(start = "2025-01-01T00:00:00.000Z"): Clock & { set(time: string): void } {
  let now = new Date(start);
  return {
    now: () => now,
    set: (time) => {
      now = new Date(time);
    },
    after: () => ({ dispose: () => {} }),
  };
}

export class MemoryStorage implements Storage {
  readonly files = new Map<string, Uint8Array>();
  #versions = new Map<string, number>();
  /** Bytes of each file that a power failure leaves. */
  readonly #synced = new Map<string, number>();
  #count = 0;
  /** Called before each change; what it throws is what the disk answers. */
  beforeChange: (
    change: "append" | "sync" | "replace" | "remove" | "rename" | "duplicate",
    name: string,
  ) => void = () => {};
  /** Bytes of the next append that reach the disk before it fails. */
  tearNextAppendAt: number | undefined;
  written = 0;
  #locks = new Map<string, Promise<unknown>>();

  async read(name: string, from = 0): Promise<Uint8Array | undefined> {
    return this.files.get(name)?.slice(from);
  }

  async stat(name: string): Promise<{ size: number; version: string } | undefined> {
    const bytes = this.files.get(name);
    return bytes && { size: bytes.length, version: String(this.#versions.get(name)) };
  }

  async append(name: string, bytes: Uint8Array, synced = true): Promise<void> {
    this.beforeChange("append", name);
    const torn = this.tearNextAppendAt;
    this.tearNextAppendAt = undefined;
    const now = joined(this.files.get(name) ?? new Uint8Array(), bytes.subarray(0, torn));
    this.#put(name, now, this.#synced.get(name) ?? 0);
    this.written += bytes.length;
    if (torn !== undefined) throw new Error("ENOSPC: no space left on device");
    if (synced) await this.sync(name);
  }

  /** Files that are open to be appended to, by the name that each has now; undefined: it was removed. */
  readonly #open = new Set<{ name: string | undefined }>();

  /** `disk`: this storage as its process sees it, whose steps are those that a test has put others in place of. */
  appender(name: string, disk: Storage = this): Appender {
    let file: { name: string | undefined } | undefined;
    return {
      append: async (bytes) => {
        file ??= { name };
        this.#open.add(file);
        if (file.name !== undefined) await disk.append(file.name, bytes, false);
        // Looked up by its name, as a disk does.
        const isThere = (await disk.stat(name)) !== undefined && file.name === name;
        if (!isThere) file = undefined;
        return isThere;
      },
      sync: async () => {
        if (file?.name !== undefined) await disk.sync(file.name);
      },
      close: async () => {
        file = undefined;
      },
    };
  }

  #moved(from: string, to: string | undefined): void {
    for (const file of this.#open) {
      if (file.name === to) file.name = undefined;
      if (file.name === from) file.name = to;
    }
  }

  async sync(name: string): Promise<void> {
    this.beforeChange("sync", name);
    const bytes = this.files.get(name);
    if (bytes) this.#synced.set(name, bytes.length);
  }

  async replace(
    name: string,
    bytes: Uint8Array,
    expected?: { version: string | undefined },
    synced = true,
  ): Promise<void> {
    this.beforeChange("replace", name);
    if (expected && (await this.stat(name))?.version !== expected.version)
      throw new Error(`${name} was replaced by another process`);
    this.written += bytes.length;
    this.#moved("", name);
    this.#put(name, bytes.slice(), synced ? bytes.length : 0);
  }

  async duplicate(from: string, to: string): Promise<void> {
    this.beforeChange("duplicate", to);
    const bytes = this.files.get(from);
    if (!bytes) throw new Error(`ENOENT: ${from}`);
    this.#put(to, bytes.slice());
  }

  async remove(name: string): Promise<void> {
    this.beforeChange("remove", name);
    this.#moved(name, undefined);
    this.files.delete(name);
  }

  async rename(from: string, to: string): Promise<void> {
    this.beforeChange("rename", from);
    const bytes = this.files.get(from);
    if (!bytes) throw new Error(`ENOENT: ${from}`);
    this.files.delete(from);
    this.#moved(from, to);
    this.#put(to, bytes, this.#synced.get(from));
  }

  async list(folder: string): Promise<string[]> {
    return [...this.files.keys()]
      .filter((name) => name.startsWith(`${folder}/`))
      .map((name) => name.slice(folder.length + 1));
  }

  /** Who holds what; a store in a test is a process of its own. */
  readonly #holders = new Map<string, object>();

  async takeLock(name: string, takeOver = false): Promise<ProcessLock | undefined> {
    if (this.#holders.has(name) && !takeOver) return undefined;
    const holder = {};
    this.#holders.set(name, holder);
    const isMine = async () => this.#holders.get(name) === holder;
    return {
      isMine,
      release: async () => {
        if (await isMine()) this.#holders.delete(name);
      },
    };
  }

  async lockedElsewhere(folder: string): Promise<string[]> {
    return [...this.#holders.keys()]
      .filter((name) => name.startsWith(`${folder}/`))
      .map((name) => name.slice(folder.length + 1));
  }

  /** Forgets who holds what, as when all processes ended. */
  endAll(): void {
    this.#holders.clear();
  }

  async withLock<T>(name: string, work: () => Promise<T>): Promise<T> {
    const turn = (this.#locks.get(name) ?? Promise.resolve()).then(work, work);
    this.#locks.set(
      name,
      turn.catch(() => {}),
    );
    return turn;
  }

  /** Puts bytes there as a failing disk or another program would. */
  put(name: string, bytes: Uint8Array): void {
    this.#put(name, bytes.slice());
  }

  copy(): MemoryStorage {
    const copy = new MemoryStorage();
    for (const [name, bytes] of this.files) copy.put(name, bytes.slice());
    return copy;
  }

  /** What a power failure leaves at least: what was appended and not synced is gone. */
  afterPowerFailure(): MemoryStorage {
    const left = new MemoryStorage();
    for (const [name, bytes] of this.files) {
      const synced = this.#synced.get(name) ?? 0;
      if (synced > 0 || bytes.length === 0) left.put(name, bytes.slice(0, synced));
    }
    return left;
  }

  /** Takes away what the store keeps a second time: the journals' mirrors, and what is kept of before. */
  loseSpares(): void {
    for (const name of [...this.files.keys()])
      if (/^(mirror\/|previous(-mirror)?\/|store\.json$)/.test(name)) this.files.delete(name);
  }

  names(folder: string): string[] {
    return [...this.files.keys()].filter((name) => name.startsWith(`${folder}/`));
  }

  #put(name: string, bytes: Uint8Array, synced = bytes.length): void {
    this.files.set(name, bytes);
    this.#synced.set(name, synced);
    this.#versions.set(name, ++this.#count);
  }
}

/** Grows in place where there is room, so that many appends do not cost the square of their number. */
function joined(before: Uint8Array, more: Uint8Array): Uint8Array {
  const size = before.length + more.length;
  const hasRoom = before.byteOffset === 0 && before.buffer.byteLength >= size;
  const buffer = hasRoom ? before.buffer : new ArrayBuffer(size * 2);
  const whole = new Uint8Array(buffer, 0, size);
  if (!hasRoom) whole.set(before);
  whole.set(more, before.length);
  return whole;
}

export function userMessage(text: string, id: string = randomUUID()): Message {
  return {
    id,
    role: "user",
    blocks: [{ type: "text", text, source: "person" }],
    createdAt: "2025-01-01T00:00:00.000Z",
    display: text,
  };
}

export function newSession(id: string = randomUUID(), projectPath = "/project") {
  return {
    id,
    projectPath,
    model: "a-model",
    title: "A title",
    mode: "act" as const,
    startedAt: "2025-01-01T00:00:00.000Z",
  };
}

/** Closes a store after its database was written, which a short session does not wait for. */
export async function closeWritten(store: SessionStore): Promise<void> {
  await store.checkpoint();
  await store.close();
}
