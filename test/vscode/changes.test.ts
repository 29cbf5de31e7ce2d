/** Checkpoints in the editor: the view of many differences, and files that the user has open. */
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
import { ChangesView } from "../../src/vscode/editor/changes-view.ts";
import { createEditorFileStates } from "../../src/vscode/files/editor-file-states.ts";
import { itWhole, Kit, quietLog, until } from "./support/kit.ts";

describe("Checkpoints in the editor", () => {
  let kit: Kit;
  let changes: ChangesView;
  let project: Checkpoints;
  let checkpoints: SessionCheckpoints;
  let data: string;
  let asked: { question: string; detail: string; choices: readonly string[] }[];
  let answers: string[];
  const scheme = "nekode-test-checkpoint";

  beforeEach(async () => {
    kit = new Kit();
    asked = [];
    answers = [];
    changes = new ChangesView(scheme, async (question, detail, choices) => {
      asked.push({ question, detail, choices });
      return answers.shift();
    });
    data = path.join(tmpdir(), `nekode-suite-${randomUUID()}`);
    project = new Checkpoints({
      storage: createStorage(data),
      files: createEditorFileStates(nodeFileStates, () => ({ dispose() {} })),
      clock: systemClock,
      log: quietLog,
      settings: () => ({ enabled: true, maxSize: 100 }),
      newId: randomUUID,
    });
    checkpoints = project.session("session");
    await checkpoints.open();
    checkpoints.mark("message");
  });
  afterEach(async () => {
    await kit.dispose();
    changes.dispose();
    await project.dispose();
    await rm(data, { recursive: true, force: true });
  });

  async function call(id: string, files: Record<string, string>): Promise<void> {
    const paths = Object.keys(files).map((name) => kit.path(name));
    const change = await checkpoints.begin({ callId: id, paths, anything: false });
    for (const [name, text] of Object.entries(files)) await kit.file(name, text);
    change.end();
    await checkpoints.settled();
  }

  const shown = () => vscode.workspace.textDocuments.filter(({ uri }) => uri.scheme === scheme);

  it("shows what changed since as one view of many differences", async () => {
    await kit.file("a.txt", "before\n");
    await kit.file("b.json", '{"$schema": "https://example.invalid/a"}\n');
    await kit.file("gone.txt", "deleted\n");
    const removal = await checkpoints.begin({ callId: "rm", paths: [kit.path("gone.txt")], anything: false });
    await rm(kit.path("gone.txt"));
    removal.end();
    await checkpoints.settled();
    await call("call", {
      "a.txt": "after\n",
      "b.json": '{"$schema": "https://example.invalid/b"}\n',
      "new.txt": "new\n",
    });
    await changes.show(checkpoints, "message", false);
    await until("the view is open", () =>
      vscode.window.tabGroups.all.flatMap(({ tabs }) => tabs).some(({ label }) => /checkpoint/i.test(label)),
    );
    await until("what was is shown", () => shown().some((document) => document.getText() === "before\n"));
    // Of the JSON file both sides, of the others what was.
    await until("the other ones are shown", () => shown().length === 4);
    assert.ok(shown().some((document) => document.getText() === "deleted\n"));
    // A language server would fetch what a JSON file names.
    assert.deepEqual([...new Set(shown().map(({ languageId }) => languageId))], ["plaintext"]);
  });

  itWhole("shows the changes of one step as they were then", async () => {
    await kit.file("a.txt", "1\n");
    await call("one", { "a.txt": "2\n" });
    await call("two", { "a.txt": "3\n" });
    await changes.show(checkpoints, "one", true);
    await until("both sides are shown", () => {
      const texts = shown().map((document) => document.getText());
      return texts.includes("1\n") && texts.includes("2\n");
    });
    await assert.rejects(changes.show(checkpoints, "nothing", true), /checkpoint no longer exists/);
  });

  it("a file that is open follows a restore", async () => {
    await kit.file("open.txt", "before\n");
    const editor = await kit.show("open.txt");
    await call("call", { "open.txt": "after\n" });
    await until("the editor has it", () => editor.document.getText() === "after\n");
    await checkpoints.restore(await checkpoints.plan("message"));
    assert.equal((await kit.bytes("open.txt")).toString(), "before\n");
    await until("the editor follows", () => editor.document.getText() === "before\n");
    assert.equal(editor.document.isDirty, false);
  });

  it("what the user did not save counts as changed since, and comes back with the undo of the restore", async () => {
    await kit.file("dirty.txt", "before\n");
    await call("call", { "dirty.txt": "after\n" });
    const editor = await kit.show("dirty.txt");
    await until("the editor has it", () => editor.document.getText() === "after\n");
    await editor.edit((edit) => edit.insert(new vscode.Position(0, 0), "mine "));
    const plan = await checkpoints.plan("message");
    assert.deepEqual(
      plan.files.map(({ changedSince }) => changedSince),
      [true],
    );
    const { id = "", failed } = await checkpoints.restore(plan);
    assert.deepEqual(failed, []);
    assert.equal((await kit.bytes("dirty.txt")).toString(), "before\n");
    await until("the editor follows", () => editor.document.getText() === "before\n");
    assert.equal(editor.document.isDirty, false);
    await checkpoints.restore(await checkpoints.plan(id));
    assert.equal((await kit.bytes("dirty.txt")).toString(), "mine after\n");
  });

  it("what an edit is made from includes what was not saved", async () => {
    await kit.file("dirty.txt", "disk\n");
    const editor = await kit.show("dirty.txt");
    await editor.edit((edit) => edit.insert(new vscode.Position(0, 0), "typed "));
    const change = await checkpoints.begin({
      callId: "call",
      paths: [kit.path("dirty.txt")],
      anything: false,
    });
    const original = await kit.files.readText(kit.path("dirty.txt"));
    const preview = kit.previews.preview(kit.path("dirty.txt"), original, { show: false });
    await preview.finish("typed and changed\n");
    await preview.save();
    change.end();
    await checkpoints.settled();
    await checkpoints.restore(await checkpoints.planUndo("call"));
    assert.equal((await kit.bytes("dirty.txt")).toString(), "typed disk\n");
  });

  it("asks how far to go back, names every file, and does nothing without an answer", async () => {
    await kit.file("a.txt", "before\n");
    await call("call", { "a.txt": "after\n", "new.txt": "new\n" });
    assert.equal(await changes.restore(checkpoints, "message", true), false);
    assert.equal((await kit.bytes("a.txt")).toString(), "after\n");
    const [question] = asked;
    assert.deepEqual(question?.choices, ["Files only", "Files and conversation", "Conversation only"]);
    assert.match(question?.detail ?? "", /a\.txt\n.*new\.txt \(will be deleted\)/);
    answers = ["Conversation only"];
    assert.equal(await changes.restore(checkpoints, "message", true), true);
    assert.equal((await kit.bytes("a.txt")).toString(), "after\n");
    answers = ["Files and conversation"];
    assert.equal(await changes.restore(checkpoints, "message", true), true);
    assert.equal((await kit.bytes("a.txt")).toString(), "before\n");
    await assert.rejects(kit.bytes("new.txt"));
  });

  it("offers to restore the files when a message is replaced, and loses nothing without an answer", async () => {
    const stopped: string[] = [];
    const edit = () =>
      changes.restoreForEdit(checkpoints, "message", async () => void stopped.push("stopped"));
    // Nothing changed yet, or no checkpoint is known: there is nothing to ask.
    assert.equal(await edit(), true);
    assert.equal(await changes.restoreForEdit(checkpoints, "unknown", async () => {}), true);
    assert.equal(asked.length, 0);
    await kit.file("a.txt", "before\n");
    await kit.file("b.txt", "before\n");
    await call("one", { "a.txt": "after\n", "b.txt": "after\n" });
    await kit.file("b.txt", "mine\n");
    assert.equal(await edit(), false);
    assert.match(asked[0]?.detail ?? "", /a\.txt/);
    assert.doesNotMatch(asked[0]?.detail ?? "", /b\.txt/);
    answers = [asked[0]?.choices[0] ?? ""];
    assert.equal(await edit(), true);
    assert.deepEqual([(await kit.bytes("a.txt")).toString(), stopped.length], ["after\n", 0]);
    answers = [asked[0]?.choices[1] ?? ""];
    assert.equal(await edit(), true);
    assert.equal((await kit.bytes("a.txt")).toString(), "before\n");
    assert.equal((await kit.bytes("b.txt")).toString(), "mine\n");
    assert.equal(stopped.length, 1);
  });

  it("asks again about files that changed since, and leaves them where the user says so", async () => {
    await kit.file("a.txt", "before\n");
    await call("call", { "a.txt": "after\n", "b.txt": "made\n" });
    await kit.file("a.txt", "the user's\n");
    answers = ["Files only"];
    assert.equal(await changes.restore(checkpoints, "message", false), false);
    assert.equal((await kit.bytes("b.txt")).toString(), "made\n");
    assert.match(asked[1]?.detail ?? "", /^.*a\.txt \(changed since\)$/);
    answers = ["Files only", "Leave unchanged"];
    await changes.restore(checkpoints, "message", false);
    assert.equal((await kit.bytes("a.txt")).toString(), "the user's\n");
    await assert.rejects(kit.bytes("b.txt"));
    answers = ["Files only", "Restore these too"];
    await changes.restore(checkpoints, "message", false);
    assert.equal((await kit.bytes("a.txt")).toString(), "before\n");
  });

  it("lists what a turn changed, shows one file of it, and undoes that file alone", async () => {
    await kit.file("a.txt", "one\ntwo\n");
    await call("one", { "a.txt": "ONE\ntwo\nthree\n", "b.txt": "b\n" });
    const name = (file: string) => kit.path(file).split(path.sep).join("/");
    const listed = async () =>
      (await changes.turnFiles(checkpoints, "message")).files.map(({ path: file, ...rest }) => ({
        file: path.basename(file),
        ...rest,
      }));
    assert.deepEqual(await listed(), [
      { file: "a.txt", kind: "update", added: 2, removed: 1, undone: false },
      { file: "b.txt", kind: "add", added: 1, removed: 0, undone: false },
    ]);
    const [first] = (await changes.turnFiles(checkpoints, "message")).files;
    assert.ok(first && name("a.txt").endsWith(first.path), first?.path);
    await changes.showTurn(checkpoints, "message", first.path);
    await until("both sides are shown", () => {
      const texts = shown().map((document) => document.getText());
      return texts.includes("one\ntwo\n") && texts.includes("ONE\ntwo\nthree\n");
    });
    await changes.undoTurn(checkpoints, "message", first.path);
    assert.equal((await kit.bytes("a.txt")).toString(), "one\ntwo\n");
    assert.equal((await kit.bytes("b.txt")).toString(), "b\n");
    assert.deepEqual(
      (await listed()).map(({ file, undone }) => [file, undone]),
      [["b.txt", false]],
    );
  });

  it("undoes one change, but not over a later one", async () => {
    await kit.file("a.txt", "before\n");
    await call("one", { "a.txt": "after\n" });
    await changes.undo(checkpoints, "one");
    assert.equal((await kit.bytes("a.txt")).toString(), "before\n");
    await call("two", { "a.txt": "again\n" });
    await kit.file("a.txt", "later\n");
    await changes.undo(checkpoints, "two");
    assert.equal((await kit.bytes("a.txt")).toString(), "later\n");
    await vscode.commands.executeCommand("notifications.clearAll");
    await kit.file("a.txt", "before\n");
    await assert.rejects(changes.undo(checkpoints, "one"), /already in their earlier state/);
  });
});
