/**
 * Contents that the user attached without a path, such as a dropped file of another program: each in a temporary folder of its own, until
 * the tasks whose messages name it are deleted, or it is old.
 */
import { appendFile, lstat, mkdtemp, readdir, readFile, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import type { AttachedContents } from "../../core/ports/workspace.ts";
import { isMissing } from "../../node/files/fs-errors.ts";
import { findMentions } from "../../shared/mentions.ts";

const PREFIX = "nekode-file-";

/** In each folder: the ids of the sessions whose messages name its file, a line each. */
const SESSIONS = ".nekode-sessions";

/** Milliseconds after which what is left is removed, whatever task has it. */
const OLD_MS = 14 * 24 * 60 * 60 * 1_000;

export class StoredAttachments implements AttachedContents {
  readonly #now: () => number;
  readonly #folder: Promise<string>;

  /** `folder`: for tests; default: the system's folder for temporary files. */
  constructor(now: () => number, folder: string = tmpdir()) {
    this.#now = now;
    this.#folder = realpath(folder);
  }

  /** Stores a content in a folder that only this user can read. Returns the path of the file. */
  async store(name: string, bytes: Uint8Array): Promise<string> {
    const folder = await mkdtemp(path.join(await this.#folder, PREFIX));
    const file = path.join(folder, safeName(name));
    await writeFile(file, bytes, { mode: 0o600 });
    return file;
  }

  /** A message of the session has this text. */
  async mentioned(session: string, text: string): Promise<void> {
    if (!text.includes(PREFIX)) return;
    const named = new Set(findMentions(text).map(({ value }) => path.dirname(value)));
    for (const { folder } of await this.#all())
      if (named.has(folder) && !(await sessionsOf(folder)).includes(session))
        await appendFile(path.join(folder, SESSIONS), `${session}\n`, { mode: 0o600 });
  }

  async forget(session: string): Promise<void> {
    for (const { folder } of await this.#all()) {
      const sessions = await sessionsOf(folder);
      const others = sessions.filter((each) => each !== session);
      if (others.length === sessions.length) continue;
      if (others.length === 0) await rm(folder, { recursive: true, force: true });
      else await writeFile(path.join(folder, SESSIONS), others.map((each) => `${each}\n`).join(""));
    }
  }

  async removeOld(): Promise<void> {
    for (const { folder, changedAt } of await this.#all())
      if (this.#now() - changedAt > OLD_MS) await rm(folder, { recursive: true, force: true });
  }

  /** Everybody may make a folder with such a name: only those of this user are looked into. */
  async #all(): Promise<{ folder: string; changedAt: number }[]> {
    const parent = await this.#folder;
    const own: { folder: string; changedAt: number }[] = [];
    for (const name of await readdir(parent)) {
      if (!name.startsWith(PREFIX)) continue;
      const folder = path.join(parent, name);
      const stat = await lstat(folder).catch((error: unknown) => {
        if (isMissing(error)) return undefined;
        throw error;
      });
      // Windows has no such number, and a folder for each user.
      const isOwn = process.getuid === undefined || stat?.uid === process.getuid();
      if (stat?.isDirectory() && isOwn) own.push({ folder, changedAt: stat.mtimeMs });
    }
    return own;
  }
}

async function sessionsOf(folder: string): Promise<string[]> {
  try {
    const text = await readFile(path.join(folder, SESSIONS), "utf8");
    return text.split("\n").filter((line) => line !== "");
  } catch (error) {
    if (isMissing(error)) return [];
    throw error;
  }
}

/** A name that every file system takes, without folders. */
function safeName(name: string): string {
  const last = name.split(/[/\\]/).at(-1) ?? "";
  const safe = last.replace(/[\x00-\x1f\x7f<>:"|?*]/g, "_").replace(/^\.+|[. ]+$/g, "");
  return safe.slice(-120) || "file";
}
