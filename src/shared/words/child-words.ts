/** The words for a task that another task started. */
import type { ApprovalView } from "../event.ts";
import type { ChildTask } from "../view/child-task.ts";
import { stateText } from "./session-words.ts";
import type { Translate } from "./task-words.ts";

/** A word or two. */
export function childStateText(t: Translate, state: ChildTask["state"]): string {
  switch (state) {
    case "stopped":
      return t("Stopped by you");
    case "limit":
      return t("Reached a limit");
    case "held":
      return t("Waiting for your decision");
    case "done":
    case "failed":
    case "interrupted":
    case "queued":
    case "working":
    case "approval":
      return stateText(t, state);
  }
}

/** The subtask whose call waits for the user. */
export function askedByText(t: Translate, { title, root }: NonNullable<ApprovalView["task"]>): string {
  return root === undefined
    ? t("For the subtask “{0}”", title)
    : t("For the subtask “{0}”, in its worktree", title);
}
