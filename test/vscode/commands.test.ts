/** What commands act on: the change that was clicked, text that is no file, keys that are nobody else's. */
import assert from "node:assert/strict";
import * as vscode from "vscode";
import { reasonOf } from "../../src/shared/reason.ts";
import { applyEvent, type ChatView, emptyView } from "../../src/shared/view/reducer.ts";
import { answerShown, answerWaitingCall } from "../../src/vscode/panel/panel-commands.ts";
import { quoteOf } from "../../src/vscode/panel/quote-commands.ts";
import { Kit, until } from "./support/kit.ts";

describe("Commands", () => {
  let kit: Kit;
  beforeEach(() => {
    kit = new Kit();
  });
  afterEach(() => kit.dispose());

  it("that answer a change from its diff answer that change, and only when it is whole and waits", async () => {
    const original = await kit.file("poem.txt", "cat\n");
    const other = await kit.file("other.txt", "cat\n");
    const [mine, theirs] = ["session-1", "session-2"];
    const first = kit.previews.preview(kit.path("poem.txt"), original, { show: true, session: theirs });
    const second = kit.previews.preview(kit.path("other.txt"), other, { show: true, session: mine });
    await first.finish("dog\n");
    await until("the diff is open", () => kit.tabs().length === 1 && kit.proposal() !== undefined);
    const shown = kit.proposal()?.uri;
    assert.ok(shown);
    second.update("do");
    await until("both are open", () => kit.tabs().length === 2);
    const poem = kit.previews.proposed(shown);
    assert.equal(poem?.path, kit.path("poem.txt"));
    assert.equal(poem?.session, theirs);
    const streaming = vscode.window.tabGroups.all
      .flatMap(({ tabs }) => tabs)
      .flatMap(({ input }) => (input instanceof vscode.TabInputTextDiff ? [input.modified] : []))
      .find((uri) => uri.scheme === kit.scheme && uri.path.endsWith("other.txt"));
    assert.ok(streaming);
    assert.equal(kit.previews.proposed(streaming), undefined);

    const answered: string[] = [];
    // Both sessions propose to change the file.
    const views: Record<string, ChatView> = {
      [mine]: waiting({ c1: kit.path("other.txt"), c2: kit.path("poem.txt") }),
      [theirs]: waiting({ c3: kit.path("poem.txt") }),
    };
    let left: number[] = [];
    let edited: string[] = [];
    const approvals = { prepared: () => ({ comment: "", left, edited }) };
    const project = {
      find: (id: string) => (views[id] ? { chatView: views[id], approvals } : undefined),
      decide: (id: string, callId: string, approved: boolean) =>
        answered.push(`${id} ${callId} ${approved}`) > 0,
    };
    const shownIn = (path: string, session: string) => ({ path: kit.path(path), session });
    assert.equal(answerShown(project, "approve", poem), "answered");
    assert.equal(answerShown(project, "reject", kit.previews.proposed(streaming)), "not-waiting");
    assert.equal(answerShown(project, "reject", shownIn("third.txt", mine)), "not-waiting");
    assert.equal(answerShown(project, "reject", shownIn("poem.txt", "gone")), "not-waiting");
    const session = {
      chatView: views[mine] ?? emptyView,
      approve: (id: string) => answered.push(`yes ${id}`) > 0,
      reject: (id: string) => answered.push(`no ${id}`) > 0,
      approvals,
    };
    // All hunks are left out: nothing is approved, and it can be rejected.
    left = [0, 1];
    assert.equal(answerWaitingCall(session, "approve"), "nothing-taken");
    assert.equal(answerShown(project, "approve", poem), "nothing-taken");
    assert.equal(answerWaitingCall(session, "reject"), "answered");
    // What the user wrote in the diff is something to approve.
    edited = ["poem.txt"];
    assert.equal(answerWaitingCall(session, "approve"), "answered");
    assert.deepEqual(answered, [`${theirs} c3 true`, "no c1", "yes c1"]);
    await second.finish("dog\n");
    assert.equal(kit.previews.proposed(streaming)?.path, kit.path("other.txt"));
    await first.discard();
    await second.discard();
    assert.equal(kit.previews.proposed(shown), undefined);
  });

  it("quote a document that is on no disk by its text, for no mention could name it", async () => {
    const document = await vscode.workspace.openTextDocument({
      content: "one\ntwo\n",
      language: "plaintext",
    });
    assert.equal(quoteOf(document, new vscode.Selection(0, 0, 0, 0)), "```plaintext\none\ntwo\n```\n");
    assert.equal(quoteOf(document, new vscode.Selection(1, 0, 1, 3)), "```plaintext\ntwo\n```\n");
  });

  it("fix and explain problems, and only those", async () => {
    const file = kit.uri("cat.txt");
    await kit.file("cat.txt", "hungry\nfed\n");
    const problems = vscode.languages.createDiagnosticCollection("nekode-test");
    problems.set(file, [new vscode.Diagnostic(new vscode.Range(0, 0, 0, 6), "The cat is hungry")]);
    const offered = async (range: vscode.Range) => {
      await vscode.workspace.openTextDocument(file);
      const actions = await vscode.commands.executeCommand<vscode.CodeAction[]>(
        "vscode.executeCodeActionProvider",
        file,
        range,
      );
      const ours = actions.filter(({ command }) => command?.command.startsWith("nekode."));
      return ours.map(({ title, kind }) => `${title} ${kind?.value}`);
    };
    const all = ["Fix with Nekode quickfix", "Explain with Nekode quickfix"];
    assert.deepEqual(await offered(new vscode.Range(0, 0, 0, 2)), all);
    assert.deepEqual(await offered(new vscode.Range(1, 0, 1, 3)), []);
    problems.dispose();
  });

  it("have keys that nothing of the editor's own has", async () => {
    const document = await vscode.workspace.openTextDocument(
      vscode.Uri.parse("vscode://defaultsettings/keybindings.json"),
    );
    const written = /"key": "([^"]+)",\s*"command": "([^"]+)"(?:,\s*"when": "([^"]*)")?/g;
    const bindings = [...document.getText().matchAll(written)].map(
      ([, key = "", command = "", when = ""]) => ({ key, command, when }),
    );
    assert.ok(bindings.length > 500, `${bindings.length} bindings`);
    const isOurs = ({ command }: { command: string }) => command.startsWith("nekode.");
    // In its own proposal, Edit Here takes Enter and Esc as an input does. Its Ctrl+I is free where nobody else edits in the editor:
    // what is left is Trigger Suggest, which has Ctrl+Space as well.
    const ours = bindings.filter(
      (binding) =>
        isOurs(binding) &&
        binding.command !== "nekode.editHere" &&
        !binding.when.includes("resourceScheme == 'nekode-preview'") &&
        !binding.when.includes("resourceScheme == nekode-preview"),
    );
    assert.ok(ours.length >= 7, `${ours.length} of ours`);
    const outside = "!notebookCellListFocused";
    const taken = bindings.filter(
      (theirs) =>
        !isOurs(theirs) &&
        ours.some(
          ({ key, when }) =>
            key === theirs.key &&
            !(
              when.includes(outside) &&
              theirs.when.includes("notebookCellListFocused") &&
              !theirs.when.includes(outside)
            ),
        ),
    );
    assert.deepEqual(taken, []);
  });
});

/** A view in which a change of each of these files waits, by call. */
function waiting(files: Record<string, string>): ChatView {
  let view = applyEvent(emptyView, { type: "session", id: "s1", title: "A task" });
  const hunk = { line: 1, removed: [], added: ["dog"] };
  for (const [callId, path] of Object.entries(files)) {
    view = applyEvent(view, { type: "call", callId, tool: "write_to_file", subject: path, messageId: "m1" });
    view = applyEvent(view, {
      type: "approval",
      callId,
      approval: {
        callId,
        access: "edit",
        reason: reasonOf("editing-asks"),
        path,
        hunks: { shown: [hunk, hunk], more: 0 },
      },
    });
  }
  return view;
}
