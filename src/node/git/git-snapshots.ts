/**
 * The `Snapshots` port, implemented with git plumbing in a private repository beside the sessions, with its own index, objects,
 * settings and excludes. It uses the objects of the user's repository as alternates and starts from a copy of its index, so
 * that 100,000 files need not be read again. The user's repository settings are never read, so they cannot start anything.
 */
import { constants } from "node:fs";
import { access, copyFile, lstat, readFile, realpath, rm, stat, utimes } from "node:fs/promises";
import path from "node:path";
import { inParallel, SerialQueue } from "../../core/async.ts";
import type { Snapshot, SnapshotChange, Snapshots } from "../../core/ports/snapshots.ts";
import type { Log } from "../../core/ports/system.ts";
import { findProgram, withSafePath } from "../find-programs.ts";
import { findRepository, type Repository } from "./find-repository.ts";
import { plainGitEnvironment, runGit } from "./git-process.ts";
import { type IndexedFiles, indexedFiles } from "./index-entries.ts";
import {
  canBeFound,
  listInput,
  names,
  parseBlobs,
  parseRawDiff,
  parseStage,
  takeFields,
  takeSizes,
} from "./plumbing-output.ts";
import { makePrivateRepository, readAsBytes } from "./private-repository.ts";

export interface GitSnapshotOptions {
  /** The folder whose files are in the snapshot. */
  root: string;
  /** All workspace folders, which are not searched for git; default: only `root`. */
  roots?: readonly string[];
  /** A folder used only by this process; created when needed, removed by `dispose`. */
  privateDir: string;
  environment: NodeJS.ProcessEnv;
  log: Log;
  /** Bytes of the largest file in a snapshot. */
  fileLimit?: number;
  /** The most files, and their total bytes, that one snapshot reads again. */
  newFilesLimit?: number;
  newBytesLimit?: number;
}

type Unavailable = Extract<Snapshot, { unavailable: unknown }>;
type Git = (args: readonly string[], input?: Uint8Array, env?: NodeJS.ProcessEnv) => Promise<Buffer>;

interface Opened {
  repository: Repository;
  git: Git;
  /** The project's folder relative to the top of the repository, with `/`; "": the top itself. */
  scope: string;
  /** What git reports of the files on disk, until the snapshot that opened the repository is taken. */
  listed?: Promise<Listed> | undefined;
}

/** What git reports of the project's folder. */
interface Listed {
  gone: string[];
  changed: string[];
  untracked: string[];
  /** Folders of other repositories. */
  nested: string[];
}

/** Names that git reported, sorted by their current state. `bytes`: total size of those present. */
interface Sorted {
  present: string[];
  absent: string[];
  /** Too large or unreadable files; they are in `absent` too. */
  omitted: string[];
  bytes: number;
}

/** Bytes of objects after which the private repository is recreated. */
const PRIVATE_LIMIT = 500_000_000;
/** Folders whose files take longer to write than another process. */
const MANY_TREES = 200;
/** Attempts at a snapshot, because files may change while they are read. */
const MOST_TRIES = 3;

export class GitSnapshots implements Snapshots {
  readonly #options: Required<GitSnapshotOptions>;
  #opened: Promise<Opened | Unavailable> | undefined;
  /** Serializes the commands, which share an index. */
  readonly #queue = new SerialQueue();
  readonly #stop = new AbortController();
  #written = 0;
  /** Files that the last snapshot omitted. */
  #omitted = new Set<string>();
  /** The tree of the index; undefined: it is not written yet. */
  #tree: string | undefined;

