/** edit_notebook: cells by their ids, refusals, and what the user approves. */
import { describe, expect, it } from "vitest";
import { memoryHost } from "../../../support/memory-host.ts";
import { COMPACT, JUPYTER } from "../../../support/notebooks.ts";
import { type RunOptions, runTool } from "./run-tool.ts";

const FILE = "/project/a.ipynb";

async function edit(params: Record<string, unknown>, options: RunOptions = {}, json = JUPYTER) {
  const memory = options.memory ?? memoryHost({ files: { "a.ipynb": json } });
  const run = await runTool("edit_notebook", { path: "a.ipynb", ...params }, { ...options, memory });
  return { ...run, saved: memory.files.get(FILE) };
}

describe("a change", () => {
  it("is approved as lines of the cell, and saved as one of the file", async () => {
    const { invocation, saved, text, output } = await edit({
      operation: "replace",
      cell: "load",
      source: "x = 2\nprint(x)",
    });
    expect(invocation?.paths).toEqual([
      { path: FILE, access: "write", change: { before: JUPYTER, after: saved } },
    ]);
    expect(invocation?.view).toMatchObject({
      path: "a.ipynb",
      added: 1,
      removed: 1,
      files: [{ hunks: { shown: [{ line: 1, removed: ["x = 1"], added: ["x = 2"] }], more: 0 } }],
    });
    expect(invocation?.view.hunks).toBeUndefined();
    expect(invocation?.view.files?.[0]?.at).toBeUndefined();
    expect(saved).toBe(JUPYTER.replace("x = 1", "x = 2"));
    expect(text).toMatch(/^Cell load was changed\. Its output stays that of the text before/);
    expect(output?.shown).toMatchObject({ added: 1, removed: 1 });
  });

  it("may be blocks, which are located in the cell alone", async () => {
    const diff = (search: string) => `------- SEARCH\n${search}\n=======\nprint(x + 1)\n+++++++ REPLACE`;
    const { saved } = await edit({ operation: "replace", cell: "load", diff: diff("print(x)") });
    expect(saved).toBe(JUPYTER.replace("print(x)", "print(x + 1)"));
    const { error } = await edit({ operation: "replace", cell: "load", diff: diff("# Cats") });
    expect(error).toMatch(/The lines are those of the cell\. Nothing was changed\.$/);
  });

  it("inserts a cell with an id of its own, and deletes one", async () => {
    const memory = memoryHost({ files: { "a.ipynb": JUPYTER } });
    const { text } = await edit(
      { operation: "insert", cell: "intro", source: "1", cell_type: "code" },
      { memory },
    );
    expect(text).toMatch(/^Cell id-\d+ was inserted\./);
    const id = /Cell (\S+)/.exec(text)?.[1];
    expect((await edit({ operation: "delete", cell: id }, { memory })).saved).toBe(JUPYTER);
  });

  it("of a file that changes meanwhile is not saved", async () => {
    const { error, saved } = await edit(
      { operation: "delete", cell: "load" },
      { meanwhile: ({ files }) => void files.set(FILE, `${JUPYTER}\n`) },
    );
    expect(error).toMatch(/changed meanwhile/);
    expect(saved).toBe(`${JUPYTER}\n`);
  });
});

describe("a refusal", () => {
  it.each<[what: string, params: Record<string, unknown>, message: RegExp]>([
    [
      "of an unknown cell lists those that there are",
      { operation: "delete", cell: "none" },
      /The cells are:\n- intro \(markdown\): # Cats\n- load \(code\): x = 1\n- empty \(code\): \n/,
    ],
    ["of a missing cell says so", { operation: "delete" }, /delete needs the parameter cell/],
    ["of nothing to write says so", { operation: "replace", cell: "load" }, /replace needs either source/],
    [
      "of a cell that is so already says so",
      { operation: "replace", cell: "load", source: "x = 1\nprint(x)" },
      /has this text already/,
    ],
    [
      "of another kind of file says so",
      { operation: "delete", cell: "load", path: "a.py" },
      /not a Jupyter notebook/,
    ],
    [
      "of a file that does not exist names another tool",
      { operation: "delete", cell: "load", path: "b.ipynb" },
      /no file or folder at b\.ipynb[\s\S]*write_to_file/,
    ],
  ])("%s", async (_, params, message) => {
    const { error, saved } = await edit(params);
    expect(error).toMatch(message);
    expect(saved).toBe(JUPYTER);
  });

  it("comes for a damaged notebook, and for one that may not be read", async () => {
    expect((await edit({ operation: "delete", cell: "x" }, {}, "{ torn")).error).toMatch(
      /no notebook of version 4/,
    );
    const { error } = await edit({ operation: "delete", cell: "x" }, { unreadable: () => "it is secret" });
    expect(error).toMatch(/may not be read without approval: it is secret/);
    expect(error).not.toContain("Cats");
  });

  it("comes for positions that were not read", async () => {
    expect((await edit({ operation: "delete", cell: "#1" }, {}, COMPACT)).error).toMatch(
      /have no ids, only positions\. Read it before you edit it/,
    );
  });
});
