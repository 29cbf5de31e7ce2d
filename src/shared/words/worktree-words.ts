/** The words for how a worktree begins and ends, and for a folder that is one. */
import type { TaskHere } from "../history/history-protocol.ts";
import type { ReasonData } from "../reason.ts";
import { reasonText } from "./reasons/reasons.ts";
import type { Translate } from "./task-words.ts";

type MergeEnd =
  | { type: "merged" | "nothing-to-merge" }
  | { type: "conflicts" | "would-overwrite"; files: readonly string[] };

export function mergedText(t: Translate, merged: MergeEnd, branch: string): string {
  switch (merged.type) {
    case "merged":
      return t("The branch {0} was merged.", branch);
    case "nothing-to-merge":
      return t(
        "There is nothing to merge: your checked-out branch already contains everything in the branch {0}.",
        branch,
      );
    case "conflicts":
      return t(
        "Nothing was merged, because of conflicts in: {0}. Merge the branch {1} with Git and resolve them, or let the task resolve them in its worktree.",
        merged.files.join(", "),
        branch,
      );
    case "would-overwrite":
      return t(
        "Nothing was merged, because the merge would overwrite your uncommitted changes: {0}. Commit or stash them first.",
        merged.files.join(", "),
      );
  }
}

export function notCreatedText(t: Translate, fault: ReasonData): string {
  return t("The worktree was not created: {0}. Your message was not sent.", reasonText(t, fault));
}

/**
 * The task whose worktree the folder is, where the worktree can be reviewed, and whether another window or terminal may change
 * the same files.
 */
export function taskHereText(t: Translate, { title, project, isOpen }: TaskHere): string {
  const place = t(
    "This folder is the worktree of the task “{0}”. To merge, keep or discard its changes, review it in the project {1}.",
    title,
    project.folder ?? project.name,
  );
  if (!isOpen) return place;
  const both = t("The session is open in another window or terminal, which may change the same files.");
  return `${place} ${both}`;
}
