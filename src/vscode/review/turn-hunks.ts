/**
 * After a turn: what it changed, in the editors of its files. Each hunk is marked and has *Keep* and *Undo* above it, until the user
 * answers it, edits there, or a later turn changes files. Opens nothing, and reads a file only when it is visible.
 */
import * as vscode from "vscode";
import { SerialQueue } from "../../core/async.ts";
import { CheckpointError, ifKept, type SessionCheckpoints } from "../../core/checkpoints/checkpoints.ts";
import { type Disposable, DisposableStore } from "../../core/lifecycle.ts";
import type { Editor } from "../../core/ports/editor.ts";
import type { FileContent } from "../../core/ports/file-states.ts";
import type { Files } from "../../core/ports/files.ts";
import type { Log } from "../../core/ports/system.ts";
import { realTarget } from "../../node/files/disk-files.ts";
import { decodeFile } from "../../node/files/encoding-names.ts";
import { type DecodedText, encode } from "../../node/files/encodings.ts";
import type { CheckpointView } from "../../shared/event.ts";
import type { ChangesView } from "../editor/changes-view.ts";
import { fileEncodingNames } from "../files/editor-encoding.ts";
import { workspacePath } from "../files/workspace-folders.ts";
import { HunkMarks } from "./hunk-marks.ts";
import {
  hunkAt,
  hunksBetween,
  hunksWithout,
  type LineHunk,
  movedHunks,
  placedHunks,
  withoutHunk,
} from "./line-hunks.ts";
import type { SavedTurn, SavedTurns } from "./saved-turns.ts";

/** Maximum bytes of a file, before or after the turn, whose hunks are shown. */
const MAX_BYTES = 2_000_000;

export interface HunkSession {
  readonly checkpoints: SessionCheckpoints;
  readonly busy: boolean;
}

export interface TurnHunksDeps {
  find(session: string): HunkSession | undefined;
  files: Pick<Files, "readText">;
  editor: Pick<Editor, "preview">;
  changes: Pick<ChangesView, "undoTurn" | "showTurn">;
  /** What is shown is stored here, and what the user has answered of it is read. */
  saved: Pick<SavedTurns, "read" | "write">;
  log: Log;
}

/** What the last turn of a session changed. */
interface ShownTurn {
  session: string;
  /** The user message that began it. */
  mark: string;
  /** Other ones when the session was closed and opened again. */
  checkpoints: SessionCheckpoints;
  /** By their paths as documents have them. */
  files: Map<string, HunkFile>;
}

/** A file that a turn changed. */
interface HunkFile {
  readonly path: string;
  readonly turn: ShownTurn;
  /** Changes when the turn's change of the file becomes another one. */
  state: string;
  /** The turn created the file, so that Undo deletes it. */
  isNew: boolean;
  /** undefined: not read yet, because no editor shows the file. */
  hunks: readonly LineHunk[] | undefined;
  /** The hunks that the user kept. */
  kept: readonly KeptHunk[];
  /** The positions in `hunks` are those of the open document. */
  isPlaced: boolean;
}

type KeptHunk = SavedTurn["kept"][string][number];

/** The texts of a file before the turn and as it left it. */
interface TurnTexts {
  was: DecodedText | null;
  left: DecodedText;
}

export class TurnHunks implements Disposable {
  readonly #deps: TurnHunksDeps;
  readonly #store = new DisposableStore();
  readonly #marks: HunkMarks;
  readonly #queue = new SerialQueue();
  /** By session. */
  readonly #turns = new Map<string, ShownTurn>();
  /** The real paths of files that editors show, by URI. */
  readonly #realPaths = new Map<string, string>();
  /** What was stored of turns that are not shown in this window yet, by session. */
  readonly #saved: Map<string, SavedTurn>;
  #isDisposed = false;

