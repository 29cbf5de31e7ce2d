/** Proposed changes, shown where the host has an editor, and the only way to write a file. */
import type { TextFile } from "./files.ts";

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
   * Writes what the user approved, in the file's own encoding. Rejects with ToolError when the file is no longer the
   * original that the preview was opened with, or its real path changed.
   */
  save(): Promise<Saved>;
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
