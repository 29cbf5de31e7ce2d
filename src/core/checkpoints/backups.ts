/**
 * Backs up the files that a command is known to delete or overwrite before it runs, inside and outside repositories, including
 * ignored and untracked files, links, permission bits and empty folders. Contents are stored by their hash, and a file whose
 * directory entry is unchanged is not read again.
 */
import { isAbsolute, relative } from "node:path";
import type { BackupView, NotBackedUp } from "../../shared/event.ts";
import { inParallel } from "../async.ts";
import {
  DEPENDENCY_FOLDERS,
  type Destruction,
  type FileTrees,
  OUTPUT_FOLDERS,
  type Survey,
  type Target,
  type TreeEntry,
} from "../ports/file-trees.ts";
import { isInside } from "../roots.ts";
import { type BackupRecord, type FileChange, type FileState, sameState } from "./change-records.ts";
import type { CheckpointStore } from "./checkpoint-store.ts";
import { type CheckpointDeps, FILE_LIMIT } from "./checkpoint-types.ts";
import { readManifest, writeManifest } from "./manifest.ts";

/** Maximum number of files and folders in one snapshot. */
const SNAPSHOT_ENTRIES = 100_000;
/** Milliseconds for scanning the folders. */
const SURVEY_TIME = 15_000;
/**
 * Milliseconds for reading and storing the files. Files that are not read in time are not backed up, like those beyond the size
 * limit.
 */
const READING_TIME = 30_000;
/** Share of `nekode.checkpoints.maxSize` that the files of one snapshot may use. */
const SNAPSHOT_SHARE = 0.75;
/** Milliseconds between two progress reports, and before the first. */
const REPORT_INTERVAL = 1_000;
/** An entry that changed less than this many milliseconds ago may change again without a visible difference. */
const SETTLED_AFTER = 2_000;
/** Milliseconds by which file times may lag behind the clock. */
const CLOCK_GRAIN = 10;
/** Limits of the backup before a command whose changes are not known. */
const POSSIBLE_ENTRIES = 3_000;
const POSSIBLE_TIME = 5_000;
const POSSIBLE_FILE = 5_000_000;
const POSSIBLE_BYTES = 30_000_000;
/** Maximum number of names that are reported of files that are not backed up. */
const MAX_NAMES = 3;

export interface BackupBefore {
  record: BackupRecord;
  targets: Target[];
  git: boolean;
  states: ReadonlyMap<string, FileState>;
  /** Empty after a crash, when every content is compared. */
  entries: ReadonlyMap<string, TreeEntry>;
  /** When the scan started, in milliseconds since 1970. */
  at: number;
}

export interface BackupPreview {
  notKept: NotBackedUp[];
  asks: boolean;
}

/** The progress of reading the files of a snapshot. */
interface Reading {
  done: number;
  total: number;
  bytes: number;
  until: number;
  reported: number;
}

export class Backups {
  readonly #deps: CheckpointDeps;
  readonly #trees: FileTrees;
  readonly #store: CheckpointStore;
  /** Entry and state of each file when it was last read. */
  readonly #known = new Map<string, { stamp: string; state: FileState }>();

  #empty: Promise<FileState> | undefined;

  constructor(deps: CheckpointDeps, trees: FileTrees, store: CheckpointStore) {
    this.#deps = deps;
    this.#trees = trees;
    this.#store = store;
  }

