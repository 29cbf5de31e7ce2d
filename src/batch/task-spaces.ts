/**
 * The worktrees that tasks run in. Each is recorded before it is created, with a lock of the process that uses it, so that what a
 * killed process left is found and removed later.
 */
import { createHash, randomUUID } from "node:crypto";
import { mkdir, readdir, readFile, rm } from "node:fs/promises";
import path from "node:path";
import { Interrupt, messageOf } from "../core/errors.ts";
import type { ProcessLock } from "../core/ports/storage.ts";
import type { Worktree, Worktrees } from "../core/ports/worktrees.ts";
import { createSynced, replaceFile, tempFilePath } from "../node/files/atomic-write.ts";
import { isFolder, isMissing } from "../node/files/fs-errors.ts";
import { takeLock, withLock } from "../node/store/process-locks.ts";
import { worktreeSchema } from "../shared/history/worktree.ts";
import type { BatchTask } from "../shared/run/batch-lines.ts";
import * as z from "../shared/zod.ts";
import type { Clones } from "./clones.ts";
import { TaskFault } from "./task-fault.ts";

/** Milliseconds to wait for another process that creates or removes a worktree of the same repository. */
const TURN_MS = 10 * 60_000;
/** Removals, each with the files that appeared since the one before. */
const MOST_REMOVALS = 3;
/** Removing what a task leaves is not stopped. */
const NEVER = new AbortController().signal;

const recordSchema = z.object({
  /** The folder that the worktree was created for. */
  folder: z.string(),
  /** Part of the name of its branch. */
  token: z.string(),
  /** Absent while it is created. */
  worktree: z.optional(worktreeSchema),
});
type SpaceRecord = z.infer<typeof recordSchema>;

export interface TaskSpace {
  readonly worktree: Worktree;
  readonly worktrees: Worktrees;
  /** Removes the worktree with everything in it. Never rejects. */
  remove(): Promise<void>;
  /** Leaves the worktree to the user, who is responsible for it from now on. */
  keep(): Promise<void>;
}

export interface TaskSpacesDeps {
  /** For the records. */
  folder: string;
  clones: Clones;
  worktreesOf(folder: string): Worktrees;
  /** A worktree could not be removed. */
  onLeft(folder: string, why: string): void;
}

export class TaskSpaces {
  readonly #deps: TaskSpacesDeps;

  constructor(deps: TaskSpacesDeps) {
    this.#deps = deps;
  }

  /** Rejects with TaskFault, or with Interrupt when `signal` aborts. */
  async open({ id, cwd, repo, rev }: BatchTask, signal: AbortSignal): Promise<TaskSpace> {
    const place =
      cwd === undefined ? await this.#deps.clones.at(repo ?? "", rev, signal) : { folder: cwd, commit: rev };
    const { folder, commit } = place;
    if (!(await isFolder(folder))) throw new TaskFault({ code: "no-folder", folder });
    const token = randomUUID().slice(0, 8);
    const record = path.join(this.#deps.folder, `${token}.json`);
    await mkdir(this.#deps.folder, { recursive: true, mode: 0o700 });
    const lock = await takeLock(lockOf(record), false);
    if (!lock) throw new Error(`${lockOf(record)} is in use`);
    const worktrees = this.#deps.worktreesOf(folder);
    try {
      await write(record, { folder, token });
      const wanted = {
        folder,
        title: `batch-${token} ${id}`,
        ...(commit === undefined ? {} : { revision: commit }),
      };
      const { worktree } = await this.#inTurn(folder, () => worktrees.create(wanted, signal));
      await write(record, { folder, token, worktree });
      const forget = () => this.#forget(record, lock);
      const remove = async () => {
        try {
          await this.#inTurn(folder, () => removeWorktree(worktrees, worktree));
          await forget();
        } catch (error) {
          // The record remains for the next sweep.
          this.#deps.onLeft(worktree.path, messageOf(error));
          await lock.release();
        }
      };
      return { worktree, worktrees, keep: forget, remove };
    } catch (error) {
      await this.#forget(record, lock);
      if (signal.aborted) throw new Interrupt();
      throw error instanceof TaskFault
        ? error
        : new TaskFault({ code: "no-worktree", folder, why: messageOf(error) });
    }
  }

  /** Removes what killed processes left. */
  async sweep(): Promise<void> {
    for (const name of await namesIn(this.#deps.folder)) {
      if (!name.endsWith(".json")) continue;
      const file = path.join(this.#deps.folder, name);
      const lock = await takeLock(lockOf(file), false);
      if (!lock) continue;
      const record = await read(file);
      try {
        if (record) await this.#removeLeft(record);
        await this.#forget(file, lock);
      } catch (error) {
        this.#deps.onLeft(record?.worktree?.path ?? record?.folder ?? file, messageOf(error));
        await lock.release();
      }
    }
  }

  async #removeLeft({ folder, token, worktree }: SpaceRecord): Promise<void> {
    if (!(await isFolder(folder))) return;
    const worktrees = this.#deps.worktreesOf(folder);
    await this.#inTurn(folder, async () => {
      const all = await worktrees.list(folder, NEVER);
      const left = all.find((each) => each.path === worktree?.path || each.branch.includes(`batch-${token}`));
      if (left) await removeWorktree(worktrees, left);
    });
  }

  /**
   * Runs `work` while no other batch changes the list of worktrees and branches of this repository, because git does not wait for
   * another git that does.
   */
  #inTurn<T>(folder: string, work: () => Promise<T>): Promise<T> {
    const name = createHash("sha256").update(folder).digest("hex").slice(0, 16);
    return withLock(path.join(this.#deps.folder, `${name}.turn`), work, TURN_MS);
  }

  async #forget(record: string, lock: ProcessLock): Promise<void> {
    await rm(record, { force: true });
    await lock.release();
  }
}

const lockOf = (record: string) => record.replace(/\.json$/, ".lock");

async function removeWorktree(worktrees: Worktrees, worktree: Worktree): Promise<void> {
  let losses: readonly string[] = [];
  for (let removal = 0; removal < MOST_REMOVALS; removal++) {
    const state = await worktrees.state(worktree, NEVER);
    if (!state) return;
    const changed = state.changes.filter(({ uncommitted }) => uncommitted).map(({ path }) => path);
    const losing = [...changed, ...state.ignored, ...(state.loose === undefined ? [] : [state.loose])];
    losses = await worktrees.remove(worktree, { losing, branch: "delete" }, NEVER);
    if (losses.length === 0) return;
  }
  throw new Error(losses.join(", "));
}

async function write(file: string, record: SpaceRecord): Promise<void> {
  const bytes = Buffer.from(JSON.stringify(record));
  const temp = tempFilePath(path.dirname(file));
  await replaceFile({ temp, file, write: () => createSynced(temp, bytes) });
}

/** undefined: a kill interrupted the first write, before there was a worktree. */
async function read(file: string): Promise<SpaceRecord | undefined> {
  try {
    return recordSchema.safeParse(JSON.parse(await readFile(file, "utf8"))).data;
  } catch (error) {
    if (isMissing(error) || error instanceof SyntaxError) return undefined;
    throw error;
  }
}

async function namesIn(folder: string): Promise<string[]> {
  try {
    return await readdir(folder);
  } catch (error) {
    if (isMissing(error)) return [];
    throw error;
  }
}
