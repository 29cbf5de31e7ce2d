/**
 * The `Editor` port: shows a proposed change in a diff editor. The left side is the file, or a copy of it; the right
 * side is an in-memory document that grows while the proposal streams, and that the user may edit once it is
 * complete. Only `save` changes the file itself.
 */
import { randomUUID } from "node:crypto";
import * as path from "node:path";
import * as vscode from "vscode";
import { ToolError } from "../../core/errors.ts";
import { type Disposable, DisposableStore, Emitter } from "../../core/lifecycle.ts";
import type {
  Editor,
  ExpectedFile,
  ExpectedMove,
  Preview,
  PreviewOptions,
  ProblemWatch,
  Saved,
} from "../../core/ports/editor.ts";
import type { TextFile } from "../../core/ports/files.ts";
import type { Log } from "../../core/ports/system.ts";
import { lineTable } from "../../core/text.ts";
import { within } from "../../node/clock.ts";
import { realTarget } from "../../node/files/disk-files.ts";
import { workspacePath } from "../files/workspace-folders.ts";
import { AutoScroll } from "./auto-scroll.ts";
import { DiffPlacement, type DiffPosition } from "./diff-placement.ts";
import { saveWithOthers } from "./document-saving.ts";
import type { FileSaver } from "./file-saver.ts";
import { allTabs, documentOf, isOpenElsewhere, PREVIEW_SCHEME, tabUri } from "./open-documents.ts";
import { opensAsPlainText } from "./plain-files.ts";
import { type PreviewFile, PreviewFiles } from "./preview-files.ts";
import { minimalChanges, userEditedText } from "./text-edits.ts";

/** Milliseconds to wait for the editor to open or close a tab before the task continues. */
const EDITOR_TIMEOUT = 1_500;

export class DiffPreviews implements Editor, Disposable {
  readonly #store = new DisposableStore();
  readonly #saver: FileSaver;
  readonly #log: Log;
  readonly files: PreviewFiles;
  readonly placement: DiffPlacement;
  /** Previews that are neither saved nor discarded. */
  readonly #live = new Set<DiffPreview>();
  /** Whether the user is looking at the session. Diffs of other sessions open later or on request. Default: always true. */
  isWatched: (session: string) => boolean = () => true;

