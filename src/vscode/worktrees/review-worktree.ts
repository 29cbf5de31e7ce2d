/** Lets the user review a worktree in VS Code: view its changes, merge, keep or discard it, or open a window on it. */
import * as path from "node:path";
import * as vscode from "vscode";
import type { FoundWorktree } from "../../core/agent/project/project-worktrees.ts";
import type { Project } from "../../core/agent/project.ts";
import { Interrupt, messageOf, ToolError } from "../../core/errors.ts";
import { lossesOf, type Worktree } from "../../core/ports/worktrees.ts";
import { WorktreeUnavailable } from "../../core/sessions/open/worktree-use.ts";
import { noticeText } from "../../shared/words/notice-words.ts";
import { reasonText } from "../../shared/words/reasons/reasons.ts";
import { translator } from "../../shared/words/task-words.ts";
import { mergedText } from "../../shared/words/worktree-words.ts";

/** Maximum number of names that a question lists. If there are more, all of them are shown in an editor. */
const MOST_NAMES = 12;

export interface ReviewParts {
  project: Project;
  /** Shows a text in an editor, read-only. */
  showText(name: string, text: string): Promise<void>;
}

interface Choice extends vscode.QuickPickItem {
  run(): Promise<void>;
}

/** Lets the user choose a worktree of the project, and then what to do with it. */
export async function chooseWorktree(parts: ReviewParts): Promise<void> {
  await reported(async () => {
    const all = await parts.project.worktrees.list(new AbortController().signal);
    if (all.length === 0) {
      void vscode.window.showInformationMessage(vscode.l10n.t("This project has no task worktrees."));
      return;
    }
    const items = all.map((listed) => ({
      label: `$(git-branch) ${listed.worktree.branch}`,
      description: listed.session?.title ?? vscode.l10n.t("no task"),
      found: listed,
    }));
    const title = vscode.l10n.t("Task worktrees");
    const chosen = await vscode.window.showQuickPick(items, { title });
    if (chosen) await review(parts, chosen.found);
  });
}

/** Lets the user choose what to do with this worktree. */
export async function reviewWorktree(parts: ReviewParts, listed: FoundWorktree): Promise<void> {
  await reported(() => review(parts, listed));
}

async function review(parts: ReviewParts, listed: FoundWorktree): Promise<void> {
  const { worktree } = listed;
  const state = await parts.project.worktrees.state(worktree, new AbortController().signal);
  const t = vscode.l10n.t;
  if (!state) {
    const end = t("Continue in the Project's Folder");
    const gone = noticeText(words(), "worktree-gone", [worktree.branch]);
    if ((await vscode.window.showWarningMessage(gone, end)) === end)
      await remove(parts, worktree, "keep", []);
    return;
  }
  const choices: Choice[] = [
    {
      label: `$(diff) ${t("Show Changes")}`,
      description: t("Changed files: {0}, commits: {1}", state.changes.length, state.commits),
      run: async () => {
        const diff = await parts.project.worktrees.diff(worktree, new AbortController().signal);
        await parts.showText(`${path.basename(worktree.path)}.diff`, diff);
      },
    },
    {
      label: `$(git-merge) ${t("Merge")}`,
      description: t("Commit everything and merge it into your folder"),
      run: () => merge(parts, listed),
    },
    {
      label: `$(git-branch) ${t("Keep Branch")}`,
      description: t("Commit everything and remove the worktree"),
      run: () => keep(parts, listed),
    },
    {
      label: `$(empty-window) ${t("Open in New Window")}`,
      description: worktree.path,
      run: async () => {
        const uri = vscode.Uri.file(worktree.root);
        await vscode.commands.executeCommand("vscode.openFolder", uri, { forceNewWindow: true });
      },
    },
    {
      label: `$(trash) ${t("Discard")}`,
      description: t("Remove the worktree and its branch"),
      run: () => discard(parts, worktree),
    },
  ];
  const title = t("Worktree {0}", worktree.branch);
  const chosen = await vscode.window.showQuickPick(choices, { title });
  await chosen?.run();
}

