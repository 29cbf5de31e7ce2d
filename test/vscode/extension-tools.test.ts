/** A tool that another extension offers to models, in the real editor. */
import assert from "node:assert/strict";
import * as vscode from "vscode";
import { Interrupt, ToolError } from "../../src/core/errors.ts";
import { extensionTools } from "../../src/vscode/editor/extension-tools.ts";

const NAME = "cat_facts";
const { signal } = new AbortController();

describe("Extension tools", () => {
  const { editorTools } = extensionTools(vscode.Uri.file("/somewhere/else"));
  const call = (cat: string, by: AbortSignal = signal) => editorTools?.call(NAME, { cat }, by);

  it("lists a tool with its extension, but not as Nekode's own", () => {
    const found = editorTools?.list().find(({ name }) => name === NAME);
    assert.deepEqual(
      { ...found, inputSchema: undefined },
      {
        extension: "nekode-test.tool-extension",
        owner: "Cat Facts",
        name: NAME,
        title: "Cat facts",
        description: "Says how many lives a cat has.",
        inputSchema: undefined,
      },
    );
    const own = vscode.extensions.getExtension("nekode-test.tool-extension");
    assert.ok(own);
    const others = extensionTools(own.extensionUri).editorTools?.list() ?? [];
    assert.equal(
      others.some(({ name }) => name === NAME),
      false,
    );
  });

  it("calls it and reads texts and prompt-tsx elements", async () => {
    assert.deepEqual(await call("Tama"), [
      { type: "text", text: "Tama has nine lives." },
      { type: "text", text: "Really." },
    ]);
  });

  it("turns its error into an error for the model, and Stop ends it", async () => {
    await assert.rejects(
      async () => call("dog"),
      (error) => error instanceof ToolError && error.message.includes("A dog is no cat."),
    );
    const stop = new AbortController();
    const running = call("asleep", stop.signal);
    stop.abort();
    await assert.rejects(async () => running, Interrupt);
  });
});
