/** What checkpoints need from a host, and their inputs and results. */

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
  /** Absent if snapshots are not available. */
  snapshots?: Snapshots;
  /** Absent if commands are not protected. */
  trees?: FileTrees;
  /** The project's folders. */
  roots?(): readonly string[];
  /** Whether commands are running in the background. */
  hasBackground?(): boolean;
  /**
   * Returns `now` with the change from `before` to `after` reverted; undefined if that is ambiguous. If absent, a file
   * that changed since is not touched.
   */
  revertChange?(before: Uint8Array, after: Uint8Array, now: Uint8Array): Uint8Array | undefined;
  clock: Pick<Clock, "now">;
  log: Log;
  /** `maxSize`: megabytes. */
  settings(): { enabled: boolean; maxSize: number };
  newId(): string;
  /** Returns the SHA-256 as lower-case hexadecimal; absent: a thread of the runtime computes it. */
  sha256?(bytes: Uint8Array): Promise<string> | string;
}

/** A call that may change files. */
export interface ChangingCall {
  callId: string;
  /** Absolute paths of the files that it writes. */
  paths: readonly string[];
  /** It may change anything, as a command can. */
  anything: boolean;
  /** What the call is known to destroy; it is backed up first. */
  destroys?: Destruction;
}

/** A file in its state at a checkpoint. undefined in place of a content: it is no longer stored, or never was. */
export interface ChangedContent {
  path: string;
  before: FileContent | null | undefined;
  /** For a single change; absent if the current file is meant. */
  after?: FileContent | null | undefined;
}

export interface PlannedFile {
  path: string;
  /** The state after the restore. */
  target: FileState;
  /** The current state. */
  current: FileState;
  /** The user or someone else changed the file after the agent did. */
  changedSince: boolean;
  /** Later changes stay in the file: only this one change is reverted. */
  mixed?: boolean;
  /** The previous content is not stored, so it cannot be restored. */
  lost: boolean;
  /** A folder that is removed as well if it is empty. */
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
  /** Id of the restore's own change, for undoing it; undefined: nothing had to be done. */
  id?: string;
}

/** busy: a call is changing files. unknown: the session has no such checkpoint. */
export class CheckpointError extends Error {
  readonly code: "busy" | "unknown";

  constructor(code: CheckpointError["code"]) {
    super(code === "busy" ? "a call is changing files right now" : "there is no such checkpoint");
    this.code = code;
  }
}

/**
 * Resolves as `work` does; with `nothing` if there is no such checkpoint, as for a message that changed no file or a task without
 * checkpoints.
 */
export async function ifKept<T>(work: Promise<T>, nothing: T): Promise<T> {
  try {
    return await work;
  } catch (error) {
    if (error instanceof CheckpointError && error.code === "unknown") return nothing;
    throw error;
  }
}

/** Maximum bytes per file; larger files are not stored. */
export const FILE_LIMIT = 50_000_000;
