/**
 * Shows the changes since a checkpoint in the editor's multi-file diff view, and restores files after one
 * confirmation.
 */
import * as vscode from "vscode";
import type { ChangedText } from "../../core/agent/extras/commit-messages.ts";
import {
  type ChangedContent,
  CheckpointError,
  ifKept,
  type PlannedFile,
  type RestorePlan,
  type RestoreResult,
  type SessionCheckpoints,
} from "../../core/checkpoints/checkpoints.ts";
import { type Disposable, DisposableStore } from "../../core/lifecycle.ts";
import type { FileContent } from "../../core/ports/file-states.ts";
import { decodeFile } from "../../node/files/encoding-names.ts";
import type { Result } from "../../shared/protocol.ts";
import type { TurnFile } from "../../shared/view/turn-protocol.ts";
import { reasonWords } from "../../shared/words/reasons/reasons.ts";
import { fileEncodingNames } from "../files/editor-encoding.ts";
import { workspacePath } from "../files/workspace-folders.ts";
import { lineCounts } from "./line-counts.ts";
import { opensAsPlainText } from "./plain-files.ts";

/** The scheme of documents that show an earlier version of a file. */
const CHECKPOINT_SCHEME = "nekode-checkpoint";

/** Maximum number of files named in a question; the others are counted. */
const NAMED_FILES = 15;

