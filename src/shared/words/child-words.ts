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
      return t("Waits for your decision");
    default:
      return stateText(t, state);
  }
}

/** Whose call waits for the user. */
export function askedByText(t: Translate, { title, root }: NonNullable<ApprovalView["task"]>): string {
  return root === undefined
    ? t("For the task “{0}”", title)
    : t("For the task “{0}”, in its worktree", title);
}

/** With the files of the task's own worktree by their paths there, as the task itself names them. */
export function withAskedPaths(approval: ApprovalView): ApprovalView {
  const { task, path, files } = approval;
  const { root } = task ?? {};
  if (root === undefined) return approval;
  const inTask = (path: string) =>
    path.startsWith(root) && /^[\\/]/.test(path.slice(root.length)) ? path.slice(root.length + 1) : path;
  return {
    ...approval,
    ...(path === undefined ? {} : { path: inTask(path) }),
    ...(files
      ? {
          files: files.map((file) => ({
            ...file,
            path: inTask(file.path),
            ...(file.to === undefined ? {} : { to: inTask(file.to) }),
          })),
        }
      : {}),
  };
}
