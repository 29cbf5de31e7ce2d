/** The approved write: through the editor where the file is open, byte by byte elsewhere. */
import assert from "node:assert/strict";
import * as vscode from "vscode";
import { encode } from "../../src/node/files/encodings.ts";
import { sampled } from "../support/random.ts";
import { itWhole, Kit, until } from "./support/kit.ts";

describe("An approved write", () => {
  let kit: Kit;
  beforeEach(() => {
    kit = new Kit();
  });
  afterEach(async () => {
    await kit.dispose();
  });

  const approve = (name: string, text: string, show?: boolean) => kit.approve(name, text, show);

  it("makes a new file with its folders", async () => {
    const preview = kit.previews.preview(kit.path("deep/er/new.txt"), null, { show: true });
    preview.update("he");
    await preview.finish("hello\n");
    await until("the proposal shows", () => kit.proposal()?.getText() === "hello\n");
    await assert.rejects(kit.bytes("deep/er/new.txt"));
    const saved = await preview.save();
    assert.deepEqual(saved, { finalText: "hello\n", encoding: "utf8", newProblems: [] });
    assert.equal((await kit.bytes("deep/er/new.txt")).toString(), "hello\n");
  });

  it("can be undone where the file is open", async () => {
    await kit.file("open.txt", "1\n2\n3\n4\n5\n");
    const editor = await kit.show("open.txt");
    const version = editor.document.version;
    await approve("open.txt", "1\ntwo\n3\n4\nfive\n");
    assert.equal((await kit.bytes("open.txt")).toString(), "1\ntwo\n3\n4\nfive\n");
    assert.equal(editor.document.isDirty, false);
    assert.ok(editor.document.version > version, "the editor's document was changed");
    await kit.show("open.txt");
    await vscode.commands.executeCommand("undo");
    assert.equal(editor.document.getText(), "1\n2\n3\n4\n5\n");
  });

  for (const column of sampled([3, 0, 4], 3)) {
    it(`selects nothing in the user's editor (cursor in column ${column})`, async () => {
      await kit.file("neko.txt", "吾輩は猫である。\n名前はまだ無い。\n");
      const editor = await kit.show("neko.txt");
      editor.selection = new vscode.Selection(0, column, 0, column);
      await approve("neko.txt", "吾輩は犬である。\n名前はまだ無い。\n");
      assert.equal(editor.document.getText(), "吾輩は犬である。\n名前はまだ無い。\n");
      const [shown] = vscode.window.visibleTextEditors.filter(({ document }) => document === editor.document);
      assert.ok(shown);
      assert.deepEqual(
        shown.selections.map(({ isEmpty, active }) => [isEmpty, active.line]),
        [[true, 0]],
      );
    });
  }

  it("keeps the unsaved changes that the proposal was made from", async () => {
    await kit.file("dirty.txt", "one\n");
    const editor = await kit.show("dirty.txt");
    await editor.edit((edit) => edit.insert(new vscode.Position(0, 0), "zero\n"));
    const original = await kit.files.readText(kit.path("dirty.txt"));
    assert.equal(original.text, "zero\none\n");
    assert.equal(original.version, (await kit.files.stat(kit.path("dirty.txt")))?.version);
    const preview = kit.previews.preview(kit.path("dirty.txt"), original, { show: true });
    await preview.finish("zero\none\ntwo\n");
    assert.equal((await kit.bytes("dirty.txt")).toString(), "one\n");
    const saved = await preview.save();
    assert.equal(saved.finalText, "zero\none\ntwo\n");
    assert.equal((await kit.bytes("dirty.txt")).toString(), "zero\none\ntwo\n");
    assert.equal(editor.document.isDirty, false);
  });

  it("refuses when the user typed in the file since, and keeps what they typed", async () => {
    await kit.file("typed.txt", "one\n");
    const editor = await kit.show("typed.txt");
    const original = await kit.files.readText(kit.path("typed.txt"));
    const preview = kit.previews.preview(kit.path("typed.txt"), original, { show: true });
    await preview.finish("two\n");
    await editor.edit((edit) => edit.insert(new vscode.Position(0, 0), "mine "));
    await assert.rejects(preview.save(), { name: "ToolError", message: /changed since/ });
    assert.equal(editor.document.getText(), "mine one\n");
    assert.equal((await kit.bytes("typed.txt")).toString(), "one\n");
  });

  itWhole("goes through when the user only saved the buffer that the proposal was made from", async () => {
    await kit.file("autosave.txt", "one\n");
    const editor = await kit.show("autosave.txt");
    await editor.edit((edit) => edit.insert(new vscode.Position(0, 0), "zero\n"));
    const original = await kit.files.readText(kit.path("autosave.txt"));
    const preview = kit.previews.preview(kit.path("autosave.txt"), original, { show: true });
    await preview.finish("zero\none\ntwo\n");
    await editor.document.save();
    await preview.save();
    assert.equal((await kit.bytes("autosave.txt")).toString(), "zero\none\ntwo\n");
  });

  // `test/unit/node/write.test.ts` has the write of a file that is not open.
  for (const open of sampled([true, false], 2)) {
    const where = open ? "open in the editor" : "not open";
    it(`keeps CRLF and a byte order mark (${where})`, async () => {
      await kit.file("crlf.txt", Buffer.from("\uFEFFa\r\nb\r\nc"));
      if (open) await kit.show("crlf.txt");
      const saved = await approve("crlf.txt", "a\r\nB\r\nc");
      assert.equal(saved.finalText, "a\r\nB\r\nc");
      assert.deepEqual(await kit.bytes("crlf.txt"), Buffer.from("\uFEFFa\r\nB\r\nc"));
    });

    it(`keeps mixed line endings (${where})`, async () => {
      await kit.file("mixed.txt", "a\r\nb\nc\r\n");
      if (open) await kit.show("mixed.txt");
      await approve("mixed.txt", "a\r\nb\nC\r\n");
      assert.equal((await kit.bytes("mixed.txt")).toString(), "a\r\nb\nC\r\n");
    });

    it(`keeps Shift JIS (${where})`, async () => {
      const text = "吾輩は猫である。\n名前はまだ無い。\n";
      const encoded = encode(text, { encoding: "shiftjis", bom: false });
      assert.ok(encoded.ok);
      await kit.file("neko.txt", encoded.bytes);
      // The editor reads it as UTF-8, which it is not; its document must not be what is written.
      if (open) await kit.show("neko.txt");
      const changed = "吾輩は猫である。\n名前は「たま」。\n";
      const saved = await approve("neko.txt", changed);
      assert.equal(saved.finalText, changed);
      assert.equal(saved.encoding, "shiftjis");
      const expected = encode(changed, { encoding: "shiftjis", bom: false });
      assert.ok(expected.ok);
      assert.deepEqual(await kit.bytes("neko.txt"), Buffer.from(expected.bytes));
    });
  }

  itWhole("turns the line endings of an open file when the change does", async () => {
    await kit.file("turn.txt", "a\r\nb\r\n");
    await kit.show("turn.txt");
    await approve("turn.txt", "a\nb\nc\n");
    assert.equal((await kit.bytes("turn.txt")).toString(), "a\nb\nc\n");
  });

  it("refuses a character that the encoding lacks", async () => {
    const encoded = encode("日本語の文章です。\n", { encoding: "shiftjis", bom: false });
    assert.ok(encoded.ok);
    const original = await kit.file("sjis.txt", encoded.bytes);
    const preview = kit.previews.preview(kit.path("sjis.txt"), original, { show: true });
    await preview.finish("絵文字 😀\n");
    await assert.rejects(preview.save(), {
      name: "ToolError",
      message: /Nothing was written/,
    });
    assert.deepEqual(await kit.bytes("sjis.txt"), Buffer.from(encoded.bytes));
  });

  it("answers with the text as the editor formatted it", async () => {
    const formatter = vscode.languages.registerDocumentFormattingEditProvider(
      { pattern: "**/*.shout" },
      {
        provideDocumentFormattingEdits(document) {
          const text = document.getText();
          const whole = new vscode.Range(document.positionAt(0), document.positionAt(text.length));
          return [vscode.TextEdit.replace(whole, text.toUpperCase())];
        },
      },
    );
    const editorSettings = vscode.workspace.getConfiguration("editor");
    await editorSettings.update("formatOnSave", true, vscode.ConfigurationTarget.Global);
    try {
      await kit.file("closed.shout", "loud\n");
      assert.equal((await approve("closed.shout", "louder\n")).finalText, "LOUDER\n");
      assert.equal((await kit.bytes("closed.shout")).toString(), "LOUDER\n");

      await kit.file("open.shout", "loud\n");
      await kit.show("open.shout");
      assert.equal((await approve("open.shout", "loudest\n", false)).finalText, "LOUDEST\n");
      assert.equal((await kit.bytes("open.shout")).toString(), "LOUDEST\n");

      const preview = kit.previews.preview(kit.path("new.shout"), null, { show: true });
      await preview.finish("new\n");
      assert.equal((await preview.save()).finalText, "NEW\n");
      assert.equal((await kit.bytes("new.shout")).toString(), "NEW\n");
    } finally {
      await editorSettings.update("formatOnSave", undefined, vscode.ConfigurationTarget.Global);
      formatter.dispose();
    }
  });

  itWhole("tells the problems of the text as the editor formatted it", async () => {
    const collection = vscode.languages.createDiagnosticCollection("shouting");
    const listening = vscode.Disposable.from(
      collection,
      vscode.languages.registerDocumentFormattingEditProvider(
        { pattern: "**/*.shout" },
        {
          provideDocumentFormattingEdits: (document) => [
            vscode.TextEdit.replace(document.lineAt(0).range, document.lineAt(0).text.toUpperCase()),
          ],
        },
      ),
      // A server that looks at what was saved, some time later.
      vscode.workspace.onDidSaveTextDocument((document) => {
        if (!document.fileName.endsWith(".shout")) return;
        setTimeout(() => {
          const { range, text } = document.lineAt(0);
          collection.set(document.uri, [new vscode.Diagnostic(range, `too loud: ${text}`)]);
        }, 100);
      }),
    );
    const editorSettings = vscode.workspace.getConfiguration("editor");
    await editorSettings.update("formatOnSave", true, vscode.ConfigurationTarget.Global);
    try {
      await kit.file("heard.shout", "one\n");
      const { document } = await kit.show("heard.shout");
      collection.set(document.uri, [new vscode.Diagnostic(document.lineAt(0).range, "was there")]);
      await until("it is known", () => vscode.languages.getDiagnostics(document.uri).length > 0);
      const saved = await approve("heard.shout", "two\n");
      assert.equal(saved.finalText, "TWO\n");
      assert.deepEqual(saved.newProblems, ["line 1: error: too loud: TWO"]);
    } finally {
      await editorSettings.update("formatOnSave", undefined, vscode.ConfigurationTarget.Global);
      listening.dispose();
    }
  });

  it("refuses a path with NUL, and says so", async () => {
    const preview = kit.previews.preview(`${kit.path("odd")}\0.txt`, null, { show: false });
    await preview.finish("text\n");
    await assert.rejects(preview.save());
  });

  it("tells the problems that were not there before", async () => {
    const collection = vscode.languages.createDiagnosticCollection("suite");
    const problem = (message: string, line: number) =>
      new vscode.Diagnostic(new vscode.Range(line, 0, line, 1), message, vscode.DiagnosticSeverity.Error);
    const judge = vscode.workspace.onDidChangeTextDocument(({ document }) => {
      if (document.uri.fsPath !== kit.path("checked.txt")) return;
      collection.set(document.uri, [problem("old", 2), problem("new", 1)]);
    });
    try {
      await kit.file("checked.txt", "a\nb\n");
      await kit.show("checked.txt");
      collection.set(kit.uri("checked.txt"), [problem("old", 0)]);
      await until(
        "the problem is known",
        () => vscode.languages.getDiagnostics(kit.uri("checked.txt")).length > 0,
      );
      const saved = await approve("checked.txt", "a\nB\nc\n");
      assert.deepEqual(saved.newProblems, ["line 2: error: new"]);
    } finally {
      judge.dispose();
      collection.dispose();
    }
  });

  itWhole(
    "tells the first thing that is said of a file, where an extension serves its language",
    async () => {
      await vscode.extensions.getExtension("vscode.markdown-language-features")?.activate();
      const collection = vscode.languages.createDiagnosticCollection("first");
      const judge = vscode.workspace.onDidSaveTextDocument(({ uri }) => {
        if (uri.fsPath !== kit.path("first.md")) return;
        setTimeout(() => {
          collection.set(uri, [new vscode.Diagnostic(new vscode.Range(0, 0, 0, 1), "too short")]);
        }, 100);
      });
      try {
        await kit.file("first.md", "# One\n");
        await kit.show("first.md");
        assert.deepEqual((await approve("first.md", "#\n", false)).newProblems, ["line 1: error: too short"]);
      } finally {
        judge.dispose();
        collection.dispose();
      }
    },
  );
});
