/** The words for the state of a task in a list of tasks. */

import type { ApprovalView } from "../event.ts";
import type { ChildTask } from "../view/child-task.ts";
import type { SessionItem, SessionState } from "../view/session-item.ts";
import { callPhrase, type Translate } from "./task-words.ts";

/** A word or two. */
export function sessionStateText(t: Translate, state: SessionState): string {
  switch (state) {
    case "approval":
      return t("Needs approval");
    case "question":
      return t("Has a question");
    case "failed":
      return t("Cannot continue");
    case "interrupted":
      return t("Interrupted");
    case "done":
      return t("Done");
    case "working":
      return t("Working");
    case "queued":
      return t("Queued");
  }
}

/** Which task it is, its state, and what it waits for. */
export function sessionText(t: Translate, { title, state, call }: SessionItem): string {
  const named = titleText(t, title);
  if (!call) return t("{0}: {1}", named, sessionStateText(t, state));
  return t("{0}: {1} ({2})", named, sessionStateText(t, state), waitingText(t, call));
}

/** The call that waits for approval. */
export function waitingText(t: Translate, call: NonNullable<SessionItem["call"]>): string {
  return callPhrase(t, call.face, { ...call, state: "approval" });
}

export function titleText(t: Translate, title: string): string {
  return title === "" ? t("Untitled") : title;
}

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
      return sessionStateText(t, state);
  }
}

/** The subtask whose call waits for the user. */
export function askedByText(t: Translate, { title, root }: NonNullable<ApprovalView["task"]>): string {
  return root === undefined
    ? t("For the subtask “{0}”", title)
    : t("For the subtask “{0}”, in its worktree", title);
}
