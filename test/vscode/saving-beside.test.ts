/** An approved write that is not the only one to save the file, or whose save something cancels. */
import assert from "node:assert/strict";
import { mkdir, rm } from "node:fs/promises";
import * as vscode from "vscode";
import type { Saved } from "../../src/core/ports/editor.ts";
import { gate } from "../support/gate.ts";
import { sampled } from "../support/random.ts";
import { itWhole, Kit, until } from "./support/kit.ts";

/** The kinds of file that the suite's formatter formats. */
const PATTERN = "**/*.beside";

describe("An approved write beside another save", () => {
  let kit: Kit;
  let store: vscode.Disposable[];
  beforeEach(() => {
    kit = new Kit();
    store = [];
  });
  afterEach(async () => {
    for (const item of store) item.dispose();
    for (const [section, name] of changedSettings.splice(0)) await set(section, name, undefined);
    await kit.dispose();
  });

  const changedSettings: [section: string, name: string][] = [];
  async function set(section: string, name: string, value: unknown): Promise<void> {
    if (value !== undefined) changedSettings.push([section, name]);
    await vscode.workspace.getConfiguration(section).update(name, value, vscode.ConfigurationTarget.Global);
  }

  /** A file with unsaved text, and the approval of a change that was made from it. */
  async function unsaved(): Promise<{ document: vscode.TextDocument; approve: () => Promise<Saved> }> {
    await kit.file("both.beside", "one\n");
    const { document } = await kit.show("both.beside");
    const edit = new vscode.WorkspaceEdit();
    edit.insert(document.uri, new vscode.Position(0, 0), "zero\n");
    assert.ok(await vscode.workspace.applyEdit(edit));
    const original = await kit.files.readText(kit.path("both.beside"));
    const preview = kit.previews.preview(kit.path("both.beside"), original, { show: false });
    await preview.finish("zero\none\ntwo\n");
    return { document, approve: () => preview.save() };
  }

  async function isWritten(document: vscode.TextDocument, saved: Saved): Promise<void> {
    assert.equal(saved.finalText, "zero\none\ntwo\n");
    assert.equal((await kit.bytes("both.beside")).toString(), "zero\none\ntwo\n");
    assert.equal(document.isDirty, false);
  }

  function formatter(format: vscode.DocumentFormattingEditProvider["provideDocumentFormattingEdits"]): void {
    store.push(
      vscode.languages.registerDocumentFormattingEditProvider(
        { pattern: PATTERN },
        { provideDocumentFormattingEdits: format },
      ),
    );
  }

  for (const how of sampled(["the user's", "an automatic"] as const, 2)) {
    it(`waits for ${how} save that asks the extensions`, async () => {
      const held = gate();
      const asked = gate();
      let times = 0;
      store.push(
        vscode.workspace.onWillSaveTextDocument((event) => {
          if (!event.document.fileName.endsWith(".beside") || times++ > 0) return;
          event.waitUntil(held.passed);
          asked.open();
        }),
      );
      await set("files", "autoSave", how === "an automatic" ? "afterDelay" : "off");
      await set("files", "autoSaveDelay", 50);
      const { document, approve } = await unsaved();
      const other = how === "an automatic" ? undefined : document.save();
      await asked.passed;
      const approved = approve();
      await until("the change is in the editor", () => document.getText().includes("two"));
      // The editor refuses at once what comes in the middle; by the second answer it has refused the approved save too.
      const answers = [await document.save(), await document.save()];
      held.open();
      await isWritten(document, await approved);
      await other;
      assert.deepEqual(answers, [false, false]);
    });
  }

  itWhole("goes on after another save whose formatter the change canceled", async () => {
    await set("files", "autoSave", "off");
    await set("editor", "formatOnSave", true);
    const formatting = gate();
    let times = 0;
    formatter(async (_document, _options, token) => {
      if (times++ > 0) return [];
      formatting.open();
      await new Promise<void>((resolve) => token.onCancellationRequested(() => resolve()));
      throw new vscode.CancellationError();
    });
    const { document, approve } = await unsaved();
    const other = document.save();
    await formatting.passed;
    await isWritten(document, await approve());
    await other;
  });

  it("saves again when a formatter canceled the save", async () => {
    await set("files", "autoSave", "off");
    await set("editor", "formatOnSave", true);
    let times = 0;
    formatter(() => {
      if (times++ === 0) throw new vscode.CancellationError();
      return [];
    });
    const { document, approve } = await unsaved();
    await isWritten(document, await approve());
    assert.equal(times, 2);
  });

  it("says so when the file cannot be saved", async () => {
    await set("files", "autoSave", "off");
    const { document, approve } = await unsaved();
    let inTheWay: Promise<unknown> | undefined;
    store.push(
      vscode.workspace.onWillSaveTextDocument((event) => {
        if (event.document !== document) return;
        inTheWay ??= rm(kit.path("both.beside")).then(() => mkdir(kit.path("both.beside")));
        event.waitUntil(inTheWay);
      }),
    );
    await assert.rejects(approve(), { name: "ToolError", message: /the editor could not save/ });
    assert.equal(document.getText(), "zero\none\ntwo\n");
    // The editor reads it again as the suite closes it.
    await rm(kit.path("both.beside"), { recursive: true });
    await kit.file("both.beside", "one\n");
  });

  itWhole("says so when the user made the file read-only in the editor", async () => {
    await set("files", "autoSave", "off");
    const { document, approve } = await unsaved();
    await set("files", "readonlyInclude", { [PATTERN]: true });
    await assert.rejects(approve(), { name: "ToolError", message: /the editor could not save/ });
    assert.equal(document.getText(), "zero\none\ntwo\n");
    assert.equal((await kit.bytes("both.beside")).toString(), "one\n");
  });
});
