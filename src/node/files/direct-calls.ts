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
/** For how many times as long as slow calls took, threads make the calls: so waiting takes at most this part of the time. */
const REST = 200;
/** Milliseconds that slow calls may take before: on a busy machine, a process waits for a processor now and then. */
const SPARED_MS = 40;

/** When the next call may be made directly, as `performance.now()` has it; never, in a process that others share. */
let directFrom = Number.POSITIVE_INFINITY;
/** Milliseconds that slow calls took, less what has passed since then by `REST`; and when the latest ended. */
let owed = 0;
let slowAt = 0;

function addSlow(took: number, end: number): void {
  owed = Math.max(0, owed - (end - slowAt) / REST) + took;
  slowAt = end;
  if (owed <= SPARED_MS) return;
  directFrom = end + owed * REST;
  owed = 0;
}

/** From now on, this process makes short calls directly. Only for a process of our own, where nobody else waits. */
export function callDirectly(): void {
  directFrom = 0;
}

/** A call that is made by `direct` while calls are quick, and by `thread` otherwise; both answer, or fail, in the same way. */
function short<Args extends readonly unknown[], Answer>(
  direct: (...args: Args) => Answer,
  thread: (...args: Args) => Promise<Answer>,
): (...args: Args) => Promise<Answer> {
  return async (...args) => {
    const start = performance.now();
    if (start < directFrom) return thread(...args);
    try {
      return direct(...args);
    } finally {
      const end = performance.now();
      if (end - start > SLOW_MS) addSlow(end - start, end);
    }
  };
}

const BIG = { bigint: true } as const;

export const stat = short(
  (file: string) => fs.statSync(file),
  (file) => promises.stat(file),
);
/** With the numbers of a `stat` as bigints: inodes of some drives, and times in nanoseconds, are too large for a number. */
export const exactStat = short(
  (file: string) => fs.statSync(file, BIG),
  (file) => promises.stat(file, BIG),
);
export const lstat = short(
  (file: string) => fs.lstatSync(file),
  (file) => promises.lstat(file),
);
export const exactLstat = short(
  (file: string) => fs.lstatSync(file, BIG),
  (file) => promises.lstat(file, BIG),
);
export const realpath = short(
  (file: string) => fs.realpathSync.native(file),
  (file) => promises.realpath(file),
);
export const access = short(
  (file: string, mode?: number) => fs.accessSync(file, mode),
  (file: string, mode?: number) => promises.access(file, mode),
);

/** Names, in the order of the system. */
export const readdir = short(
  (folder: string) => fs.readdirSync(folder),
  (folder) => promises.readdir(folder),
);
export const readEntries = short(
  (folder: string) => fs.readdirSync(folder, { withFileTypes: true }),
  (folder) => promises.readdir(folder, { withFileTypes: true }),
);

/** Maximum bytes that are read or written directly. */
const LARGEST = 1_000_000;

const readByThread = promisify<number, Buffer>(fs.readFile);
const writeByThread = promisify<number, Uint8Array>(fs.writeFile);
const sync = promisify(fs.fsync);
const datasync = promisify(fs.fdatasync);
const open = short(fs.openSync, promisify<string, string | number, number | undefined, number>(fs.open));
const close = short(fs.closeSync, promisify(fs.close));
const statOpen = short((fd: number): Stats => fs.fstatSync(fd), promisify<number, Stats>(fs.fstat));
const exactStatOpen = short(
  (fd: number): BigIntStats => fs.fstatSync(fd, BIG),
  (fd) => promisify<number, typeof BIG, BigIntStats>(fs.fstat)(fd, BIG),
);
const read = short((fd: number): Buffer => fs.readFileSync(fd), readByThread);
const write = short((fd: number, bytes: Uint8Array) => fs.writeFileSync(fd, bytes), writeByThread);
const chmod = short(fs.fchmodSync, promisify(fs.fchmod));
const chown = short(fs.fchownSync, promisify(fs.fchown));

/** Without waiting for whoever writes to a pipe; Windows does not know the flag. */
const TO_READ = fs.constants.O_RDONLY | (fs.constants.O_NONBLOCK ?? 0);

export async function readBytes(file: string): Promise<Buffer> {
  const handle = await openFile(file, TO_READ);
  try {
    const found = await handle.stat();
    // By thread, an open folder seems to be an empty file.
    if (found.isDirectory())
      throw Object.assign(new Error(`EISDIR: ${file} is a folder`), { code: "EISDIR", syscall: "read" });
    return await handle.read(found.size);
  } finally {
    await handle.close();
  }
}

/** As in node:fs/promises, but for the owner: whoever opens the file closes it. */
export async function openFile(file: string, flags: string | number, mode?: number): Promise<OpenFile> {
  return new OpenFile(await open(file, flags, mode));
}

export class OpenFile {
  /** -1 once it is closed: the system gives the number to another file then. */
  #fd: number;
  /** Resolves when no call is under way. */
  #calls: Promise<unknown> = Promise.resolve();

  constructor(fd: number) {
    this.#fd = fd;
  }

  stat(): Promise<Stats> {
    return this.#call(statOpen);
  }

  exactStat(): Promise<BigIntStats> {
    return this.#call(exactStatOpen);
  }

  /** What is left to read. `size`: of the file, in bytes. */
  read(size: number): Promise<Buffer> {
    return this.#call(size > LARGEST ? readByThread : read);
  }

  /** Writes all of the bytes at the position, or at the end of a file that was opened to append. */
  write(bytes: Uint8Array): Promise<void> {
    const made = bytes.length > LARGEST ? writeByThread : write;
    return this.#call((fd) => made(fd, bytes));
  }

  chmod(mode: number): Promise<void> {
    return this.#call((fd) => chmod(fd, mode));
  }

  chown(uid: number, gid: number): Promise<void> {
    return this.#call((fd) => chown(fd, uid, gid));
  }

  sync(): Promise<void> {
    return this.#call(sync);
  }

  datasync(): Promise<void> {
    return this.#call(datasync);
  }

  /** Waits for the calls that are under way. */
  async close(): Promise<void> {
    const fd = this.#fd;
    this.#fd = -1;
    await this.#calls;
    await close(fd);
  }

  #call<Answer>(call: (fd: number) => Promise<Answer>): Promise<Answer> {
    if (this.#fd < 0)
      return Promise.reject(Object.assign(new Error("the file is closed"), { code: "EBADF" }));
    const answer = call(this.#fd);
    this.#calls = Promise.allSettled([this.#calls, answer]);
    return answer;
  }
}
