/**
 * Locks between processes, possibly of different versions, that use the same store. There are two kinds:
 *
 * - `takeLock`, for as long as a process works on something: a file that names its owner. It needs no refresh, because the
 *   process id and start time show whether the owner still runs. Other processes do not wait for it, but can take it over, also
 *   from a process that hangs.
 * - `withLock`, for one short operation: a folder that its owner refreshes (proper-lockfile). Other processes wait for it, and
 *   get it also if the owner hangs or ran on another machine.
 */
import { randomUUID } from "node:crypto";
import { link, mkdir, rename, rm, writeFile } from "node:fs/promises";
import { hostname } from "node:os";
import path from "node:path";
import type { ProcessLock } from "../../core/ports/storage.ts";
import * as z from "../../shared/zod.ts";
import { exactStat, readBytes, readdir } from "../files/direct-calls.ts";
import { versionOf } from "../files/disk-files.ts";
import { codeOf, isMissing } from "../files/fs-errors.ts";
import { isRunning, startOf } from "../process-status.ts";

const holderSchema = z.object({
  token: z.string(),
  host: z.string(),
  pid: z.int().check(z.positive()),
  /** The process's start time, in the system's format; "": the system does not report it. */
  began: z.string(),
});
type Holder = z.infer<typeof holderSchema>;

/** Tokens of this process's locks. */
const mine = new Set<string>();

export async function takeLock(file: string, takeOver: boolean): Promise<ProcessLock | undefined> {
  const holder: Holder = {
    token: randomUUID(),
    host: hostname(),
    pid: process.pid,
    began: await startOf(process.pid),
  };
  // Added before other code can read the file.
  mine.add(holder.token);
  const has = await take(file, holder, takeOver).catch((error: unknown) => {
    mine.delete(holder.token);
    throw error;
  });
  if (!has) {
    mine.delete(holder.token);
    return undefined;
  }
  /**
   * The file's version when it last named this process. It makes `isMine`, which runs before each write, fast if nothing
   * changed.
   */
  let known: string | undefined;
  const isMine = async () => {
    const found = await versionOfFile(file);
    if (found !== undefined && found === known) return true;
    const has = (await holderOf(file))?.token === holder.token;
    known = has ? found : undefined;
    return has;
  };
  return {
    isMine,
    async release() {
      mine.delete(holder.token);
      if (await isMine()) await rm(file, { force: true });
    },
  };
}

async function take(file: string, holder: Holder, takeOver: boolean): Promise<boolean> {
  await mkdir(path.dirname(file), { recursive: true, mode: 0o700 });
  const draft = `${file}.${holder.token}.draft`;
  await writeFile(draft, JSON.stringify(holder), { flag: "wx" });
  try {
    // Linking fails if the file exists, so only one of two simultaneous callers succeeds.
    if (!(await tryLink(draft, file))) {
      if (!takeOver && (await livingHolder(file))) return false;
      await rename(draft, file);
    }
  } finally {
    await rm(draft, { force: true });
  }
  // Two processes may have found the same dead holder; the last one gets the lock.
  return (await holderOf(file))?.token === holder.token;
}

/** Names of the locks in a folder that another running process holds. */
export async function lockedElsewhere(folder: string): Promise<string[]> {
  const names = await readdir(folder).catch((error: unknown) => {
    if (isMissing(error)) return [];
    throw error;
  });
  const locks = await Promise.all(
    names.map(async (name) => {
      const holder = name.endsWith(".draft") ? undefined : await livingHolder(path.join(folder, name));
      const isOther = holder && (holder.pid !== process.pid || holder.host !== hostname());
      return isOther ? [name] : [];
    }),
  );
  return locks.flat();
}

async function tryLink(draft: string, file: string): Promise<boolean> {
  try {
    await link(draft, file);
    return true;
  } catch (error) {
    if (codeOf(error) === "EEXIST") return false;
    // A file system without links.
    try {
      await writeFile(file, await readBytes(draft), { flag: "wx" });
      return true;
    } catch (second) {
      if (codeOf(second) === "EEXIST") return false;
      throw second;
    }
  }
}

/** Changes when another holder takes the lock over, which replaces the file; undefined: no file. */
async function versionOfFile(file: string): Promise<string | undefined> {
  try {
    return versionOf(await exactStat(file));
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}

async function holderOf(file: string): Promise<Holder | undefined> {
  try {
    return holderSchema.safeParse(JSON.parse((await readBytes(file)).toString())).data;
  } catch (error) {
    if (isMissing(error) || error instanceof SyntaxError) return undefined;
    throw error;
  }
}

async function livingHolder(file: string): Promise<Holder | undefined> {
  const holder = await holderOf(file);
  if (!holder) return undefined;
  // Whether a process on another machine runs is unknown; the user can take the lock over.
  if (holder.host !== hostname()) return holder;
  if (holder.pid === process.pid) return mine.has(holder.token) ? holder : undefined;
  return (await isRunning(holder.pid, holder.began)) ? holder : undefined;
}

/**
 * Milliseconds without a refresh after which an owner counts as dead. Long enough for an owner that is busy with a large
 * database on a busy machine.
 */
const STALE_MS = 15_000;

/** Runs `work` with the lock. Rejects if the lock is not available within `waitMs`. */
export async function withLock<T>(file: string, work: () => Promise<T>, waitMs: number): Promise<T> {
  await mkdir(path.dirname(file), { recursive: true, mode: 0o700 });
  const release = await acquire(file, waitMs);
  try {
    return await work();
  } finally {
    // Rejects if the lock was taken over, which already released it.
    await release().catch(() => {});
  }
}

/** There is no event for the release of another process's lock, so this retries with increasing pauses. */
async function acquire(file: string, waitMs: number): Promise<() => Promise<void>> {
  // Most runs need no lock, and do not load the library.
  const { default: lockfile } = await import("proper-lockfile");
  const start = performance.now();
  for (let pause = 5; ; pause = Math.min(pause * 1.5, 100)) {
    try {
      // Losing the lock, for example while the machine slept, is not an error here, because callers compare before they
      // replace.
      return await lockfile.lock(file, { realpath: false, stale: STALE_MS, onCompromised: () => {} });
    } catch (error) {
      if (codeOf(error) !== "ELOCKED" || performance.now() - start > waitMs) throw error;
    }
    await new Promise((resolve) => setTimeout(resolve, pause * (0.5 + Math.random())));
  }
}
