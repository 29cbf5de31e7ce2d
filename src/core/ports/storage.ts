/** Durable bytes for the session store. */

/** Something that one process at a time has. */
export interface ProcessLock {
  /** False: another process took it over. */
  isMine(): Promise<boolean>;
  release(): Promise<void>;
}

/** Durable bytes for the session store. Names are relative to the store's folder, with `/`. */
export interface Storage {
  /** Content from byte `from` (default 0) to the end; undefined: there is no such file. */
  read(name: string, from?: number): Promise<Uint8Array | undefined>;
  /** `version` differs whenever the file was replaced or grew. */
  stat(name: string): Promise<{ size: number; version: string } | undefined>;
  /** Appended when it resolves, and synced to the disk unless `synced` is false. */
  append(name: string, bytes: Uint8Array, synced?: boolean): Promise<void>;
  /** The same bytes under a second name, which must be free or is replaced; as a second link where the disk has that. */
  duplicate(from: string, to: string): Promise<void>;
  /**
   * Replaced as a whole or not at all (temporary file, sync, rename). With `expected`, rejects where the file is not of
   * that version (undefined: not there) right before the last step.
   */
  replace(name: string, bytes: Uint8Array, expected?: { version: string | undefined }): Promise<void>;
  /** Nothing to remove is no error. */
  remove(name: string): Promise<void>;
  rename(from: string, to: string): Promise<void>;
  /** Names of the files directly in `folder`; none when there is no such folder. */
  list(folder: string): Promise<string[]>;
  /** Runs `work` while no other process holds the lock of that name; rejects when it cannot be had in `waitMs`. */
  withLock<T>(name: string, work: () => Promise<T>, waitMs?: number): Promise<T>;
  /**
   * Takes `name` for this process until it releases it or ends, however it ends. undefined: another process that lives
   * has it; with `takeOver` it is taken from that one, which learns of it by `isMine`.
   */
  takeLock(name: string, takeOver?: boolean): Promise<ProcessLock | undefined>;
  /** Names directly in `folder` that other processes hold. */
  lockedElsewhere(folder: string): Promise<string[]>;
}
