/**
 * What one process at a time has, as files that name their holder. A holder that lives no more holds nothing, so nobody
 * needs to refresh anything: its process number says whether it lives, and when it began says whether it is that one.
 */
import { randomUUID } from "node:crypto";
import { link, mkdir, readdir, readFile, rename, rm, stat, writeFile } from "node:fs/promises";
import { hostname } from "node:os";
import path from "node:path";
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

/** Tokens that this process holds something with. */
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
