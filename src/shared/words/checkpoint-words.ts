/** The words for checkpoint reports, for every host. */
import type { BackupView, CheckpointView, NotBackedUp } from "../event.ts";
import type { Translate } from "./task-words.ts";

/** Why changes that a command made cannot be undone. */
export function uncoveredText(t: Translate, why: NonNullable<CheckpointView["uncovered"]>): string {
  switch (why) {
    case "no-repository":
      return t(
        "Not a Git repository. For commands, only files that were backed up before they ran can be restored.",
      );
    case "no-git":
      return t("Git was not found. Only the agent's own edits can be undone, not changes by commands.");
    case "too-many":
      return t(
        "Too many untracked files. Only the agent's own edits can be undone, not changes by commands.",
      );
    case "some-folders":
      return t(
        "Some workspace folders are not Git repositories. In those, only the agent's own edits can be undone.",
      );
    case "failed":
      return t("The repository could not be read. Only the agent's own edits can be undone.");
  }
}

/** How much was backed up before a command that is known to destroy data. */
export function keptText(t: Translate, { files, bytes }: BackupView): string {
  return files === 1
    ? t("Backed up before the command: 1 file ({0})", sizeText(bytes))
    : t("Backed up before the command: {0} files ({1})", files, sizeText(bytes));
}

/** Shown while backing up files takes long. */
export function keepingText(t: Translate, { done, total }: NonNullable<CheckpointView["keeping"]>): string {
  return t("Backing up files before the command: {0} of {1}", done, total);
}

/** What a command affects and Undo cannot restore. */
export function notKeptText(t: Translate, { why, count, names }: NotBackedUp): string {
  const named = namesText(t, names, count);
  switch (why) {
    case "size":
      return t("Not backed up, too large or too many: {0}", named);
    case "outside":
      return t("Not backed up, outside the project: {0}", named);
    case "unreadable":
      return t("Not backed up, cannot be read: {0}", named);
    case "unknown":
      return t(
        "Not backed up: installed packages, build output that Git ignores, and files outside the project.",
      );
  }
}

/** Undo restores files; the repository's own state stays as the command left it. */
export function gitStateText(t: Translate, { head }: NonNullable<BackupView["git"]>): string {
  return head === undefined
    ? t("Undo restores files only, not Git's HEAD, index, branches or stash.")
    : t("Undo restores files only, not Git's HEAD, index, branches or stash. HEAD was at {0}.", head);
}

/** The first names, and the number of further ones. */
export function namesText(t: Translate, names: readonly string[], count: number): string {
  const more = count - names.length;
  return more > 0 ? t("{0} and {1} more", names.join(", "), more) : names.join(", ");
}

/** Decimal units, as used for disk sizes. */
export function sizeText(bytes: number): string {
  if (bytes < 1_000) return `${bytes} B`;
  return bytes < 1_000_000 ? `${(bytes / 1_000).toFixed(1)} KB` : `${(bytes / 1_000_000).toFixed(1)} MB`;
}
