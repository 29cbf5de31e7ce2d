/** Keeping what a call changes: of an edit the files that it names, of a command whatever the repository shows. */
import { dirname } from "node:path";
import type { Snapshot, Snapshots } from "../ports.ts";
import { foldersMade } from "./checkpoints-folders.ts";
import type { FileChange, FileState, Uncovered } from "./checkpoints-records.ts";
import { sameState } from "./checkpoints-records.ts";
import type { CheckpointSession } from "./checkpoints-session.ts";
import { type CheckpointStore, type Found, inParallel } from "./checkpoints-store.ts";
import { type CheckpointDeps, fileLimit } from "./checkpoints-types.ts";

/** Bytes of all contents that one command's changes may keep. */
const commandLimit = 200_000_000;

export interface Ended {
  files: FileChange[];
  left?: number;
  uncovered?: Uncovered;
  /** Of a command: the folders as they were after it. */
  after?: Taken;
}

export type Taken = Extract<Snapshot, { tree: string }>;

/** What a command made new is younger than this. */
type Began = Taken & { at: Date };

export class Recording {
  readonly #d: CheckpointDeps;
  readonly #store: CheckpointStore;

  constructor(deps: CheckpointDeps, store: CheckpointStore) {
    this.#d = deps;
    this.#store = store;
  }

  /** The files that the call names, as they are; what is given back looks at them again. */
  async edit(
    session: CheckpointSession,
    callId: string,
    paths: readonly string[],
  ): Promise<() => Promise<Ended>> {
    const { files } = this.#d;
    const places = new Set<string>();
    for (const path of paths) {
      places.add(await files.locate(path, false));
      places.add(await files.locate(path, true));
    }
    const before = new Map<string, Found>();
    const changes: FileChange[] = [];
    await inParallel(places, async (path) => {
      const found = await files.read(path, fileLimit);
      before.set(path, found);
      const made = found === null ? await this.#missingFolder(path) : undefined;
      changes.push({ path, before: await this.#store.keep(found), ...(made === undefined ? {} : { made }) });
    });
    await session.write({
      t: "begin",
      id: callId,
      at: this.#now(),
      kind: "edit",
      place: callId,
      files: changes,
    });
    await this.#store.ensure([...before.values()]);
    return async () => {
      const ended: FileChange[] = [];
      await inParallel(changes, async (change) => {
        const after = await this.#store.keep(await files.read(change.path, fileLimit));
        if (!sameState(change.before, after)) ended.push({ ...change, after });
      });
      return { files: ended };
    };
  }

  /** Whatever the project's folder holds; what is given back says what changed in it. */
  async command(session: CheckpointSession, callId: string): Promise<() => Promise<Ended>> {
    const before = (await this.#d.snapshots?.take()) ?? { unavailable: "no-repository" as const };
    const at = this.#d.clock.now();
    await session.write({
      t: "begin",
      id: callId,
      at: at.toISOString(),
      kind: "command",
      place: callId,
      files: [],
    });
    if ("unavailable" in before) return async () => ({ files: [], uncovered: before.unavailable });
    return () => this.#commandEnded({ ...before, at });
  }

  async #commandEnded(before: Began): Promise<Ended> {
    const { snapshots } = this.#d;
    const after = await snapshots?.take();
    if (!snapshots || !after || "unavailable" in after) {
      const uncovered = after && "unavailable" in after ? after.unavailable : "failed";
      return { files: [], uncovered };
    }
    return { ...(await this.#between(snapshots, before, after, before.at)), after };
  }

  /** What changed in the folders since that moment, by whomever; undefined: that is not known. */
  async since(before: Taken): Promise<Ended | undefined> {
    const { snapshots } = this.#d;
    const after = await snapshots?.take();
    if (!snapshots || !after || "unavailable" in after) return undefined;
    return { ...(await this.#between(snapshots, before, after)), after };
  }

  /** `since`: folders that are younger were made by whoever made the changes. */
  async #between(snapshots: Snapshots, before: Taken, after: Taken, since?: Date): Promise<Ended> {
    const leftOut = new Set([...before.left, ...after.left]);
    const all = await snapshots.changes(before.tree, after.tree);
    const changes = all.filter(({ path }) => !leftOut.has(path));
    const ids = changes
      .flatMap((change) => [change.before, change.after])
      .flatMap((side) => (side ? [side.id] : []));
    const contents = await snapshots.read(ids, fileLimit, commandLimit);
    const folders = since && (await foldersMade(this.#d.files, changes, since));
    const files: FileChange[] = [];
    const stateOf = async (side: (typeof changes)[number]["before"]): Promise<FileState> => {
      if (!side) return null;
      const bytes = contents.get(side.id);
      if (!bytes) return "large";
      return this.#store.keep({ kind: side.kind, bytes });
    };
    await inParallel(changes, async (change) => {
      const [from, to] = [await stateOf(change.before), await stateOf(change.after)];
      const made = folders?.get(change.path);
      files.push({
        path: change.path,
        before: from,
        after: to,
        ...(made === undefined ? {} : { made }),
      });
    });
    files.sort((a, b) => (a.path < b.path ? -1 : 1));
    const known = new Set(before.left);
    const left = new Set(after.left.filter((path) => !known.has(path)));
    for (const { path } of all) if (leftOut.has(path)) left.add(path);
    const isPartly = before.missing !== undefined || after.missing !== undefined;
    return { files, left: left.size, ...(isPartly ? { uncovered: "some-folders" } : {}) };
  }

  /** The outermost folder of the path that is not there yet. */
  async #missingFolder(path: string): Promise<string | undefined> {
    let missing: string | undefined;
    for (
      let folder = dirname(path);
      (await this.#d.files.read(folder, 0)) === null;
      folder = dirname(folder)
    ) {
      missing = folder;
    }
    return missing;
  }

  #now(): string {
    return this.#d.clock.now().toISOString();
  }
}
