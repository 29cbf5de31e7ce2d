/** Files as bytes, for checkpoints. */

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
