/** What the last turn changed, in real editors: marks, buttons, and the undo of one hunk, which never takes what the user wrote. */
import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import * as path from "node:path";
import * as vscode from "vscode";
import { Checkpoints, type SessionCheckpoints } from "../../src/core/checkpoints/checkpoints.ts";
import { systemClock } from "../../src/node/clock.ts";
import { nodeFileStates } from "../../src/node/files/disk-file-states.ts";
import { createStorage } from "../../src/node/store/folder-storage.ts";
import { revertChangeBytes } from "../../src/node/store/project-checkpoints.ts";
import { ChangesView } from "../../src/vscode/editor/changes-view.ts";
import { createEditorFileStates } from "../../src/vscode/files/editor-file-states.ts";
import { SavedTurns } from "../../src/vscode/review/saved-turns.ts";
import { TurnHunks } from "../../src/vscode/review/turn-hunks.ts";
import { Kit, Memory, quietLog, until, untilSeen } from "./support/kit.ts";

const WAS = "a\nb\nc\nd\ne\nf\ng\nh\n";
const LEFT = "a\nB\nc\nd\nf\ng\nh\ni\n";

describe("What the last turn changed", () => {
  let kit: Kit;
  let project: Checkpoints;
  let checkpoints: SessionCheckpoints;
  let changes: ChangesView;
  let hunks: TurnHunks;
  let busy: boolean;
  let data: string;
  let memory: Memory;

  beforeEach(async () => {
    kit = new Kit();
    busy = false;
    data = path.join(tmpdir(), `nekode-suite-${randomUUID()}`);
    project = new Checkpoints({
      storage: createStorage(data),
      files: createEditorFileStates(nodeFileStates, () => ({ dispose() {} })),
      revertChange: revertChangeBytes,
      clock: systemClock,
      log: quietLog,
      settings: () => ({ enabled: true, maxSize: 100 }),
      newId: randomUUID,
    });
    checkpoints = project.session("session");
    await checkpoints.open();
    checkpoints.mark("turn");
    changes = new ChangesView("nekode-test-hunks");
    memory = new Memory();
    hunks = start();
    checkpoints.onView((view) => {
      if (view.kind === "message") void hunks.update("session", view);
    });
  });
  afterEach(async () => {
    hunks.dispose();
    await kit.dispose();
    changes.dispose();
    await project.dispose();
    await rm(data, { recursive: true, force: true });
  });

  const start = () =>
    new TurnHunks({
      find: (id) => (id === "session" ? { checkpoints, busy } : undefined),
      files: kit.files,
      editor: kit.previews,
      changes,
      saved: new SavedTurns(memory),
      log: quietLog,
    });

  async function turn(files: Record<string, string>): Promise<void> {
    const paths = Object.keys(files).map((name) => kit.path(name));
    const change = await checkpoints.begin({ callId: randomUUID(), paths, anything: false });
    for (const [name, text] of Object.entries(files)) await kit.file(name, text);
    change.end();
    await checkpoints.settled();
    await hunks.update("session", { id: "turn", kind: "message", at: "turn", files: paths.length });
  }

  /** The lines of the hunks, from 0, as the editor of the file shows them. */
  const lines = (document: vscode.TextDocument) => hunks.fileOf(document)?.hunks?.map(({ at }) => at) ?? [];
  /** The titles of the buttons above each marked line. */
  async function buttons(document: vscode.TextDocument): Promise<Record<number, string[]>> {
    const lenses = await vscode.commands.executeCommand<vscode.CodeLens[]>(
      "vscode.executeCodeLensProvider",
      document.uri,
    );
    const found: Record<number, string[]> = {};
    for (const { range, command } of lenses)
      found[range.start.line] = [...(found[range.start.line] ?? []), command?.title ?? ""];
    return found;
  }
  const type = (editor: vscode.TextEditor, line: number, text: string) =>
    editor.edit((edit) => edit.insert(new vscode.Position(line, 0), text));
  const undoAt = async (editor: vscode.TextEditor, line: number) => {
    const hunk = hunks.fileOf(editor.document)?.hunks?.find(({ at }) => at === line);
    assert.ok(hunk, `there is no hunk in line ${line}`);
    await hunks.undo(editor.document, hunk.id);
  };

  it("is marked in the file's editor, moves with the user's typing, and vanishes where they type", async () => {
    await kit.file("a.txt", WAS);
    const editor = await kit.show("a.txt");
    await turn({ "a.txt": LEFT });
    await until("the editor has it", () => editor.document.getText() === LEFT);
    await untilSeen("it is marked", () => lines(editor.document).length === 3);
    assert.deepEqual(lines(editor.document), [1, 4, 7]);
    assert.deepEqual(await buttons(editor.document), {
      1: ["Keep", "Undo", "+1 −1", "Keep all in this file"],
      4: ["Keep", "Undo", "−1"],
      7: ["Keep", "Undo", "+1"],
    });
    assert.equal(vscode.window.tabGroups.all.flatMap(({ tabs }) => tabs).length, 1);
    await type(editor, 0, "mine\n");
    assert.deepEqual(lines(editor.document), [2, 5, 8]);
    await type(editor, 2, "typed ");
    assert.deepEqual(lines(editor.document), [5, 8]);
    await hunks.keepFile(editor.document);
    assert.deepEqual(await buttons(editor.document), {});
    assert.equal(editor.document.getText(), LEFT.replace("B", "typed B").replace(/^/, "mine\n"));
  });

  it("is undone hunk by hunk, saved, and the rest of the turn can still be undone as a whole", async () => {
    await kit.file("a.txt", WAS);
    const editor = await kit.show("a.txt");
    await turn({ "a.txt": LEFT });
    await until("the editor has it", () => editor.document.getText() === LEFT);
    await untilSeen("it is marked", () => lines(editor.document).length === 3);
    await type(editor, 3, "mine\n");
    assert.equal(editor.document.isDirty, true);
    await undoAt(editor, 1);
    const undone = "a\nb\nc\nmine\nd\nf\ng\nh\ni\n";
    assert.equal(editor.document.getText(), undone);
    assert.equal((await kit.bytes("a.txt")).toString(), undone);
    assert.deepEqual(lines(editor.document), [5, 8]);
    await undoAt(editor, 5);
    assert.equal((await kit.bytes("a.txt")).toString(), "a\nb\nc\nmine\nd\ne\nf\ng\nh\ni\n");
    await changes.undoTurn(checkpoints, "turn");
    assert.equal((await kit.bytes("a.txt")).toString(), "a\nb\nc\nmine\nd\ne\nf\ng\nh\n");
    await untilSeen("no hunk is left", () => lines(editor.document).length === 0);
  });

  it("stays as it is where the file is no longer what the turn left, or while the agent works", async () => {
    await kit.file("a.txt", WAS);
    const editor = await kit.show("a.txt");
    await turn({ "a.txt": LEFT });
    await until("the editor has it", () => editor.document.getText() === LEFT);
    await untilSeen("it is marked", () => lines(editor.document).length === 3);
    busy = true;
    await undoAt(editor, 1);
    assert.equal((await kit.bytes("a.txt")).toString(), LEFT);
    busy = false;
    const [hunk] = hunks.fileOf(editor.document)?.hunks ?? [];
    // The user's keystroke arrives after the button was pressed.
    const undoing = hunks.undo(editor.document, hunk?.id);
    await editor.edit((edit) => edit.replace(new vscode.Range(1, 0, 1, 1), "user"));
    await undoing;
    assert.match(editor.document.getText(), /^a\nuser\n/);
    await vscode.commands.executeCommand("notifications.clearAll");
  });

  it("is found when a file is opened later, and a new file is deleted by its Undo", async () => {
    await kit.file("later.txt", WAS);
    await turn({ "later.txt": LEFT, "new.txt": "x\ny\n" });
    await kit.file("later.txt", `top\n${LEFT}`);
    const later = await kit.show("later.txt");
    await untilSeen("it is marked", () => lines(later.document).length === 3);
    assert.deepEqual(lines(later.document), [2, 5, 8]);
    const made = await kit.show("new.txt");
    await untilSeen("it is marked", () => lines(made.document).length === 1);
    await hunks.go(made, 1);
    assert.equal(vscode.window.activeTextEditor?.document, later.document);
    assert.equal(vscode.window.activeTextEditor?.selection.active.line, 2);
    assert.deepEqual(await buttons(made.document), { 0: ["Keep", "Delete File", "+2"] });
    await undoAt(made, 0);
    await assert.rejects(kit.bytes("new.txt"));
  });

  it("is marked again after the window was reloaded, without what the user answered or changed", async () => {
    await kit.file("a.txt", WAS);
    await kit.file("b.txt", WAS);
    const editor = await kit.show("a.txt");
    await turn({ "a.txt": LEFT, "b.txt": LEFT });
    await untilSeen("it is marked", () => lines(editor.document).length === 3);
    const reload = async () => {
      hunks.dispose();
      await checkpoints.reload();
      hunks = start();
      const view = checkpoints.views().find(({ kind }) => kind === "message");
      assert.ok(view);
      await hunks.update("session", view);
    };
    await hunks.keep(editor.document, hunks.fileOf(editor.document)?.hunks?.[1]?.id);
    await undoAt(editor, 1);
    assert.deepEqual(lines(editor.document), [7]);
    await reload();
    assert.deepEqual(lines(editor.document), [7]);
    assert.deepEqual(await buttons(editor.document), { 7: ["Keep", "Undo", "+1"] });
    // What the user typed is theirs, also with the window closed.
    await kit.file("a.txt", LEFT.replace("B", "b").replace("i\n", "mine\n"));
    await kit.file("b.txt", LEFT.replace("B", "mine"));
    await until("the editor has it", () => editor.document.getText().endsWith("mine\n"));
    await reload();
    assert.deepEqual(lines(editor.document), []);
    const other = await kit.show("b.txt");
    await untilSeen("it is marked", () => lines(other.document).length === 2);
    assert.deepEqual(lines(other.document), [4, 7]);
    await hunks.keepFile(other.document);
    await untilSeen("nothing is shown any more", () => memory.get() === undefined);
    assert.deepEqual(
      checkpoints.views().flatMap(({ kind, isKept }) => (kind === "message" ? [isKept] : [])),
      [true],
    );
  });
});
