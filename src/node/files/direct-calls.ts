/**
 * The short calls of a file system, as in node:fs/promises. There, a thread makes the call, and to wake it and be woken takes thirty times
 * as long as the call of a local disk. A process of our own makes the call itself, and waits in the meantime. What waits for a disk to
 * have written (`sync`) is never among them.
 */
import {
  accessSync,
  type BigIntStats,
  fstatSync,
  lstatSync,
  readFileSync,
  realpathSync,
  type Stats,
  statSync,
  writeFileSync,
} from "node:fs";
import * as promises from "node:fs/promises";

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
    () => statSync(file),
    () => promises.stat(file),
  );
/** With the numbers of a `stat` as bigints: inodes of some drives, and times in nanoseconds, are too large for a number. */
export const exactStat = (file: string): Promise<BigIntStats> =>
  quickly(
    () => statSync(file, BIG),
    () => promises.stat(file, BIG),
  );
export const lstat = (file: string): Promise<Stats> =>
  quickly(
    () => lstatSync(file),
    () => promises.lstat(file),
  );
export const exactLstat = (file: string): Promise<BigIntStats> =>
  quickly(
    () => lstatSync(file, BIG),
    () => promises.lstat(file, BIG),
  );
export const handleStat = (handle: promises.FileHandle): Promise<Stats> =>
  quickly(
    () => fstatSync(handle.fd),
    () => handle.stat(),
  );
export const exactHandleStat = (handle: promises.FileHandle): Promise<BigIntStats> =>
  quickly(
    () => fstatSync(handle.fd, BIG),
    () => handle.stat(BIG),
  );
export const realpath = (file: string): Promise<string> =>
  quickly(
    () => realpathSync.native(file),
    () => promises.realpath(file),
  );
export const access = (file: string, mode?: number): Promise<void> =>
  quickly(
    () => accessSync(file, mode),
    () => promises.access(file, mode),
  );
/** The rest of an open file of this size, in bytes. */
export const readRest = (handle: promises.FileHandle, size: number): Promise<Buffer> =>
  size > LARGEST
    ? handle.readFile()
    : quickly(
        () => readFileSync(handle.fd),
        () => handle.readFile(),
      );
/** Writes all of the bytes at the position of an open file. */
export const writeAll = (handle: promises.FileHandle, bytes: Uint8Array): Promise<void> =>
  bytes.length > LARGEST
    ? handle.writeFile(bytes)
    : quickly(
        () => writeFileSync(handle.fd, bytes),
        () => handle.writeFile(bytes),
      );
