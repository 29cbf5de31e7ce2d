/**
 * **Follow**: an editor shows what the agent reads and edits, with the lines marked, until the user types, clicks, selects, scrolls or
 * switches a tab in an editor. It never takes the focus, and never covers an editor in which the user may be working.
 */
import * as vscode from "vscode";
import { type Disposable, DisposableStore } from "../../core/lifecycle.ts";
import type { Log } from "../../core/ports/system.ts";
import type { TaskEvent } from "../../shared/event.ts";
import { fileEncodingNames } from "../files/editor-encoding.ts";
import { resolveInWorkspace } from "../files/workspace-folders.ts";
import type { DiffPlacement } from "./diff-placement.ts";
import {
  type FollowedFiles,
  type FollowedPlace,
  type FollowedSession,
  followedPlaces,
  isScrolledAway,
} from "./followed-places.ts";
import { PREVIEW_SCHEME, tabUri } from "./open-documents.ts";

/** Milliseconds for which a message stays in the status bar. */
const MESSAGE_MS = 5_000;

const FILES: FollowedFiles = { resolve: resolveInWorkspace, encoding: fileEncodingNames };

export interface FollowDeps {
  onEvent(listener: (event: TaskEvent) => void): Disposable;
  /** The session, if the user sees it. */
  watched(session: string): FollowedSession | undefined;
  placement: Pick<DiffPlacement, "place">;
  log: Log;
  /** Only tests pass it: there, two instances share a window. */
  key?: string;
}

