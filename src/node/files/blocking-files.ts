/**
 * Finds pipes and devices in place of files that ripgrep and git read: both open them without checking, and block forever. The
 * search starts only after a program has been silent for a while and does nothing, because walking the whole project takes time.
 */
import type { Dirent } from "node:fs";
import { readdir } from "node:fs/promises";
import path from "node:path";
import { isBusyProcess } from "../process-status.ts";
import { stat } from "./direct-calls.ts";

const NAMES = new Set([".gitignore", ".ignore", ".rgignore", ".nekodeignore", ".gitattributes"]);
/** Milliseconds of silence before the first search, and between searches. */
const PATIENCE = 1_000;
const LATER = 15_000;
/** Directory entries that one search reads. */
const MOST = 300_000;

/** A blocking file in `folder` or a parent folder, which both programs read first. */
export async function blockingAbove(folder: string): Promise<string | undefined> {
  for (let at = path.resolve(folder); ; at = path.dirname(at)) {
    for (const name of [...NAMES, ".git/info/exclude"]) {
      const file = path.join(at, name);
      if (await blocks(file)) return file;
    }
    if (path.dirname(at) === at) return undefined;
  }
}

/** A blocking file anywhere below `folder`. */
async function blockingBelow(folder: string, signal: AbortSignal): Promise<string | undefined> {
  const pending = [folder];
  let seen = 0;
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    const entries: Dirent[] = await readdir(next, { withFileTypes: true }).catch(() => []);
    seen += entries.length;
    if (signal.aborted || seen > MOST) return undefined;
    const suspects = entries.filter(
      (entry) => NAMES.has(entry.name) && !entry.isFile() && !entry.isDirectory(),
    );
    for (const { name } of suspects) {
      const file = path.join(next, name);
      if (await blocks(file)) return file;
    }
    const folders = entries.filter((entry) => entry.isDirectory() && entry.name !== ".git");
    for (const { name } of folders) pending.push(path.join(next, name));
  }
  return undefined;
}

/** Whether the path, with links followed, exists and is neither a file nor a folder. */
export async function blocks(file: string): Promise<boolean> {
  const found = await stat(file).catch(() => undefined);
  return found !== undefined && !found.isFile() && !found.isDirectory();
}

export interface PipeWatch {
  /** Call when the program prints something. */
  heard(): void;
  end(): void;
}

/** Calls `onFound` with a file below `folder` on which the program blocks, if there is one. `pid`: the program's, if it was started. */
export function watchForPipes(
  folder: string,
  pid: number | undefined,
  onFound: (file: string) => void,
): PipeWatch {
  const ended = new AbortController();
  let timer = setTimeout(look, PATIENCE);
  async function look() {
    // Programs are silent for seconds while they read a million files, which another walk through them would only slow down.
    const works = pid !== undefined && (await isBusyProcess(pid));
    const file = works ? undefined : await blockingBelow(folder, ended.signal);
    if (ended.signal.aborted) return;
    if (file !== undefined) onFound(file);
    else timer = setTimeout(look, works ? PATIENCE : LATER);
  }
  return {
    heard: () => void timer.refresh(),
    end() {
      ended.abort();
      clearTimeout(timer);
    },
  };
}