  constructor(options: GitSnapshotOptions) {
    this.#options = {
      roots: [],
      fileLimit: 10_000_000,
      newFilesLimit: 150_000,
      newBytesLimit: 2_000_000_000,
      ...options,
    };
  }

  take(): Promise<Snapshot> {
    return this.#queue.run(async () => {
      try {
        if (this.#written > PRIVATE_LIMIT) await this.#forget();
        this.#opened ??= this.#open(true);
        const opened = await this.#opened;
        return "unavailable" in opened ? opened : await this.#upToDate(opened);
      } catch (error) {
        if (this.#stop.signal.aborted) return { unavailable: "failed" };
        this.#options.log.error("no snapshot of the repository", error);
        // Recreates the private repository, in case its index is broken.
        await this.#forget();
        return { unavailable: "failed" };
      }
    });
  }

  changes(from: string, to: string): Promise<SnapshotChange[]> {
    return this.#queue.run(async () => {
      const opened = await this.#opened;
      if (from === to || !opened || "unavailable" in opened) return [];
      const raw = await opened.git([
        "diff-tree",
        "-r",
        "-z",
        "--raw",
        "--no-renames",
        "--full-index",
        from,
        to,
      ]);
      return parseRawDiff(raw).map(({ name, before, after }) => ({
        path: path.join(opened.repository.top, name),
        before,
        after,
      }));
    });
  }

  ignored(): Promise<string[] | undefined> {
    return this.#queue.run(async () => {
      try {
        this.#opened ??= this.#open(false);
        const opened = await this.#opened;
        if ("unavailable" in opened) return undefined;
        const { git, repository, scope } = opened;
        const of = ["--others", "--ignored", "--exclude-standard", "--directory", "--no-empty-directory"];
        const listed = await git(["ls-files", "-z", ...of, ...(scope === "" ? [] : ["--", scope])]);
        return names(listed).map((name) => path.join(repository.top, name));
      } catch (error) {
        this.#options.log.error("the ignored files are not known", error);
        return undefined;
      }
    });
  }

  async read(ids: readonly string[], limit: number, total: number): Promise<Map<string, Uint8Array>> {
    return this.#queue.run(async () => {
      const opened = await this.#opened;
      if (ids.length === 0 || !opened || "unavailable" in opened) return new Map();
      const queried = await listInput([...new Set(ids)], "\n", String);
      const sizes = await opened.git(
        ["cat-file", "--batch-check=%(objectname) %(objecttype) %(objectsize)"],
        queried,
      );
      let sum = 0;
      const chosen: string[] = [];
      for (const line of sizes.toString("latin1").split("\n")) {
        const [id = "", type, size = ""] = line.split(" ");
        if (type !== "blob" || Number(size) > limit || sum + Number(size) > total) continue;
        sum += Number(size);
        chosen.push(id);
      }
      return chosen.length === 0
        ? new Map()
        : parseBlobs(await opened.git(["cat-file", "--batch"], await listInput(chosen, "\n", String)));
    });
  }

  dispose(): Promise<void> {
    this.#stop.abort();
    return this.#queue.run(() => this.#forget());
  }

  async #forget(): Promise<void> {
    this.#opened = undefined;
    this.#written = 0;
    this.#omitted.clear();
    this.#tree = undefined;
    await rm(this.#options.privateDir, { recursive: true, force: true });
  }

  /** `isForSnapshot`: whether a snapshot is taken right after this. */
  async #open(isForSnapshot: boolean): Promise<Opened | Unavailable> {
    const { root, privateDir } = this.#options;
    const repository = await findRepository(root);
    if (!repository) return { unavailable: "no-repository" };
    const roots = [repository.top, root, ...(this.#options.roots ?? [])];
    const environment = withSafePath(this.#options.environment, roots);
    const program = findProgram("git", environment, roots);
    if (program === undefined) return { unavailable: "no-git" };
    await makePrivateRepository(privateDir, repository, program, environment);
    const env = {
      ...plainGitEnvironment(environment, roots),
      GIT_DIR: privateDir,
      GIT_WORK_TREE: repository.top,
      GIT_INDEX_FILE: path.join(privateDir, "index"),
      // `check-attr` would write each line by itself.
      GIT_FLUSH: "0",
    };
    const ours = { ...env, GIT_OBJECT_DIRECTORY: path.join(privateDir, "objects") };
    const all = { ...env, GIT_OBJECT_DIRECTORY: path.join(privateDir, "all") };
    const git: Git = ([command = "", ...rest], input, more) => {
      const objects = command === "update-index" || command === "write-tree" ? ours : all;
      // Once git is gone, the private repository can be removed.
      const stop = { signal: this.#stop.signal, untilGone: true };
      return runGit(program, [command, ...rest], { ...objects, ...more }, repository.top, {
        ...stop,
        ...(input ? { input } : {}),
      });
    };
    const scope = path
      .relative(repository.top, await realpath(root))
      .split(path.sep)
      .join("/");
    const opened: Opened = { repository, git, scope };
    await this.#seed(opened, isForSnapshot);
    return opened;
  }

  /**
   * Starts from a copy of the user's index. An entry is valid only if git stores the file's exact bytes; an entry whose size
   * differs from the file's, or that a filter may have converted, is dropped and the file is read again.
   */
  async #seed(opened: Opened, isForSnapshot: boolean): Promise<void> {
    const { repository, git } = opened;
    const { privateDir } = this.#options;
    const index = path.join(privateDir, "index");
    try {
      const theirs = path.join(repository.gitDir, "index");
      const { atimeMs, mtimeMs } = await stat(theirs);
      await copyFile(theirs, index);
      // Keeps the index's time: git does not trust entries as recent as the index, and a newer copy would make it trust them.
      await utimes(index, Math.floor(atimeMs / 1000), Math.floor(mtimeMs / 1000));
      const filtering = filteredNames(git);
      filtering.catch(() => {});
      const files = await readIndex(index, repository, git).finally(() => settled(filtering));
      const filtered = await filtering;
      if (files.assumed.length > 0)
        await git(["update-index", "-z", "--no-assume-unchanged", "--stdin"], await zeros(files.assumed));
      await this.#drop(git, [...files.others, ...filtered]);
      await readAsBytes(privateDir);
      // Most often the sizes are right, and then this is the first snapshot's list.
      const listed = isForSnapshot ? this.#list(opened) : undefined;
      // It is awaited below, or by the first snapshot.
      listed?.catch(() => {});
      const packing = this.#packTrees(git, files.trees);
      const wrong = await otherSizes(files, git).finally(async () => {
        await settled(listed);
        await packing;
      });
      await this.#drop(git, wrong);
      if (wrong.length === 0) opened.listed = listed;
    } catch (error) {
      this.#stop.signal.throwIfAborted();
      // There is no index, or this git cannot read it without its repository: every file is read once.
      this.#options.log.info(`the repository's index was not copied: ${String(error)}`);
      await rm(index, { force: true });
      await readAsBytes(privateDir);
    }
  }

  /**
   * Packs the folders of the copied index, so that `write-tree`, which sees only the private objects, writes none of them again: as a file
   * each, those of a large repository take longer than all the rest. Never rejects.
   */
  async #packTrees(git: Git, trees: readonly string[]): Promise<void> {
    if (trees.length < MANY_TREES) return;
    const place = path.join(this.#options.privateDir, "objects/pack/pack");
    try {
      const ids = await listInput(trees, "\n", String);
      await git(["pack-objects", "--quiet", "--threads=1", "--window=0", place], ids);
    } catch (error) {
      this.#options.log.info(`the folders of the repository's index were not packed: ${String(error)}`);
    }
  }

  async #drop(git: Git, files: readonly string[]): Promise<void> {
    if (files.length > 0) await git(["update-index", "-z", "--force-remove", "--stdin"], await zeros(files));
  }

  /** Takes the snapshot again if git fails because a file shrinks or disappears while git reads it. */
  async #upToDate(opened: Opened): Promise<Snapshot> {
    for (let tries = 1; ; tries++) {
      try {
        return await this.#advance(opened);
      } catch (error) {
        if (tries === MOST_TRIES || this.#stop.signal.aborted) throw error;
        this.#options.log.info(`the repository's files changed under a snapshot: ${String(error)}`);
      }
    }
  }

  async #list({ git, scope }: Opened): Promise<Listed> {
    const within = scope === "" ? [] : ["--", scope];
    const [tracked, others] = await Promise.all([
      git(["diff-files", "-z", "--name-status", "--ignore-submodules=all", "--no-renames", ...within]),
      git(["ls-files", "-z", "--others", "--exclude-standard", ...within]),
    ]);
    const listed: Listed = { gone: [], changed: [], untracked: [], nested: [] };
    let state = "";
    await takeFields(tracked, "\0", (field) => {
      if (state === "") state = field;
      else {
        if (canBeFound(field)) (state === "D" ? listed.gone : listed.changed).push(field);
        state = "";
      }
    });
    await takeFields(others, "\0", (field) => {
      if (!canBeFound(field)) return;
      if (field.endsWith("/")) listed.nested.push(field.slice(0, -1));
      else listed.untracked.push(field);
    });
    return listed;
  }

  /** Updates the index to the files on disk. */
  async #advance(opened: Opened): Promise<Snapshot> {
    const { repository, git } = opened;
    const known = opened.listed;
    opened.listed = undefined;
    const listed = await (known ?? this.#list(opened));
    const candidates = [...listed.untracked, ...listed.changed];
    const sorted = await this.#sort(repository.top, candidates);
    if (sorted.present.length > this.#options.newFilesLimit || sorted.bytes > this.#options.newBytesLimit) {
      return { unavailable: "too-many" };
    }
    const untracked = new Set(listed.untracked);
    const dropped = [...listed.gone, ...sorted.absent.filter((name) => !untracked.has(name))];
    if (dropped.length > 0 || sorted.present.length > 0) this.#tree = undefined;
    await this.#drop(git, dropped);
    if (sorted.present.length > 0) {
      // With --remove, a file that has disappeared is not an error.
      await git(
        ["update-index", "-z", "--add", "--replace", "--remove", "--stdin"],
        await zeros(sorted.present),
      );
      this.#written += sorted.bytes;
    }
    this.#tree ??= (await git(["write-tree", "--missing-ok"])).toString("latin1").trim();
    const tree = this.#tree;
    this.#omitted = new Set(sorted.omitted.map((name) => path.join(repository.top, name)));
    const nested = listed.nested.map((name) => path.join(repository.top, name));
    return { tree, left: [...this.#omitted], ...(nested.length > 0 ? { nested } : {}) };
  }

  async #sort(top: string, candidates: readonly string[]): Promise<Sorted> {
    const sorted: Sorted = { present: [], absent: [], omitted: [], bytes: 0 };
    const sort = async (name: string): Promise<void> => {
      const file = path.join(top, name);
      const stats = await lstat(file).catch(() => undefined);
      const ordinary = stats?.isFile() || stats?.isSymbolicLink();
      if (!stats || !ordinary) sorted.absent.push(name);
      else if (stats.size > this.#options.fileLimit || !(await isReadable(file, stats.isFile()))) {
        sorted.omitted.push(name);
        sorted.absent.push(name);
      } else {
        sorted.present.push(name);
        sorted.bytes += stats.size;
      }
    };
    await inParallel(candidates, sort, 32);
    return sorted;
  }
}

