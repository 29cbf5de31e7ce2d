/** What checkpoints need of a host, and what they give and take. */

import type { Fault } from "../../shared/reason.ts";
import type { FileContent, FileStates } from "../ports/file-states.ts";
import type { Destruction, FileTrees } from "../ports/file-trees.ts";
import type { Snapshots } from "../ports/snapshots.ts";
import type { Storage } from "../ports/storage.ts";
import type { Clock, Log } from "../ports/system.ts";
import type { FileState } from "./change-records.ts";

export interface CheckpointDeps {
  storage: Storage;
  files: FileStates;
  /** Left out where there is nothing that could take them. */
  snapshots?: Snapshots;
  /** Left out where commands are not protected. */
  trees?: FileTrees;
  /** The project's folders. */
  roots?(): readonly string[];
  /** Whether commands go on in the background at this moment. */
  hasBackground?(): boolean;
  /**
   * The third content with what made the second of the first taken back; undefined: not where that is sure. Left out: a
   * file that changed since is not touched.
   */
  takeBack?(before: Uint8Array, after: Uint8Array, now: Uint8Array): Uint8Array | undefined;
  clock: Pick<Clock, "now">;
  log: Log;
  /** `maxSize`: megabytes. */
  settings(): { enabled: boolean; maxSize: number };
  newId(): string;
}

/** One call that may change something. */
export interface ChangingCall {
  callId: string;
  /** Absolute paths of the files that it writes. */
  paths: readonly string[];
  /** It may change anything, as a command does. */
  anything: boolean;
  /** What it is known to destroy; that is kept first. */
  destroys?: Destruction;
}

/** A file from a checkpoint until now. `content` undefined: it is not kept any more, or never was. */
export interface ChangedContent {
  path: string;
  before: FileContent | null | undefined;
  /** Of one change; left out where the file as it is now is meant. */
  after?: FileContent | null | undefined;
}

export interface PlannedFile {
  path: string;
  /** What it will be. */
  target: FileState;
  /** What it is. */
  current: FileState;
  /** The person, or somebody else, changed it since the agent did. */
  changedSince: boolean;
  /** What was changed since stays in it: the one change alone is taken back. */
  mixed?: boolean;
  /** What it was is not kept: it cannot be put back. */
  lost: boolean;
  /** A folder that goes with it, should nothing else be in it. */
  made?: string;
}

export interface RestorePlan {
  id: string;
  files: PlannedFile[];
  undoes?: string;
}

export interface RestoreResult {
  restored: string[];
  failed: { path: string; fault: Fault }[];
  /** Of the change that the restore is, by which it can be undone; undefined: nothing was to be done. */
  id?: string;
}

/** busy: a call is changing files right now. unknown: there is no such checkpoint in the session on show. */
export class CheckpointError extends Error {
  readonly code: "busy" | "unknown";

  constructor(code: CheckpointError["code"]) {
    super(code === "busy" ? "a call is changing files right now" : "there is no such checkpoint");
    this.code = code;
  }
}

/** Bytes of one file; a larger one is not kept. */
export const fileLimit = 50_000_000;
