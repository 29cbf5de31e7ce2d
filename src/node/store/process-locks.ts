/**
 * Locks between the processes of all versions that work on a store, which is why there are two kinds on the disk:
 *
 * - `takeLock`, for as long as a process works on something: a file that names its owner. It needs no refreshing, because the
 *   process number says whether the owner runs, and its start whether it is that process. Nobody waits for it; it can be taken
 *   over, also from a process that hangs.
 * - `withLock`, for one short piece of work: a folder that its owner refreshes (proper-lockfile). Others wait for it, and get
 *   it also from an owner that hangs, or whose machine nobody here can ask.
 */
import { randomUUID } from "node:crypto";
import { link, mkdir, readdir, readFile, rename, rm, stat, writeFile } from "node:fs/promises";
import { hostname } from "node:os";
import path from "node:path";
import lockfile from "proper-lockfile";
import * as z from "zod";
import type { ProcessLock } from "../../core/ports/storage.ts";
import { versionOf } from "../files/disk-files.ts";
import { codeOf, isMissing } from "../files/fs-errors.ts";
import { isRunning, startOf } from "../process-status.ts";

const holderSchema = z.object({
  token: z.string(),
  host: z.string(),
  pid: z.number().int().positive(),
  /** When the process began, in the system's own form; empty where it does not tell. */
  began: z.string(),
});
type Holder = z.infer<typeof holderSchema>;

/** Tokens of the locks that this process has. */
const mine = new Set<string>();

export async function takeLock(file: string, takeOver: boolean): Promise<ProcessLock | undefined> {
  const holder: Holder = {
    token: randomUUID(),
    host: hostname(),
    pid: process.pid,
    began: await startOf(process.pid),
  };
  // Before anybody can read it.
  mine.add(holder.token);
  const has = await take(file, holder, takeOver).catch((error: unknown) => {
    mine.delete(holder.token);
    throw error;
  });
  if (!has) {
    mine.delete(holder.token);
    return undefined;
  }
  /** The file as it was when it last said that this process has it: asked before each write, mostly nothing changed. */
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
    // A link is made only where nothing is, so of two that come at once one gets it.
    if (!(await linked(draft, file))) {
      if (!takeOver && (await livingHolder(file))) return false;
      await rename(draft, file);
    }
  } finally {
    await rm(draft, { force: true });
  }
  // Two may have found the same dead holder; the last one has it.
  return (await holderOf(file))?.token === holder.token;
}

/** Names in a folder whose holder lives and is not this process. */
export async function lockedElsewhere(folder: string): Promise<string[]> {
  const names = await readdir(folder).catch((error: unknown) => {
    if (isMissing(error)) return [];
    throw error;
  });
  const held = await Promise.all(
    names.map(async (name) => {
      const holder = name.endsWith(".draft") ? undefined : await livingHolder(path.join(folder, name));
      const isOther = holder && (holder.pid !== process.pid || holder.host !== hostname());
      return isOther ? [name] : [];
    }),
  );
  return held.flat();
}

async function linked(draft: string, file: string): Promise<boolean> {
  try {
    await link(draft, file);
    return true;
  } catch (error) {
    if (codeOf(error) === "EEXIST") return false;
    // A file system without links.
    try {
      await writeFile(file, await readFile(draft), { flag: "wx" });
      return true;
    } catch (second) {
      if (codeOf(second) === "EEXIST") return false;
      throw second;
    }
  }
}

/** A holder takes over by putting another file in its place; undefined: there is none. */
async function versionOfFile(file: string): Promise<string | undefined> {
  try {
    return versionOf(await stat(file, { bigint: true }));
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}

async function holderOf(file: string): Promise<Holder | undefined> {
  try {
    return holderSchema.safeParse(JSON.parse(await readFile(file, "utf8"))).data;
  } catch (error) {
    if (isMissing(error) || error instanceof SyntaxError) return undefined;
    throw error;
  }
}

async function livingHolder(file: string): Promise<Holder | undefined> {
  const holder = await holderOf(file);
  if (!holder) return undefined;
  // Of a process on another machine nobody here knows whether it lives; the person can take over.
  if (holder.host !== hostname()) return holder;
  if (holder.pid === process.pid) return mine.has(holder.token) ? holder : undefined;
  return (await isRunning(holder.pid, holder.began)) ? holder : undefined;
}

/**
 * Milliseconds after which an owner that did not refresh its lock is dead. One that is busy with a large database on a busy
 * machine refreshes late, and those who wait lose nothing.
 */
const staleMs = 15_000;

/** Runs `work` while no other process has this lock; rejects when it cannot be had in `waitMs`. */
export async function withLock<T>(file: string, work: () => Promise<T>, waitMs: number): Promise<T> {
  await mkdir(path.dirname(file), { recursive: true, mode: 0o700 });
  const release = await acquire(file, waitMs);
  try {
    return await work();
  } finally {
    // Released already when it was taken over.
    await release().catch(() => {});
  }
}

/** Another process's lock gives no event when it is released, so it is tried again, ever less often. */
async function acquire(file: string, waitMs: number): Promise<() => Promise<void>> {
  const start = performance.now();
  for (let pause = 5; ; pause = Math.min(pause * 1.5, 100)) {
    try {
      // A lock taken over (the machine slept) is no error here: the caller compares before it replaces.
      return await lockfile.lock(file, { realpath: false, stale: staleMs, onCompromised: () => {} });
    } catch (error) {
      if (codeOf(error) !== "ELOCKED" || performance.now() - start > waitMs) throw error;
    }
    await new Promise((resolve) => setTimeout(resolve, pause * (0.5 + Math.random())));
  }
}
