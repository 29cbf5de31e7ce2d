/** Records what a call changes: for an edit, the files that it names; for a command, what the repository shows. */
import { dirname, sep } from "node:path";
import { inParallel } from "../async.ts";
import type { FileStates } from "../ports/file-states.ts";
import type { Snapshot, SnapshotChange, Snapshots } from "../ports/snapshots.ts";
import { type BackupBefore, Backups } from "./backups.ts";
import type { ChangeOwners, Period } from "./change-owners.ts";
import {
  type BackupRecord,
  type FileChange,
  type FileState,
  sameState,
  type Uncovered,
} from "./change-records.ts";
import type { Change } from "./changes.ts";
import type { CheckpointJournal, CheckpointStore, FileReading } from "./checkpoint-store.ts";
import { type ChangingCall, type CheckpointDeps, FILE_LIMIT } from "./checkpoint-types.ts";

/** Maximum bytes of all contents that are stored for one command's changes. */
const COMMAND_LIMIT = 200_000_000;

export interface RecordedCall {
  files: FileChange[];
  left?: number;
  /** For a command: the paths counted by `left`. */
  leftPaths?: string[];
  uncovered?: Uncovered;
  /** For a command: the state of the folders after it. */
  after?: FolderSnapshot;
}

/** The beginning of a change that names its files. */
type BegunChange = Pick<Change, "id" | "place" | "undoes"> & { kind: "edit" | "undo" };

/** `period`: that in which the snapshot was taken. */
export type FolderSnapshot = Extract<Snapshot, { tree: string }> & { period: Period };

/** `at`: files and folders that a command created are newer than this. */
type SnapshotBefore = FolderSnapshot & { at: Date };

export class CallRecording {
  readonly #deps: CheckpointDeps;
  readonly #store: CheckpointStore;
  readonly #owners: ChangeOwners;

  /** undefined: commands are not protected. */
  readonly backups: Backups | undefined;

  constructor(deps: CheckpointDeps, store: CheckpointStore, owners: ChangeOwners) {
    this.#deps = deps;
    this.#store = store;
    this.#owners = owners;
    this.backups = deps.trees && new Backups(deps, deps.trees, store);
  }

  /** Stores the current state of the files that the call names. The returned function reads them again. */
  edit(
    journal: CheckpointJournal,
    callId: string,
    paths: readonly string[],
  ): Promise<() => Promise<RecordedCall>> {
    return this.change(journal, { kind: "edit", id: callId, place: callId }, paths);
  }

  /** The same for a change of another kind. */
  async change(
    journal: CheckpointJournal,
    begin: BegunChange,
    paths: readonly string[],
  ): Promise<() => Promise<RecordedCall>> {
    const { files } = this.#deps;
    const locations = new Set<string>();
    for (const path of paths) {
      locations.add(await files.locate(path, false));
      locations.add(await files.locate(path, true));
    }
    const ownership = this.#owners.begin(journal.id, locations);
    let changes: FileChange[];
    try {
      changes = await this.#beforeEdit(journal, begin, locations);
    } catch (error) {
      ownership.end([]);
      throw error;
    }
    return async () => {
      const ended: FileChange[] = [];
      try {
        await inParallel(changes, async (change) => {
          const content = contentOnly(await files.read(change.path, FILE_LIMIT));
          const after = await this.#store.keep(content, false);
          if (!sameState(change.before, after)) ended.push({ ...change, after });
        });
        return { files: ended };
      } finally {
        ownership.end(ended);
      }
    };
  }

