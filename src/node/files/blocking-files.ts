/**
 * Pipes and devices where ripgrep and git expect a file of theirs: both open it without a look, and wait for ever. They are
 * looked for where a program has nothing to say for a while, as a walk through the whole project takes its time.
 */
import type { Dirent } from "node:fs";
import { readdir, stat } from "node:fs/promises";
import path from "node:path";

const NAMES = new Set([".gitignore", ".ignore", ".rgignore", ".nekodeignore", ".gitattributes"]);
/** Milliseconds without a word after which they are looked for, and until the next look. */
const PATIENCE = 1_000;
const LATER = 15_000;
/** Entries that one look takes in. */
const MOST = 300_000;

/** One of them directly in `folder` or in a folder above it, which both programs read before anything else. */
export async function blockingAbove(folder: string): Promise<string | undefined> {
  for (let at = path.resolve(folder); ; at = path.dirname(at)) {
    for (const name of [...NAMES, ".git/info/exclude"]) {
      const file = path.join(at, name);
      if (await blocks(file)) return file;
    }
    if (path.dirname(at) === at) return undefined;
  }
}

/** One of them anywhere below `folder`. */
export async function blockingBelow(folder: string, signal: AbortSignal): Promise<string | undefined> {
  const pending = [folder];
  let seen = 0;
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    const entries: Dirent[] = await readdir(next, { withFileTypes: true }).catch(() => []);
    seen += entries.length;
    if (signal.aborted || seen > MOST) return undefined;
    for (const entry of entries) {
      const file = path.join(next, entry.name);
      if (entry.isDirectory()) {
        if (entry.name !== ".git") pending.push(file);
      } else if (NAMES.has(entry.name) && !entry.isFile() && (await blocks(file))) return file;
    }
  }
  return undefined;
}

/** Something is there that is neither a file nor a folder, links followed. */
export async function blocks(file: string): Promise<boolean> {
  const found = await stat(file).catch(() => undefined);
  return found !== undefined && !found.isFile() && !found.isDirectory();
}

export interface PipeWatch {
  /** The program said something. */
  heard(): void;
  end(): void;
}

/** Calls `onFound` with the file for which a program that works below `folder` waits, if there is one. */
export function watchForPipes(folder: string, onFound: (file: string) => void): PipeWatch {
  const ended = new AbortController();
  let timer = setTimeout(look, PATIENCE);
  function look() {
    void blockingBelow(folder, ended.signal).then((file) => {
      if (ended.signal.aborted) return;
      if (file !== undefined) onFound(file);
      else timer = setTimeout(look, LATER);
    });
  }
  return {
    heard: () => void timer.refresh(),
    end() {
      ended.abort();
      clearTimeout(timer);
    },
  };
}