  constructor(deps: TurnHunksDeps) {
    this.#deps = deps;
    this.#saved = new Map(deps.saved.read().map((turn) => [turn.session, turn]));
    this.#marks = this.#store.add(new HunkMarks((document) => this.fileOf(document)));
    this.#store.add(
      vscode.window.onDidChangeVisibleTextEditors(() => void this.#inOrder(() => this.#placeVisible())),
    );
    this.#store.add(
      vscode.workspace.onDidChangeTextDocument(({ document, contentChanges }) => {
        const file = this.fileOf(document);
        if (!file || contentChanges.length === 0) return;
        if (!file.isPlaced) return void this.#inOrder(() => this.#placeVisible());
        if (!file.hunks) return;
        const moved = movedHunks(
          file.hunks,
          contentChanges.map(({ range, text }) => ({ start: range.start, end: range.end, text })),
        );
        if (moved !== file.hunks) this.#setHunks(file, moved);
      }),
    );
    this.#store.add(
      vscode.workspace.onDidCloseTextDocument((document) => {
        const file = this.fileOf(document);
        if (file) file.isPlaced = false;
        this.#realPaths.delete(document.uri.toString());
      }),
    );
  }

  /** Shows what the turn of this checkpoint changed, or what is left of it. Never rejects. */
  update(
    session: string,
    { id: mark, files, isKept = false, undone = false }: CheckpointView,
  ): Promise<void> {
    return this.#inOrder(async () => {
      const shown = this.#turns.get(session);
      const checkpoints = this.#deps.find(session)?.checkpoints ?? shown?.checkpoints;
      if (!checkpoints || (mark !== shown?.mark && mark !== checkpoints.lastMark)) return;
      if (isKept || undone || files === 0) {
        this.#saved.delete(session);
        if (mark === shown?.mark) this.#turns.delete(session);
      } else await this.#read(session, mark, checkpoints);
      await this.#placeVisible();
    });
  }

  async #read(session: string, mark: string, checkpoints: SessionCheckpoints): Promise<void> {
    const before = this.#turns.get(session);
    const turn: ShownTurn = before?.mark === mark ? before : { session, mark, checkpoints, files: new Map() };
    turn.checkpoints = checkpoints;
    const saved = this.#saved.get(session);
    this.#saved.delete(session);
    const changed = await ifKept(checkpoints.turnPaths(mark), []);
    const states = new Map(changed.map(({ path, state }) => [path, state]));
    for (const [key, { path, state }] of turn.files) if (states.get(path) !== state) turn.files.delete(key);
    for (const [path, state] of states) {
      const key = vscode.Uri.file(path).fsPath;
      if (turn.files.has(key)) continue;
      const kept = saved?.mark === mark ? (saved.kept[key] ?? []) : [];
      turn.files.set(key, { path, turn, state, isNew: false, hunks: undefined, kept, isPlaced: false });
    }
    this.#turns.delete(session);
    // The newest is the last one.
    this.#turns.set(session, turn);
  }

  /** What the newest turn changed in the document's file. */
  fileOf({ uri }: Pick<vscode.TextDocument, "uri">): HunkFile | undefined {
    if (uri.scheme !== "file") return undefined;
    const path = this.#realPaths.get(uri.toString()) ?? uri.fsPath;
    return [...this.#turns.values()].findLast(({ files }) => files.has(path))?.files.get(path);
  }

  async #placeVisible(): Promise<void> {
    if (this.#turns.size > 0) {
      const documents = new Set(vscode.window.visibleTextEditors.map(({ document }) => document));
      for (const document of documents) if (document.uri.scheme === "file") await this.#place(document);
    }
    this.#marks.show([...this.#turns.values()].some(({ files }) => [...files.values()].some(isOpen)));
  }

  /** Finds where the hunks are in a document that an editor shows. */
  async #place(document: vscode.TextDocument): Promise<void> {
    const name = document.uri.toString();
    if (!this.#realPaths.has(name)) {
      const real = await realTarget(document.uri.fsPath).catch(() => document.uri.fsPath);
      this.#realPaths.set(name, vscode.Uri.file(real).fsPath);
    }
    const file = this.fileOf(document);
    if (!file || file.isPlaced || document.isClosed) return;
    const texts = await this.#texts(file);
    // What is on disk is not in the document yet, which changes when it is.
    const now = await this.#deps.files.readText(document.uri.fsPath).catch(() => undefined);
    if (texts && now && !sameText(now.text, document.getText())) return;
    file.isPlaced = true;
    if (!texts) {
      file.hunks = [];
      return;
    }
    const { was, left } = texts;
    file.isNew = was === null;
    file.hunks ??= hunksBetween(was?.text ?? "", left.text).filter((hunk) => !wasKept(file, hunk));
    file.hunks = placedHunks(file.hunks, left.text, document.getText());
  }

  /** undefined: there is nothing to show, because it is no text, too large, or no longer stored. */
  async #texts({ path, turn }: HunkFile): Promise<TurnTexts | undefined> {
    const file = await ifKept(turn.checkpoints.turnFile(turn.mark, path), undefined);
    if (!file?.after || file.before === undefined) return undefined;
    const left = await decoded(path, file.after);
    const was = file.before && (await decoded(path, file.before));
    return left && was !== undefined ? { was, left } : undefined;
  }

  #setHunks(file: HunkFile, hunks: readonly LineHunk[]): void {
    file.hunks = hunks;
    this.#marks.changed();
  }

  // What the commands do. Each reports to the user why it did nothing.

  /** The user keeps a hunk: it is no longer marked. */
  keep(document: vscode.TextDocument, id: number | undefined): Promise<void> {
    return this.#act(document, id, async (file, hunk) => this.#kept(file, [hunk]));
  }

  keepFile(document: vscode.TextDocument): Promise<void> {
    return this.#inOrder(async () => {
      const file = this.fileOf(document);
      if (file?.hunks) await this.#kept(file, file.hunks);
    });
  }

  async #kept(file: HunkFile, kept: readonly LineHunk[]): Promise<void> {
    file.kept = [...file.kept, ...kept.map(keptHunk)];
    this.#setHunks(
      file,
      (file.hunks ?? []).filter((hunk) => !wasKept(file, hunk)),
    );
    await this.#answered(file.turn);
  }

  /** When the last hunk of a turn is answered, the turn is kept, unless all of it was undone. */
  async #answered(turn: ShownTurn): Promise<void> {
    const files = [...turn.files.values()];
    const isDone = files.every((file) => !isOpen(file));
    if (isDone && files.some(({ kept }) => kept.length > 0)) await turn.checkpoints.keepTurn(turn.mark);
  }

  /** The document has the lines of before the turn again, and the change is saved and recorded. */
  undo(document: vscode.TextDocument, id: number | undefined): Promise<void> {
    return this.#act(document, id, async (file, hunk) => {
      const { turn, path } = file;
      if (this.#deps.find(turn.session)?.busy)
        throw new Refusal(vscode.l10n.t("The agent is working. Stop it before you restore files."));
      if (file.isNew) {
        this.#setHunks(file, []);
        return this.#deps.changes.undoTurn(turn.checkpoints, turn.mark, workspacePath(path));
      }
      await this.#undo(file, hunk, document);
      await this.#answered(turn);
    });
  }

  async #undo(file: HunkFile, hunk: LineHunk, document: vscode.TextDocument): Promise<void> {
    const { path, turn } = file;
    const texts = await this.#texts(file);
    const original = await this.#deps.files.readText(document.uri.fsPath);
    const changed = new Refusal(
      vscode.l10n.t("{0} no longer has what this turn wrote there. Nothing was undone.", workspacePath(path)),
    );
    // Positions are those of the document, which may not show yet what the file has.
    if (!texts?.was || !sameText(original.text, document.getText())) throw changed;
    const [was, left] = [texts.was.text, texts.left.text];
    const now = file.hunks?.find(({ id }) => id === hunk.id);
    const text = now && withoutHunk(original.text, now, { was, left });
    const rest = withoutHunk(left, { ...hunk, at: hunk.after.line - 1 }, { was, left });
    if (text === undefined || rest === undefined) throw changed;
    const bytes = encode(rest, texts.left);
    if (!bytes.ok) throw new Refusal(bytes.message);
    const others = hunksWithout(file.hunks ?? [], hunk);
    await turn.checkpoints.undoPart(turn.mark, { path, rest: bytes.bytes }, async () => {
      const preview = this.#deps.editor.preview(document.uri.fsPath, original, { show: false });
      try {
        await preview.finish(text);
        await preview.save(undefined, { checks: false });
      } catch (error) {
        await preview.discard();
        // The user typed meanwhile.
        throw sameText(original.text, document.getText()) ? error : changed;
      }
    });
    const kept = new Map((file.hunks ?? []).map((each) => [each.id, each.at]));
    this.#setHunks(
      file,
      others.flatMap((each) => {
        const at = kept.get(each.id);
        return at === undefined ? [] : [{ ...each, at }];
      }),
    );
    const changes = await ifKept(turn.checkpoints.turnPaths(turn.mark), []);
    file.state = changes.find((each) => each.path === path)?.state ?? file.state;
  }

  /** Opens what the turn changed in this file. */
  async review(document: vscode.TextDocument): Promise<void> {
    const file = this.fileOf(document);
    if (file)
      await this.#deps.changes.showTurn(file.turn.checkpoints, file.turn.mark, workspacePath(file.path));
  }

  /** Moves the cursor to the next hunk of the last turn, or the previous one, in this file or in another one. */
  async go(editor: vscode.TextEditor | undefined, step: 1 | -1): Promise<void> {
    const file = editor && this.fileOf(editor.document);
    const line = editor?.selection.active.line ?? -1;
    const here = (file?.hunks ?? []).filter(({ at }) => (step === 1 ? at > line : at < line));
    const hunk = here.at(step === 1 ? 0 : -1);
    if (editor && hunk) return reveal(editor, hunk);
    const all = [...this.#turns.values()].flatMap(({ files }) => [...files.values()]);
    const open = all.filter((each) => isOpen(each) || each === file);
    open.sort((a, b) => (a.path < b.path ? -1 : 1));
    const from = file ? open.indexOf(file) : step === 1 ? -1 : 0;
    const next = open.at((from + step) % open.length);
    if (!next) return inform(vscode.l10n.t("There are no changes of the last turn to go through."));
    const shown = await vscode.window.showTextDocument(this.#uriOf(next));
    await this.#inOrder(() => this.#placeVisible());
    const first = next.hunks?.at(step === 1 ? 0 : -1);
    if (first) reveal(shown, first);
  }

  /** The user's own path to the file, which may have links, if it was open. */
  #uriOf({ path }: HunkFile): vscode.Uri {
    const real = vscode.Uri.file(path);
    const [name] = [...this.#realPaths].find(([, target]) => target === real.fsPath) ?? [];
    return name === undefined ? real : vscode.Uri.parse(name);
  }

  #act(
    document: vscode.TextDocument,
    id: number | undefined,
    work: (file: HunkFile, hunk: LineHunk) => Promise<void>,
  ): Promise<void> {
    return this.#inOrder(async () => {
      const file = this.fileOf(document);
      const hunks = file?.hunks ?? [];
      const line = vscode.window.activeTextEditor?.selection.active.line ?? 0;
      const hunk = id === undefined ? hunkAt(hunks, line) : hunks.find((each) => each.id === id);
      if (file && hunk) await work(file, hunk);
      else inform(vscode.l10n.t("There is no change of the last turn at the cursor."));
    });
  }

  /** Stores what is shown, and what was shown of sessions that are not open in this window yet. Never rejects. */
  async #save(): Promise<void> {
    const turns = [...this.#turns.values()].map(({ session, mark, files }) => {
      const turn: SavedTurn = { session, mark, open: [], kept: {} };
      for (const [key, file] of files) {
        if (isOpen(file)) turn.open.push(...new Set([key, this.#uriOf(file).fsPath]));
        if (file.kept.length > 0) turn.kept[key] = [...file.kept];
      }
      return turn;
    });
    await this.#deps.saved
      .write([...this.#saved.values(), ...turns])
      .catch((error: unknown) =>
        this.#deps.log.error("what a turn changed is not shown after a reload", error),
      );
  }

  /** One after another, because each reads what the other has left. A failure is shown. */
  #inOrder(work: () => Promise<void>): Promise<void> {
    const all = async () => {
      // What still waits would mark files again.
      if (this.#isDisposed) return;
      await work();
      await this.#save();
    };
    return this.#queue.run(all).catch((error: unknown) => {
      if (error instanceof Refusal) return void vscode.window.showWarningMessage(error.message);
      if (error instanceof CheckpointError && error.code === "busy")
        return void vscode.window.showWarningMessage(
          vscode.l10n.t("The agent is changing files. Wait until it is done, or stop it first."),
        );
      this.#deps.log.error("what a turn changed is not shown in its files", error);
      void vscode.window.showWarningMessage(
        vscode.l10n.t(
          "The change was not undone: {0}",
          error instanceof Error ? error.message : String(error),
        ),
      );
    });
  }

  dispose(): void {
    this.#isDisposed = true;
    this.#store.dispose();
  }
}