  /** The files and their record are on disk when it resolves. */
  async #beforeEdit(
    journal: CheckpointJournal,
    begin: BegunChange,
    locations: ReadonlySet<string>,
  ): Promise<FileChange[]> {
    const before = new Map<string, FileReading>();
    const changes: FileChange[] = [];
    await inParallel(locations, async (path) => {
      const content = contentOnly(await this.#deps.files.read(path, FILE_LIMIT));
      before.set(path, content);
      const made = content === null ? await this.#missingFolder(path) : undefined;
      changes.push({
        path,
        before: await this.#store.keep(content, false),
        ...(made === undefined ? {} : { made }),
      });
    });
    const contents = [...before.values()];
    await journal.write({ t: "begin", ...begin, at: this.#now(), files: changes }, contents);
    await this.#store.ensure(contents);
    return changes;
  }

  /**
   * Backs up what the call is known to destroy, then takes a snapshot of the project's folder. The returned function
   * returns what changed in both. `report`: called if the backup takes long.
   */
  async command(
    journal: CheckpointJournal,
    { callId, destroys }: ChangingCall,
    report: (progress: { done: number; total: number }) => void,
  ): Promise<() => Promise<RecordedCall>> {
    const { backups } = this;
    const since = this.#owners.now;
    const backup = destroys && backups ? await backups.before(destroys, report) : undefined;
    const before = (await this.#take()) ?? { unavailable: "no-repository" as const };
    const at = this.#deps.clock.now();
    const begin = { t: "begin" as const, kind: "command" as const, id: callId, place: callId };
    const record = { ...begin, at: at.toISOString(), files: [], ...(backup ? { kept: backup.record } : {}) };
    // The contents that a command deletes or overwrites are already synced.
    await journal.write(record, backup && []);
    if (backup) await backups?.ensure(backup);
    return async () => {
      const ended =
        "unavailable" in before
          ? { files: [], uncovered: before.unavailable }
          : await this.#commandEnded({ ...before, at });
      const all = backup && backups ? merged(ended, backup, await backups.after(backup)) : ended;
      // The backed-up files are compared last.
      const until = backup ? this.#owners.now : (ended.after?.period.until ?? this.#owners.now);
      const own = this.#own(journal.id, { since, until }, all);
      this.#owners.ended(journal.id, own.files);
      return own;
    };
  }

  /** Returns what a command did that a crash interrupted; undefined: unknown. */
  async interrupted(record: BackupRecord, at: Date): Promise<RecordedCall | undefined> {
    const before = await this.backups?.recover(record, at.getTime());
    if (!before || !this.backups) return undefined;
    const { files, left } = await this.backups.after(before);
    // Others may have changed the files since. Records without `after` attribute no state to the command.
    return { files: files.map(({ path, before: was }) => ({ path, before: was })), left: left.length };
  }

  async #commandEnded(before: SnapshotBefore): Promise<RecordedCall> {
    const { snapshots } = this.#deps;
    const after = await this.#take();
    if (!snapshots || !after || "unavailable" in after) {
      const uncovered = after && "unavailable" in after ? after.unavailable : "failed";
      return { files: [], uncovered };
    }
    return { ...(await this.#between(snapshots, before, after, before.at)), after };
  }

  /** Returns what changed in the folders since then, except changes by other sessions; undefined: unknown. */
  async since(journal: CheckpointJournal, before: FolderSnapshot): Promise<RecordedCall | undefined> {
    const { snapshots } = this.#deps;
    const after = await this.#take();
    if (!snapshots || !after || "unavailable" in after) return undefined;
    const all = { ...(await this.#between(snapshots, before, after)), after };
    return this.#own(journal.id, { since: before.period.since, until: after.period.until }, all);
  }

  async #take(): Promise<FolderSnapshot | Exclude<Snapshot, { tree: string }> | undefined> {
    const since = this.#owners.now;
    const snapshot = await this.#deps.snapshots?.take();
    if (!snapshot || "unavailable" in snapshot) return snapshot;
    return { ...snapshot, period: { since, until: this.#owners.now } };
  }

  /** Excludes changes that other sessions made. */
  #own(session: string, period: Period, all: RecordedCall): RecordedCall {
    const files = this.#owners.own(session, period, all.files);
    if (!all.leftPaths) return { ...all, files };
    const leftPaths = all.leftPaths.filter((path) => !this.#owners.isOthers(session, period, path));
    return { ...all, files, left: leftPaths.length, leftPaths };
  }

  /** `since`: newer folders were created by whoever made the changes. */
  async #between(
    snapshots: Snapshots,
    before: FolderSnapshot,
    after: FolderSnapshot,
    since?: Date,
  ): Promise<RecordedCall> {
    const leftOut = new Set([...before.left, ...after.left]);
    const all = await snapshots.changes(before.tree, after.tree);
    // A nested repository that lost its `.git` folder looks like new files. One that gained a `.git` folder looks like removed
    // files.
    const nested = [...(before.nested ?? []), ...(after.nested ?? [])];
    const isNested = (path: string): boolean => nested.some((folder) => path.startsWith(`${folder}${sep}`));
    const changes = all.filter(({ path }) => !leftOut.has(path) && !isNested(path));
    const ids = changes
      .flatMap((change) => [change.before, change.after])
      .flatMap((side) => (side ? [side.id] : []));
    const contents = await snapshots.read(ids, FILE_LIMIT, COMMAND_LIMIT);
    const folders = since && (await foldersMade(this.#deps.files, changes, since));
    const files: FileChange[] = [];
    const stateOf = async (side: (typeof changes)[number]["before"]): Promise<FileState> => {
      if (!side) return null;
      const bytes = contents.get(side.id);
      if (!bytes) return "large";
      return this.#store.keep({ kind: side.kind, bytes }, false);
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

  /** Returns the outermost folder of the path that does not exist yet. */
  async #missingFolder(path: string): Promise<string | undefined> {
    let missing: string | undefined;
    for (
      let folder = dirname(path);
      (await this.#deps.files.read(folder, 0)) === null;
      folder = dirname(folder)
    ) {
      missing = folder;
    }
    return missing;
  }

  #now(): string {
    return this.#deps.clock.now().toISOString();
  }
}

/** For an edit: permissions are ignored, and a folder is not stored. */
function contentOnly(reading: FileReading): FileReading {
  if (typeof reading !== "object" || reading === null) return reading;
  return reading.kind === "directory" ? "other" : { kind: reading.kind, bytes: reading.bytes };
}

/** Prefers what the backup of the files shows, because it is more accurate than the repository. */
function merged(
  ended: RecordedCall,
  { states }: BackupBefore,
  backedUp: { files: FileChange[]; left: readonly string[] },
): RecordedCall {
  const changed = new Map(backedUp.files.map((file) => [file.path, file]));
  const isBackedUp = (path: string): boolean => {
    const state = states.get(path);
    return changed.has(path) || (state !== undefined && typeof state !== "string");
  };
  const others = ended.files.filter(({ path }) => !isBackedUp(path));
  const covered = new Set(others.map(({ path }) => path));
  const left = new Set(
    [...(ended.leftPaths ?? []), ...backedUp.left].filter((path) => !isBackedUp(path) && !covered.has(path)),
  );
  const made = new Map(ended.files.map((file) => [file.path, file.made]));
  const files = backedUp.files.map((file) => {
    const folder = made.get(file.path);
    return folder === undefined ? file : { ...file, made: folder };
  });
  files.push(...others);
  files.sort((a, b) => (a.path < b.path ? -1 : 1));
  return { ...ended, files, left: left.size, leftPaths: [...left] };
}

/**
 * Returns, for each new file, the outermost folder that was created since that moment or is a moved folder. A restore to the
 * state before the command removes that folder too if it is empty. A folder that existed and was empty is neither.
 */
async function foldersMade(
  files: FileStates,
  changes: readonly SnapshotChange[],
  since: Date,
): Promise<ReadonlyMap<string, string>> {
  const sources = new Map<string, string>();
  for (const { path, before, after } of changes) if (before && !after) sources.set(before.id, path);
  const made = new Map<string, string>();
  await inParallel(
    changes.filter(({ before, after }) => !before && after),
    async ({ path, after }) => {
      const source = sources.get(after?.id ?? "");
      const folder =
        (await files.madeSince(path, since)) ?? (source && (await movedFrom(files, source, path)));
      if (folder !== undefined) made.set(path, folder);
    },
  );
  return made;
}

/**
 * Returns the folder of `path` that was moved from the folder of `source`, which is gone. A moved folder keeps its
 * creation time.
 */
async function movedFrom(files: FileStates, source: string, path: string): Promise<string | undefined> {
  const [from, to] = [source.split(sep), path.split(sep)];
  let same = 0;
  while (from.length > 0 && from.at(-1) === to.at(-1)) {
    from.pop();
    to.pop();
    same += 1;
  }
  if (same === 0 || from.length === 0 || to.length === 0) return undefined;
  return (await files.read(from.join(sep), 0)) === null ? to.join(sep) : undefined;
}
