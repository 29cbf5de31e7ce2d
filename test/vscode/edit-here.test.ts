/** A change where the cursor is, in a real editor: where it appears, which keys answer it, and where the user is afterwards. */
import assert from "node:assert/strict";
import * as vscode from "vscode";
import { EditFailure, type EditProposal, type EditWish } from "../../src/core/agent/extras/edit-at-cursor.ts";
import { emptyTotals } from "../../src/shared/totals.ts";
import { EditHere } from "../../src/vscode/editor/edit-here.ts";
import { Kit, until, untilSeen } from "./support/kit.ts";

describe("Edit Here", () => {
  let kit: Kit;
  let here: EditHere;
  let wishes: EditWish[];
  let asked: vscode.InputBoxOptions[];
  let typed: string | undefined;
  let failure: Error | undefined;

  const propose = async (wish: EditWish): Promise<EditProposal> => {
    wishes.push(wish);
    if (failure) throw failure;
    const original = await kit.files.readText(wish.path);
    const preview = kit.previews.preview(wish.path, original, { show: true, takesFocus: true });
    await preview.finish(original.text.replace("cat", "dog"));
    return {
      path: wish.path,
      spent: { ...emptyTotals, cost: 0.01 },
      save: () => preview.save(),
      discard: () => preview.discard(),
      isEdited: () => preview.isEdited?.() ?? false,
      onEdited: (listener) => preview.onEdited?.(listener) ?? { dispose() {} },
    };
  };
  const text = async () => (await kit.bytes("pets.txt")).toString();
  const isBack = () =>
    vscode.window.activeTextEditor?.document.uri.toString() === kit.uri("pets.txt").toString();
  const isDiff = () => vscode.window.activeTextEditor?.document === kit.proposal();

  beforeEach(async () => {
    kit = new Kit();
    wishes = [];
    asked = [];
    typed = "a dog, please";
    failure = undefined;
    here = new EditHere({
      edits: { propose },
      previews: kit.previews,
      failureText: String,
      ask: async (options) => {
        asked.push(options);
        return typed;
      },
    });
    await kit.file("pets.txt", "bird\ncat\nfish\n");
    const editor = await kit.show("pets.txt");
    editor.selection = new vscode.Selection(1, 0, 2, 0);
  });
  afterEach(async () => {
    here.dispose();
    await kit.dispose();
  });

  it("takes the editor's place and focus, and gives them back when it is accepted", async () => {
    await here.start();
    assert.deepEqual(
      wishes.map(({ lines, wish }) => ({ lines, wish })),
      [{ lines: { start: 2, end: 2 }, wish: "a dog, please" }],
    );
    await until("the diff has the focus", isDiff);
    assert.equal(vscode.window.tabGroups.all.length, 1);
    assert.equal(await text(), "bird\ncat\nfish\n");
    const shown = kit.proposal();
    assert.ok(shown && here.shows(shown.uri));
    await here.answer("approve");
    await until("the editor is back", isBack);
    assert.equal(await text(), "bird\ndog\nfish\n");
    assert.equal(vscode.window.activeTextEditor?.selection.active.line, 1);
    assert.equal(here.shows(shown.uri), false);
  });

  it("changes nothing when it is rejected, when its tab is closed, or when another one begins", async () => {
    await here.start();
    await here.answer("reject");
    await until("the editor is back", isBack);

    await here.start();
    await until("the diff has the focus", isDiff);
    await vscode.commands.executeCommand("workbench.action.closeActiveEditor");
    await until("the editor is back", isBack);
    await untilSeen("the proposal is gone", () => kit.previews.files.size === 0);

    await here.start();
    await until("the diff has the focus", isDiff);
    await kit.show("pets.txt");
    await here.start();
    await until("one diff is open", () => kit.tabs().length === 1);
    assert.equal(wishes.length, 4);
    await here.answer("reject");
    assert.equal(await text(), "bird\ncat\nfish\n");
  });

  it("goes on in the chat with the wish and its lines", async () => {
    await here.start();
    const message = await here.takeToChat();
    assert.match(message ?? "", /pets\.txt.*2.* a dog, please$/);
    await until("the editor is back", isBack);
    assert.equal(await here.takeToChat(), undefined);
  });

  it("asks nobody without a wish or a file, and leaves the editor as it is when the model has no change", async () => {
    typed = " ";
    await here.start();
    failure = new EditFailure("refused", "There is no cat.");
    typed = "a dog";
    await here.start();
    assert.equal(wishes.length, 1);
    assert.ok(isBack());
    await vscode.commands.executeCommand("workbench.action.closeAllEditors");
    await until("nothing is open", () => vscode.window.activeTextEditor === undefined);
    await here.start();
    assert.equal(asked.length, 2);
    assert.equal(await text(), "bird\ncat\nfish\n");
  });
});