async function isReadable(file: string, isFile: boolean): Promise<boolean> {
  if (!isFile) return true;
  return access(file, constants.R_OK).then(
    () => true,
    () => false,
  );
}

/** `index`: the path of the copy. */
async function readIndex(index: string, { sha256 }: Repository, git: Git): Promise<IndexedFiles> {
  return (await indexedFiles(await readFile(index), sha256 ? 32 : 20)) ?? listedFiles(git);
}

/** The files of the index as git prints them, for one that only git can read. */
async function listedFiles(git: Git): Promise<IndexedFiles> {
  const [staged, flags] = await Promise.all([
    git(["ls-files", "--stage", "--debug", "-z"]),
    git(["ls-files", "-v", "-z"]),
  ]);
  const entries = await parseStage(staged);
  const files = entries.filter(({ kind }) => kind !== undefined);
  const assumed: string[] = [];
  await takeFields(flags, "\0", (field) => {
    // Lower case marks files that are assumed unchanged.
    if (/^[a-z]/.test(field)) assumed.push(field.slice(2));
  });
  return {
    others: entries.filter(({ kind }) => kind === undefined).map(({ name }) => name),
    assumed,
    ids: await listInput(files, "\n", ({ id }) => id),
    trees: [],
    sizes: files.map(({ size }) => size),
    namesAt: async (places) => places.map((place) => files[place]?.name ?? ""),
  };
}