async function merge(parts: ReviewParts, listed: FoundWorktree): Promise<void> {
  const { worktree } = listed;
  const merged = await working((signal) =>
    parts.project.worktrees.merge(worktree, messageFor(listed), signal),
  );
  const text = mergedText(words(), merged, worktree.branch);
  if (merged.type === "conflicts" || merged.type === "would-overwrite") {
    void vscode.window.showWarningMessage(text);
    return;
  }
  void vscode.window.showInformationMessage(text);
  await remove(parts, worktree, "delete", []);
}

async function keep(parts: ReviewParts, listed: FoundWorktree): Promise<void> {
  const { worktree } = listed;
  await working((signal) => parts.project.worktrees.commit(worktree, messageFor(listed), signal));
  if (await remove(parts, worktree, "keep", []))
    void vscode.window.showInformationMessage(
      vscode.l10n.t("The branch {0} contains all changes.", worktree.branch),
    );
}

async function discard(parts: ReviewParts, worktree: Worktree): Promise<void> {
  const state = await parts.project.worktrees.state(worktree, new AbortController().signal);
  const losing = state ? lossesOf(state) : [];
  const commits = state?.commits ?? 0;
  const inBranch =
    commits === 0
      ? []
      : [vscode.l10n.t("{0} commits on the branch {1}, unless they are merged", commits, worktree.branch)];
  if (!(await agrees(parts, worktree, [...losing, ...inBranch], vscode.l10n.t("Discard")))) return;
  if (await remove(parts, worktree, "delete", losing))
    void vscode.window.showInformationMessage(vscode.l10n.t("The worktree was removed."));
}

/**
 * Removes the worktree after listing what would be deleted in addition to `losing`. Returns false if the user does not agree.
 */
async function remove(
  parts: ReviewParts,
  worktree: Worktree,
  branch: "keep" | "delete",
  losing: readonly string[],
): Promise<boolean> {
  const how = (all: readonly string[]) =>
    working((signal) => parts.project.view.removeWorktree(worktree, { losing: all, branch }, signal));
  let agreed = losing;
  for (;;) {
    const losses = await how(agreed);
    if (losses.length === 0) return true;
    if (!(await agrees(parts, worktree, losses, vscode.l10n.t("Remove Worktree")))) return false;
    agreed = [...agreed, ...losses];
  }
}

/** Asks whether all of this may be deleted. */
async function agrees(
  { showText }: ReviewParts,
  { branch }: Worktree,
  losses: readonly string[],
  action: string,
): Promise<boolean> {
  const question = vscode.l10n.t("Remove the worktree {0}?", branch);
  const isLong = losses.length > MOST_NAMES;
  if (isLong) await showText("lost-with-the-worktree.txt", `${losses.join("\n")}\n`);
  const named = isLong ? vscode.l10n.t("{0} files, listed in the editor", losses.length) : losses.join("\n");
  const detail =
    losses.length === 0 ? "" : `${vscode.l10n.t("Removing the worktree also deletes:")}\n${named}`;
  return (await vscode.window.showWarningMessage(question, { modal: true, detail }, action)) === action;
}

function messageFor({ worktree, session }: FoundWorktree): string {
  return session?.title || worktree.branch;
}

function working<T>(work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const options = {
    location: vscode.ProgressLocation.Notification,
    title: vscode.l10n.t("Working on the worktree"),
    cancellable: true,
  };
  return Promise.resolve(
    vscode.window.withProgress(options, (_, token) => {
      const stop = new AbortController();
      token.onCancellationRequested(() => stop.abort());
      return work(stop.signal);
    }),
  );
}

function words(): ReturnType<typeof translator> {
  return translator(vscode.l10n.bundle ?? {});
}

async function reported(work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (error instanceof Interrupt) return;
    void vscode.window.showErrorMessage(failureOf(error));
  }
}

function failureOf(error: unknown): string {
  if (error instanceof WorktreeUnavailable) return noticeText(words(), error.code, [error.branch]);
  const fault = error instanceof ToolError ? error.fault : undefined;
  return fault ? reasonText(words(), fault) : messageOf(error);
}
