/** Which files and hunks of a patch the user includes. Indexes are those of the approval, see `ChangedFile`. */
import type { ApprovalView, ChangedFile } from "../event.ts";
import type { AnswerDraft } from "../permission/prepared-answer.ts";

/** A file of which the user can exclude parts. */
export type ChoosableFile = ChangedFile & { at: number };

export function isChoosable(file: ChangedFile): file is ChoosableFile {
  return file.at !== undefined;
}

/** The indexes of a file's hunks, including those that are not listed. */
export function hunkIndexes({ at, hunks }: ChoosableFile): number[] {
  return Array.from({ length: hunks ? hunks.shown.length + hunks.more : 0 }, (_, index) => at + 1 + index);
}

/**
 * Whether anything of the file is included. A file can be moved without the changes to its content. A file that the user edited
 * in the diff is included as edited.
 */
export function isFileIncluded(
  file: ChoosableFile,
  excluded: ReadonlySet<number>,
  isEdited = false,
): boolean {
  if (excluded.has(file.at)) return false;
  if (isEdited) return true;
  const hunks = hunkIndexes(file);
  return file.kind === "move" || hunks.length === 0 || hunks.some((index) => !excluded.has(index));
}

/** The excluded indexes after the user included or excluded the whole file. */
export function withFile(
  file: ChoosableFile,
  excluded: ReadonlySet<number>,
  isIncluded: boolean,
): Set<number> {
  const next = new Set(excluded);
  for (const index of [file.at, ...hunkIndexes(file)]) next.delete(index);
  if (!isIncluded) next.add(file.at);
  return next;
}

/**
 * Whether everything is excluded, so that the edit can only be rejected. Text that the user wrote in the diff counts as
 * included.
 */
export function excludesEverything(
  approval: ApprovalView | undefined,
  prepared: Pick<AnswerDraft, "left" | "edited">,
): boolean {
  const excluded = new Set(prepared.left);
  const { edited } = prepared;
  if (excluded.size === 0) return false;
  const files = approval?.files?.filter(isChoosable) ?? [];
  if (files.length > 0)
    return !files.some((file) => isFileIncluded(file, excluded, edited.includes(file.path)));
  const { hunks } = approval ?? {};
  return edited.length === 0 && hunks?.more === 0 && excluded.size === hunks.shown.length;
}
