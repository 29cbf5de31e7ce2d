/**
 * Shows the changes since a checkpoint in the editor's multi-file diff view, and restores files after one
 * confirmation.
 */
import * as vscode from "vscode";
import {
  type ChangedContent,
  CheckpointError,
  type PlannedFile,
  type RestorePlan,
  type RestoreResult,
  type SessionCheckpoints,
} from "../../core/checkpoints/checkpoints.ts";
import { type Disposable, DisposableStore } from "../../core/lifecycle.ts";
import type { FileContent } from "../../core/ports/file-states.ts";
import { decode } from "../../node/files/encodings.ts";
import { reasonWords } from "../../shared/words/reasons/reasons.ts";
import { workspacePath } from "../files/workspace-folders.ts";
import { opensAsPlainText } from "./plain-files.ts";

/** The scheme of documents that show an earlier version of a file. */
const CHECKPOINT_SCHEME = "nekode-checkpoint";

/** Maximum number of files named in a question; the others are counted. */
const NAMED_FILES = 15;

/** Shows a modal question and resolves to the chosen button; undefined if the user canceled. */
type Ask = (question: string, detail: string, choices: readonly string[]) => PromiseLike<string | undefined>;

const askInWindow: Ask = (question, detail, choices) =>
  vscode.window.showWarningMessage(question, { modal: true, detail }, ...choices);

export class ChangesView implements Disposable {
  readonly #store = new DisposableStore();
  /** The texts of the documents shown, by URI. */
  readonly #texts = new Map<string, string>();
  #nextId = 1;

  readonly #scheme: string;
  readonly #ask: Ask;

