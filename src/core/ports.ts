/**
 * All that core may ask of a host. Each port is small enough to be written in memory for a test. Paths are absolute,
 * in the host's own form; every call that can take long takes a signal.
 */
import type { Disposable } from "./lifecycle.ts";
import type { Shell } from "./shell.ts";

export type { CommandEnd, Shell, TerminalInfo } from "./shell.ts";

export interface FileStat {
  kind: "file" | "directory" | "other";
  /** Bytes. */
  size: number;
  /** Changes whenever the content may have changed (modification time and size, or better). */
  version: string;
}

/** A text file as the person's editor would show it, with all that is needed to write it back as it was. */
export interface TextFile {
  text: string;
  encoding: string;
  bom: boolean;
  version: string;
}

export interface Files {
  /** undefined: there is nothing at that path. Follows links. */
  stat(path: string): Promise<FileStat | undefined>;
  /** The path with every link resolved; rejects when it does not exist. */
  realpath(path: string): Promise<string>;
  /** Where a link points, as it is written in the link; rejects for what is no link. */
  readlink(path: string): Promise<string>;
  /** Whole content; rejects when it is larger than `limit` bytes. */
  readBytes(path: string, limit: number): Promise<Uint8Array>;
  /** Decoded text, from the editor's unsaved buffer where the host has one. A binary file rejects with ToolError. */
  readText(path: string): Promise<TextFile>;
  list(path: string): Promise<{ name: string; kind: FileStat["kind"] }[]>;
}

/** What a write did: the text that stands now (after the editor's formatting) and what the person changed in it. */
export interface Saved {
  finalText: string;
  encoding: string;
  /** Set when the person edited the proposal before approving: the text they approved. */
  personText?: string;
  /** Problems that the language servers report and did not before, one a line. */
  newProblems: string[];
}

/**
 * A proposed change to one file, shown to the person where the host has an editor. Nothing touches the real file until
 * `save`. Always ends in `save` or `discard`.
 */
export interface Preview {
  /** The proposal so far while it streams; cheap, may be coalesced. */
  update(text: string): void;
  /** The proposal is complete. */
  finish(text: string): Promise<void>;
  /**
   * Writes what the person approved, in the file's own encoding. Rejects with ToolError when the file no longer is what
   * it was (`expectedVersion`; null: must not exist) or its real path changed.
   */
  save(expectedVersion: string | null): Promise<Saved>;
  discard(): Promise<void>;
}

/** The state in which a file was when its removal or move was proposed. */
export interface ExpectedFile {
  version: string;
  /** The real path of the folder that it is in. */
  folder: string;
}

export interface ExpectedMove extends ExpectedFile {
  /** Where the new path really led when the move was proposed, every link followed. */
  target: string;
}

export interface Editor {
  /** `show: false`: the change needs no approval, so nothing opens; only `save` matters. */
  preview(path: string, original: TextFile | null, options: { show: boolean }): Preview;
  /** Removes a file (of a link, the link). Rejects with ToolError, having done nothing, when it is not as expected. */
  remove(path: string, expected: ExpectedFile): Promise<void>;
  /** Moves a file to a path where nothing is; folders are made. Rejects as `remove` does, and never replaces anything. */
  rename(path: string, to: string, expected: ExpectedMove): Promise<void>;
}

export interface SearchHit {
  /** Relative to the searched root, with `/`. */
  path: string;
  lines: { number: number; text: string; match: boolean }[];
}

export interface Search {
  /** Rejects with ToolError carrying ripgrep's own message for a bad pattern. Stops after `limit` matches. */
  grep(
    root: string,
    options: { regex: string; glob?: string; contextLines: number; limit: number; signal: AbortSignal },
  ): Promise<{
    hits: SearchHit[];
    matches: number;
    more: boolean;
    /** What could not be read, and why; left out when all could. */
    unread?: string[];
  }>;
  /** Files below `root` that are not ignored, relative, with `/`; stops after `limit`. */
  files(
    root: string,
    options: { limit: number; signal: AbortSignal },
  ): Promise<{ paths: string[]; more: boolean }>;
}

/** Facts about where the person works, for the environment details. Paths relative to the workspace, with `/`. */
export interface Surroundings {
  /** "Visual Studio Code" or "Terminal". */
  readonly hostName: string;
  visibleFiles(): string[];
  openTabs(): string[];
  /** Files changed by the person since last asked. */
  recentlyModified(): string[];
  /** Command-line tools found on the machine. */
  cliTools(): Promise<string[]>;
  /** What the language servers report over the workspace, one a line, worst first, bounded. */
  problems?(): string[];
  /** The user's own terminals, oldest first: without what they printed. */
  userTerminals?(): UserTerminal[];
  /** What the person's active terminal shows, newest last, bounded; "" where there is none. */
  terminalOutput?(signal: AbortSignal): Promise<string>;
}

