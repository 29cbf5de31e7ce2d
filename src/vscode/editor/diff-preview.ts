/**
 * The `Editor` port: a proposed change as a diff editor beside the person's work. The left side is the file, the right side a
 * document of our own that grows as the proposal streams and that the person may edit once it is whole. The file itself
 * is touched by `save` alone.
 */
import { randomUUID } from "node:crypto";
import * as path from "node:path";
import * as vscode from "vscode";
import { ToolError } from "../../core/errors.ts";
import { type Disposable, DisposableStore } from "../../core/lifecycle.ts";
import type { Editor, ExpectedFile, ExpectedMove, Preview, Saved } from "../../core/ports/editor.ts";
import type { TextFile } from "../../core/ports/files.ts";
import type { Log } from "../../core/ports/system.ts";
import { lineTable } from "../../core/text.ts";
import { within } from "../../node/clock.ts";
import { realTarget } from "../../node/files/real-target.ts";
import { workspacePath } from "../files/workspace-folders.ts";
import { DiffPlacement, type Place } from "./diff-placement.ts";
import { saveWithOthers } from "./document-saving.ts";
import type { FileSaver } from "./file-saver.ts";
import { Follow } from "./follow-writing.ts";
import { allTabs, documentOf, isOpenElsewhere, previewScheme, tabUri } from "./open-documents.ts";
import { opensAsPlainText } from "./plain-files.ts";
import { type PreviewFile, PreviewFiles } from "./preview-files.ts";
import { minimalChanges, personVersion } from "./text-edits.ts";

/** Milliseconds that the editor gets to open or close a tab before the task goes on without it. */
const editorPatience = 1_500;

export class DiffPreviews implements Editor, Disposable {
  readonly #store = new DisposableStore();
  readonly #saver: FileSaver;
  readonly #log: Log;
  readonly files: PreviewFiles;
  readonly placement: DiffPlacement;
  /** Previews that are neither saved nor discarded. */
  readonly #live = new Set<DiffPreview>();

