/** Removing and moving a file in the editor: its tabs follow, and nothing else than what was approved goes. */
import assert from "node:assert/strict";
import { access, readFile, writeFile } from "node:fs/promises";
import * as path from "node:path";
import * as vscode from "vscode";
import type { ExpectedFile } from "../../src/core/ports/editor.ts";
import { createDocuments } from "../../src/node/documents/document-reader.ts";
import { realTarget } from "../../src/node/files/disk-files.ts";
import { docx, JAPANESE_FONT, paragraph, pdf, xlsx } from "../support/office-files.ts";
import { itWhole, Kit, until } from "./support/kit.ts";

describe("Removing and moving", () => {
  let kit: Kit;
  beforeEach(() => {
    kit = new Kit();
  });
  afterEach(async () => {
    await kit.dispose();
  });

  async function expected(name: string): Promise<ExpectedFile> {
    const stat = await kit.files.stat(kit.path(name));
    return { version: stat?.version ?? "", folder: await kit.files.realpath(kit.folder) };
  }

  const tabsOf = (name: string) =>
    vscode.window.tabGroups.all
      .flatMap((group) => group.tabs)
      .filter(
        ({ input }) =>
          input instanceof vscode.TabInputText && input.uri.toString() === kit.uri(name).toString(),
      ).length;

  it("removes a file, and its tab goes", async () => {
    await kit.file("a.txt", "a\n");
    await kit.show("a.txt");
    await kit.previews.remove(kit.path("a.txt"), await expected("a.txt"));
    await assert.rejects(access(kit.path("a.txt")));
    await until("the tab is gone", () => tabsOf("a.txt") === 0);
  });

  it("moves a file into a new folder, and its tab follows", async () => {
    await kit.file("a.txt", "a\n");
    await kit.show("a.txt");
    await kit.previews.rename(kit.path("a.txt"), kit.path("deep/b.txt"), {
      ...(await expected("a.txt")),
      target: await realTarget(kit.path("deep/b.txt")),
    });
    assert.equal(await readFile(kit.path("deep/b.txt"), "utf8"), "a\n");
    await assert.rejects(access(kit.path("a.txt")));
    await until("the tab followed", () => tabsOf("deep/b.txt") === 1 && tabsOf("a.txt") === 0);
  });

  it("refuses what changed, what has unsaved changes, and a name that is taken", async () => {
    await kit.file("a.txt", "a\n");
    await kit.file("b.txt", "b\n");
    const before = await expected("a.txt");
    await assert.rejects(
      kit.previews.rename(kit.path("a.txt"), kit.path("b.txt"), { ...before, target: kit.path("b.txt") }),
      /now exists/,
    );
    await writeFile(kit.path("a.txt"), "theirs, longer\n");
    await assert.rejects(kit.previews.remove(kit.path("a.txt"), before), /changed since/);
    const editor = await kit.show("a.txt");
    await editor.edit((edit) => edit.insert(new vscode.Position(0, 0), "mine "));
    await assert.rejects(kit.previews.remove(kit.path("a.txt"), await expected("a.txt")), /unsaved changes/);
    assert.equal(await readFile(kit.path("a.txt"), "utf8"), "theirs, longer\n");
    assert.equal(await readFile(kit.path("b.txt"), "utf8"), "b\n");
  });

  itWhole("reads documents in a thread of this host, with the character maps that ship", async () => {
    const extension = vscode.extensions.getExtension("nekode.nekode");
    const documents = createDocuments(path.join(extension?.extensionPath ?? "", "dist"));
    const { signal } = new AbortController();
    assert.equal(await documents.extract(docx(paragraph("猫")), "docx", signal), "猫");
    assert.equal(await documents.extract(xlsx("S", [["猫"]]), "xlsx", signal), "## Sheet S (1 rows)\n\n猫");
    const page = "BT /F1 12 Tf 20 200 Td <8CE1947982CD944C82C582A082E9> Tj ET";
    const text = await documents.extract(pdf([page], JAPANESE_FONT), "pdf", signal);
    assert.equal(text, "## Page 1 of 1\n\n吾輩は猫である");
  });
});
