/** Notebooks that the user has open: unsaved changes are read and kept, and a cell runs in a real kernel. */
import assert from "node:assert/strict";
import * as vscode from "vscode";
import { notebookCells } from "../../src/core/tools/notebooks/notebook-cells.ts";
import { withCellChange } from "../../src/core/tools/notebooks/notebook-changes.ts";
import { EditorKernels } from "../../src/vscode/editor/editor-kernels.ts";
import { JUPYTER } from "../support/notebooks.ts";
import { Kit, until } from "./support/kit.ts";

const { signal } = new AbortController();

describe("Notebooks in the editor", () => {
  let kit: Kit;
  let kernel: vscode.NotebookController | undefined;

  beforeEach(async () => {
    kit = new Kit();
    await kit.file("a.ipynb", JUPYTER);
  });
  afterEach(async () => {
    for (const document of vscode.workspace.notebookDocuments) if (document.isDirty) await document.save();
    kernel?.dispose();
    kernel = undefined;
    await kit.dispose();
  });

  const open = () => vscode.workspace.openNotebookDocument(kit.uri("a.ipynb"));
  const saved = async () => (await kit.bytes("a.ipynb")).toString();
  const sources = (json: string) => notebookCells(json)?.cells.map(({ source }) => source);

  /** Changes the text of a cell as a user who types. */
  async function type(notebook: vscode.NotebookDocument, index: number, text: string): Promise<void> {
    const edit = new vscode.WorkspaceEdit();
    edit.insert(notebook.cellAt(index).document.uri, new vscode.Position(0, 0), text);
    assert.ok(await vscode.workspace.applyEdit(edit));
    await until("the notebook is dirty", () => notebook.isDirty);
  }

  it("without unsaved changes are written as files, byte for byte, and shown anew", async () => {
    const notebook = await open();
    await vscode.window.showNotebookDocument(notebook);
    const next = withCellChange(JUPYTER, { kind: "replace", index: 1, source: "x = 2" });
    await kit.approve("a.ipynb", next, false);
    assert.equal(await saved(), next);
    await until("the editor shows it", () => notebook.cellAt(1).document.getText() === "x = 2");
    assert.equal(notebook.isDirty, false);
  });

  it("with unsaved changes are read as the user sees them, and an edit keeps these", async () => {
    const notebook = await open();
    await vscode.window.showNotebookDocument(notebook);
    await type(notebook, 0, "Mine. ");
    const original = await kit.files.readText(kit.path("a.ipynb"));
    assert.equal(sources(original.text)?.[0], 'Mine. # Cats\nText with "quotes" and 猫.');
    assert.equal((await kit.files.stat(kit.path("a.ipynb")))?.version, original.version);
    const next = withCellChange(original.text, { kind: "replace", index: 1, source: "x = 2" });
    await kit.approve("a.ipynb", next, false);
    assert.equal(notebook.isDirty, false);
    assert.deepEqual(sources(await saved()), ['Mine. # Cats\nText with "quotes" and 猫.', "x = 2", ""]);
    // Its output is kept, and so is what Jupyter keeps of it.
    assert.match(await saved(), /"1\\n"/);
    assert.match(await saved(), /"keep"/);
  });

  it("with unsaved changes get and lose cells", async () => {
    const notebook = await open();
    await type(notebook, 2, "last");
    const first = await kit.files.readText(kit.path("a.ipynb"));
    await kit.approve(
      "a.ipynb",
      withCellChange(first.text, { kind: "insert", index: 0, type: "code", source: "new", id: "n1" }),
      false,
    );
    assert.deepEqual(sources(await saved())?.slice(1), ["new", "x = 1\nprint(x)", "last"]);
    await type(notebook, 3, "very ");
    const second = await kit.files.readText(kit.path("a.ipynb"));
    await kit.approve("a.ipynb", withCellChange(second.text, { kind: "delete", index: 0 }), false);
    assert.deepEqual(sources(await saved()), ["new", "x = 1\nprint(x)", "very last"]);
    assert.equal(notebookCells(await saved())?.hasIds, true);
  });

  it("that the user changes before the save are not written", async () => {
    const notebook = await open();
    await type(notebook, 0, "A");
    const original = await kit.files.readText(kit.path("a.ipynb"));
    const preview = kit.previews.preview(kit.path("a.ipynb"), original, { show: false });
    await preview.finish(withCellChange(original.text, { kind: "delete", index: 1 }));
    await type(notebook, 0, "B");
    await assert.rejects(preview.save(), /was changed since the change was proposed/);
    assert.equal(await saved(), JUPYTER);
    assert.equal(notebook.cellCount, 3);
  });

  /** A kernel that prints the source, and an image where that is "image"; "fail" fails, and "hang" does not end. */
  function createKernel(): { begun: Promise<void>; stop: Promise<void> } {
    let [began, stopped] = [() => {}, () => {}];
    const begun = new Promise<void>((resolve) => {
      began = resolve;
    });
    const stop = new Promise<void>((resolve) => {
      stopped = resolve;
    });
    const made = vscode.notebooks.createNotebookController("suite", "jupyter-notebook", "Suite");
    kernel = made;
    made.supportedLanguages = ["python"];
    made.executeHandler = async (cells) => {
      for (const cell of cells) {
        const run = made.createNotebookCellExecution(cell);
        run.start(Date.now());
        await run.clearOutput();
        const source = cell.document.getText();
        if (source === "hang") {
          began();
          await new Promise<void>((resolve) => run.token.onCancellationRequested(() => resolve()));
          stopped();
        }
        const items =
          source === "fail"
            ? [vscode.NotebookCellOutputItem.error(new TypeError("not so"))]
            : source === "image"
              ? [new vscode.NotebookCellOutputItem(new Uint8Array([1, 2]), "image/png")]
              : [vscode.NotebookCellOutputItem.stdout(`ran ${source}`)];
        await run.appendOutput(new vscode.NotebookCellOutput(items));
        run.end(source !== "fail", Date.now());
      }
    };
    return { begun, stop };
  }

  it("run a cell in the kernel, in a tab that takes no focus, and its output is read before it is saved", async () => {
    const hang = createKernel();
    await kit.file("b.txt", "text\n");
    const editor = await kit.show("b.txt");
    const kernels = new EditorKernels();
    const run = (source: string) => kernels.run(kit.path("a.ipynb"), { index: 1, source }, signal);
    const first = await run("x = 1\nprint(x)");
    assert.deepEqual(first.outputs, [{ output_type: "stream", text: "ran x = 1\nprint(x)" }]);
    assert.equal(first.success, true);
    assert.equal(vscode.window.activeTextEditor, editor);
    assert.match((await kit.files.readText(kit.path("a.ipynb"))).text, /ran x = 1/);
    assert.equal(await saved(), JUPYTER);

    const notebook = await open();
    const set = async (source: string) => {
      const edit = new vscode.WorkspaceEdit();
      const { document } = notebook.cellAt(1);
      edit.replace(document.uri, document.validateRange(new vscode.Range(0, 0, 99, 0)), source);
      await vscode.workspace.applyEdit(edit);
    };
    await set("fail");
    const failed = await run("fail");
    assert.equal(failed.success, false);
    const [error] = failed.outputs;
    assert.deepEqual([error?.output_type, error?.ename, error?.evalue], ["error", "TypeError", "not so"]);
    await set("image");
    assert.deepEqual((await run("image")).outputs, [
      { output_type: "display_data", data: { "image/png": "AQI=" } },
    ]);
    await assert.rejects(run("something else"), /changed since it was proposed/);
    await set("hang");
    const task = new AbortController();
    const hanging = kernels.run(kit.path("a.ipynb"), { index: 1, source: "hang" }, task.signal);
    await hang.begun;
    task.abort();
    await assert.rejects(hanging, { name: "Interrupt" });
    await hang.stop;
  });
});
