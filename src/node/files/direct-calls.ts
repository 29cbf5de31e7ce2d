/**
 * The short calls of a file system, as in node:fs/promises. There, a thread makes the call, and to wake it and be woken takes thirty times
 * as long as the call of a local disk. A process of our own makes the call itself, and waits in the meantime. What waits for a disk to
 * have written (`sync`) is never among them.
 */
import fs, { type BigIntStats, type Stats } from "node:fs";
import * as promises from "node:fs/promises";
import { promisify } from "node:util";

/** Milliseconds after which a call was slow: that of a drive in a network, or of one that sleeps. */
const SLOW_MS = 5;
/** For how many times as long as a slow call took, threads make the calls: so waiting takes at most this part of the time. */
const REST = 200;

/** When the next call may be made directly, as `performance.now()` has it; never, in a process that others share. */
let directFrom = Number.POSITIVE_INFINITY;

/** From now on, this process makes short calls directly. Only for a process of our own, where nobody else waits. */
export function callDirectly(): void {
  directFrom = 0;
}

/** Calls `direct` while calls are quick, and `thread` otherwise; both answer, or fail, in the same way. */
async function quickly<Answer>(direct: () => Answer, thread: () => Promise<Answer>): Promise<Answer> {
  const start = performance.now();
  if (start < directFrom) return thread();
  try {
    return direct();
  } finally {
    const end = performance.now();
    if (end - start > SLOW_MS) directFrom = end + (end - start) * REST;
  }
}

/** Maximum bytes that are read or written directly. */
const LARGEST = 1_000_000;
const BIG = { bigint: true } as const;

export const stat = (file: string): Promise<Stats> =>
  quickly(
    () => fs.statSync(file),
    () => promises.stat(file),
  );
/** With the numbers of a `stat` as bigints: inodes of some drives, and times in nanoseconds, are too large for a number. */
export const exactStat = (file: string): Promise<BigIntStats> =>
  quickly(
    () => fs.statSync(file, BIG),
    () => promises.stat(file, BIG),
  );
export const lstat = (file: string): Promise<Stats> =>
  quickly(
    () => fs.lstatSync(file),
    () => promises.lstat(file),
  );
export const exactLstat = (file: string): Promise<BigIntStats> =>
  quickly(
    () => fs.lstatSync(file, BIG),
    () => promises.lstat(file, BIG),
  );
export const realpath = (file: string): Promise<string> =>
  quickly(
    () => fs.realpathSync.native(file),
    () => promises.realpath(file),
  );
export const access = (file: string, mode?: number): Promise<void> =>
  quickly(
    () => fs.accessSync(file, mode),
    () => promises.access(file, mode),
  );

const byThread = {
  open: promisify(fs.open),
  close: promisify(fs.close),
  stat: promisify(fs.fstat),
  exactStat: (file: number) => promisify<number, typeof BIG, BigIntStats>(fs.fstat)(file, BIG),
  read: (file: number) => promisify<number, Buffer>(fs.readFile)(file),
  write: promisify<number, Uint8Array>(fs.writeFile),
  chmod: promisify(fs.fchmod),
  chown: promisify(fs.fchown),
  sync: promisify(fs.fsync),
  datasync: promisify(fs.fdatasync),
};

/** As in node:fs/promises, but for the owner: whoever opens the file closes it. */
export async function openFile(file: string, flags: string | number, mode?: number): Promise<OpenFile> {
  return new OpenFile(
    await quickly(
      () => fs.openSync(file, flags, mode),
      () => byThread.open(file, flags, mode),
    ),
  );
}

export class OpenFile {
  /** -1 once it is closed: the system gives the number to another file then. */
  #fd: number;
  /** Resolves when no call is under way. */
  #calls: Promise<unknown> = Promise.resolve();

  constructor(file: number) {
    this.#fd = file;
  }

  stat(): Promise<Stats> {
    return this.#call((file) =>
      quickly(
        () => fs.fstatSync(file),
        () => byThread.stat(file),
      ),
    );
  }

  exactStat(): Promise<BigIntStats> {
    return this.#call((file) =>
      quickly(
        () => fs.fstatSync(file, BIG),
        () => byThread.exactStat(file),
      ),
    );
  }

  /** What is left to read. `size`: of the file, in bytes. */
  read(size: number): Promise<Buffer> {
    return this.#call((file) =>
      size > LARGEST
        ? byThread.read(file)
        : quickly(
            () => fs.readFileSync(file),
            () => byThread.read(file),
          ),
    );
  }

  /** Writes all of the bytes at the position, or at the end of a file that was opened to append. */
  write(bytes: Uint8Array): Promise<void> {
    return this.#call((file) =>
      bytes.length > LARGEST
        ? byThread.write(file, bytes)
        : quickly(
            () => fs.writeFileSync(file, bytes),
            () => byThread.write(file, bytes),
          ),
    );
  }

  chmod(mode: number): Promise<void> {
    return this.#call((file) =>
      quickly(
        () => fs.fchmodSync(file, mode),
        () => byThread.chmod(file, mode),
      ),
    );
  }

  chown(uid: number, gid: number): Promise<void> {
    return this.#call((file) =>
      quickly(
        () => fs.fchownSync(file, uid, gid),
        () => byThread.chown(file, uid, gid),
      ),
    );
  }

  sync(): Promise<void> {
    return this.#call(byThread.sync);
  }

  datasync(): Promise<void> {
    return this.#call(byThread.datasync);
  }

  /** Waits for the calls that are under way. */
  async close(): Promise<void> {
    const file = this.#fd;
    this.#fd = -1;
    await this.#calls;
    await quickly(
      () => fs.closeSync(file),
      () => byThread.close(file),
    );
  }

  #call<Answer>(call: (file: number) => Promise<Answer>): Promise<Answer> {
    if (this.#fd < 0)
      return Promise.reject(Object.assign(new Error("the file is closed"), { code: "EBADF" }));
    const answer = call(this.#fd);
    this.#calls = Promise.allSettled([this.#calls, answer]);
    return answer;
  }
}
