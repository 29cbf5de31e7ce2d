/**
 * Writes a commit message into the message box of VS Code's Source Control view while the model answers. Nothing is committed. Text that
 * the user has typed is a draft for the model; it comes back when the message is canceled, and can be restored afterwards.
 */
import * as vscode from "vscode";
import { commitMessageFrom } from "../../core/agent/extras/commit-message-request.ts";
import type { Project } from "../../core/agent/project.ts";
import type { Totals } from "../../shared/totals.ts";
import * as z from "../../shared/zod.ts";
import { type GitRepositories, type GitRepository, gitRepositories } from "./git-extension.ts";
import { spentText } from "./spent-text.ts";

/** What a button in the title of a repository passes. */
const sourceControlSchema = z.object({
  rootUri: z.custom<vscode.Uri>((value) => value instanceof vscode.Uri),
});

export interface SourceControlMessageParts {
  repositoryMessages: Pick<Project["repositoryMessages"], "write">;
  /** Why it failed, for the user. */
  failureText(error: unknown): string;
  /** Default: those of the Git extension. */
  repositories?: () => Promise<GitRepositories | undefined>;
}

export class SourceControlMessages {
  readonly #parts: SourceControlMessageParts;
  /** Top folders of the repositories whose message is being written. */
  readonly #writing = new Set<string>();

  constructor(parts: SourceControlMessageParts) {
    this.#parts = parts;
  }

  /** `target`: what the button passes; without one, the repository of the active editor, or the selected one. Never rejects. */
  async write(target: unknown): Promise<void> {
    const { repositories = gitRepositories } = this.#parts;
    const repository = repositoryFor(target, await repositories());
    if (!repository) {
      void vscode.window.showInformationMessage(vscode.l10n.t("There is no open Git repository."));
      return;
    }
    const root = repository.rootUri.fsPath;
    if (this.#writing.has(root)) return;
    this.#writing.add(root);
    try {
      await this.#writeInto(repository);
    } catch (error) {
      const reason = this.#parts.failureText(error);
      void vscode.window.showErrorMessage(vscode.l10n.t("No commit message was written: {0}", reason));
    } finally {
      this.#writing.delete(root);
    }
  }

  async #writeInto(repository: GitRepository): Promise<void> {
    const box = new MessageBox(repository.inputBox);
    const options = {
      location: vscode.ProgressLocation.Notification,
      title: vscode.l10n.t("Writing a commit message"),
      cancellable: true,
    };
    const spent = await vscode.window.withProgress(options, async (_, canceled) => {
      const controller = new AbortController();
      const { signal } = controller;
      const listening = canceled.onCancellationRequested(() => controller.abort());
      try {
        const written = await this.#parts.repositoryMessages.write(
          { root: repository.rootUri.fsPath, hint: box.draft },
          {
            signal,
            onText: (text) => {
              // What the user types meanwhile is the message that they want.
              if (!box.show(commitMessageFrom(text))) controller.abort();
            },
          },
        );
        box.show(written.message);
        return written.spent;
      } catch (error) {
        box.restore();
        if (signal.aborted) return undefined;
        throw error;
      } finally {
        listening.dispose();
      }
    });
    if (spent) await report(box, spent);
  }
}

/** Says what the message cost, and offers the text that it replaced. */
async function report(box: MessageBox, spent: Totals): Promise<void> {
  const text = vscode.l10n.t("The commit message is in the Source Control view ({0}).", spentText(spent));
  if (box.draft.trim() === "") {
    void vscode.window.showInformationMessage(text);
    return;
  }
  const restore = vscode.l10n.t("Restore My Text");
  void vscode.window.showInformationMessage(text, restore).then((chosen) => {
    if (chosen === restore) box.restore();
  });
}

/** The repository that a command is for. */
export function repositoryFor(target: unknown, git: GitRepositories | undefined): GitRepository | undefined {
  const parsed = sourceControlSchema.safeParse(target);
  if (parsed.success) return git?.getRepository(parsed.data.rootUri) ?? undefined;
  const file = vscode.window.activeTextEditor?.document.uri;
  const ofEditor = file && git?.getRepository(file);
  return ofEditor ?? git?.repositories.find(({ ui }) => ui.selected) ?? git?.repositories[0];
}

/** The message box of a repository while a message is written into it. */
export class MessageBox {
  readonly #box: { value: string };
  /** The text before. */
  readonly draft: string;
  /** What this object wrote. VS Code reports each text again when the view has it, in which others may have followed. */
  readonly #written: Set<string>;

  constructor(box: { value: string }) {
    this.#box = box;
    this.draft = box.value;
    this.#written = new Set([box.value]);
  }

  /** Returns false, and changes nothing, if the user has typed something since. */
  show(text: string): boolean {
    if (!this.#written.has(this.#box.value)) return false;
    if (text === "" || text === this.#box.value) return true;
    this.#written.add(text);
    this.#box.value = text;
    return true;
  }

  /** Puts the text before back, unless the user has typed something since. */
  restore(): void {
    if (this.#written.has(this.#box.value)) this.#box.value = this.draft;
  }
}
