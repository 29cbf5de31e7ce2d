/**
 * Keeping what a command is known to destroy, before it runs: ignored and untracked files, links, permission bits and
 * empty folders included, in a repository and elsewhere. Contents are kept by their hash, and a file whose disk entry is
 * as it was the last time is not read again.
 */
import { relative } from "node:path";
import type { KeptView, NotKept } from "../../shared/event.ts";
import { inParallel } from "../in-parallel.ts";
import {
  type Destruction,
  dependencyFolders,
  type FileTrees,
  type Survey,
  type Target,
  type TreeEntry,
} from "../ports/file-trees.ts";
import { type FileChange, type FileState, type Kept, sameState } from "./change-records.ts";
import type { CheckpointStore } from "./checkpoint-store.ts";
import { type CheckpointDeps, fileLimit } from "./checkpoint-types.ts";
import { readManifest, writeManifest } from "./manifest.ts";

/** Files and folders of one snapshot. */
export const snapshotEntries = 100_000;
/** Milliseconds that looking through the folders may take. */
const surveyTime = 15_000;
/** Milliseconds that reading and keeping the files may take; what remains counts as too many. */
const readingTime = 30_000;
/** Part of `nekode.checkpoints.maxSize` that the files of one snapshot may have together. */
const snapshotShare = 0.75;
/** Milliseconds between two reports of the progress, and before the first. */
const reportEvery = 1_000;
/** An entry of the disk that changed less than so many milliseconds ago may change again without looking different. */
const settledAfter = 2_000;
/** Milliseconds that the times on the disk may be behind the clock. */
const clockGrain = 10;
/** Names that are told of files that are not kept. */
const mostNames = 3;

export interface KeptBefore {
  kept: Kept;
  targets: Target[];
  git: boolean;
  states: ReadonlyMap<string, FileState>;
  /** Empty after a crash: then every content is compared. */
  entries: ReadonlyMap<string, TreeEntry>;
  /** When it was looked at, in milliseconds since 1970. */
  at: number;
}

export interface Foreseen {
  notKept: NotKept[];
  asks: boolean;
}

/** Files on the way through a snapshot. */
interface Reading {
  done: number;
  total: number;
  bytes: number;
  until: number;
  reported: number;
}

export class Keeping {
  readonly #d: CheckpointDeps;
  readonly #trees: FileTrees;
  readonly #store: CheckpointStore;
  /** What each file's entry and content were when it was last read. */
  readonly #known = new Map<string, { stamp: string; state: FileState }>();

  #empty: Promise<FileState> | undefined;

  constructor(deps: CheckpointDeps, trees: FileTrees, store: CheckpointStore) {
    this.#d = deps;
    this.#trees = trees;
    this.#store = store;
  }

