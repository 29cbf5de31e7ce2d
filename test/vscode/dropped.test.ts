/** What is dragged into the panel, over a real workspace. */
import assert from "node:assert/strict";
import { mkdir } from "node:fs/promises";
import * as path from "node:path";
import * as vscode from "vscode";
import { mentionUris } from "../../src/vscode/panel/dropped.ts";
import { Kit } from "./support/kit.ts";

describe("What is dragged into the panel", () => {
  let kit: Kit;
  const root = () => vscode.workspace.workspaceFolders?.[0]?.uri.fsPath ?? "/";
  const inWorkspace = (name: string) => path.relative(root(), kit.path(name)).split(path.sep).join("/");

  beforeEach(() => {
    kit = new Kit();
  });
  afterEach(() => kit.dispose());

  it("is mentioned by its path, quoted where it must be; a folder as one", async () => {
    await kit.file("neko.txt", "");
    await kit.file("my notes/猫 (1).md", "");
    await mkdir(kit.path("empty"));
    const uris = ["neko.txt", "my notes/猫 (1).md", "empty"].map((name) => kit.uri(name).toString());
    assert.deepEqual(await mentionUris(uris), {
      mentions: [
        `@/${inWorkspace("neko.txt")}`,
        `@"/${inWorkspace("my notes/猫 (1).md")}"`,
        `@/${inWorkspace("empty")}/`,
      ],
      refused: [],
    });
  });

  it("by a window on another machine is the file that it is here", async () => {
    await kit.file("neko.txt", "");
    const uri = kit.uri("neko.txt").with({ scheme: "vscode-remote", authority: "127.0.0.1:1" });
    assert.deepEqual((await mentionUris([uri.toString()])).mentions, [`@/${inWorkspace("neko.txt")}`]);
  });

  it("is refused by name where it is elsewhere, gone, the whole folder, or no file", async () => {
    const uris = [vscode.Uri.file("/etc/hosts"), kit.uri("gone.txt"), vscode.Uri.file(root())];
    const others = ["https://example.com/a.txt", "not an address", "untitled:Untitled-1"];
    const all = [...uris.map((uri) => uri.toString()), ...others];
    assert.deepEqual(await mentionUris(all), {
      mentions: [],
      refused: all,
    });
  });
});