/** A terminal that the user opened. */
export interface UserTerminal {
  name: string;
  /** A command runs in it. */
  running: boolean;
  /** The one that runs, or ran last; absent where the shell does not tell of its commands. */
  command?: string;
  /** Of the last command; absent where the shell does not tell it. */
  exitCode?: number;
  /** For how long the command has run. */
  durationMs?: number;
}

/** Bounds of a text that is fetched: characters, and what ends it. */
export interface TextBounds {
  limit: number;
  signal: AbortSignal;
}

/** What git says of the repository that a folder is in. Rejects with ToolError where there is none. */
export interface Git {
  /** Branch, status, and the difference of the working tree to the last commit. */
  workingState(folder: string, bounds: TextBounds): Promise<string>;
  /** Message, author, files and difference of one commit. */
  commit(folder: string, hash: string, bounds: TextBounds): Promise<string>;
  /**
   * What a reading command of git's prints in this folder, by the configuration and the environment that a command of the
   * user's has; none of the programs that these name is started. "" where a search finds nothing, undefined where git
   * ends because there is no such revision or path. Rejects on every other failure, and where it prints more than the limit.
   */
  ask(
    folder: string,
    args: readonly string[],
    bounds: TextBounds,
    input?: string,
  ): Promise<string | undefined>;
  /** A variable of the environment by which git takes another repository than that of the folder; undefined: none is set. */
  readonly steeredBy: string | undefined;
  /** The newest commits whose subject or hash contains `query`. */
  commits(
    folder: string,
    query: string,
    bounds: TextBounds,
  ): Promise<{ hash: string; subject: string; date: string }[]>;
}

export interface Web {
  /**
   * A page as Markdown. http and https only; private, loopback and link-local addresses are refused unless the person
   * allowed the host, at each redirect anew. `url` is where it was found. Rejects with ToolError, with Interrupt when
   * `signal` aborts.
   */
  fetch(
    url: string,
    options: TextBounds & { timeoutMs: number; allowedHosts?: readonly string[] },
  ): Promise<{ url: string; title: string; text: string }>;
}

export interface Workspace {
  /** The folder commands run in; undefined: no folder is open. */
  readonly root: string | undefined;
  /** Every folder, with the name it has in the workspace. */
  readonly roots: readonly { name: string; path: string }[];
  readonly trusted: boolean;
}

export interface SystemInfo {
  os: string;
  platform: "linux" | "darwin" | "win32";
  home: string;
  /** IANA name. */
  timeZone: string;
  locale: string;
}

export interface Clock {
  now(): Date;
  /** Calls `run` once after `ms`; disposing cancels. */
  after(ms: number, run: () => void): Disposable;
}

export interface Log {
  info(text: string): void;
  error(text: string, cause?: unknown): void;
}

/** Something that one process at a time has. */
export interface Hold {
  /** False: another process took it over. */
  isMine(): Promise<boolean>;
  release(): Promise<void>;
}

/** Durable bytes for the session store. Names are relative to the store's folder, with `/`. */
export interface Storage {
  /** Content from byte `from` (default 0) to the end; undefined: there is no such file. */
  read(name: string, from?: number): Promise<Uint8Array | undefined>;
  /** `version` differs whenever the file was replaced or grew. */
  stat(name: string): Promise<{ size: number; version: string } | undefined>;
  /** Appended when it resolves, and synced to the disk unless `synced` is false. */
  append(name: string, bytes: Uint8Array, synced?: boolean): Promise<void>;
  /** The same bytes under a second name, which must be free or is replaced; as a second link where the disk has that. */
  duplicate(from: string, to: string): Promise<void>;
  /**
   * Replaced as a whole or not at all (temporary file, sync, rename). With `expected`, rejects where the file is not of
   * that version (undefined: not there) right before the last step.
   */
  replace(name: string, bytes: Uint8Array, expected?: { version: string | undefined }): Promise<void>;
  /** Nothing to remove is no error. */
  remove(name: string): Promise<void>;
  rename(from: string, to: string): Promise<void>;
  /** Names of the files directly in `folder`; none when there is no such folder. */
  list(folder: string): Promise<string[]>;
  /** Runs `work` while no other process holds the lock of that name; rejects when it cannot be had in `waitMs`. */
  locked<T>(name: string, work: () => Promise<T>, waitMs?: number): Promise<T>;
  /**
   * Takes `name` for this process until it releases it or ends, however it ends. undefined: another process that lives
   * has it; with `takeOver` it is taken from that one, which learns of it by `isMine`.
   */
  hold(name: string, takeOver?: boolean): Promise<Hold | undefined>;
  /** Names directly in `folder` that other processes hold. */
  heldElsewhere(folder: string): Promise<string[]>;
}

