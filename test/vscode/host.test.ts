import assert from "node:assert/strict";
import * as vscode from "vscode";

describe("The host", () => {
  it("is a VS Code that we support", () => {
    const [major = 0, minor = 0] = vscode.version.split(".").map(Number);
    assert.equal(major, 1);
    assert.ok(minor >= 100, `VS Code ${vscode.version}`);
    if (!process.env.NEKODE_VSCODE && !process.env.NEKODE_CODE_SERVER)
      assert.match(vscode.version, /^1\.100\./);
  });

  it("has the sample workspace open", async () => {
    const [found] = await vscode.workspace.findFiles("neko.txt");
    assert.ok(found, "neko.txt is not in the workspace");
    const document = await vscode.workspace.openTextDocument(found);
    assert.match(document.getText(), /^吾輩は猫である。名前はまだ無い。/);
  });

  it("activates the extension", async () => {
    const extension = vscode.extensions.getExtension("nekode.nekode");
    assert.ok(extension, "nekode.nekode is not installed");
    await extension.activate();
    assert.equal(extension.isActive, true);
  });

  it("has every command that the manifest declares, except those of comments, which come with the first plan", async () => {
    const extension = vscode.extensions.getExtension("nekode.nekode");
    const { commands = [], menus = {} } = extension?.packageJSON.contributes ?? {};
    const declared: { command: string }[] = commands;
    const places: Record<string, { command?: string }[]> = menus;
    const ofComments = Object.keys(places).filter((place) => place.startsWith("comments/"));
    const later = new Set(ofComments.flatMap((place) => places[place]?.map(({ command }) => command) ?? []));
    const present = new Set(await vscode.commands.getCommands(true));
    assert.ok(declared.length > 0, "the manifest declares no commands");
    assert.deepEqual(
      declared.map((each) => each.command).filter((command) => !present.has(command) && !later.has(command)),
      [],
    );
  });
});
