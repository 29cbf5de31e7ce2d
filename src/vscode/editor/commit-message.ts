/**
 * Writes a commit message for the changes of a turn. The request to the model is not part of the conversation, and a
 * notification shows its progress and can cancel it. The answer goes to the message box of VS Code's Git extension, or to the
 * clipboard.
 */
import * as vscode from "vscode";
import type { ChangedText } from "../../core/agent/extras/commit-messages.ts";
import type { Session } from "../../core/agent/session.ts";
import { gitRepositories } from "./git-extension.ts";

/** Maximum characters of the answer that the progress notification shows. */
const SHOWN_PROGRESS = 72;

/** `turn`: the user message that began it. Rejects if the model wrote nothing; resolves if the user canceled. */
export async function writeCommitMessage(
  { extras }: Pick<Session, "extras">,
  turn: string,
  files: readonly ChangedText[],
): Promise<void> {
  const options = {
    location: vscode.ProgressLocation.Notification,
    title: vscode.l10n.t("Writing a commit message"),
    cancellable: true,
  };
  const message = await vscode.window.withProgress(options, async (progress, canceled) => {
    const controller = new AbortController();
    const { signal } = controller;
    const listening = canceled.onCancellationRequested(() => controller.abort());
    const onText = (text: string) => progress.report({ message: lastLine(text) });
    try {
      return await extras.commitMessages.write(turn, files, { signal, onText });
    } catch (error) {
      if (signal.aborted) return undefined;
      throw error;
    } finally {
      listening.dispose();
    }
  });
  if (message !== undefined) await deliver(message, files[0]?.path);
}

/** The end of the text, for one line. */
function lastLine(text: string): string {
  const line = text.trimEnd().split("\n").at(-1) ?? "";
  return [...line].slice(-SHOWN_PROGRESS).join("");
}

async function deliver(message: string, file: string | undefined): Promise<void> {
  const git = await gitRepositories();
  const repository = file === undefined ? null : git?.getRepository(vscode.Uri.file(file));
  if (repository && repository.inputBox.value.trim() === "") {
    repository.inputBox.value = message;
    const look = vscode.l10n.t("Open Source Control");
    const text = vscode.l10n.t("The commit message is in the Source Control view.");
    void vscode.window.showInformationMessage(text, look).then((chosen) => {
      if (chosen === look) void vscode.commands.executeCommand("workbench.view.scm");
    });
    return;
  }
  await vscode.env.clipboard.writeText(message);
  void vscode.window.showInformationMessage(vscode.l10n.t("The commit message was copied to the clipboard."));
}
