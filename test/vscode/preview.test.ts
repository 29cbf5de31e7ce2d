/** A proposed change in the diff editor: what the user sees, and what never happens to their file and their focus. */
import assert from "node:assert/strict";
import { symlink, unlink, writeFile } from "node:fs/promises";
import * as vscode from "vscode";
import { sampled } from "../support/random.ts";
import { Kit, until } from "./support/kit.ts";

describe("The preview of an edit", () => {
  let kit: Kit;
  beforeEach(() => {
    kit = new Kit();
  });
  afterEach(async () => {
    await kit.dispose();
  });

  /** The window tells of its active editor after the tab is gone. */
  const isActive = (name: string) =>
    vscode.window.activeTextEditor?.document.uri.toString() === kit.uri(name).toString();

  /** The product waits but a moment for the window to open or close a tab. */
  const tabs = (count: number) => until(`${count} previews are open`, () => kit.tabs().length === count);

  it("streams into a diff while keystrokes go where the user types", async () => {
    await kit.file("mine.txt", "");
    const original = await kit.file("theirs.txt", "one\ntwo\n");
    const editor = await kit.show("mine.txt");
    const preview = kit.previews.preview(kit.path("theirs.txt"), original, { show: true });
    let typed = "";
    for (let step = 0; step < 10; step++) {
      preview.update(`one\ntwo\n${"more\n".repeat(step)}`);
      const letter = String.fromCharCode(97 + (step % 26));
      await vscode.commands.executeCommand("type", { text: letter });
      typed += letter;
    }
    await preview.finish("one\ntwo\nthree\n");
    await until("the diff shows the proposal", () => kit.proposal()?.getText() === "one\ntwo\nthree\n");
    await tabs(1);
    assert.equal(vscode.window.activeTextEditor?.document.uri.toString(), kit.uri("mine.txt").toString());
    await vscode.commands.executeCommand("type", { text: "!" });
    assert.equal(editor.document.getText(), `${typed}!`);
    const saved = await preview.save();
    await vscode.commands.executeCommand("type", { text: "?" });
    assert.equal(editor.document.getText(), `${typed}!?`);
    assert.equal(saved.finalText, "one\ntwo\nthree\n");
    await until("the editor is back", () => isActive("mine.txt"));
    await tabs(0);
    assert.equal(kit.previews.files.size, 0);
  });

  it("of a task that the user does not look at opens when they do, or ask for it", async () => {
    const original = await kit.file("theirs.txt", "one\n");
    let isWatched = false;
    kit.previews.isWatched = (session) => session === "other" && isWatched;
    const propose = async () => {
      const preview = kit.previews.preview(kit.path("theirs.txt"), original, {
        show: true,
        session: "other",
      });
      preview.update("tw");
      await preview.finish("two\n");
      return preview;
    };
    const first = await propose();
    kit.previews.openWatched();
    assert.equal(kit.tabs().length, 0);
    isWatched = true;
    kit.previews.openWatched();
    await tabs(1);
    await until("the diff shows the proposal", () => kit.proposal()?.getText() === "two\n");
    await first.discard();
    await tabs(0);

    isWatched = false;
    const second = await propose();
    assert.equal(kit.tabs().length, 0);
    assert.equal(await kit.previews.reveal(kit.path("theirs.txt"), "other"), true);
    await tabs(1);
    assert.equal((await second.save()).finalText, "two\n");
    await tabs(0);
  });

  it("opens in the same group when the user is in the panel, and gives the editor back", async () => {
    await kit.file("mine.txt", "mine\n");
    const original = await kit.file("theirs.txt", "one\n");
    await kit.show("mine.txt");
    kit.previews.placement.panelUsed();
    const preview = kit.previews.preview(kit.path("theirs.txt"), original, { show: true });
    await preview.finish("two\n");
    await until("it is open", () => vscode.window.tabGroups.activeTabGroup.tabs.length === 2);
    assert.equal(vscode.window.tabGroups.all.length, 1);
    await preview.discard();
    await until("the editor is back", () => isActive("mine.txt"));
  });

  it("leaves the bytes as they are when it is rejected", async () => {
    const bytes = Buffer.from([0xef, 0xbb, 0xbf, ...Buffer.from("a\r\nb\nc")]);
    const original = await kit.file("mixed.txt", bytes);
    const preview = kit.previews.preview(kit.path("mixed.txt"), original, { show: true });
    preview.update("x");
    await preview.finish("x\r\n");
    await preview.discard();
    assert.deepEqual(await kit.bytes("mixed.txt"), bytes);
    await tabs(0);
    await assert.rejects(preview.save(), /no longer/);
    assert.deepEqual(await kit.bytes("mixed.txt"), bytes);
  });

  it("keeps what is being written in sight, then shows the first difference", async () => {
    const lines = Array.from({ length: 400 }, (_, line) => `line ${line}`);
    const original = await kit.file("long.txt", `${lines.join("\n")}\n`);
    const preview = kit.previews.preview(kit.path("long.txt"), original, { show: true });
    const sees = (line: number) =>
      vscode.window.visibleTextEditors.some(
        ({ document, visibleRanges }) =>
          document === kit.proposal() &&
          visibleRanges.some(({ start, end }) => start.line <= line && line <= end.line),
      );
    preview.update(lines.join("\n"));
    await until("the diff is open", () => sees(0));
    const changed = lines.with(200, "changed").with(350, "changed too");
    preview.update(changed.join("\n"));
    await until("the last change is in sight", () => sees(350));
    await preview.finish(`${changed.join("\n")}\n`);
    await until("the first change is in sight", () => sees(200));
    await preview.discard();
  });

  it("is read-only while it streams and can be edited when it is whole; what the user changed is reported", async () => {
    const original = await kit.file("poem.txt", "cat\r\n");
    const preview = kit.previews.preview(kit.path("poem.txt"), original, { show: true });
    preview.update("cat\r\ndog");
    await until("the diff is open", () => kit.tabs().length === 1 && kit.proposal() !== undefined);
    await vscode.commands.executeCommand("workbench.action.focusActiveEditorGroup");
    await vscode.commands.executeCommand("type", { text: "X" });
    assert.ok(!kit.proposal()?.getText().includes("X"), "typed into a proposal that still streams");
    await preview.finish("cat\r\ndog\r\n");
    await until("the proposal is whole", () => kit.proposal()?.getText() === "cat\r\ndog\r\n");
    await vscode.commands.executeCommand("workbench.action.focusActiveEditorGroup");
    await vscode.commands.executeCommand("cursorTop");
    await vscode.commands.executeCommand("type", { text: "my " });
    await until("the user's edit is there", () => kit.proposal()?.getText().startsWith("my ") === true);
    const saved = await preview.save();
    assert.equal(saved.userText, "my cat\r\ndog\r\n");
    assert.equal(saved.finalText, "my cat\r\ndog\r\n");
    assert.equal((await kit.bytes("poem.txt")).toString(), "my cat\r\ndog\r\n");
    await tabs(0);
  });

  it("what is typed into it too late is gone with it, without a tab, a question or a trace in the next one", async () => {
    const original = await kit.file("a.txt", "one\n");
    const first = kit.previews.preview(kit.path("a.txt"), original, { show: true });
    await first.finish("two\n");
    await until("the diff shows the proposal", () => kit.proposal()?.getText() === "two\n");
    const uri = kit.proposal()?.uri ?? kit.uri("a.txt");
    const type = async (text: string) => {
      const edit = new vscode.WorkspaceEdit();
      edit.insert(uri, new vscode.Position(0, 0), text);
      assert.ok(await vscode.workspace.applyEdit(edit));
    };
    await type("person ");
    const late: Promise<void>[] = [];
    const saved = vscode.workspace.onDidSaveTextDocument((document) => {
      if (document.uri.toString() === uri.toString() && late.length === 0) late.push(type("late "));
    });
    await first.save();
    await Promise.all(late);
    saved.dispose();
    assert.equal(late.length, 1);
    await tabs(0);
    const isLeft = () =>
      vscode.workspace.textDocuments.some(({ isDirty, uri: { scheme } }) => isDirty && scheme === kit.scheme);
    await until("nothing of it is unsaved", () => !isLeft());
    assert.equal(String(await kit.bytes("a.txt")), "person two\n");
    const now = await kit.files.readText(kit.path("a.txt"));
    const again = kit.previews.preview(kit.path("a.txt"), now, { show: true });
    await again.finish("three\n");
    await until("the next one shows its own text", () => kit.proposal()?.getText() === "three\n");
    assert.notEqual(kit.proposal()?.uri.toString(), uri.toString());
    await again.discard();
  });

  it("reports the user's edit when they saved it in the preview", async () => {
    const original = await kit.file("poem.txt", "cat\n");
    const preview = kit.previews.preview(kit.path("poem.txt"), original, { show: true });
    await preview.finish("dog\n");
    await until("the proposal is there", () => kit.proposal()?.getText() === "dog\n");
    const edit = new vscode.WorkspaceEdit();
    const proposal = kit.proposal();
    assert.ok(proposal);
    edit.insert(proposal.uri, new vscode.Position(0, 0), "hot");
    await vscode.workspace.applyEdit(edit);
    await proposal.save();
    assert.equal((await kit.bytes("poem.txt")).toString(), "cat\n");
    const saved = await preview.save();
    assert.equal(saved.userText, "hotdog\n");
    assert.equal((await kit.bytes("poem.txt")).toString(), "hotdog\n");
  });

  it("shows what the user takes; what they type into that is saved with it", async () => {
    const original = await kit.file("poem.txt", "cat\ndog\n");
    const preview = kit.previews.preview(kit.path("poem.txt"), original, { show: true });
    let edits = 0;
    preview.onEdited?.(() => edits++);
    await preview.finish("hotcat\nhotdog\n");
    await until("the proposal is there", () => kit.proposal()?.getText() === "hotcat\nhotdog\n");
    preview.choose?.("hotcat\ndog\n");
    await until("it shows a part", () => kit.proposal()?.getText() === "hotcat\ndog\n");
    assert.equal(edits, 0);
    const proposal = kit.proposal();
    assert.ok(proposal);
    const edit = new vscode.WorkspaceEdit();
    edit.insert(proposal.uri, new vscode.Position(0, 0), "my ");
    await vscode.workspace.applyEdit(edit);
    await until("the edit is noticed", () => edits === 1);
    preview.choose?.("cat\ndog\n");
    // As one of several files, which are written one after the other.
    await preview.hide?.();
    await tabs(0);
    assert.equal(preview.isEdited?.(), true);
    const saved = await preview.save("cat\ndog\n");
    assert.equal(saved.userText, "my hotcat\ndog\n");
    assert.equal((await kit.bytes("poem.txt")).toString(), "my hotcat\ndog\n");
  });

  it("shows JSON and its like as plain text", async () => {
    const schema = '{ "$schema": "http://127.0.0.1:1/never.json" }\n';
    for (const name of sampled(["settings.json", "compose.yaml", "tsconfig.jsonc"], 3)) {
      const original = await kit.file(name, schema);
      const preview = kit.previews.preview(kit.path(name), original, { show: true });
      await preview.finish(`${schema}\n`);
      await until("the proposal is there", () => kit.proposal() !== undefined);
      assert.equal(kit.proposal()?.languageId, "plaintext", name);
      const ours = vscode.workspace.textDocuments.filter(({ uri }) => uri.scheme === kit.scheme);
      for (const document of ours) assert.equal(document.languageId, "plaintext", document.uri.toString());
      assert.equal(
        vscode.workspace.textDocuments.some(({ uri }) => uri.fsPath === kit.path(name)),
        false,
        "the file itself is not opened either",
      );
      await tabs(1);
      assert.match(kit.tabs()[0] ?? "", new RegExp(name.replace(".", "\\.")));
      await preview.discard();
      await tabs(0);
      await until("the proposal is gone", () => kit.proposal() === undefined);
    }
  });

  it("keeps two proposals apart, the first in front", async () => {
    const first = await kit.file("first.txt", "1\n");
    const second = await kit.file("second.txt", "2\n");
    kit.previews.placement.panelUsed();
    const one = kit.previews.preview(kit.path("first.txt"), first, { show: true });
    await one.finish("one\n");
    await tabs(1);
    const two = kit.previews.preview(kit.path("second.txt"), second, { show: true });
    await two.finish("two\n");
    await tabs(2);
    const front = () => vscode.window.tabGroups.activeTabGroup.activeTab?.label ?? "";
    assert.match(front(), /first/);
    await one.save();
    await tabs(1);
    assert.equal(await kit.previews.reveal(kit.path("second.txt"), undefined), true);
    await until("the second is in front", () => /second/.test(front()));
    await two.save();
    assert.equal((await kit.bytes("second.txt")).toString(), "two\n");
  });

  it("opens nothing for a change that needs no approval", async () => {
    const original = await kit.file("quiet.txt", "1\n");
    const preview = kit.previews.preview(kit.path("quiet.txt"), original, { show: false });
    preview.update("2");
    await preview.finish("2\n");
    assert.deepEqual(kit.tabs(), []);
    await preview.save();
    assert.equal((await kit.bytes("quiet.txt")).toString(), "2\n");
  });

  it("refuses a file that was changed since, that came to be, or whose path leads elsewhere", async () => {
    const original = await kit.file("a.txt", "one\n");
    const changed = kit.previews.preview(kit.path("a.txt"), original, { show: true });
    await changed.finish("two\n");
    await writeFile(kit.path("a.txt"), "three\n");
    await assert.rejects(changed.save(), { name: "ToolError", message: /changed since/ });
    assert.equal((await kit.bytes("a.txt")).toString(), "three\n");

    const fresh = kit.previews.preview(kit.path("new/file.txt"), null, { show: true });
    await fresh.finish("mine\n");
    await kit.file("new/file.txt", "somebody's\n");
    await assert.rejects(fresh.save(), { name: "ToolError", message: /now exists/ });
    assert.equal((await kit.bytes("new/file.txt")).toString(), "somebody's\n");

    const linked = await kit.file("b.txt", "one\n");
    await kit.file("secret.txt", "one\n");
    const moved = kit.previews.preview(kit.path("b.txt"), linked, { show: false });
    await moved.finish("two\n");
    await unlink(kit.path("b.txt"));
    await symlink(kit.path("secret.txt"), kit.path("b.txt"));
    await assert.rejects(moved.save(), { name: "ToolError", message: /no longer resolves/ });
    assert.equal((await kit.bytes("secret.txt")).toString(), "one\n");
    await tabs(0);
  });
});