  /** Only tests pass a `scheme`: there, two instances share a window. */
  constructor(saver: FileSaver, log: Log, scheme = PREVIEW_SCHEME) {
    this.#saver = saver;
    this.#log = log;
    this.files = this.#store.add(new PreviewFiles(scheme));
    this.placement = this.#store.add(new DiffPlacement((tab) => tabUri(tab)?.scheme === scheme));
    // A key pressed while a preview closes makes its document dirty again, and VS Code reopens a dirty document in a
    // tab.
    this.#store.add(
      vscode.window.tabGroups.onDidChangeTabs(({ opened }) => {
        const reopened = opened.some(
          ({ input }) => input instanceof vscode.TabInputText && input.uri.scheme === scheme,
        );
        if (!reopened) return;
        this.closeLeftovers().catch((error: unknown) =>
          log.error("a reopened preview could not be closed", error),
        );
      }),
    );
    this.#store.add(
      vscode.workspace.onDidChangeTextDocument(({ document: { uri } }) => {
        if (uri.scheme === scheme) for (const preview of this.#live) preview.changed(uri);
      }),
    );
  }

  preview(
    file: string,
    original: TextFile | null,
    { show, session, takesFocus = false }: PreviewOptions,
  ): Preview {
    const preview = new DiffPreview(
      {
        // Hot exit restores unsaved text by URI after a reload, so no two proposals may ever share a URI.
        id: randomUUID(),
        session,
        takesFocus,
        previews: this,
        saver: this.#saver,
        log: this.#log,
        ended: () => this.#live.delete(preview),
      },
      file,
      original,
      show,
    );
    this.#live.add(preview);
    return preview;
  }

  watchProblems(files: readonly string[]): Promise<ProblemWatch> {
    return this.#saver.watchProblems(files);
  }

  remove(file: string, expected: ExpectedFile): Promise<void> {
    return this.#saver.remove(file, expected);
  }

  rename(file: string, to: string, expected: ExpectedMove): Promise<void> {
    return this.#saver.rename(file, to, expected);
  }

  /** Call when the user may be looking at another session. Opens the diffs that wait in it. */
  openWatched(): void {
    for (const preview of this.#live)
      preview
        .open()
        .catch((error: unknown) => this.#log.error(`the preview of ${preview.path} was not shown`, error));
  }

  /** Brings a session's newest preview of a file to the front; false if there is none. */
  async reveal(file: string, session: string | undefined): Promise<boolean> {
    const preview = [...this.#live].findLast(
      (preview) => preview.path === file && preview.session === session,
    );
    await preview?.reveal();
    return preview !== undefined;
  }

  /**
   * The file whose proposal this document shows, and its session; undefined while the proposal is still streaming, and after it
   * ended.
   */
  proposed(uri: vscode.Uri): { path: string; session: string | undefined } | undefined {
    return [...this.#live].find((preview) => preview.isComplete && preview.shows(uri));
  }

  /**
   * Closes the tabs of previews whose proposal no longer exists, such as those that VS Code restores after a reload.
   */
  async closeLeftovers(): Promise<void> {
    const leftovers = () =>
      allTabs().filter((tab) => {
        const uri = tabUri(tab);
        return uri?.scheme === this.files.scheme && ![...this.#live].some((preview) => preview.shows(uri));
      });
    const stale = new Set(leftovers().map((tab) => tabUri(tab)?.toString()));
    for (const document of vscode.workspace.textDocuments)
      if (stale.has(document.uri.toString()) && document.isDirty) await saveWithOthers(document);
    // A tab that has changed meanwhile may be another object, and closing the first one is an error.
    const tabs = leftovers();
    if (tabs.length > 0) await vscode.window.tabGroups.close(tabs, true);
  }

  dispose(): void {
    this.#store.dispose();
  }
}

interface Parts {
  id: string;
  /** The session that proposes the change. */
  session: string | undefined;
  takesFocus: boolean;
  previews: DiffPreviews;
  saver: FileSaver;
  log: Log;
  ended(): void;
}

class DiffPreview implements Preview {
  readonly path: string;
  readonly session: string | undefined;
  readonly #parts: Parts;
  readonly #original: TextFile | null;
  readonly #show: boolean;
  readonly #left: vscode.Uri | PreviewFile;
  readonly #right: PreviewFile;
  /** The path's real target when the change was proposed. */
  readonly #target: Promise<string>;
  #autoScroll: AutoScroll | undefined;
  #opening: Promise<void> | undefined;
  #finished = false;
  #ended = false;
  /** Set when the complete proposal is no longer shown; `userText`: as `#userText` was. */
  #hidden: { userText: string | undefined } | undefined;
  readonly #edited = new Emitter<void>();
  readonly onEdited = this.#edited.on;
  #wasEdited = false;

  constructor(parts: Parts, file: string, original: TextFile | null, show: boolean) {
    this.path = file;
    this.session = parts.session;
    this.#parts = parts;
    this.#original = original;
    this.#show = show;
    this.#target = realTarget(file);
    // `save` reports a rejection; this prevents an unhandled one if the preview is never saved.
    this.#target.catch(() => {});
    const name = path.basename(file);
    const plain = opensAsPlainText(file);
    const shownName = plain ? `${name}.txt` : name;
    const { files } = parts.previews;
    const folder = path.posix.dirname(`/${workspacePath(file).split(path.sep).join("/")}`);
    const at = (side: string) => ({
      authority: `${side}-${parts.id}`,
      path: path.posix.join(folder, shownName),
    });
    this.#right = files.create(at("proposed"), original?.text ?? "");
    const uri = vscode.Uri.file(file);
    // VS Code decodes files that are not UTF-8 according to the user's settings, which may be wrong for this file.
    const decodesCorrectly = original !== null && /^utf-?8$/i.test(original.encoding) && !plain;
    this.#left =
      decodesCorrectly || (original !== null && isOpenElsewhere(uri, files.scheme))
        ? uri
        : files.create(at("original"), original?.text ?? "");
  }

  update(text: string): void {
    if (this.#ended || this.#finished || !this.#mayOpen) return;
    this.#autoScroll ??= new AutoScroll(this.#right.uri);
    this.#right.stream(text);
    this.#opening ??= this.#openDiff(this.#place());
  }

  async finish(text: string): Promise<void> {
    if (this.#ended) return;
    this.#finished = true;
    this.#right.complete(text);
    if (this.#mayOpen) await this.#openFinished();
  }

  /** Opens the diff of a finished proposal if it may be open and is not. One that still streams opens with its next part. */
  async open(): Promise<void> {
    if (this.isComplete && this.#opening === undefined && this.#mayOpen) await this.#openFinished();
  }

  /** The diff is open, or opens by itself. */
  get #mayOpen(): boolean {
    const { session } = this;
    const isWatched = session === undefined || this.#parts.previews.isWatched(session);
    return this.#show && this.#hidden === undefined && (this.#opening !== undefined || isWatched);
  }

  async #openFinished(): Promise<void> {
    this.#opening ??= this.#openDiff(this.#place());
    await within(this.#opening, EDITOR_TIMEOUT);
    if (this.#ended) return;
    const autoScroll = this.#autoScroll ?? new AutoScroll(this.#right.uri);
    autoScroll.show(firstDifference(this.#original?.text ?? "", this.#right.proposal));
    autoScroll.dispose();
  }

  async reveal(): Promise<void> {
    if (!this.#show || this.#ended || this.#hidden) return;
    if (this.#finished && this.#opening === undefined) return this.#openFinished();
    // The tab may still be opening.
    if (this.#opening) await within(this.#opening, EDITOR_TIMEOUT);
    if (this.#ended) return;
    const { placement } = this.#parts.previews;
    const [tab] = this.#tabs();
    if (tab === undefined) this.#opening = this.#openDiff(this.#place());
    else if (placement.mayBringToFront(tab))
      this.#opening = this.#openDiff({ viewColumn: tab.group.viewColumn, background: false });
    await this.#opening;
  }

  #place(): DiffPosition {
    const { previews, takesFocus } = this.#parts;
    return takesFocus
      ? { viewColumn: vscode.ViewColumn.Active, background: false }
      : previews.placement.place();
  }

  get isComplete(): boolean {
    return this.#finished && !this.#ended;
  }

  shows(uri: vscode.Uri): boolean {
    return uri.toString() === this.#right.uri.toString();
  }

  isEdited(): boolean {
    return this.#userText() !== undefined;
  }

  choose(text: string): void {
    if (this.isComplete && !this.isEdited()) this.#right.complete(text);
  }

  changed(uri: vscode.Uri): void {
    if (!this.isComplete || !this.shows(uri) || this.isEdited() === this.#wasEdited) return;
    this.#wasEdited = !this.#wasEdited;
    this.#edited.emit();
  }

  async save(chosen?: string, { checks } = { checks: true }): Promise<Saved> {
    if (this.#ended || !this.#finished) throw new ToolError("This change can no longer be applied.");
    // The preview shows the included hunks, so the user's edits apply to that text.
    const edited = this.#userText() ?? chosen;
    try {
      const saved = await this.#parts.saver.save({
        path: this.path,
        original: this.#original,
        expectedTarget: await this.#target,
        text: edited ?? this.#right.proposal,
        checks,
      });
      return { ...saved, ...(edited === undefined ? {} : { userText: edited }) };
    } finally {
      await this.#end();
    }
  }

  async discard(): Promise<void> {
    if (!this.#ended) await this.#end();
  }

  async hide(): Promise<void> {
    if (!this.isComplete || this.#hidden) return;
    this.#hidden = { userText: this.#userText() };
    await within(this.#closeTabs(), EDITOR_TIMEOUT);
  }

  /** The proposal as the user edited it, saved or not; undefined if they did not. */
  #userText(): string | undefined {
    if (this.#hidden) return this.#hidden.userText;
    const document = documentOf(this.#right.uri);
    // A clean document may lag behind the proposal; only text that the user typed or saved counts.
    const shown = document?.isDirty ? document.getText() : this.#right.userSaved;
    return shown === undefined ? undefined : userEditedText(this.#right.proposal, shown);
  }

  async #openDiff(place: DiffPosition): Promise<void> {
    const left = this.#left instanceof vscode.Uri ? this.#left : this.#left.uri;
    const name = path.basename(this.path);
    const title =
      this.#original === null
        ? vscode.l10n.t("{0} (proposed new file)", name)
        : vscode.l10n.t("{0} (proposed change)", name);
    const options = {
      ...place,
      preserveFocus: !this.#parts.takesFocus,
      // A permanent tab: VS Code would otherwise reuse the user's preview tab, the one with the italic title.
      preview: false,
      // The text diff editor, even if the user set a custom editor for such files.
      override: true,
    };
    try {
      await vscode.commands.executeCommand("vscode.diff", left, this.#right.uri, title, options);
    } catch (error) {
      // The panel's row also shows the change, and can open the diff again.
      this.#parts.log.error(`the preview of ${this.path} did not open`, error);
    }
  }

  #tabs(): vscode.Tab[] {
    return allTabs().filter((tab) => {
      const uri = tabUri(tab);
      return uri !== undefined && this.shows(uri);
    });
  }

  /** Closes the tab without a prompt and without moving the focus, and frees the documents. */
  async #end(): Promise<void> {
    this.#ended = true;
    this.#autoScroll?.dispose();
    this.#parts.ended();
    // A window that is busy or closing may never report that it opened or closed a tab.
    await within(this.#close(), EDITOR_TIMEOUT);
  }

  async #close(): Promise<void> {
    const { files } = this.#parts.previews;
    await this.#closeTabs();
    files.remove(this.#right);
    if (!(this.#left instanceof vscode.Uri)) files.remove(this.#left);
  }

  async #closeTabs(): Promise<void> {
    try {
      await this.#opening;
      const document = documentOf(this.#right.uri);
      // Closing a dirty document prompts the user. A keystroke during the save may make it dirty again, hence the
      // loop.
      for (let times = 0; document?.isDirty && times < 3; times++) await saveWithOthers(document);
      const tabs = this.#tabs();
      if (tabs.length > 0) await vscode.window.tabGroups.close(tabs, true);
    } catch (error) {
      this.#parts.log.error(`the preview of ${this.path} did not close`, error);
    }
  }
}

/** The first line (0-based) of `after` that differs from `before`. */
function firstDifference(before: string, after: string): number {
  const [change] = minimalChanges(before, after);
  // Both texts are equal up to the first change, so its offset is valid in `after` too.
  return change ? lineTable(after.slice(0, change.start)).count : 0;
}