/** A reason for the user why nothing was done. */
class Refusal extends Error {}

function inform(text: string): void {
  void vscode.window.showInformationMessage(text);
}

/** Whether the file may have hunks that the user has not answered. */
const isOpen = ({ hunks }: HunkFile): boolean => hunks === undefined || hunks.length > 0;

const keptHunk = ({ before, after }: LineHunk): KeptHunk => ({ ...before, now: after.count });

const wasKept = ({ kept }: HunkFile, { before, after }: LineHunk): boolean =>
  kept.some(({ line, count, now }) => line === before.line && count === before.count && now === after.count);

function reveal(editor: vscode.TextEditor, { at }: LineHunk): void {
  const line = Math.min(at, editor.document.lineCount - 1);
  const place = new vscode.Position(line, 0);
  editor.selection = new vscode.Selection(place, place);
  editor.revealRange(new vscode.Range(place, place), vscode.TextEditorRevealType.InCenterIfOutsideViewport);
}

async function decoded(path: string, { bytes }: FileContent): Promise<DecodedText | undefined> {
  if (bytes.length > MAX_BYTES) return undefined;
  const text = await decodeFile(path, bytes, fileEncodingNames);
  return text.kind === "text" ? text : undefined;
}

/** The same, apart from line endings, which a document has of one kind alone. */
function sameText(file: string, document: string): boolean {
  return file.replace(/\r\n?/g, "\n") === document.replace(/\r\n?/g, "\n");
}
