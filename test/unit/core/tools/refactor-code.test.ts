/** A rename and an action of a language server are one proposed change: exact, and refused if a file is not as it was. */
import { describe, expect, it } from "vitest";
import type { SymbolChange } from "../../../../src/core/ports/symbols.ts";
import { memoryCodeSymbols } from "../../../support/memory-code-symbols.ts";
import { memoryHost } from "../../../support/memory-host.ts";
import { type RunOptions, runTool } from "./run-tool.ts";

const FILES = {
  "src/cart.ts": "function total() {}\r\nconst kept = 1;\r\ntotal(); total();\r\n",
  "src/shop.ts": "\ttotal();\nno newline",
  "src/other.ts": "nothing\n",
};
const AT = { path: "src/cart.ts", line: 1, symbol: "total" };

function scene(files: Record<string, string> = FILES) {
  const memory = memoryHost({ files });
  const symbols = memoryCodeSymbols(memory.files);
  memory.host.codeSymbols = symbols;
  const refactor = (params: Record<string, unknown>, options: RunOptions = {}) =>
    runTool("refactor_code", params, { memory, ...options });
  return { memory, symbols, refactor };
}

const edit = (text: string, ...edits: [line: number, from: number, to: number, insert: string][]) => ({
  ...{ path: "/project/src/shop.ts", text },
  edits: edits.map(([line, from, to, insert]) => ({
    span: { start: { line, column: from }, end: { line, column: to } },
    text: insert,
  })),
});

