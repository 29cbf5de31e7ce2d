/** Worktrees in this window: whether tasks can start in them, their review, and those that remain after a crash. */
import * as vscode from "vscode";
import type { Project } from "../../core/agent/project.ts";
import type { View } from "../../core/agent/view.ts";
import type { Log } from "../../core/ports/system.ts";
import { findRepository } from "../../node/git/find-repository.ts";
import { workspace } from "../files/workspace-folders.ts";
import { chooseWorktree, type ReviewParts, reviewWorktree } from "./review-worktree.ts";

export interface WorktreeServices {
  /** Whether tasks can begin in worktrees: the folder is trusted and in a Git repository. */
  areOffered(): Promise<boolean>;
  /** Reviews the worktree of the view's active session, or one that the user chooses. */
  review(view: View): Promise<void>;
  /** Lets the user choose among all worktrees. */
  choose(): Promise<void>;
  /** Offers worktrees that belong to no task. Never rejects. */
  offerLeft(): Promise<void>;
}

export function createWorktreeServices(
  project: Project,
  showText: ReviewParts["showText"],
  log: Log,
): WorktreeServices {
  const parts: ReviewParts = { project, showText };
  return {
    async areOffered() {
      const { root } = workspace;
      if (root === undefined || !project.worktrees.areOffered) return false;
      return (await findRepository(root).catch(() => undefined)) !== undefined;
    },
    async review(view) {
      const { session } = view.active.chatView;
      if (!session?.worktree) return chooseWorktree(parts);
      const { worktree, id, title } = session;
      const all = await project.history();
      const summary = all.find((each) => each.id === id);
      await reviewWorktree(parts, summary ? { worktree, session: { ...summary, title } } : { worktree });
    },
    choose: () => chooseWorktree(parts),
    async offerLeft() {
      try {
        if (!(await this.areOffered())) return;
        const orphans = (await project.worktrees.list(new AbortController().signal)).filter(
          ({ session }) => !session,
        );
        if (orphans.length === 0) return;
        const show = vscode.l10n.t("Show");
        const text = vscode.l10n.t("Worktrees that belong to no task were found: {0}", orphans.length);
        if ((await vscode.window.showInformationMessage(text, show)) === show) await chooseWorktree(parts);
      } catch (error) {
        log.error("the worktrees of tasks were not listed", error);
      }
    },
  };
}
