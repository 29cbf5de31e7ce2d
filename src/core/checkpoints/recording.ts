/** Keeping what a call changes: of an edit the files that it names, of a command whatever the repository shows. */
import { dirname, sep } from "node:path";
import { inParallel } from "../in-parallel.ts";
import type { Snapshot, Snapshots } from "../ports/snapshots.ts";
import type { FileChange, FileState, Kept, Uncovered } from "./change-records.ts";
import { sameState } from "./change-records.ts";
import type { CheckpointStore, Found } from "./checkpoint-store.ts";
import { type ChangingCall, type CheckpointDeps, fileLimit } from "./checkpoint-types.ts";
import { Keeping, type KeptBefore } from "./keeping.ts";
import { foldersMade } from "./made-folders.ts";
import type { CheckpointSession } from "./session-changes.ts";

/** Bytes of all contents that one command's changes may keep. */
const commandLimit = 200_000_000;

export interface Ended {
  files: FileChange[];
  left?: number;
  /** Of a command: which those are. */
  leftPaths?: string[];
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

  /** undefined: commands are not protected. */
  readonly keeping: Keeping | undefined;

  constructor(deps: CheckpointDeps, store: CheckpointStore) {
    this.#d = deps;
    this.#store = store;
    this.keeping = deps.trees && new Keeping(deps, deps.trees, store);
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
      const found = contentOnly(await files.read(path, fileLimit));
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
        const after = await this.#store.keep(contentOnly(await files.read(change.path, fileLimit)));
        if (!sameState(change.before, after)) ended.push({ ...change, after });
      });
      return { files: ended };
    };
  }

  /**
   * Whatever the project's folder holds, and first of all what the call is known to destroy; what is given back says what
   * changed of both. `report`: keeping takes long.
   */
  async command(
    session: CheckpointSession,
    { callId, destroys }: ChangingCall,
    report: (progress: { done: number; total: number }) => void,
  ): Promise<() => Promise<Ended>> {
    const { keeping } = this;
    const kept = destroys && keeping ? await keeping.before(destroys, report) : undefined;
    const before = (await this.#d.snapshots?.take()) ?? { unavailable: "no-repository" as const };
    const at = this.#d.clock.now();
    await session.write({
      t: "begin",
      id: callId,
      at: at.toISOString(),
      kind: "command",
      place: callId,
      files: [],
      ...(kept ? { kept: kept.kept } : {}),
    });
    if (kept) await keeping?.ensure(kept);
    return async () => {
      const ended =
        "unavailable" in before
          ? { files: [], uncovered: before.unavailable }
          : await this.#commandEnded({ ...before, at });
      return kept && keeping ? merged(ended, kept, await keeping.after(kept)) : ended;
    };
  }

  /** What a command did that a crash interrupted; undefined: nothing is known of it. */
  async cutOff(kept: Kept, at: Date): Promise<Ended | undefined> {
    const before = await this.keeping?.recover(kept, at.getTime());
    if (!before || !this.keeping) return undefined;
    const { files, left } = await this.keeping.after(before);
    // Others may have changed them since: without `after` nothing is taken for what the command left.
    return { files: files.map(({ path, before: was }) => ({ path, before: was })), left: left.length };
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
    // Without its `.git`, a nested repository looks like new files; with one, like files that are gone.
    const nested = [...(before.nested ?? []), ...(after.nested ?? [])];
    const isNested = (path: string): boolean => nested.some((folder) => path.startsWith(`${folder}${sep}`));
    const changes = all.filter(({ path }) => !leftOut.has(path) && !isNested(path));
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
    return {
      files,
      left: left.size,
      leftPaths: [...left],
      ...(isPartly ? { uncovered: "some-folders" } : {}),
    };
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

/** Of an edit: the permissions are not its affair, and a folder is not kept. */
function contentOnly(found: Found): Found {
  if (typeof found !== "object" || found === null) return found;
  return found.kind === "directory" ? "other" : { kind: found.kind, bytes: found.bytes };
}

/** What was kept of the files themselves says more than the repository does. */
function merged(
  ended: Ended,
  { states }: KeptBefore,
  kept: { files: FileChange[]; left: readonly string[] },
): Ended {
  const changed = new Map(kept.files.map((file) => [file.path, file]));
  const isKept = (path: string): boolean => {
    const state = states.get(path);
    return changed.has(path) || (state !== undefined && typeof state !== "string");
  };
  const others = ended.files.filter(({ path }) => !isKept(path));
  const covered = new Set(others.map(({ path }) => path));
  const left = new Set(
    [...(ended.leftPaths ?? []), ...kept.left].filter((path) => !isKept(path) && !covered.has(path)),
  );
  const made = new Map(ended.files.map((file) => [file.path, file.made]));
  const files = kept.files.map((file) => {
    const folder = made.get(file.path);
    return folder === undefined ? file : { ...file, made: folder };
  });
  files.push(...others);
  files.sort((a, b) => (a.path < b.path ? -1 : 1));
  return { ...ended, files, left: left.size };
}
