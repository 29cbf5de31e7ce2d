/** What changed since a checkpoint, in the editor's own view of many differences; and the way back, asked for once. */
import * as vscode from "vscode";
import {
  type ChangedContent,
  CheckpointError,
  type Checkpoints,
  type PlannedFile,
  type RestorePlan,
  type RestoreResult,
} from "../../core/checkpoints/checkpoints.ts";
import { type Disposable, DisposableStore } from "../../core/lifecycle.ts";
import type { FileContent } from "../../core/ports/file-states.ts";
import { decode } from "../../node/files/encodings.ts";
import { reasonWords } from "../../shared/words/reasons/reasons.ts";
import { workspacePath } from "../files/workspace-folders.ts";
import { opensAsPlainText } from "./plain-files.ts";

/** The scheme of documents that show a file as it was. */
export const checkpointScheme = "nekode-checkpoint";

/** Files that a question names; the rest is counted. */
const namedFiles = 15;

/** A question that keeps the window until it is answered; undefined: the person changed their mind. */
type Ask = (question: string, detail: string, choices: readonly string[]) => PromiseLike<string | undefined>;

const askInWindow: Ask = (question, detail, choices) =>
  vscode.window.showWarningMessage(question, { modal: true, detail }, ...choices);

export class Changes implements Disposable {
  readonly #store = new DisposableStore();
  /** The texts of what is shown, by URI. */
  readonly #texts = new Map<string, string>();
  #nextId = 1;

  readonly #scheme: string;
  readonly #ask: Ask;

  /** Other values are for tests alone, where two of these share a window and nobody presses a button. */
  constructor(scheme = checkpointScheme, ask: Ask = askInWindow) {
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

  /** Opens the differences from the checkpoint until now, or with `only` those of that one change. */
  async show(checkpoints: Checkpoints, id: string, only: boolean): Promise<void> {
    const files = await inWords(checkpoints.changes(id, only));
    if (files.length === 0) {
      throw new Error(vscode.l10n.t("Nothing differs from this checkpoint."));
    }
    const title = only
      ? vscode.l10n.t("Changes of this step")
      : vscode.l10n.t("Changes since this checkpoint");
    const resources = await Promise.all(files.map((file) => this.#resource(file, id)));
    await vscode.commands.executeCommand("vscode.changes", title, resources);
  }

  /** The file, what it was and what it is, for `vscode.changes`. */
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

  /** undefined: there was no file. */
  #document(
    file: string,
    id: string,
    side: string,
    content: FileContent | null | undefined,
  ): vscode.Uri | undefined {
    if (content === null) return undefined;
    // A language server must not fetch what such a file names.
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
   * Asks the person how far to go back, and does it. Resolves to true when the conversation is to go back too, which is
   * the caller's to do.
   */
  async restore(checkpoints: Checkpoints, id: string, withConversation: boolean): Promise<boolean> {
    const plan = await inWords(checkpoints.plan(id));
    const files = vscode.l10n.t("Files only");
    const both = vscode.l10n.t("Files and conversation");
    const talk = vscode.l10n.t("Conversation only");
    const choices = [
      ...(plan.files.length > 0 ? [files] : []),
      ...(withConversation ? [...(plan.files.length > 0 ? [both] : []), talk] : []),
    ];
    if (choices.length === 0) throw new Error(vscode.l10n.t("Nothing differs from this checkpoint."));
    const detail = [
      plan.files.length > 0
        ? vscode.l10n.t("Files that go back to what they were: {0}", plan.files.length)
        : vscode.l10n.t("No file differs from this checkpoint."),
      ...listed(plan.files),
      ...(plan.files.length > 0
        ? ["", vscode.l10n.t("What is replaced is kept: the restore can be undone.")]
        : []),
    ].join("\n");
    const question = vscode.l10n.t("Restore to this checkpoint?");
    const chosen = await this.#ask(question, detail, choices);
    if (chosen === undefined) return false;
    if (chosen !== talk && !(await this.#carryOut(checkpoints, plan))) return false;
    return chosen !== files;
  }

  /** Takes back one change, unless a file changed since: then says so and offers to look. */
  async undo(checkpoints: Checkpoints, callId: string): Promise<void> {
    const plan = await inWords(checkpoints.planUndo(callId));
    const since = plan.files.filter(({ changedSince }) => changedSince);
    if (plan.files.length === 0) throw new Error(vscode.l10n.t("The files are already as they were before."));
    if (since.length > 0) {
      const look = vscode.l10n.t("View changes");
      const message = vscode.l10n.t(
        "This change cannot be undone by itself: {0} changed since.",
        names(since),
      );
      // The answer may be long in coming; the panel's request is over before.
      const others = vscode.l10n.t("Undo the others");
      const rest = plan.files.filter(({ changedSince }) => !changedSince);
      const choices = rest.length > 0 ? [look, others] : [look];
      void vscode.window.showWarningMessage(message, ...choices).then(async (chosen) => {
        if (chosen === look) await this.show(checkpoints, callId, false);
        if (chosen === others) tellFailures(await inWords(checkpoints.restore(plan, rest)));
      });
      return;
    }
    tellFailures(await inWords(checkpoints.restore(plan)));
  }

  /** False: the person changed their mind. */
  async #carryOut(checkpoints: Checkpoints, plan: RestorePlan): Promise<boolean> {
    let { files } = plan;
    const since = files.filter(({ changedSince }) => changedSince);
    if (since.length > 0) {
      const overwrite = vscode.l10n.t("Put them back too");
      const leave = vscode.l10n.t("Leave them as they are");
      const question = vscode.l10n.t("Files that changed since Nekode wrote them: {0}", since.length);
      const detail = listed(since).join("\n");
      const chosen = await this.#ask(question, detail, [overwrite, leave]);
      if (chosen === undefined) return false;
      if (chosen === leave) files = files.filter(({ changedSince }) => !changedSince);
    }
    tellFailures(await inWords(checkpoints.restore(plan, files)));
    return true;
  }
}

/** What cannot be kept or put back, in words; nothing to say is no message. */
function tellFailures({ failed, restored }: RestoreResult): void {
  if (failed.length === 0) return;
  const message = vscode.l10n.t(
    "Files put back: {0}. Not put back: {1}",
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
  const lines = files.slice(0, namedFiles).map((file) => {
    const name = workspacePath(file.path);
    if (file.lost) return vscode.l10n.t("{0} (not kept, stays as it is)", name);
    if (file.changedSince) return vscode.l10n.t("{0} (changed since)", name);
    return file.target === null ? vscode.l10n.t("{0} (will be removed)", name) : name;
  });
  const more = files.length - namedFiles;
  return more > 0 ? [...lines, vscode.l10n.t("and {0} more", more)] : lines;
}

function textOf(content: FileContent | undefined): string {
  if (!content) return vscode.l10n.t("(This content is not kept.)");
  const decoded = decode(content.bytes);
  if (decoded.kind === "text") return decoded.text;
  return vscode.l10n.t("(Not text: {0} bytes.)", content.bytes.length);
}

/** Errors of the checkpoints in the person's language. */
async function inWords<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    if (!(error instanceof CheckpointError)) throw error;
    throw new Error(
      error.code === "busy"
        ? vscode.l10n.t("The agent is changing files at this moment. Wait for it or stop it first.")
        : vscode.l10n.t("There is no such checkpoint any more."),
    );
  }
}
