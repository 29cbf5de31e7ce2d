/** The command that helps to install the terminal host. */
import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import * as vscode from "vscode";
import { typeInstallation } from "../../src/vscode/terminal/install-command.ts";

describe("The nekode command", () => {
  it("is offered in the palette", async () => {
    assert.ok((await vscode.commands.getCommands(true)).includes("nekode.installCommand"));
  });

  it("is installed in a terminal in the package's folder, and from no other file", async () => {
    const folder = await mkdtemp(path.join(tmpdir(), "nekode-downloads-"));
    const before = vscode.window.terminals.length;
    assert.equal(typeInstallation(vscode.Uri.file(path.join(folder, "other.tgz"))), false);
    assert.equal(vscode.window.terminals.length, before);
    assert.equal(typeInstallation(vscode.Uri.file(path.join(folder, "nekode-cli-0.1.0.tgz"))), true);
    const terminal = vscode.window.terminals.at(-1);
    assert.equal(terminal?.name, "nekode");
    terminal.dispose();
    await rm(folder, { recursive: true });
  });
});
