/**
 * The folder of a repository's worktrees in the user's data folder. For a worktree NAME it has: the folder NAME; `NAME.json`, its
 * record; `NAME.copied.json`, the ignored files that were copied into it; and, while it is created or removed, `NAME.lock`, which
 * shows whether the process that does so still runs.
 */
import { lstat, mkdir, readdir, readFile, realpath, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { ToolError } from "../../../core/errors.ts";
import type { ProcessLock } from "../../../core/ports/storage.ts";
import { worktreeSchema } from "../../../shared/history/worktree.ts";
import { reasonOf } from "../../../shared/reason.ts";
import * as z from "../../../shared/zod.ts";
import { createSynced, replaceFile } from "../../files/atomic-write.ts";
import { codeOf, isMissing } from "../../files/fs-errors.ts";
import { hashOf } from "../../store/folder-storage.ts";
import { takeLock } from "../../store/process-locks.ts";
import type { Repository } from "../find-repository.ts";

const recordSchema = z.object({
  state: z.enum(["creating", "ready", "removing"]),
  /** Whether a removal also deletes the branch. */
  branch: z._default(z.enum(["keep", "delete"]), "keep"),
  worktree: worktreeSchema,
});
export type WorktreeRecord = z.infer<typeof recordSchema>;

/** The version of each ignored file that was copied, by its path. */
const copiedSchema = z.record(z.string(), z.string());
export type CopiedVersions = z.infer<typeof copiedSchema>;

/** A record that this process works on. */
export interface LockedRecord {
  name: string;
  lock: ProcessLock;
}

export class WorktreeRecords {
  readonly folder: string;

  constructor(worktreesDir: string, { commonDir }: Repository) {
    const named = path.basename(commonDir) === ".git" ? path.dirname(commonDir) : commonDir;
    this.folder = path.join(
      worktreesDir,
      `${slugOf(path.basename(named))}-${hashOf(commonDir).slice(0, 12)}`,
    );
  }

  /** The name of a worktree in this folder; undefined: it is elsewhere. */
  async nameOf(worktree: string): Promise<string | undefined> {
    const parent = path.dirname(path.resolve(worktree));
    const folders = await Promise.all([parent, this.folder].map((each) => realpath(each).catch(() => each)));
    return folders[0] === folders[1] ? path.basename(worktree) : undefined;
  }

  /**
   * Reserves a name that neither a worktree nor a branch has and writes its record. The path of the worktree begins with the
   * folder as it is without links, because that is how git names it.
   */
  async reserve(
    title: string,
    branches: readonly string[],
    about: { base: string; scope: string },
  ): Promise<LockedRecord & { record: WorktreeRecord }> {
    await mkdir(this.folder, { recursive: true, mode: 0o700 });
    const folder = await realpath(this.folder);
    const taken = new Set(branches.map(folded));
    for (const name of numbered(slugOf(title))) {
      const branch = branchNamed(name, taken);
      if (taken.has(folded(branch)) || (await this.#isTaken(name))) continue;
      const lock = await takeLock(this.#file(name, "lock"), false);
      if (!lock) continue;
      const worktreePath = path.join(folder, name);
      const worktree = {
        path: worktreePath,
        root: path.join(worktreePath, about.scope),
        branch,
        base: about.base,
      };
      const record: WorktreeRecord = { state: "creating", branch: "delete", worktree };
      try {
        await createSynced(this.#file(name, "json"), Buffer.from(JSON.stringify(record)), { mode: 0o600 });
        return { name, lock, record };
      } catch (error) {
        await lock.release();
        if (codeOf(error) !== "EEXIST") throw error;
      }
    }
    throw new Error("there is always another name");
  }

  /** Rejects with ToolError if another process creates or removes the worktree. */
  async lock(name: string): Promise<LockedRecord> {
    const lock = await takeLock(this.#file(name, "lock"), false);
    if (lock) return { name, lock };
    throw new ToolError(
      "Another window or terminal is creating or removing the worktree.",
      reasonOf("worktree-busy"),
    );
  }

  /** The same if no other process does. */
  async tryLock(name: string): Promise<LockedRecord | undefined> {
    const lock = await takeLock(this.#file(name, "lock"), false);
    return lock && { name, lock };
  }

  /** undefined: there is none, or it is unreadable. */
  async read(name: string): Promise<WorktreeRecord | undefined> {
    const text = await readFile(this.#file(name, "json"), "utf8").catch((error: unknown) => {
      if (isMissing(error)) return undefined;
      throw error;
    });
    if (text === undefined) return undefined;
    try {
      return recordSchema.safeParse(JSON.parse(text)).data;
    } catch {
      return undefined;
    }
  }

  async write(name: string, record: WorktreeRecord): Promise<void> {
    const file = this.#file(name, "json");
    const bytes = Buffer.from(JSON.stringify(record));
    await replaceFile({
      temp: `${file}.draft`,
      file,
      async write(temp) {
        await rm(temp, { force: true });
        await createSynced(temp, bytes, { mode: 0o600 });
      },
    });
  }

  /** Deletes all records of a worktree that no longer exists. */
  async erase(name: string): Promise<void> {
    await rm(this.#file(name, "copied.json"), { force: true });
    await rm(this.#file(name, "json"), { force: true });
  }

  async writeCopied(name: string, copied: CopiedVersions): Promise<void> {
    await writeFile(this.#file(name, "copied.json"), JSON.stringify(copied), { mode: 0o600 });
  }

  /** Without a readable list, every ignored file counts as changed. */
  async readCopied(name: string): Promise<CopiedVersions> {
    try {
      return copiedSchema.parse(JSON.parse(await readFile(this.#file(name, "copied.json"), "utf8")));
    } catch {
      return {};
    }
  }

  async names(): Promise<string[]> {
    const files = await readdir(this.folder).catch((error: unknown) => {
      if (isMissing(error)) return [];
      throw error;
    });
    return files
      .filter((file) => file.endsWith(".json") && !file.endsWith(".copied.json"))
      .map((file) => file.slice(0, -".json".length))
      .sort();
  }

  async #isTaken(name: string): Promise<boolean> {
    const places = [path.join(this.folder, name), this.#file(name, "json")];
    const found = await Promise.all(places.map((worktreePath) => lstat(worktreePath).catch(() => undefined)));
    return found.some((each) => each !== undefined);
  }

  #file(name: string, ending: string): string {
    return path.join(this.folder, `${name}.${ending}`);
  }
}

const MOST_CHARACTERS = 40;
/** Bytes; a file name has at most 255, and git adds to it. */
const MOST_BYTES = 120;
/** Names that Windows keeps for devices. */
const DEVICE = /^(?:con|prn|aux|nul|com\d|lpt\d)$/;

/** Letters and digits of the title, with `-` between its words: valid in a branch and as a folder on every system. */
function slugOf(title: string): string {
  const words = title
    .normalize("NFKC")
    .toLowerCase()
    .normalize("NFC")
    .replace(/[^\p{L}\p{M}\p{N}]+/gu, "-");
  let slug = "";
  for (const character of words) {
    const next = slug + character;
    if ([...next].length > MOST_CHARACTERS || Buffer.byteLength(next) > MOST_BYTES) break;
    slug = next;
  }
  slug = slug.replace(/^-+|-+$/g, "");
  if (slug === "") return "task";
  return DEVICE.test(slug) ? `task-${slug}` : slug;
}

/** `slug`, `slug-2`, `slug-3`, and so on. */
function* numbered(slug: string): Generator<string, never> {
  yield slug;
  for (let count = 2; ; count++) yield `${slug}-${count}`;
}

/**
 * What a branch of this name is called. git keeps `nekode/x` in a folder `nekode`, which a branch `nekode` would be a file for.
 * `taken`: all branches.
 */
function branchNamed(name: string, taken: ReadonlySet<string>): string {
  return taken.has("nekode") ? `nekode-${name}` : `nekode/${name}`;
}

/** For comparisons of names: some file systems, and so some repositories, do not distinguish case or forms of a letter. */
function folded(name: string): string {
  return name.normalize("NFC").toLowerCase();
}
