/**
 * **Edit Here**: a wish about the selected lines, typed at the top of the window. The change streams in a diff that takes the place of
 * the editor; there Enter accepts it and Esc rejects it, until the user edits it. No session is involved.
 */
import * as path from "node:path";
import * as vscode from "vscode";
import {
  EditFailure,
  type EditProposal,
  type EditsAtCursor,
  type EditWish,
} from "../../core/agent/extras/edit-at-cursor.ts";
import { type Disposable, DisposableStore } from "../../core/lifecycle.ts";
import { linesMention } from "../../shared/mentions.ts";
import { reasonText } from "../../shared/words/reasons/reasons.ts";
import { translator } from "../../shared/words/task-words.ts";
import { workspacePath } from "../files/workspace-folders.ts";
import type { DiffPreviews } from "./diff-preview.ts";
import { tabUri } from "./open-documents.ts";
import { linesInRange } from "./selected-lines.ts";
import { spentText } from "./spent-text.ts";

/** Milliseconds for which a message stays in the status bar. */
const MESSAGE_MS = 8_000;

export interface EditHereParts {
  edits: Pick<EditsAtCursor, "propose">;
  previews: Pick<DiffPreviews, "proposed">;
  /** Why a request failed, for the user. */
  failureText(error: unknown): string;
  /** Default: VS Code's input at the top of the window. */
  ask?: (options: vscode.InputBoxOptions) => Thenable<string | undefined>;
}

/** An accepted or rejected change, or a wish that the user takes to the chat. */
type Verdict = "approve" | "reject";

/** The change that waits for an answer, with the place that it is about. */
interface Waiting {
  proposal: EditProposal;
  wish: EditWish;
  /** Where the user was. */
  editor: { uri: vscode.Uri; selection: vscode.Selection; column: vscode.ViewColumn | undefined };
}

export class EditHere implements Disposable {
  readonly #parts: EditHereParts;
  readonly #store = new DisposableStore();
  #asking: AbortController | undefined;
  #waiting: Waiting | undefined;

