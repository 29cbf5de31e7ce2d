/** States of a project's folder, as its version control sees files. */
import type { FileContent } from "./file-states.ts";

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
