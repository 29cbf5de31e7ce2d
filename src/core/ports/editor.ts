/** The port that shows proposed changes where the host has an editor. It is the only way to write a file. */
import type { Disposable } from "../lifecycle.ts";
import type { TextFile } from "./files.ts";

/** The result of a save: the text now in the file (after the editor's formatting), and what the user changed in it. */
export interface Saved {
  finalText: string;
  encoding: string;
  /** Set when the user edited the proposal before approving it: the text that they approved. */
  userText?: string;
  /** Problems that the language servers did not report before the save, one per line. */
  newProblems: string[];
  /** A language server checks such files, but did not tell its problems in time. */
  problemsUnknown?: boolean;
}

/** Problems since a moment before a change. Stops listening when `newProblems` is called; otherwise it must be disposed. */
export interface ProblemWatch extends Disposable {
  /** As in `Saved`; each line names its file. */
  newProblems(): Promise<Required<Pick<Saved, "newProblems" | "problemsUnknown">>>;
}

/**
 * A proposed change to one file, shown to the user where the host has an editor. The real file is not touched until
 * `save`. Always ends with `save` or `discard`.
 */
export interface Preview {
  /** Shows the proposal while it streams; cheap, and calls may be coalesced. */
  update(text: string): void;
  /** Shows the complete proposal. */
  finish(text: string): Promise<void>;
  /**
   * Writes what the user approved, in the file's own encoding: the proposal as they edited it in the preview, or `chosen` if they
   * approved only parts of it. Rejects with ToolError if the file is no longer the original that the preview was opened with, or if its
   * real path changed. `checks: false`: the caller watches the problems.
   */
  save(chosen?: string, options?: { checks: boolean }): Promise<Saved>;
  discard(): Promise<void>;
  /**
   * Takes the complete proposal off the screen before it is saved, as the user edited it: while several files are written, a language
   * server that checks what is shown would find problems that the next file solves, and keep them. Absent: nothing is shown.
   */
  hide?(): Promise<void>;
  /** Shows the complete proposal with only the parts that the user selected. Does nothing once they edited it. */
  choose?(text: string): void;
  /** Whether the user edited the complete proposal. Absent: the host has no way to edit it. */
  isEdited?(): boolean;
  /** Fires when `isEdited` changes. */
  onEdited?(listener: () => void): Disposable;
}

/** The state of a file when its removal or move was proposed. */
export interface ExpectedFile {
  version: string;
  /** The real path of the containing folder. */
  folder: string;
}

export interface ExpectedMove extends ExpectedFile {
  /** The real path of the destination when the move was proposed, with all links resolved. */
  target: string;
}

export interface PreviewOptions {
  show: boolean;
  session?: string;
  takesFocus?: boolean;
}

export interface Editor {
  /**
   * With `show: false` the change needs no approval: nothing opens, and only `save` matters. `session`: the id of the session
   * that proposes the change. `takesFocus`: the user asked for the change where the cursor is, so the diff takes the place and the
   * focus of their editor.
   */
  preview(path: string, original: TextFile | null, options: PreviewOptions): Preview;
  /**
   * For a change of several files at these absolute paths, of which none can be checked before all are written. Absent: the host knows
   * no problems.
   */
  watchProblems?(paths: readonly string[]): Promise<ProblemWatch>;
  /**
   * Removes a file (for a link, the link itself). Rejects with ToolError, changing nothing, if the file is not as
   * expected.
   */
  remove(path: string, expected: ExpectedFile): Promise<void>;
  /**
   * Moves a file to a path that does not exist and creates missing folders. Rejects as `remove` does. Never replaces
   * anything.
   */
  rename(path: string, to: string, expected: ExpectedMove): Promise<void>;
}
