/**
 * The port that takes snapshots of a project's folder through version control. The user's repository is never changed.
 */
import type { FileContent } from "./file-states.ts";

/** A file that differs between two snapshots; null: it does not exist. Pass `id` to `Snapshots.read`. */
export interface SnapshotChange {
  /** Absolute. */
  path: string;
  before: { kind: FileContent["kind"]; id: string } | null;
  after: { kind: FileContent["kind"]; id: string } | null;
}

/**
 * `left`: absolute paths of files that the snapshot omits because they are too large or unreadable. `nested`: other
 * repositories inside the folder, which the snapshot does not cover. `missing`: workspace folders that the snapshot
 * does not cover.
 */
export type Snapshot =
  | { tree: string; left: string[]; nested?: string[]; missing?: string[] }
  /**
   * no-repository: nothing determines which files matter. no-git: git is not installed. too-many: too many files that
   * git has never seen.
   */
  | { unavailable: "no-repository" | "no-git" | "too-many" | "failed" };

export interface Snapshots {
  take(): Promise<Snapshot>;
  /** Compares two trees that this process took. Excludes gitlinks, and files that either snapshot omits. */
  changes(from: string, to: string): Promise<SnapshotChange[]>;
  /** Returns contents by id. Omits contents larger than `limit` bytes each, or beyond `total` bytes altogether. */
  read(ids: readonly string[], limit: number, total: number): Promise<Map<string, Uint8Array>>;
  /**
   * Returns the absolute paths of files and folders that no snapshot has, because version control ignores them; undefined: there is no
   * version control.
   */
  ignored?(): Promise<string[] | undefined>;
  /** Abandons a snapshot that is being taken. No other call works afterwards. */
  dispose(): Promise<void>;
}
