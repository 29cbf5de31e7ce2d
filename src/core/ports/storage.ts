/** Durable storage for sessions and checkpoints. */

/** A lock that one process at a time owns. */
export interface ProcessLock {
  /** False: another process took the lock over. */
  isMine(): Promise<boolean>;
  release(): Promise<void>;
}

/** A file to which one writer appends. It stays open, so that an append looks nothing up. */
export interface Appender {
  /**
   * Resolves when the bytes are written, with whether the file still had its name afterwards. False: it was moved or removed, and
   * the bytes went with it; the next append creates a new file of that name.
   */
  append(bytes: Uint8Array): Promise<boolean>;
  /** Resolves when what is in the file of that name is synced to the disk. */
  sync(): Promise<void>;
  close(): Promise<void>;
}

/** Names are relative to the store's folder, with `/` separators. */
export interface Storage {
  /** Returns the content from byte `from` (default 0) to the end; undefined if the file does not exist. */
  read(name: string, from?: number): Promise<Uint8Array | undefined>;
  /** `version` changes whenever the file is replaced or grows. */
  stat(name: string): Promise<{ size: number; version: string } | undefined>;
  /** Resolves when the bytes are appended and, unless `synced` is false, synced to the disk. */
  append(name: string, bytes: Uint8Array, synced?: boolean): Promise<void>;
  /** The first append opens the file, and creates it and its folder if need be. */
  appender(name: string): Appender;
  /**
   * Resolves when what was written to the file without being synced is synced to the disk. Does nothing if the file does not
   * exist.
   */
  sync(name: string): Promise<void>;
  /**
   * Makes the same bytes available under a second name, replacing an existing file; as a hard link where the disk
   * supports it.
   */
  duplicate(from: string, to: string): Promise<void>;
  /**
   * Replaces the file atomically (temporary file, sync, rename). With `expected`, rejects if the file does not have
   * that version (undefined: it does not exist) right before the final step. Unless `synced` is false, the content is on the
   * disk when it resolves; otherwise a power failure may leave the file without it.
   */
  replace(
    name: string,
    bytes: Uint8Array,
    expected?: { version: string | undefined },
    synced?: boolean,
  ): Promise<void>;
  /** Does nothing if the file does not exist. */
  remove(name: string): Promise<void>;
  rename(from: string, to: string): Promise<void>;
  /** Lists the names of the files directly in `folder`; empty if the folder does not exist. */
  list(folder: string): Promise<string[]>;
  /**
   * Runs `work` while no other process holds the lock `name`; rejects if the lock cannot be acquired within `waitMs`.
   */
  withLock<T>(name: string, work: () => Promise<T>, waitMs?: number): Promise<T>;
  /**
   * Locks `name` for this process until it releases the lock or ends, however it ends. undefined: another live process
   * has the lock. With `takeOver`, the lock is taken from that process, whose `isMine` then returns false.
   */
  takeLock(name: string, takeOver?: boolean): Promise<ProcessLock | undefined>;
  /** Lists the locks directly in `folder` that other processes hold. */
  lockedElsewhere(folder: string): Promise<string[]>;
}
