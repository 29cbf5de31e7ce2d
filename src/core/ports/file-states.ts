/** The port that reads and writes files as bytes, for checkpoints. */

/**
 * The content of a path, byte for byte, as a checkpoint keeps it. For a link, `bytes` is the link's target; for a
 * folder, it is empty. `mode`: permission bits, on platforms that have them.
 */
export interface FileContent {
  kind: "file" | "executable" | "link" | "directory";
  bytes: Uint8Array;
  mode?: number;
}

/** Paths are absolute. A link in the last segment is never followed. */
export interface FileStates {
  /** Returns the path with all links in its folder resolved, and with `follow` those of the file too. */
  locate(path: string, follow: boolean): Promise<string>;
  /**
   * Returns the content, including unsaved changes in the user's editor. null: nothing exists. "large": more than
   * `limit` bytes. "other": a device, or something unreadable.
   */
  read(path: string, limit: number): Promise<FileContent | null | "large" | "other">;
  /**
   * Returns the outermost folder of the path that was created since `moment`; undefined if none was, or the file system
   * does not record it.
   */
  madeSince(path: string, moment: Date): Promise<string | undefined>;
  /** Removes temporary files that a process left next to the path when it died while writing it. Never rejects. */
  tidy(path: string): Promise<void>;
  /** Removes the empty folders that contain the path, up to and including `outermost`. Never rejects. */
  prune(path: string, outermost: string): Promise<void>;
  /**
   * Atomically sets the path's content. null removes the file (a folder only if it is empty). Calls `isExpected` with
   * the current content right before the final step. Rejects with ToolError, changing nothing, if that returns false or
   * if the path's folder now resolves elsewhere.
   */
  put(
    path: string,
    content: FileContent | null,
    isExpected: (found: FileContent | null | "large" | "other") => Promise<boolean>,
  ): Promise<void>;
}