  /** `scheme` differs in tests alone, where two of these share a window. */
  constructor(saver: FileSaver, log: Log, scheme = previewScheme) {
    this.#saver = saver;
    this.#log = log;
    this.files = this.#store.add(new PreviewFiles(scheme));
    this.placement = this.#store.add(new DiffPlacement((tab) => tabUri(tab)?.scheme === scheme));
    // A key that was pressed as the proposal went makes its document unsaved again, and the editor brings that back.
    this.#store.add(
      vscode.window.tabGroups.onDidChangeTabs(({ opened }) => {
        const back = opened.some(
          ({ input }) => input instanceof vscode.TabInputText && input.uri.scheme === scheme,
        );
        if (!back) return;
        this.closeLeftovers().catch((error: unknown) => log.error("a preview came back", error));
      }),
    );
  }

  preview(file: string, original: TextFile | null, { show }: { show: boolean }): Preview {
    const preview = new DiffPreview(
      {
        // The editor keeps what was unsaved over a reload, by name: another proposal must never come to have it.
        id: randomUUID(),
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

  remove(file: string, expected: ExpectedFile): Promise<void> {
    return this.#saver.remove(file, expected);
  }

  rename(file: string, to: string, expected: ExpectedMove): Promise<void> {
    return this.#saver.rename(file, to, expected);
  }

  /** Brings the preview of a file to the front; false: none is under way. */
  async reveal(file: string): Promise<boolean> {
    const found = [...this.#live].findLast((preview) => preview.path === file);
    await found?.reveal();
    return found !== undefined;
  }

  /** The file of the whole proposal that this document shows; undefined: it is still being written, or over. */
  proposed(uri: vscode.Uri): string | undefined {
    return [...this.#live].find((preview) => preview.isWhole && preview.shows(uri))?.path;
  }

  /** Closes what the last window of this workspace left open: its proposals are gone. */
  async closeLeftovers(): Promise<void> {
    const tabs = allTabs().filter((tab) => {
      const uri = tabUri(tab);
      return uri?.scheme === this.files.scheme && ![...this.#live].some((preview) => preview.shows(uri));
    });
    for (const document of vscode.workspace.textDocuments) {
      const stale = tabs.some((tab) => tabUri(tab)?.toString() === document.uri.toString());
      if (stale && document.isDirty) await saveWithOthers(document);
    }
    if (tabs.length > 0) await vscode.window.tabGroups.close(tabs, true);
  }

  dispose(): void {
    this.#store.dispose();
  }
}

interface Parts {
  id: string;
  previews: DiffPreviews;
  saver: FileSaver;
  log: Log;
  ended(): void;
}

class DiffPreview implements Preview {
  readonly path: string;
  readonly #parts: Parts;
  readonly #original: TextFile | null;
  readonly #show: boolean;
  readonly #left: vscode.Uri | PreviewFile;
  readonly #right: PreviewFile;
  /** Where the path really led when the change was proposed. */
  readonly #target: Promise<string>;
  #follow: Follow | undefined;
  #opening: Promise<void> | undefined;
  #finished = false;
  #ended = false;

  constructor(parts: Parts, file: string, original: TextFile | null, show: boolean) {
    this.path = file;
    this.#parts = parts;
    this.#original = original;
    this.#show = show;
    this.#target = realTarget(file);
    // Whoever saves is told.
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
    // The editor reads what is not UTF-8 by its settings, which may be wrong for this file.
    const asItIs = original !== null && /^utf-?8$/i.test(original.encoding) && !plain;
    this.#left =
      asItIs || (original !== null && isOpenElsewhere(uri, files.scheme))
        ? uri
        : files.create(at("original"), original?.text ?? "");
  }

  update(text: string): void {
    if (this.#ended || this.#finished) return;
    if (!this.#show) return;
    this.#follow ??= new Follow(this.#right.uri);
    this.#right.stream(text);
    this.#opening ??= this.#openDiff(this.#parts.previews.placement.place());
  }

  async finish(text: string): Promise<void> {
    if (this.#ended) return;
    this.#finished = true;
    this.#right.open(text);
    if (!this.#show) return;
    this.#opening ??= this.#openDiff(this.#parts.previews.placement.place());
    await within(this.#opening, editorPatience);
    if (this.#ended) return;
    const follow = this.#follow ?? new Follow(this.#right.uri);
    follow.show(firstDifference(this.#original?.text ?? "", text));
    follow.dispose();
  }

  async reveal(): Promise<void> {
    if (!this.#show || this.#ended) return;
    // The tab may be on its way.
    if (this.#opening) await within(this.#opening, editorPatience);
    if (this.#ended) return;
    const { placement } = this.#parts.previews;
    const [tab] = this.#tabs();
    if (tab === undefined) this.#opening = this.#openDiff(placement.place());
    else if (placement.mayBringToFront(tab))
      this.#opening = this.#openDiff({ viewColumn: tab.group.viewColumn, background: false });
    await this.#opening;
  }

  get isWhole(): boolean {
    return this.#finished && !this.#ended;
  }

  shows(uri: vscode.Uri): boolean {
    return uri.toString() === this.#right.uri.toString();
  }

  async save(): Promise<Saved> {
    if (this.#ended || !this.#finished) throw new ToolError("This change is no longer on offer.");
    const edited = this.#personText();
    try {
      const saved = await this.#parts.saver.save({
        path: this.path,
        original: this.#original,
        expectedTarget: await this.#target,
        text: edited ?? this.#right.proposal,
      });
      return { ...saved, ...(edited === undefined ? {} : { personText: edited }) };
    } finally {
      await this.#end();
    }
  }

  async discard(): Promise<void> {
    if (!this.#ended) await this.#end();
  }

  /** Set when the person changed the proposal, saved or not. */
  #personText(): string | undefined {
    const document = documentOf(this.#right.uri);
    // A clean document may be behind the proposal; only what the person typed or saved counts.
    const shown = document?.isDirty ? document.getText() : this.#right.personSaved;
    return shown === undefined ? undefined : personVersion(this.#right.proposal, shown);
  }

  async #openDiff(place: Place): Promise<void> {
    const left = this.#left instanceof vscode.Uri ? this.#left : this.#left.uri;
    const name = path.basename(this.path);
    const title =
      this.#original === null
        ? vscode.l10n.t("{0} (new file, proposed)", name)
        : vscode.l10n.t("{0} (proposed change)", name);
    const options = {
      ...place,
      preserveFocus: true,
      // A tab of its own: it takes the place of nobody's file.
      preview: false,
      // Always the text diff, whatever editor the person uses for such files.
      override: true,
    };
    try {
      await vscode.commands.executeCommand("vscode.diff", left, this.#right.uri, title, options);
    } catch (error) {
      // The change can still be judged by the panel's row, and asked for again there.
      this.#parts.log.error(`the preview of ${this.path} did not open`, error);
    }
  }

  #tabs(): vscode.Tab[] {
    return allTabs().filter((tab) => {
      const uri = tabUri(tab);
      return uri !== undefined && this.shows(uri);
    });
  }

  /** Takes our tab away, without a question and without the focus, and frees the text. */
  async #end(): Promise<void> {
    this.#ended = true;
    this.#follow?.dispose();
    this.#parts.ended();
    // A window that is busy or going away may never say that it opened or closed a tab; nobody waits for that.
    await within(this.#close(), editorPatience);
  }

  async #close(): Promise<void> {
    const { files } = this.#parts.previews;
    try {
      await this.#opening;
      const document = documentOf(this.#right.uri);
      // A dirty document would ask whether to keep it, and a key may be on its way while it is saved.
      for (let times = 0; document?.isDirty && times < 3; times++) await saveWithOthers(document);
      const tabs = this.#tabs();
      if (tabs.length > 0) await vscode.window.tabGroups.close(tabs, true);
    } catch (error) {
      this.#parts.log.error(`the preview of ${this.path} did not close`, error);
    }
    files.remove(this.#right);
    if (!(this.#left instanceof vscode.Uri)) files.remove(this.#left);
  }
}

/** The first line, 0-based, of `after` that differs. */
function firstDifference(before: string, after: string): number {
  const [change] = minimalChanges(before, after);
  // Up to the first difference both texts are the same.
  return change ? lineTable(after.slice(0, change.start)).count : 0;
}
