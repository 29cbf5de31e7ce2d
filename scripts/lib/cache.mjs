// Installations shared by the whole machine, outside the work tree.
import { existsSync, watch } from "node:fs";
import { mkdir, mkdtemp, open, readFile, rename, rm } from "node:fs/promises";
import { homedir } from "node:os";
import path from "node:path";
import { say, Trouble } from "./log.mjs";
import { alive } from "./processes.mjs";

/** The cache folder: $NEKODE_CACHE, else $XDG_CACHE_HOME/nekode, else ~/.cache/nekode. */
export function cacheDir() {
  return (
    process.env.NEKODE_CACHE ??
    path.join(process.env.XDG_CACHE_HOME ?? path.join(homedir(), ".cache"), "nekode")
  );
}

/**
 * Runs `work` while only this process holds the lock file. Takes over a lock whose process has ended.
 * @template T
 * @param {string} file
 * @param {() => Promise<T>} work
 * @param {{ timeoutMs?: number }} [options]
 * @returns {Promise<T>}
 */
export async function withLock(file, work, { timeoutMs = 15 * 60_000 } = {}) {
  await mkdir(path.dirname(file), { recursive: true });
  const deadline = performance.now() + timeoutMs;
  for (let isAnnounced = false; !(await take(file)); ) {
    const holder = Number(await readFile(file, "utf8").catch(() => ""));
    // An empty lock was created just now; its process writes its id next.
    if (holder > 0 && !alive(holder)) {
      await rm(file, { force: true });
      continue;
    }
    if (timeoutMs === 0 || performance.now() > deadline)
      throw new Trouble(`Process ${holder} still holds ${file}; end it or delete that file.`);
    if (!isAnnounced) say(`Waiting for process ${holder}, which holds ${file}`);
    isAnnounced = true;
    await released(file, 2000);
  }
  try {
    return await work();
  } finally {
    await rm(file, { force: true });
  }
}

/**
 * Runs `work` with the first of `folders` that no other process uses. When all are in use, throws a Trouble that names
 * the process using the last one.
 * @template T
 * @param {readonly string[]} folders
 * @param {(folder: string) => Promise<T>} work
 * @returns {Promise<T>}
 */
export async function withFreeFolder(folders, work) {
  for (const [index, folder] of folders.entries()) {
    let entered = false;
    const working = () => {
      entered = true;
      return work(folder);
    };
    try {
      return await withLock(path.join(folder, "lock"), working, { timeoutMs: 0 });
    } catch (error) {
      if (entered || index === folders.length - 1) throw error;
    }
  }
  throw new Error("no folder was named");
}

/** @param {string} file */
async function take(file) {
  try {
    const handle = await open(file, "wx");
    await handle.writeFile(String(process.pid));
    await handle.close();
    return true;
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "EEXIST") return false;
    throw error;
  }
}

/**
 * Resolves when the file is deleted, or after `atMost` ms: a process that was killed sends no event.
 * @param {string} file @param {number} atMost
 */
async function released(file, atMost) {
  await new Promise((resolve) => {
    const watcher = watch(path.dirname(file), () => {
      if (!existsSync(file)) done();
    });
    const timer = setTimeout(done, atMost);
    function done() {
      clearTimeout(timer);
      watcher.close();
      resolve(undefined);
    }
    watcher.on("error", done);
    // It may have been deleted before it was watched.
    if (!existsSync(file)) done();
  });
}

/**
 * Creates `cacheDir()/name` once: `fill` works in a temporary folder beside it, which is renamed when complete.
 * @param {string} name
 * @param {(folder: string) => Promise<void>} fill
 * @returns {Promise<string>} the folder
 */
export async function installOnce(name, fill) {
  const target = path.join(cacheDir(), name);
  if (existsSync(target)) return target;
  return withLock(`${target}.lock`, async () => {
    if (existsSync(target)) return target;
    const temporary = await mkdtemp(`${target}.tmp-`);
    try {
      await fill(temporary);
      await rename(temporary, target);
    } catch (error) {
      await rm(temporary, { recursive: true, force: true });
      // Two processes that took over the same dead lock may both have filled it; the first one wins.
      if (!existsSync(target)) throw error;
    }
    return target;
  });
}