  /** Only tests pass arguments: there, two instances share a window and no one answers the questions. */
  constructor(scheme = CHECKPOINT_SCHEME, ask: Ask = askInWindow) {
    this.#scheme = scheme;
    this.#ask = ask;
    this.#store.add(
      vscode.workspace.registerTextDocumentContentProvider(scheme, {
        provideTextDocumentContent: (uri) => this.#texts.get(uri.toString()) ?? "",
      }),
    );
    this.#store.add(
      vscode.workspace.onDidCloseTextDocument(({ uri }) => void this.#texts.delete(uri.toString())),
    );
  }

  dispose(): void {
    this.#store.dispose();
    this.#texts.clear();
  }

  /** Opens the changes since the checkpoint; with `only`, just the changes made in that step. */
  async show(checkpoints: SessionCheckpoints, id: string, only: boolean): Promise<void> {
    const files = await withLocalizedErrors(checkpoints.changes(id, only));
    if (files.length === 0) {
      throw new Error(vscode.l10n.t("No changes since this checkpoint."));
    }
    const title = only
      ? vscode.l10n.t("Changes in this step")
      : vscode.l10n.t("Changes since this checkpoint");
    const resources = await Promise.all(files.map((file) => this.#resource(file, id)));
    await vscode.commands.executeCommand("vscode.changes", title, resources);
  }

  /** A row of `vscode.changes`: the file, its earlier content and its current content. */
  async #resource(
    file: ChangedContent,
    id: string,
  ): Promise<[vscode.Uri, vscode.Uri | undefined, vscode.Uri | undefined]> {
    const uri = vscode.Uri.file(file.path);
    const before = this.#document(file.path, id, "before", file.before);
    if ("after" in file) return [uri, before, this.#document(file.path, id, "after", file.after)];
    const bytes = await vscode.workspace.fs.readFile(uri).then(
      (found) => found,
      () => null,
    );
    if (bytes === null) return [uri, before, undefined];
    const now: FileContent = { kind: "file", bytes };
    return [uri, before, opensAsPlainText(file.path) ? this.#document(file.path, id, "now", now) : uri];
  }

  /**
   * The document for one side of the diff; undefined if the file did not exist. `content` is undefined if it was not
   * backed up.
   */
  #document(
    file: string,
    id: string,
    side: string,
    content: FileContent | null | undefined,
  ): vscode.Uri | undefined {
    if (content === null) return undefined;
    // As plain text, so that no language server fetches the URLs that the file names.
    const shown = opensAsPlainText(file) ? `${file}.txt` : file;
    const uri = vscode.Uri.from({
      scheme: this.#scheme,
      path: vscode.Uri.file(shown).path,
      query: `${side}-${this.#nextId++}-${id}`,
    });
    this.#texts.set(uri.toString(), textOf(content));
    return uri;
  }

  /**
   * Asks the user what to restore, and restores the files. Resolves to true if the user also chose to restore the
   * conversation, which the caller must do.
   */
  async restore(checkpoints: SessionCheckpoints, id: string, withConversation: boolean): Promise<boolean> {
    const plan = await withLocalizedErrors(checkpoints.plan(id));
    const files = vscode.l10n.t("Files only");
    const both = vscode.l10n.t("Files and conversation");
    const conversation = vscode.l10n.t("Conversation only");
    const choices = [
      ...(plan.files.length > 0 ? [files] : []),
      ...(withConversation ? [...(plan.files.length > 0 ? [both] : []), conversation] : []),
    ];
    if (choices.length === 0) throw new Error(vscode.l10n.t("No changes since this checkpoint."));
    const detail = [
      plan.files.length > 0
        ? vscode.l10n.t("Files to restore: {0}", plan.files.length)
        : vscode.l10n.t("No files changed since this checkpoint."),
      ...listed(plan.files),
      ...(plan.files.length > 0
        ? ["", vscode.l10n.t("The current content is backed up, so you can undo the restore.")]
        : []),
    ].join("\n");
    const question = vscode.l10n.t("Restore to this checkpoint?");
    const chosen = await this.#ask(question, detail, choices);
    if (chosen === undefined) return false;
    if (chosen !== conversation && !(await this.#carryOut(checkpoints, plan))) return false;
    return chosen !== files;
  }

  /**
   * Undoes one change. If a file changed since, changes nothing and offers to view the changes or undo the other
   * files.
   */
  async undo(checkpoints: SessionCheckpoints, callId: string): Promise<void> {
    const plan = await withLocalizedErrors(checkpoints.planUndo(callId));
    const since = plan.files.filter(({ changedSince }) => changedSince);
    if (plan.files.length === 0)
      throw new Error(vscode.l10n.t("The files are already in their earlier state."));
    if (since.length > 0) {
      const look = vscode.l10n.t("View changes");
      const message = vscode.l10n.t(
        "This change cannot be undone on its own. Changed later: {0}",
        names(since),
      );
      // Not awaited: the user may leave the message open longer than the panel's request may take.
      const others = vscode.l10n.t("Undo other files");
      const rest = plan.files.filter(({ changedSince }) => !changedSince);
      const choices = rest.length > 0 ? [look, others] : [look];
      void vscode.window.showWarningMessage(message, ...choices).then(async (chosen) => {
        if (chosen === look) await this.show(checkpoints, callId, false);
        if (chosen === others) reportFailures(await withLocalizedErrors(checkpoints.restore(plan, rest)));
      });
      return;
    }
    reportFailures(await withLocalizedErrors(checkpoints.restore(plan)));
  }

  /** Restores the files of the plan, after asking about those that changed since; false if the user canceled. */
  async #carryOut(checkpoints: SessionCheckpoints, plan: RestorePlan): Promise<boolean> {
    let { files } = plan;
    const since = files.filter(({ changedSince }) => changedSince);
    if (since.length > 0) {
      const overwrite = vscode.l10n.t("Restore these too");
      const leave = vscode.l10n.t("Leave unchanged");
      const question = vscode.l10n.t("Files changed since Nekode wrote them: {0}", since.length);
      const detail = listed(since).join("\n");
      const chosen = await this.#ask(question, detail, [overwrite, leave]);
      if (chosen === undefined) return false;
      if (chosen === leave) files = files.filter(({ changedSince }) => !changedSince);
    }
    reportFailures(await withLocalizedErrors(checkpoints.restore(plan, files)));
    return true;
  }
}

/** Shows a warning that names the files that could not be restored, if any. */
function reportFailures({ failed, restored }: RestoreResult): void {
  if (failed.length === 0) return;
  const message = vscode.l10n.t(
    "Restored files: {0}. Not restored: {1}",
    restored.length,
    failed
      .map(({ path: file, fault }) => `${workspacePath(file)} (${reasonWords(vscode.l10n.t, fault)})`)
      .join(", "),
  );
  void vscode.window.showWarningMessage(message);
}

function names(files: readonly PlannedFile[]): string {
  return files.map(({ path: file }) => workspacePath(file)).join(", ");
}

function listed(files: readonly PlannedFile[]): string[] {
  const lines = files.slice(0, NAMED_FILES).map((file) => {
    const name = workspacePath(file.path);
    if (file.lost) return vscode.l10n.t("{0} (not backed up, remains unchanged)", name);
    if (file.changedSince) return vscode.l10n.t("{0} (changed since)", name);
    return file.target === null ? vscode.l10n.t("{0} (will be deleted)", name) : name;
  });
  const more = files.length - NAMED_FILES;
  return more > 0 ? [...lines, vscode.l10n.t("and {0} more", more)] : lines;
}

function textOf(content: FileContent | undefined): string {
  if (!content) return vscode.l10n.t("(This content was not backed up.)");
  const decoded = decode(content.bytes);
  if (decoded.kind === "text") return decoded.text;
  return vscode.l10n.t("(Binary content: {0} bytes)", content.bytes.length);
}

/** Replaces a CheckpointError by an error in the user's language. */
async function withLocalizedErrors<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    if (!(error instanceof CheckpointError)) throw error;
    throw new Error(
      error.code === "busy"
        ? vscode.l10n.t("The agent is changing files. Wait until it is done, or stop it first.")
        : vscode.l10n.t("This checkpoint no longer exists."),
    );
  }
}