export class FollowAgent implements Disposable {
  readonly #deps: FollowDeps;
  readonly #marked = vscode.window.createTextEditorDecorationType({
    isWholeLine: true,
    backgroundColor: new vscode.ThemeColor("editor.rangeHighlightBackground"),
    borderWidth: "1px 0",
    borderStyle: "dotted",
    borderColor: new vscode.ThemeColor("editor.rangeHighlightBorder"),
  });
  #following: DisposableStore | undefined;
  #shown: { uri: string; column: vscode.ViewColumn | undefined; range: vscode.Range } | undefined;
  /** The first visible line of each editor, and the version of its document then. */
  #tops = new Map<vscode.TextEditor, { line: number; version: number }>();
  /** What was in front in each group. */
  #fronts: ReadonlyMap<vscode.ViewColumn, string> = new Map();
  #isUncovering = false;
  #last: Promise<void> = Promise.resolve();

  constructor(deps: FollowDeps) {
    this.#deps = deps;
  }

  get isFollowing(): boolean {
    return this.#following !== undefined;
  }

  start(): void {
    if (this.#following) return;
    const store = new DisposableStore();
    this.#following = store;
    this.#setKey(true);
    for (const editor of vscode.window.visibleTextEditors) this.#noteTop(editor);
    store.add(this.#deps.onEvent((event) => void this.#follow(event)));
    store.add(
      vscode.window.onDidChangeTextEditorSelection(({ kind, textEditor }) => {
        const isOwn = kind === undefined || kind === vscode.TextEditorSelectionChangeKind.Command;
        if (!isOwn && textEditor.document.uri.scheme !== "output") this.#touched();
      }),
    );
    store.add(
      vscode.window.onDidChangeTextEditorVisibleRanges(({ textEditor }) => {
        if (this.#isScrolled(textEditor)) this.#touched();
      }),
    );
    store.add(
      vscode.window.onDidChangeVisibleTextEditors((editors) => {
        for (const editor of this.#tops.keys()) if (!editors.includes(editor)) this.#tops.delete(editor);
      }),
    );
    this.#fronts = frontTabs();
    store.add(vscode.window.tabGroups.onDidChangeTabs(({ closed }) => this.#tabsChanged(closed)));
    vscode.window.setStatusBarMessage(
      vscode.l10n.t("Following the agent until you use an editor."),
      MESSAGE_MS,
    );
  }

  stop(): void {
    if (!this.#following) return;
    this.#following.dispose();
    this.#following = undefined;
    for (const editor of vscode.window.visibleTextEditors) editor.setDecorations(this.#marked, []);
    this.#shown = undefined;
    this.#tops.clear();
    this.#setKey(false);
  }

  #touched(): void {
    this.stop();
    vscode.window.setStatusBarMessage(vscode.l10n.t("No longer following the agent."), MESSAGE_MS);
  }

  #setKey(on: boolean): void {
    void vscode.commands.executeCommand("setContext", this.#deps.key ?? "nekode.following", on);
  }

  async #follow(event: TaskEvent): Promise<void> {
    const session = this.#deps.watched(event.session);
    if (!session) return;
    const places = await followedPlaces(event, session, FILES, (error) =>
      this.#deps.log.error("the lines of a call were not found", error),
    );
    for (const place of places) await this.show(place);
  }

  /** Shows the place after those before it. Never rejects: a file that cannot be shown is left out. */
  show(place: FollowedPlace): Promise<void> {
    this.#last = this.#last
      .then(() => this.#show(place))
      .catch((error: unknown) => {
        this.#deps.log.info(`${place.path} was not shown: ${String(error)}`);
      });
    return this.#last;
  }

  async #show({ path, lines }: FollowedPlace): Promise<void> {
    const store = this.#following;
    if (!store) return;
    const uri = vscode.Uri.file(path);
    const document = await vscode.workspace.openTextDocument(uri);
    const column = this.#column();
    if (this.#following !== store || column === undefined) return;
    const range = rangeOf(document, lines);
    this.#shown = { uri: uri.toString(), column: undefined, range };
    const editor = await vscode.window.showTextDocument(document, {
      viewColumn: column,
      preserveFocus: true,
      preview: true,
    });
    // The user stopped it meanwhile.
    if (this.#following !== store) return;
    this.#shown = { uri: uri.toString(), column: editor.viewColumn, range };
    this.#tops.delete(editor);
    for (const other of vscode.window.visibleTextEditors)
      other.setDecorations(this.#marked, other === editor && lines ? [range] : []);
    editor.revealRange(range, vscode.TextEditorRevealType.InCenterIfOutsideViewport);
    this.#noteTop(editor);
  }

  /** The group that shows what was last followed, or one in which nothing is covered; undefined: a proposal is in front there. */
  #column(): vscode.ViewColumn | undefined {
    const shown = this.#shown;
    const group = vscode.window.tabGroups.all.find(
      ({ activeTab, viewColumn }) =>
        viewColumn === shown?.column && activeTab && tabUri(activeTab)?.toString() === shown?.uri,
    );
    if (group) return group.viewColumn;
    const { viewColumn, background } = this.#deps.placement.place();
    return background && vscode.window.tabGroups.activeTabGroup.activeTab ? undefined : viewColumn;
  }

  #noteTop(editor: vscode.TextEditor): void {
    const top = editor.visibleRanges[0]?.start.line;
    if (top !== undefined) this.#tops.set(editor, { line: top, version: editor.document.version });
  }

  /** Whether the user scrolled the editor, rather than a change of its text or showing a place. */
  #isScrolled(editor: vscode.TextEditor): boolean {
    const before = this.#tops.get(editor);
    this.#noteTop(editor);
    const { document } = editor;
    if (!before || document.uri.scheme !== "file" || before.version !== document.version) return false;
    const now = this.#tops.get(editor)?.line ?? before.line;
    const { range, uri } = this.#shown ?? {};
    const target = uri === document.uri.toString() ? range?.start.line : undefined;
    return isScrolledAway(before.line, now, target) && !isInDiff(document.uri);
  }

  #tabsChanged(closed: readonly vscode.Tab[]): void {
    const shown = this.#shown?.uri;
    const before = this.#fronts;
    this.#fronts = frontTabs();
    for (const tab of closed) {
      const uri = tabUri(tab);
      if (uri !== undefined && uri.toString() === shown) {
        this.#touched();
        return;
      }
      // When a proposal that is in front closes, the tab behind it comes to the front.
      if (uri?.scheme === PREVIEW_SCHEME && [...before.values()].includes(uri.toString()))
        this.#isUncovering = true;
    }
    const changed = [...this.#fronts].filter(([column, front]) => front !== before.get(column));
    const isForeign = changed.some(([, front]) => front !== shown && !front.startsWith(`${PREVIEW_SCHEME}:`));
    if (isForeign && !this.#isUncovering) this.#touched();
    else if (changed.length > 0) this.#isUncovering = false;
  }

  dispose(): void {
    this.stop();
    this.#marked.dispose();
  }
}

/** What is in front in each group. */
function frontTabs(): ReadonlyMap<vscode.ViewColumn, string> {
  return new Map(
    vscode.window.tabGroups.all.flatMap(({ activeTab, viewColumn }) =>
      activeTab ? [[viewColumn, tabUri(activeTab)?.toString() ?? activeTab.label] as const] : [],
    ),
  );
}

function isInDiff(uri: vscode.Uri): boolean {
  return vscode.window.tabGroups.all.some(({ activeTab }) => {
    const input = activeTab?.input;
    const isDiff = input instanceof vscode.TabInputTextDiff;
    return isDiff && [input.original, input.modified].some((side) => side.toString() === uri.toString());
  });
}

function rangeOf(document: vscode.TextDocument, lines: FollowedPlace["lines"]): vscode.Range {
  const last = document.lineCount - 1;
  const [from, to] = [Math.min(last, (lines?.from ?? 1) - 1), Math.min(last, (lines?.to ?? 1) - 1)];
  return new vscode.Range(from, 0, to, document.lineAt(to).text.length);
}