  /**
   * Returns what could not be backed up, judged only by names and sizes; reads and writes no content. `asks`: this includes
   * more than installed dependencies and paths outside the project, so the user should be asked.
   */
  async previewBackup(destruction: Destruction): Promise<BackupPreview> {
    const survey = await this.#survey(destruction);
    let bytes = 0;
    const large = survey.entries.filter(({ size }) => {
      const isKept = size <= FILE_LIMIT && bytes + size <= this.#bytesLimit;
      if (isKept) bytes += size;
      return !isKept;
    });
    const omitted = [...survey.cut, ...large.map(({ path }) => path)];
    return { notKept: this.#notKept(survey, large, []), asks: !omitted.every(isDependency) };
  }

  /**
   * What a command whose changes are not known may change, in addition to what snapshots show: `paths` without installed
   * dependencies and build output, up to a limit. What exceeds the limit is only named.
   */
  async possible(paths: readonly string[]): Promise<Destruction> {
    // Without version control, build output cannot be distinguished from the user's own files.
    const whole = paths.filter((path) => isAbsolute(this.name(path)));
    const isRecreated = (path: string) => {
      const name = this.name(path);
      if (isAbsolute(name)) return false;
      return isDependency(name) || (isOutput(name) && !whole.some((folder) => isWithin(path, folder)));
    };
    const targets = paths.filter((path) => !isRecreated(path)).map((path): Target => ({ path, light: true }));
    const survey = await this.#trees.survey(targets, {
      roots: this.#deps.roots?.() ?? [],
      git: true,
      follow: false,
      limits: { entries: POSSIBLE_ENTRIES, time: POSSIBLE_TIME },
    });
    const backedUp: Target[] = [];
    const large: TreeEntry[] = [];
    let bytes = 0;
    for (const entry of survey.entries) {
      const isContent = entry.kind !== "directory" && entry.kind !== "other";
      if (!isContent || isRecreated(entry.path) || gitFolderOf(entry.path) !== undefined) continue;
      const fits = entry.size <= POSSIBLE_FILE && bytes + entry.size <= POSSIBLE_BYTES;
      if (!fits) {
        large.push(entry);
        continue;
      }
      bytes += entry.size;
      backedUp.push({ path: entry.path });
    }
    const notKept: NotBackedUp[] = [
      ...this.#notKept({ ...survey, outside: [] }, large, []),
      { why: "unknown", count: 0, names: [] },
    ];
    return { targets: backedUp, git: false, notKept };
  }

  /** Backs up what the command may destroy. Durable when it resolves. Calls `report` if it takes long. */
  async before(
    destruction: Destruction,
    report: (progress: { done: number; total: number }) => void,
  ): Promise<BackupBefore> {
    const at = this.#deps.clock.now().getTime();
    const survey = await this.#survey(destruction);
    const now = performance.now();
    const reading: Reading = {
      done: 0,
      total: survey.entries.length,
      bytes: 0,
      until: now + READING_TIME,
      reported: now,
    };
    const states = new Map<string, FileState>();
    const large: TreeEntry[] = [];
    const unreadable: TreeEntry[] = [];
    let files = 0;
    let size = 0;
    await inParallel(survey.entries, async (entry) => {
      const state = await this.#keep(entry, reading);
      states.set(entry.path, state);
      if (state === "large") large.push(entry);
      else if (state === "other") unreadable.push(entry);
      else if (entry.kind !== "directory") {
        files += 1;
        size += entry.size;
      }
      reading.done += 1;
      if (performance.now() - reading.reported < REPORT_INTERVAL) return;
      reading.reported = performance.now();
      report({ done: reading.done, total: reading.total });
    });
    const { targets } = survey;
    const { git } = destruction;
    const manifest = writeManifest({ targets, git, states: [...states] });
    const stored = await this.#store.keep({ kind: "file", bytes: manifest });
    if (typeof stored !== "object" || stored === null) throw new Error("the list of files was not kept");
    const record: BackupRecord = {
      files,
      bytes: size,
      notKept: [...this.#notKept(survey, large, unreadable), ...(destruction.notKept ?? [])],
      ...(git ? { git: await this.#head() } : {}),
      manifest: { hash: stored.hash, size: stored.size },
    };
    const entries = new Map(survey.entries.map((entry) => [entry.path, entry]));
    return { record, targets, git, states, entries, at };
  }

  /**
   * Reads the state recorded before a crash, for comparison with the current files; undefined: it is no longer stored.
   */
  async recover(record: BackupRecord, at: number): Promise<BackupBefore | undefined> {
    const content = await this.#store.content({ kind: "file", ...record.manifest });
    if (!content) return undefined;
    const { targets, git, states } = readManifest(content.bytes);
    return { record, targets, git, states: new Map(states), entries: new Map(), at };
  }

  /**
   * Another process may have removed a content whose use it did not see yet, so contents are checked again once the
   * record is written.
   */
  async ensure({ states, entries }: BackupBefore): Promise<void> {
    await inParallel(states, async ([path, state]) => {
      if (typeof state === "string" || (await this.#store.has(state))) return;
      const entry = entries.get(path);
      const content = entry && (await this.#trees.read(entry, FILE_LIMIT));
      if (content) await this.#store.keep(content);
    });
  }

  /** Returns what the command changed. `left`: files that changed and were not backed up. */
  async after(before: BackupBefore): Promise<{ files: FileChange[]; left: string[] }> {
    const survey = await this.#survey({ targets: before.targets, git: before.git }, false);
    const entries = new Map(survey.entries.map((entry) => [entry.path, entry]));
    const reading: Reading = {
      done: 0,
      total: 0,
      bytes: 0,
      reported: 0,
      until: performance.now() + READING_TIME,
    };
    const isCut = (path: string): boolean => survey.cut.some((folder) => isWithin(path, folder));
    const ids = new Set([...before.entries.values()].map(({ id }) => id));
    const isNew = ({ born, id }: TreeEntry): boolean => born >= before.at - CLOCK_GRAIN || ids.has(id);
    const isUntouched = (path: string): boolean => {
      const [old, entry] = [before.entries.get(path), entries.get(path)];
      if (!entry) return isCut(path);
      if (old) return old.stamp === entry.stamp && this.#isSettled(old);
      // A link may lead there now to files that existed before, so the command did not create them.
      return !before.states.has(path) && !isNew(entry);
    };
    const files: FileChange[] = [];
    const left: string[] = [];
    await inParallel(new Set([...before.states.keys(), ...entries.keys()]), async (path) => {
      if (isUntouched(path)) return;
      const state = before.states.get(path) ?? null;
      const [old, entry] = [before.entries.get(path), entries.get(path)];
      if (typeof state === "string") {
        if (entry?.stamp !== old?.stamp) left.push(path);
        return;
      }
      const after = entry ? await this.#keep(entry, reading) : null;
      if (!sameState(state, after)) files.push({ path, before: state, after });
    });
    return { files: before.git ? await this.#withoutGit(files) : files, left };
  }

  /** Ignores changes inside git's own folder, unless the whole folder is gone. */
  async #withoutGit(files: readonly FileChange[]): Promise<FileChange[]> {
    const folders = new Set(files.flatMap(({ path }) => gitFolderOf(path) ?? []));
    const present = new Set<string>();
    await inParallel(folders, async (folder) => {
      if ((await this.#deps.files.read(folder, 0)) !== null) present.add(folder);
    });
    return files.filter(({ path }) => !present.has(gitFolderOf(path) ?? ""));
  }

  async #keep(entry: TreeEntry, reading: Reading): Promise<FileState> {
    if (entry.kind === "other") return "other";
    if (entry.kind === "directory") return this.#folder(entry.mode);
    const isRoom = reading.bytes + entry.size <= this.#bytesLimit && performance.now() < reading.until;
    if (entry.size > FILE_LIMIT || !isRoom) return "large";
    reading.bytes += entry.size;
    const known = this.#known.get(entry.path);
    if (known?.stamp === entry.stamp && (await this.#store.has(known.state))) return known.state;
    const readAt = Date.now();
    const content = await this.#trees.read(entry, FILE_LIMIT);
    if (!content) return "other";
    const state = await this.#store.keep(content);
    if (readAt - entry.changed > SETTLED_AFTER) this.#remember(entry, state);
    return state;
  }

  /** All folders share one empty content. */
  async #folder(mode: number | undefined): Promise<FileState> {
    this.#empty ??= this.#store.keep({ kind: "directory", bytes: new Uint8Array() });
    const state = await this.#empty;
    return typeof state === "object" && state && mode !== undefined ? { ...state, mode } : state;
  }

  #remember(entry: TreeEntry, state: FileState): void {
    if (this.#known.size > 2 * SNAPSHOT_ENTRIES) this.#known.clear();
    this.#known.set(entry.path, { stamp: entry.stamp, state });
  }

  #isSettled(entry: TreeEntry): boolean {
    return this.#known.get(entry.path)?.stamp === entry.stamp;
  }

  get #bytesLimit(): number {
    return this.#deps.settings().maxSize * 1_000_000 * SNAPSHOT_SHARE;
  }

  #survey({ targets, git }: Destruction, follow = true): Promise<Survey> {
    const limits = { entries: SNAPSHOT_ENTRIES, time: SURVEY_TIME };
    return this.#trees.survey(targets, { roots: this.#deps.roots?.() ?? [], git, follow, limits });
  }

  async #head(): Promise<NonNullable<BackupView["git"]>> {
    const [root] = this.#deps.roots?.() ?? [];
    const head = root === undefined ? undefined : await this.#trees.head(root);
    return head === undefined ? {} : { head };
  }

  #notKept(survey: Survey, large: readonly TreeEntry[], unreadable: readonly TreeEntry[]): NotBackedUp[] {
    const describe = (why: NotBackedUp["why"], paths: readonly string[]): NotBackedUp[] =>
      paths.length === 0
        ? []
        : [{ why, count: paths.length, names: paths.slice(0, MAX_NAMES).map((path) => this.name(path)) }];
    const pathOf = ({ path }: TreeEntry): string => path;
    return [
      ...describe("size", [...survey.cut, ...large.map(pathOf)]),
      ...describe("unreadable", unreadable.filter(({ size }) => size > 0).map(pathOf)),
      ...describe("outside", survey.outside),
    ];
  }

  /** Returns a path for display. */
  name(path: string): string {
    for (const root of this.#deps.roots?.() ?? []) {
      if (path !== root && isInside(root, path)) return relative(root, path);
    }
    return path;
  }
}

function isDependency(path: string): boolean {
  return path.split(/[\\/]/).some((name) => DEPENDENCY_FOLDERS.has(name));
}

function isOutput(name: string): boolean {
  return name.split(/[\\/]/).some((each) => OUTPUT_FOLDERS.has(each));
}

function isWithin(path: string, folder: string): boolean {
  return path === folder || path.startsWith(`${folder}/`) || path.startsWith(`${folder}\\`);
}

/** Returns the outermost `.git` folder that the path is or is in. */
function gitFolderOf(path: string): string | undefined {
  return /^(.*?[\\/]\.git)(?=$|[\\/])/s.exec(path)?.[1];
}