  constructor(parts: EditHereParts) {
    this.#parts = parts;
    this.#store.add(
      vscode.window.tabGroups.onDidChangeTabs(({ closed }) => {
        const uris = closed.map(tabUri).filter((uri) => uri !== undefined);
        if (uris.some((uri) => this.shows(uri))) void this.answer("reject");
      }),
    );
  }

  /** Asks for the wish and proposes the change. One that still waits is rejected first. Never rejects. */
  async start(): Promise<void> {
    const editor = vscode.window.activeTextEditor;
    if (editor?.document.uri.scheme !== "file") {
      void vscode.window.showInformationMessage(vscode.l10n.t("Open a file to edit at the cursor."));
      return;
    }
    const { document, selection, viewColumn: column } = editor;
    const lines = linesInRange(selection);
    const { ask = vscode.window.showInputBox } = this.#parts;
    const text = await ask({
      title:
        lines.start === lines.end
          ? vscode.l10n.t("Edit {0}, line {1}", path.basename(document.fileName), lines.start)
          : vscode.l10n.t(
              "Edit {0}, lines {1} to {2}",
              path.basename(document.fileName),
              lines.start,
              lines.end,
            ),
      placeHolder: vscode.l10n.t("What should change? Enter sends, Esc cancels."),
      ignoreFocusOut: true,
    });
    if (text === undefined || text.trim() === "") return;
    await this.answer("reject");
    const wish = { path: document.fileName, lines, wish: text, problems: problemsIn(document, selection) };
    await this.#propose({ wish, editor: { uri: document.uri, selection, column } });
  }

  async #propose({ wish, editor }: Pick<Waiting, "wish" | "editor">): Promise<void> {
    const controller = new AbortController();
    this.#asking = controller;
    await this.#setKeys();
    const { signal } = controller;
    const options = {
      location: vscode.ProgressLocation.Notification,
      title: vscode.l10n.t("Editing {0}", path.basename(wish.path)),
      cancellable: true,
    };
    try {
      const proposal = await vscode.window.withProgress(options, (_, canceled) => {
        canceled.onCancellationRequested(() => controller.abort());
        return this.#parts.edits.propose(wish, signal);
      });
      // Rejected while its last line was shown.
      if (signal.aborted) return await proposal.discard();
      this.#waiting = { proposal, wish, editor };
      proposal.onEdited(() => void this.#setKeys());
      vscode.window.setStatusBarMessage(
        vscode.l10n.t("Enter accepts the change, Esc rejects it ({0}).", spentText(proposal.spent)),
        MESSAGE_MS,
      );
    } catch (error) {
      if (!signal.aborted) this.#reportFailure(error, wish);
    } finally {
      if (this.#asking === controller) this.#asking = undefined;
      await this.#setKeys();
    }
  }

  /** Offers to continue in the chat, because nothing of the wish may be lost. */
  #reportFailure(error: unknown, wish: EditWish): void {
    const continueInChat = vscode.l10n.t("Continue in Chat");
    void vscode.window.showErrorMessage(this.#failure(error), continueInChat).then((chosen) => {
      if (chosen !== undefined)
        void vscode.commands.executeCommand("nekode.editHere.continue", composed(wish));
    });
  }

  #failure(error: unknown): string {
    if (!(error instanceof EditFailure))
      return vscode.l10n.t("Nothing was changed: {0}", this.#parts.failureText(error));
    switch (error.code) {
      case "private": {
        const t = translator(vscode.l10n.bundle ?? {});
        const reason = error.reason ? reasonText(t, error.reason) : "";
        return vscode.l10n.t("Nothing was sent, because the file may be private: {0}", reason);
      }
      case "too-long":
        return vscode.l10n.t("Nothing was sent: the selected lines are too long for one request.");
      case "not-placed":
        return vscode.l10n.t(
          "Nothing was changed: twice, the model's answer did not fit the text of the file.",
        );
      case "refused":
        return vscode.l10n.t("The model proposes no change: {0}", error.detail);
      case "no-answer":
        return vscode.l10n.t("Nothing was changed: the model's answer was empty.");
      case "limit":
        return vscode.l10n.t(
          "Nothing was sent: the cost limit has been reached. You can raise it in Settings.",
        );
    }
  }

  /** Whether this document shows the change that waits. */
  shows(uri: vscode.Uri): boolean {
    const shown = this.#waiting && this.#parts.previews.proposed(uri);
    return shown !== undefined && shown.session === undefined && shown.path === this.#waiting?.wish.path;
  }

  /** Ends the change that waits, if there is one; "reject" also ends a request. Never rejects. */
  async answer(verdict: Verdict): Promise<void> {
    if (verdict === "reject") this.#asking?.abort();
    const waiting = this.#waiting;
    if (!waiting) return;
    this.#waiting = undefined;
    await this.#setKeys();
    try {
      if (verdict === "approve") await waiting.proposal.save();
      else await waiting.proposal.discard();
    } catch (error) {
      this.#reportFailure(error, waiting.wish);
    }
    const { uri, selection, column } = waiting.editor;
    // The diff covered this editor, and the user had the focus there.
    const place = column === undefined ? {} : { viewColumn: column };
    if (verdict === "approve")
      await vscode.window.showTextDocument(uri, {
        selection: new vscode.Range(selection.start, selection.start),
        ...place,
      });
  }

  /** Rejects the change that waits, and returns its wish as a message for the chat; undefined if nothing waits. */
  async takeToChat(): Promise<string | undefined> {
    const waiting = this.#waiting;
    await this.answer("reject");
    return waiting && composed(waiting.wish);
  }

  /** Tells the keybindings whether the proposal still streams, is complete, or was edited: then Enter begins a line. */
  async #setKeys(): Promise<void> {
    const edited = this.#waiting?.proposal.isEdited() ? "edited" : "complete";
    const state = this.#waiting ? edited : this.#asking && "streaming";
    await vscode.commands.executeCommand("setContext", "nekode.editHere", state);
  }

  dispose(): void {
    void this.answer("reject");
    this.#store.dispose();
  }
}

/** The wish as a message of the chat. */
function composed({ path: file, lines, wish }: EditWish): string {
  return `${linesMention({ path: workspacePath(file), ...lines })} ${wish}`;
}

function problemsIn(document: vscode.TextDocument, selection: vscode.Range): string[] {
  return vscode.languages
    .getDiagnostics(document.uri)
    .filter(({ range }) => range.intersection(selection) !== undefined)
    .map(({ range, message }) => `line ${range.start.line + 1}: ${message}`);
}