/** Maximum number of files that the panel lists for one turn. */
const LISTED_FILES = 200;

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
    await this.#open(files, id, title);
  }

  /** Opens what the turn of that user message changed, in all files or in the one with that name. */
  async showTurn(checkpoints: SessionCheckpoints, id: string, name?: string): Promise<void> {
    const all = await withLocalizedErrors(checkpoints.turn(id));
    const files = all.filter((file) => name === undefined || workspacePath(file.path) === name);
    if (files.length === 0) throw new Error(vscode.l10n.t("No changes since this checkpoint."));
    await this.#open(files, id, vscode.l10n.t("Changes in this turn"));
  }

  async #open(files: readonly ChangedContent[], id: string, title: string): Promise<void> {
    const resources = await Promise.all(files.map((file) => this.#resource(file, id)));
    await vscode.commands.executeCommand("vscode.changes", title, resources);
  }

  /** The files that the turn of that user message changed, with numbers of lines. */
  async turnFiles(checkpoints: SessionCheckpoints, id: string): Promise<Result<"turn/files">> {
    const files = await withLocalizedErrors(checkpoints.turn(id));
    const named = files.map((file) => ({ file, path: workspacePath(file.path) }));
    named.sort((a, b) => (a.path < b.path ? -1 : 1));
    const shown = named.slice(0, LISTED_FILES).map(async ({ file, path }) => {
      const after = "after" in file ? file.after : await currentContent(file.path);
      const place = { path: file.path, names: fileEncodingNames };
      const kind = file.before === null ? "add" : after === null ? "delete" : "update";
      return {
        path,
        kind,
        undone: file.undone,
        ...(await lineCounts(place, file.before, after)),
      } satisfies TurnFile;
    });
    return { files: await Promise.all(shown), more: named.length - shown.length };
  }

  /** The files that the turn of that user message changed and that were not undone, with their texts. */
  async turnTexts(checkpoints: SessionCheckpoints, id: string): Promise<ChangedText[]> {
    const changed = (await withLocalizedErrors(checkpoints.turn(id))).filter(({ undone }) => !undone);
    const texts = changed.map(async (file) => {
      const after = "after" in file ? file.after : await currentContent(file.path);
      return {
        path: file.path,
        name: workspacePath(file.path),
        before: await plainText(file.path, file.before),
        after: await plainText(file.path, after),
      };
    });
    return Promise.all(texts);
  }

  /** Undoes what the turn of that user message changed, in all files or in the one with that name. */
  async undoTurn(checkpoints: SessionCheckpoints, id: string, name?: string): Promise<void> {
    const files = name === undefined ? undefined : await withLocalizedErrors(checkpoints.turn(id));
    const paths = files?.map(({ path }) => path).filter((path) => workspacePath(path) === name);
    await this.#undo(checkpoints, await withLocalizedErrors(checkpoints.planUndoTurn(id, paths)));
  }

  /** A row of `vscode.changes`: the file, its earlier content and its current content. */
  async #resource(
    file: ChangedContent,
    id: string,
  ): Promise<[vscode.Uri, vscode.Uri | undefined, vscode.Uri | undefined]> {
    const uri = vscode.Uri.file(file.path);
    const before = await this.#document(file.path, id, "before", file.before);
    if ("after" in file) return [uri, before, await this.#document(file.path, id, "after", file.after)];
    const now = await currentContent(file.path);
    if (now === null) return [uri, before, undefined];
    return [uri, before, opensAsPlainText(file.path) ? await this.#document(file.path, id, "now", now) : uri];
  }

  /**
   * The document for one side of the diff; undefined if the file did not exist. `content` is undefined if it was not
   * backed up.
   */
  async #document(
    file: string,
    id: string,
    side: string,
    content: FileContent | null | undefined,
  ): Promise<vscode.Uri | undefined> {
    if (content === null) return undefined;
    // As plain text, so that no language server fetches the URLs that the file names.
    const shown = opensAsPlainText(file) ? `${file}.txt` : file;
    const uri = vscode.Uri.from({
      scheme: this.#scheme,
      path: vscode.Uri.file(shown).path,
      query: `${side}-${this.#nextId++}-${id}`,
    });
    this.#texts.set(uri.toString(), await textOf(file, content));
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
   * Before a message is replaced: asks whether the files return to their state before it, if any changed. Files that changed
   * since Nekode wrote them stay. `stop` ends the agent's work before files are restored. Resolves to false if the user
   * canceled, so that nothing must happen.
   */
  async restoreForEdit(
    checkpoints: SessionCheckpoints,
    id: string,
    stop: () => Promise<void>,
  ): Promise<boolean> {
    const before = restorable(await planOf(checkpoints, id));
    if (before.length === 0) return true;
    // Enter selects the first choice.
    const keep = vscode.l10n.t("Send and Keep Files");
    const restore = vscode.l10n.t("Send and Restore Files");
    const note = vscode.l10n.t(
      "The current content is backed up. You can undo the restore in the earlier session, which stays in the history.",
    );
    const detail = [...listed(before), "", note].join("\n");
    const question = vscode.l10n.t("Restore the files to before this message too?");
    const chosen = await this.#ask(question, detail, [keep, restore]);
    if (chosen === restore) {
      await stop();
      // The agent may have changed further files while the question was open.
      const plan = await planOf(checkpoints, id);
      reportFailures(await withLocalizedErrors(checkpoints.restore(plan, restorable(plan))));
    }
    return chosen !== undefined;
  }

  /**
   * Undoes one change. If a file changed since, changes nothing and offers to view the changes or undo the other
   * files.
   */
  async undo(checkpoints: SessionCheckpoints, callId: string): Promise<void> {
    await this.#undo(checkpoints, await withLocalizedErrors(checkpoints.planUndo(callId)));
  }

  async #undo(checkpoints: SessionCheckpoints, plan: RestorePlan): Promise<void> {
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
        if (chosen === look) await this.show(checkpoints, plan.id, false);
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

/** The plan of a restore to before a message; empty if nothing changed since, or checkpoints were off. */
function planOf(checkpoints: SessionCheckpoints, id: string): Promise<RestorePlan> {
  return ifKept(checkpoints.plan(id), { id, files: [] });
}

/** The files that a restore changes without a further question. */
function restorable({ files }: RestorePlan): PlannedFile[] {
  return files.filter(({ changedSince, lost }) => !changedSince && !lost);
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

/** null: there is no such file. */
async function currentContent(file: string): Promise<FileContent | null> {
  return vscode.workspace.fs.readFile(vscode.Uri.file(file)).then(
    (bytes) => ({ kind: "file", bytes }),
    () => null,
  );
}

/** null: there is no file. undefined: it is not text, or was not backed up. */
async function plainText(
  file: string,
  content: FileContent | null | undefined,
): Promise<string | null | undefined> {
  if (!content) return content;
  const decoded = await decodeFile(file, content.bytes, fileEncodingNames);
  return decoded.kind === "text" ? decoded.text : undefined;
}

async function textOf(file: string, content: FileContent | undefined): Promise<string> {
  if (!content) return vscode.l10n.t("(This content was not backed up.)");
  const decoded = await decodeFile(file, content.bytes, fileEncodingNames);
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
