/**
 * Which files and hunks of a patch the user includes. The indexes of a patch of several files count each file as a whole and
 * then its hunks, file by file; those of a patch that only changes or creates one file count its hunks.
 */
import { hunksOf } from "../../../shared/text/hunks.ts";
import type { TextFile } from "../../ports/files.ts";

export interface PatchFileChange {
  kind: "add" | "update" | "delete" | "move";
  path: string;
  /** The display path. */
  name: string;
  /** null: the file does not exist yet. */
  original: TextFile | null;
  /** null: the file is deleted. */
  content: string | null;
  to?: { path: string; name: string };
}

/** What the user includes of one file. */
export interface FileChoice {
  /** Nothing of the file is included. */
  isExcluded: boolean;
  /** Indexes, within the file, of the excluded hunks. */
  excludedHunks: readonly number[];
  /** The file has hunks, and all of them are excluded. */
  withoutContent: boolean;
}

/** The index of each file as a whole; its hunks follow. */
export function fileIndexes(changes: readonly PatchFileChange[]): number[] {
  let next = 0;
  return changes.map((change) => {
    const at = next;
    next += 1 + hunkCount(change);
    return at;
  });
}

/** A file that the user edited in its diff is included as edited, so it can be excluded only as a whole. */
interface EditableChange extends PatchFileChange {
  edit?: { readonly isEdited: boolean } | undefined;
}

/** One entry for each file, in order. `excluded`: the indexes that the user excluded. */
export function fileChoices(changes: readonly EditableChange[], excluded: readonly number[]): FileChoice[] {
  if (changes.length === 1 || excluded.length === 0)
    return changes.map(() => ({
      isExcluded: false,
      excludedHunks: changes.length === 1 ? excluded : [],
      withoutContent: false,
    }));
  const all = new Set(excluded);
  const indexes = fileIndexes(changes);
  return changes.map((change, file) => {
    const at = indexes[file] ?? 0;
    if (change.edit?.isEdited) return { isExcluded: all.has(at), excludedHunks: [], withoutContent: false };
    const hunks = hunkCount(change);
    const excludedHunks = Array.from({ length: hunks }, (_, index) => index).filter((index) =>
      all.has(at + 1 + index),
    );
    const withoutContent = hunks > 0 && excludedHunks.length === hunks;
    // A file can be moved without the changes to its content.
    const isExcluded = all.has(at) || (withoutContent && change.kind !== "move");
    return { isExcluded, excludedHunks, withoutContent };
  });
}

/** The result for the model about a file that the user excluded. */
export function leftOutText({ kind, name, to }: PatchFileChange): string {
  const what = {
    add: `${name} was not created`,
    update: `${name} was not changed`,
    delete: `${name} was not deleted`,
    move: `${name} was neither changed nor moved${to ? ` to ${to.name}` : ""}`,
  }[kind];
  return `The user left out this part of the patch: ${what}.`;
}

function hunkCount({ original, content }: PatchFileChange): number {
  return content === null ? 0 : hunksOf(original?.text ?? "", content).length;
}
