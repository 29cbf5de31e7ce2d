/** Starts a review from the Source Control view or the Command Palette, in the session that the panel shows. */
import * as path from "node:path";
import * as vscode from "vscode";
import type { View } from "../../core/agent/view.ts";
import { isInside } from "../../core/roots.ts";
import * as z from "../../shared/zod.ts";
import { workspace, workspacePath } from "../files/workspace-folders.ts";

/** What a button in the title of a repository passes. */
const repositorySchema = z.object({
  rootUri: z.custom<vscode.Uri>((value) => value instanceof vscode.Uri),
});

/** `target`: what the button passes. `folder`: the one that the session works in, if it is not the workspace's own. */
export async function requestReview(
  view: View,
  target: unknown,
  folder: (session: View["active"]) => string | undefined,
): Promise<void> {
  const shown = await view.settled();
  if (shown.busy) {
    void vscode.window.showInformationMessage(
      vscode.l10n.t("The agent is working. Start the review when it has finished."),
    );
    return;
  }
  // An imported session is read-only.
  if (shown.transcript.origin !== undefined) await view.newTask({ keep: true });
  const session = await view.settled();
  const repository = repositorySchema.safeParse(target).data?.rootUri.fsPath;
  const worktree = folder(session);
  const reviewed =
    worktree === undefined ? folderOf(repository) : isRelated(repository, worktree) ? "" : undefined;
  if (reviewed === undefined) {
    const names = worktree ?? workspace.roots.map(({ path: root }) => root).join(", ");
    void vscode.window.showInformationMessage(vscode.l10n.t("Nekode reviews the changes in {0}.", names));
    return;
  }
  await session.review({ of: "working", ...(reviewed === "" ? {} : { folder: reviewed }) });
}

/**
 * The folder of the workspace in which a repository is reviewed, as `ReviewScope` names it: the first one that is in the repository, or the
 * repository's own if it is in one of them. "": the button names no repository. undefined: no folder of the workspace has to do with it.
 */
export function folderOf(repository: string | undefined): string | undefined {
  if (repository === undefined) return "";
  const { roots } = workspace;
  const root = roots.find((each) => isInside(repository, each.path));
  if (root) return roots.length > 1 ? root.name : "";
  if (!roots.some((each) => isInside(each.path, repository))) return undefined;
  const shown = workspacePath(repository);
  // The name of a folder of the workspace would be meant otherwise.
  return shown.startsWith("@") ? shown : `.${path.posix.sep}${shown}`;
}

function isRelated(repository: string | undefined, folder: string): boolean {
  return repository === undefined || isInside(repository, folder) || isInside(folder, repository);
}