describe("a rename", () => {
  it("shows all files as one change, and writes the exact edits when it runs", async () => {
    const { memory, refactor } = scene();
    const { text, invocation, output } = await refactor(
      { ...AT, new_name: "sum" },
      { meanwhile: ({ files }) => expect(files.get("/project/src/shop.ts")).toBe(FILES["src/shop.ts"]) },
    );
    expect(invocation?.paths).toEqual([
      {
        ...{ path: "/project/src/cart.ts", access: "write" },
        change: {
          before: FILES["src/cart.ts"],
          after: "function sum() {}\r\nconst kept = 1;\r\nsum(); sum();\r\n",
        },
      },
      {
        ...{ path: "/project/src/shop.ts", access: "write" },
        change: { before: FILES["src/shop.ts"], after: "\tsum();\nno newline" },
      },
    ]);
    expect(invocation?.view).toMatchObject({
      ...{ path: "src/cart.ts", added: 3, removed: 3 },
      files: [
        { path: "src/cart.ts", kind: "update", added: 2, removed: 2 },
        { path: "src/shop.ts", kind: "update", added: 1, removed: 1 },
      ],
    });
    expect(memory.files.get("/project/src/cart.ts")).toBe(
      "function sum() {}\r\nconst kept = 1;\r\nsum(); sum();\r\n",
    );
    expect(memory.files.get("/project/src/shop.ts")).toBe("\tsum();\nno newline");
    expect(text).toBe("src/cart.ts was changed on line 1, 3.\nsrc/shop.ts was changed on line 1.");
    expect(output?.shown).toEqual({ added: 3, removed: 3 });
  });

  it("has the problems that remain once all of its files are written", async () => {
    const { memory, refactor } = scene();
    const { editor } = memory.host;
    const order: string[] = [];
    memory.host.editor = {
      ...editor,
      preview(path, original, options) {
        const preview = editor.preview(path, original, options);
        const save = preview.save.bind(preview);
        preview.save = async (chosen, how) => {
          order.push(`save ${path}, checks: ${how?.checks}`);
          return save(chosen);
        };
        return preview;
      },
      async watchProblems(paths) {
        order.push(`watch ${paths.join(" ")}`);
        return {
          dispose: () => void order.push("dispose"),
          async newProblems() {
            order.push("problems");
            return { newProblems: ["src/shop.ts line 1: error: no"], problemsUnknown: false };
          },
        };
      },
    };
    const { text } = await refactor({ ...AT, new_name: "sum" });
    expect(text).toMatch(
      /line 1\.\n\nNew problems reported after the change:\nsrc\/shop\.ts line 1: error: no$/,
    );
    expect(order).toEqual([
      "watch /project/src/cart.ts /project/src/shop.ts",
      "save /project/src/cart.ts, checks: false",
      "save /project/src/shop.ts, checks: false",
      "problems",
      "dispose",
    ]);
  });

  it("writes nothing if one of its files changed after it was proposed", async () => {
    const { memory, refactor } = scene();
    const { error } = await refactor(
      { ...AT, new_name: "sum" },
      { meanwhile: ({ files }) => void files.set("/project/src/shop.ts", "by hand\n") },
    );
    expect(error).toBe(
      "src/shop.ts changed since the patch was proposed. Nothing was changed. Call refactor_code again.",
    );
    expect(memory.files.get("/project/src/cart.ts")).toBe(FILES["src/cart.ts"]);
  });

  it("is refused if a file is not as the language server knows it", async () => {
    const { memory, symbols, refactor } = scene();
    symbols.change = { files: [edit("an older text\n", [0, 0, 2, "x"])], hasOthers: false };
    const { error } = await refactor({ ...AT, new_name: "sum" });
    expect(error).toContain("src/shop.ts is not as the language server knows it");
    expect(memory.files.get("/project/src/shop.ts")).toBe(FILES["src/shop.ts"]);
  });

  it.each<[string, SymbolChange, RegExp]>([
    [
      "with files that are created or moved",
      { files: [], hasOthers: true },
      /also create, rename or delete files/,
    ],
    ["that changes nothing", { files: [], hasOthers: false }, /would change nothing/],
    [
      "outside a line",
      { files: [edit(FILES["src/shop.ts"], [0, 2, 99, "x"])], hasOthers: false },
      /edits do not fit src\/shop.ts/,
    ],
    [
      "whose edits overlap",
      { files: [edit(FILES["src/shop.ts"], [0, 1, 4, "x"], [0, 3, 6, "y"])], hasOthers: false },
      /edits do not fit src\/shop.ts/,
    ],
  ])("%s is refused", async (_, change, message) => {
    const { memory, symbols, refactor } = scene();
    symbols.change = change;
    expect((await refactor({ ...AT, new_name: "sum" })).error).toMatch(message);
    expect(memory.files.get("/project/src/shop.ts")).toBe(FILES["src/shop.ts"]);
  });

  it("keeps the order of what is inserted at one place, and the line ending of the file", async () => {
    const { memory, symbols, refactor } = scene({
      ...FILES,
      "src/shop.ts": "\ufeffone\r\ntwo\r\n",
    });
    const change = edit("one\ntwo\n", [2, 0, 0, "three\n"], [0, 0, 0, "a\n"], [0, 0, 0, "b\n"]);
    symbols.change = { files: [change], hasOthers: false };
    await refactor({ ...AT, new_name: "sum" });
    expect(memory.files.get("/project/src/shop.ts")).toBe("\ufeffa\r\nb\r\none\r\ntwo\r\nthree\r\n");
  });

  it("waits for a server that is starting, because it does not know all files yet", async () => {
    const { symbols, refactor } = scene();
    symbols.states = ["starting"];
    expect((await refactor({ ...AT, new_name: "sum" })).error).toContain(
      "Nothing was changed. Try again later.",
    );
    expect(symbols.asked).toEqual([]);
  });

  it("quotes no line of a file that may not be read", async () => {
    const { symbols, refactor } = scene();
    const { error } = await refactor({ ...AT, symbol: "to" }, { unreadable: () => "it may contain secrets" });
    expect(error).toBe(
      "src/cart.ts may not be read without approval: it may contain secrets. Nothing was changed. read_file asks the user for it.",
    );
    expect(symbols.asked).toEqual([]);
  });
});

describe("an action", () => {
  const FIX = { title: "Add import", kind: "quickfix" };

  it("is chosen by its title, of those that the result lists", async () => {
    const { memory, symbols, refactor } = scene();
    symbols.offered = [FIX, { title: "Extract function", kind: "refactor.extract" }];
    const list =
      "Choose one of these titles as action:\n- Add import (quickfix)\n- Extract function (refactor.extract)";
    expect((await refactor(AT)).error).toBe(`Nothing was changed. ${list}`);
    expect((await refactor({ ...AT, action: "Add imports" })).error).toBe(
      `No action here has the title "Add imports". ${list}`,
    );
    const files = [edit(FILES["src/shop.ts"], [0, 0, 0, "import x;\n"])];
    symbols.change = { files, hasOthers: false, command: "editor.renames" };
    expect((await refactor({ ...AT, action: "Add import" })).text).toBe(
      "src/shop.ts was changed on line 1.\n\nThe editor would run its command editor.renames after this, which was not done.",
    );
    expect(memory.files.get("/project/src/shop.ts")).toBe("import x;\n\ttotal();\nno newline");
  });

  it("that runs a command of the editor is refused", async () => {
    const { symbols, refactor } = scene();
    symbols.offered = [FIX];
    expect((await refactor({ ...AT, action: "Add import" })).error).toContain("runs a command of the editor");
  });
});
