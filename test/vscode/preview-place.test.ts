/** Where a proposal opens, and that the editor in which the user works stays the active one: its keys and saves are theirs. */
import assert from "node:assert/strict";
import * as vscode from "vscode";
import type { Preview } from "../../src/core/ports/editor.ts";
import { itWhole, Kit, until } from "./support/kit.ts";

describe("The place of a proposal", () => {
  let kit: Kit;
  let previews: Preview[];
  /** The editor's automatic save would do what the tests expect of the user's key, or refuse the key as it runs. */
  const autoSave = (value?: string) =>
    vscode.workspace.getConfiguration("files").update("autoSave", value, vscode.ConfigurationTarget.Global);
  before(() => autoSave("off"));
  after(() => autoSave());
  beforeEach(() => {
    kit = new Kit();
    previews = [];
  });
  afterEach(async () => {
    for (const preview of previews) await preview.discard();
    await kit.dispose();
  });

  async function propose(name: string): Promise<Preview> {
    const original = await kit.file(name, "one\n");
    const preview = kit.previews.preview(kit.path(name), original, { show: true });
    previews.push(preview);
    return preview;
  }

  const labelOf = (group: vscode.TabGroup) => group.activeTab?.label ?? "";
  const active = () => labelOf(vscode.window.tabGroups.activeTabGroup);
  const shown = () => vscode.window.tabGroups.all.map(labelOf);

  it("is beside the user's editor, which stays the active one when the approval is asked for", async () => {
    await kit.file("mine.txt", "mine\n");
    const { document } = await kit.show("mine.txt");
    await vscode.commands.executeCommand("type", { text: "x" });
    const preview = await propose("theirs.txt");
    await preview.finish("two\n");
    await until("the proposal shows", () => shown().includes("theirs.txt (proposed change)"));
    assert.equal(await kit.previews.reveal(kit.path("theirs.txt"), undefined), true);
    assert.equal(active(), "mine.txt");
    await vscode.commands.executeCommand("workbench.action.files.save");
    assert.equal(document.isDirty, false);
    assert.equal((await kit.bytes("mine.txt")).toString(), "xmine\n");
  });

  itWhole("leaves the editor active to a user who works in the last of two groups", async () => {
    await kit.file("left.txt", "left\n");
    await kit.file("right.txt", "right\n");
    await kit.show("left.txt");
    await vscode.window.showTextDocument(kit.uri("right.txt"), { viewColumn: vscode.ViewColumn.Two });
    const preview = await propose("theirs.txt");
    await preview.finish("two\n");
    await until("the proposal shows", () => shown().includes("theirs.txt (proposed change)"));
    await kit.previews.reveal(kit.path("theirs.txt"), undefined);
    assert.equal(active(), "right.txt");
    assert.ok(shown().includes("left.txt"), "it covers what the user sees");
  });

  for (const first of ["file", "proposal"]) {
    it(`leaves a file in front that the user opens at the same moment, the ${first} first`, async () => {
      await kit.file("mine.txt", "mine\n");
      const document = await vscode.workspace.openTextDocument(kit.uri("mine.txt"));
      const preview = await propose("theirs.txt");
      const steps = [
        () => vscode.window.showTextDocument(document),
        async () => {
          await preview.finish("two\n");
          await kit.previews.reveal(kit.path("theirs.txt"), undefined);
        },
      ];
      if (first === "proposal") steps.reverse();
      await Promise.all(steps.map((step) => step()));
      await until("both are open", () => kit.tabs().length === 1);
      assert.equal(active(), "mine.txt");
      assert.equal(vscode.window.activeTextEditor?.document, document);
    });
  }

  it("is in front in a window where nothing is open", async () => {
    const preview = await propose("theirs.txt");
    await preview.finish("two\n");
    await until("the proposal shows", () => active() === "theirs.txt (proposed change)");
  });

  it("comes to the front when the user asks for it in the panel", async () => {
    await kit.file("mine.txt", "mine\n");
    await kit.file("cover.txt", "cover\n");
    await kit.show("mine.txt");
    const preview = await propose("theirs.txt");
    await preview.finish("two\n");
    await until("the proposal shows", () => shown().includes("theirs.txt (proposed change)"));
    await vscode.window.showTextDocument(kit.uri("cover.txt"), { viewColumn: vscode.ViewColumn.Two });
    await vscode.window.showTextDocument(kit.uri("mine.txt"), { viewColumn: vscode.ViewColumn.One });
    await kit.previews.reveal(kit.path("theirs.txt"), undefined);
    assert.deepEqual(shown(), ["mine.txt", "cover.txt"]);
    kit.previews.placement.panelUsed();
    await kit.previews.reveal(kit.path("theirs.txt"), undefined);
    await until("it is in front", () => shown()[1] === "theirs.txt (proposed change)");
  });
});
