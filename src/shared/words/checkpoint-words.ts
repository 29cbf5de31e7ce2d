/** The words for what checkpoints report, for every host. */
import type { CheckpointView, KeptView, NotKept } from "../event.ts";
import type { Translate } from "./task-words.ts";

/** Why changes that a command made cannot be taken back. */
export function uncoveredText(t: Translate, why: NonNullable<CheckpointView["uncovered"]>): string {
  switch (why) {
    case "no-repository":
      return t(
        "Not a git repository: of what commands changed, only files that they are known to delete or overwrite can be restored.",
      );
    case "no-git":
      return t("Git was not found: only the agent's own edits can be taken back, not what commands changed.");
    case "too-many":
      return t(
        "Too many untracked files: only the agent's own edits can be taken back, not what commands changed.",
      );
    case "some-folders":
      return t(
        "Not every folder of this workspace is a git repository: there, only the agent's own edits can be taken back.",
      );
    case "failed":
      return t("The repository could not be read: only the agent's own edits can be taken back.");
  }
}

/** How much was kept before a command that is known to destroy. */
export function keptText(t: Translate, { files, bytes }: KeptView): string {
  return files === 1
    ? t("Kept before the command runs: 1 file ({0})", sizeText(bytes))
    : t("Kept before the command runs: {0} files ({1})", files, sizeText(bytes));
}

/** While files are kept, where that takes long. */
export function keepingText(t: Translate, { done, total }: NonNullable<CheckpointView["keeping"]>): string {
  return t("Keeping files before the command runs: {0} of {1}", done, total);
}

/** What a command hits and Undo cannot restore. */
export function notKeptText(t: Translate, { why, count, names }: NotKept): string {
  const named = namesText(t, names, count);
  switch (why) {
    case "size":
      return t("Not kept, too large or too many: {0}", named);
    case "outside":
      return t("Not kept, outside the project: {0}", named);
    case "unreadable":
      return t("Not kept, cannot be read: {0}", named);
  }
}

/** Undo restores files; the repository's own state stays as the command left it. */
export function gitStateText(t: Translate, { head }: NonNullable<KeptView["git"]>): string {
  return head === undefined
    ? t("Undo restores files only, not git's HEAD, index, branches or stash.")
    : t("Undo restores files only, not git's HEAD, index, branches or stash. HEAD was at {0}.", head);
}

/** The first names, and how many more there are. */
export function namesText(t: Translate, names: readonly string[], count: number): string {
  const more = count - names.length;
  return more > 0 ? t("{0} and {1} more", names.join(", "), more) : names.join(", ");
}

/** Decimal units, as disks are sold. */
function sizeText(bytes: number): string {
  if (bytes < 1_000) return `${bytes} B`;
  return bytes < 1_000_000 ? `${(bytes / 1_000).toFixed(1)} KB` : `${(bytes / 1_000_000).toFixed(1)} MB`;
}
