/** Starts a review from the Source Control view or the Command Palette, in the session that the panel shows. */
import * as vscode from "vscode";
import * as z from "zod/mini";
import type { View } from "../../core/agent/view.ts";
import { isInside } from "../../core/roots.ts";

/** What a button in the title of a repository passes. */
const repositorySchema = z.object({
  rootUri: z.custom<vscode.Uri>((value) => value instanceof vscode.Uri),
});

/** `target`: what the button passes. `folder`: the one that the session works in. */
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
  const root = folder(session);
  const repository = repositorySchema.safeParse(target).data?.rootUri.fsPath;
  const isOther =
    root !== undefined &&
    repository !== undefined &&
    !isInside(repository, root) &&
    !isInside(root, repository);
  if (isOther) {
    void vscode.window.showInformationMessage(vscode.l10n.t("Nekode reviews the changes in {0}.", root));
    return;
  }
  await session.review({ of: "working" });
}