/**
 * What stands at a path, byte for byte, as a checkpoint keeps it. Of a link: the link, its target as the bytes. Of a
 * folder: no bytes. `mode`: permission bits, where they count.
 */
export interface FileContent {
  kind: "file" | "executable" | "link" | "directory";
  bytes: Uint8Array;
  mode?: number;
}

/** Files as bytes, for checkpoints. Paths are absolute and never follow a link at their end. */
export interface FileStates {
  /** The path with every link of its folder resolved, and of the file too when `follow`. */
  locate(path: string, follow: boolean): Promise<string>;
  /**
   * What is there, unsaved changes of the person's editor included. null: nothing. "large": more than `limit` bytes.
   * "other": a device, or something that cannot be read.
   */
  read(path: string, limit: number): Promise<FileContent | null | "large" | "other">;
  /** The outermost folder of the path that was made since that moment; undefined: none was, or the disk does not tell. */
  madeSince(path: string, moment: Date): Promise<string | undefined>;
  /** Removes what a process that died in the middle of writing the path left beside it. Never rejects. */
  tidy(path: string): Promise<void>;
  /** Removes the folders that the path is in, up to and with `outermost`, as far as nothing is in them. Never rejects. */
  prune(path: string, outermost: string): Promise<void>;
  /**
   * Makes the path hold `content` (null: nothing; a folder goes only when it is empty), all at once, if it still holds `expected` by the caller's judgement:
   * it is asked right before the one step that counts. Rejects with ToolError, having changed nothing, when not, or
   * when the path's folder leads elsewhere by now.
   */
  put(
    path: string,
    content: FileContent | null,
    isExpected: (found: FileContent | null | "large" | "other") => Promise<boolean>,
  ): Promise<void>;
}

/** One file between two snapshots; null: there is none. `id` is for `Snapshots.read`. */
export interface SnapshotChange {
  /** Absolute. */
  path: string;
  before: { kind: FileContent["kind"]; id: string } | null;
  after: { kind: FileContent["kind"]; id: string } | null;
}

/**
 * `left`: absolute paths of files that are not in it, because they are too large or cannot be read. `nested`: other
 * repositories in it, of which it says nothing. `missing`: folders of the workspace that it says nothing of.
 */
export type Snapshot =
  | { tree: string; left: string[]; nested?: string[]; missing?: string[] }
  /** no-repository: nothing to go by which files matter. no-git: no such program. too-many: files never seen before. */
  | { unavailable: "no-repository" | "no-git" | "too-many" | "failed" };

/** States of the project's folder, as its version control sees files; the person's repository is never touched. */
export interface Snapshots {
  take(): Promise<Snapshot>;
  /** Between two trees of this process. Gitlinks and files left out of either are not in it. */
  changes(from: string, to: string): Promise<SnapshotChange[]>;
  /** Contents by id; one that is larger than `limit` bytes, or all together than `total`, is not in it. */
  read(ids: readonly string[], limit: number, total: number): Promise<Map<string, Uint8Array>>;
  dispose(): Promise<void>;
}

export type DocumentKind = "pdf" | "docx" | "xlsx" | "html";

/** The text of documents that are not text files. */
export interface Documents {
  /**
   * The text of a document as Markdown; a page or sheet begins with a heading. Rejects with ToolError when it cannot be
   * read (damaged, locked by a password, too large), with Interrupt when `signal` aborts. Bounded in time and memory.
   */
  extract(bytes: Uint8Array, kind: DocumentKind, signal: AbortSignal): Promise<string>;
}

/** Files that ship with the product, such as grammars. */
export interface Assets {
  read(name: string): Promise<Uint8Array>;
}

/** Everything a task needs of its host. */
/** HTTP, as the runtime's own `fetch`. */
export type Fetch = (url: string | URL | Request, init?: RequestInit) => Promise<Response>;

export interface Host {
  files: Files;
  editor: Editor;
  shell: Shell;
  search: Search;
  documents: Documents;
  surroundings: Surroundings;
  git?: Git;
  web?: Web;
  /** To the model's endpoint, through proxies and for as long as the settings say; absent: the runtime's own. */
  fetch?: Fetch;
  workspace: Workspace;
  system: SystemInfo;
  assets: Assets;
  clock: Clock;
  log: Log;
  /** A new id, unique for all time. */
  newId(): string;
}