  /**
   * What could not be kept, judged by names and sizes alone; nothing is read or written. `asks`: there is more to it than
   * installed dependencies and places outside the project, so that it is worth a question.
   */
  async foresee(destruction: Destruction): Promise<Foreseen> {
    const survey = await this.#survey(destruction);
    let bytes = 0;
    const large = survey.entries.filter(({ size }) => {
      const isKept = size <= fileLimit && bytes + size <= this.#bytesLimit;
      if (isKept) bytes += size;
      return !isKept;
    });
    const left = [...survey.cut, ...large.map(({ path }) => path)];
    return { notKept: this.#notKept(survey, large, []), asks: !left.every(isDependency) };
  }

  /** Durable when it resolves. `report` is called when it takes long. */
  async before(
    destruction: Destruction,
    report: (progress: { done: number; total: number }) => void,
  ): Promise<KeptBefore> {
    const at = this.#d.clock.now().getTime();
    const survey = await this.#survey(destruction);
    const now = performance.now();
    const reading: Reading = {
      ...{ done: 0, total: survey.entries.length, bytes: 0 },
      ...{ until: now + readingTime, reported: now },
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
      if (performance.now() - reading.reported < reportEvery) return;
      reading.reported = performance.now();
      report({ done: reading.done, total: reading.total });
    });
    const { targets } = survey;
    const { git } = destruction;
    const manifest = writeManifest({ targets, git, states: [...states] });
    const stored = await this.#store.keep({ kind: "file", bytes: manifest });
    if (typeof stored !== "object" || stored === null) throw new Error("the list of files was not kept");
    const kept: Kept = {
      ...{ files, bytes: size, notKept: this.#notKept(survey, large, unreadable) },
      ...(git ? { git: await this.#head() } : {}),
      manifest: { hash: stored.hash, size: stored.size },
    };
    const entries = new Map(survey.entries.map((entry) => [entry.path, entry]));
    return { kept, targets, git, states, entries, at };
  }

  /** What a crash left behind, to be compared with the files as they are now; undefined: it is not kept any more. */
  async recover(kept: Kept, at: number): Promise<KeptBefore | undefined> {
    const content = await this.#store.content({ kind: "file", ...kept.manifest });
    if (!content) return undefined;
    const { targets, git, states } = readManifest(content.bytes);
    return { kept, targets, git, states: new Map(states), entries: new Map(), at };
  }

  /** Another process may have freed what it did not yet see in use: looked at again once the record is written. */
  async ensure({ states, entries }: KeptBefore): Promise<void> {
    await inParallel(states, async ([path, state]) => {
      if (typeof state === "string" || (await this.#store.has(state))) return;
      const entry = entries.get(path);
      const content = entry && (await this.#trees.read(entry, fileLimit));
      if (content) await this.#store.keep(content);
    });
  }

  /** What the command changed of that. `left`: files that changed and were not kept. */
  async after(before: KeptBefore): Promise<{ files: FileChange[]; left: string[] }> {
    const survey = await this.#survey({ targets: before.targets, git: before.git }, false);
    const entries = new Map(survey.entries.map((entry) => [entry.path, entry]));
    const reading: Reading = {
      ...{ done: 0, total: 0, bytes: 0, reported: 0 },
      until: performance.now() + readingTime,
    };
    const isCut = (path: string): boolean => survey.cut.some((folder) => isWithin(path, folder));
    const ids = new Set([...before.entries.values()].map(({ id }) => id));
    const isNew = ({ born, id }: TreeEntry): boolean => born >= before.at - clockGrain || ids.has(id);
    const files: FileChange[] = [];
    const left: string[] = [];
    await inParallel(new Set([...before.states.keys(), ...entries.keys()]), async (path) => {
      const state = before.states.get(path) ?? null;
      const [old, entry] = [before.entries.get(path), entries.get(path)];
      if (old && entry && old.stamp === entry.stamp && this.#isSettled(old)) return;
      if (!entry && isCut(path)) return;
      // Another link may lead there now: what was there all along is not what the command made.
      if (entry && !before.states.has(path) && !isNew(entry)) return;
      if (typeof state === "string") {
        if (entry?.stamp !== old?.stamp) left.push(path);
        return;
      }
      const after = entry ? await this.#keep(entry, reading) : null;
      if (!sameState(state, after)) files.push({ path, before: state, after });
    });
    return { files: before.git ? await this.#withoutGit(files) : files, left };
  }

  /** Git's own folder is git's affair, unless the whole of it is gone. */
  async #withoutGit(files: readonly FileChange[]): Promise<FileChange[]> {
    const folders = new Set(files.flatMap(({ path }) => gitFolderOf(path) ?? []));
    const present = new Set<string>();
    await inParallel(folders, async (folder) => {
      if ((await this.#d.files.read(folder, 0)) !== null) present.add(folder);
    });
    return files.filter(({ path }) => !present.has(gitFolderOf(path) ?? ""));
  }

  async #keep(entry: TreeEntry, reading: Reading): Promise<FileState> {
    if (entry.kind === "other") return "other";
    if (entry.kind === "directory") return this.#folder(entry.mode);
    const isRoom = reading.bytes + entry.size <= this.#bytesLimit && performance.now() < reading.until;
    if (entry.size > fileLimit || !isRoom) return "large";
    reading.bytes += entry.size;
    const known = this.#known.get(entry.path);
    if (known?.stamp === entry.stamp && (await this.#store.has(known.state))) return known.state;
    const readAt = Date.now();
    const content = await this.#trees.read(entry, fileLimit);
    if (!content) return "other";
    const state = await this.#store.keep(content);
    if (readAt - entry.changed > settledAfter) this.#remember(entry, state);
    return state;
  }

  /** All folders have one content, which is none. */
  async #folder(mode: number | undefined): Promise<FileState> {
    this.#empty ??= this.#store.keep({ kind: "directory", bytes: new Uint8Array() });
    const state = await this.#empty;
    return typeof state === "object" && state && mode !== undefined ? { ...state, mode } : state;
  }

  #remember(entry: TreeEntry, state: FileState): void {
    if (this.#known.size > 2 * snapshotEntries) this.#known.clear();
    this.#known.set(entry.path, { stamp: entry.stamp, state });
  }

  #isSettled(entry: TreeEntry): boolean {
    return this.#known.get(entry.path)?.stamp === entry.stamp;
  }

  get #bytesLimit(): number {
    return this.#d.settings().maxSize * 1_000_000 * snapshotShare;
  }

  #survey({ targets, git }: Destruction, follow = true): Promise<Survey> {
    const limits = { entries: snapshotEntries, time: surveyTime };
    return this.#trees.survey(targets, { roots: this.#d.roots?.() ?? [], git, follow, limits });
  }

  async #head(): Promise<NonNullable<KeptView["git"]>> {
    const [root] = this.#d.roots?.() ?? [];
    const head = root === undefined ? undefined : await this.#trees.head(root);
    return head === undefined ? {} : { head };
  }

  #notKept(survey: Survey, large: readonly TreeEntry[], unreadable: readonly TreeEntry[]): NotKept[] {
    const told = (why: NotKept["why"], paths: readonly string[]): NotKept[] =>
      paths.length === 0
        ? []
        : [{ why, count: paths.length, names: paths.slice(0, mostNames).map((path) => this.name(path)) }];
    const pathOf = ({ path }: TreeEntry): string => path;
    return [
      ...told("size", [...survey.cut, ...large.map(pathOf)]),
      ...told("unreadable", unreadable.filter(({ size }) => size > 0).map(pathOf)),
      ...told("outside", survey.outside),
    ];
  }

  /** For people. */
  name(path: string): string {
    for (const root of this.#d.roots?.() ?? []) {
      const below = relative(root, path);
      if (below !== "" && !below.startsWith("..") && below !== path) return below;
    }
    return path;
  }
}

function isDependency(path: string): boolean {
  return path.split(/[\\/]/).some((name) => dependencyFolders.has(name));
}

function isWithin(path: string, folder: string): boolean {
  return path === folder || path.startsWith(`${folder}/`) || path.startsWith(`${folder}\\`);
}

/** The outermost `.git` that the path is or is in. */
function gitFolderOf(path: string): string | undefined {
  return /^(.*?[\\/]\.git)(?=$|[\\/])/s.exec(path)?.[1];
}