/** Names of files whose stored content may differ from the file's, even if the sizes match. */
async function filteredNames(git: Git): Promise<string[]> {
  // All files but those for which nothing names a filter or an encoding: most often none.
  const some = ["ls-files", "-z", "--", ":(exclude,attr:!filter !working-tree-encoding)"];
  const input = await git(some, undefined, { GIT_LITERAL_PATHSPECS: "0" });
  if (input.length === 0) return [];
  const output = await git(["check-attr", "-z", "--stdin", "filter", "working-tree-encoding"], input);
  const filtered = new Set<string>();
  // Name, attribute and value in turn.
  let name = "";
  let at = 0;
  await takeFields(output, "\0", (field) => {
    if (at === 0) name = field;
    if (at === 2 && field !== "unspecified" && field !== "unset") filtered.add(name);
    at = (at + 1) % 3;
  });
  return [...filtered];
}

/** Names of files whose stored content has another size than the file had when git last checked. */
async function otherSizes({ ids, sizes, namesAt }: IndexedFiles, git: Git): Promise<string[]> {
  const output = await git(["cat-file", "--buffer", "--batch-check=%(objectsize)"], ids);
  const others: number[] = [];
  let place = 0;
  await takeSizes(output, (size) => {
    if (size !== sizes[place]) others.push(place);
    place += 1;
  });
  if (place !== sizes.length) throw new Error("git did not answer for each file");
  return namesAt(others);
}

async function settled(work: Promise<unknown> | undefined): Promise<void> {
  await work?.catch(() => {});
}

const zeros = (all: readonly string[]): Promise<Buffer> => listInput(all, "\0", String);
