/** Questions about symbols: addressed by their text, answered in bounds, and never with an empty answer that means nothing. */
import { describe, expect, it } from "vitest";
import { ToolRegistry, toolsFor } from "../../../../src/core/tools/registry.ts";
import { memoryCodeSymbols } from "../../../support/memory-code-symbols.ts";
import { type MemoryHost, memoryHost } from "../../../support/memory-host.ts";
import { type RunOptions, runTool } from "./run-tool.ts";

const FILES = {
  "src/cart.ts": "export function total(a: number) {\n  return a;\n}\nconst subtotal = total(total(1));\n",
  "src/shop.ts": "import { total } from './cart';\n  total(2);\n",
};

function scene(files: Record<string, string> = FILES) {
  const memory = memoryHost({ files });
  const symbols = memoryCodeSymbols(memory.files);
  memory.host.codeSymbols = symbols;
  return { memory, symbols };
}

const ask = (memory: MemoryHost, params: Record<string, unknown>, options: RunOptions = {}) =>
  runTool("code_symbols", params, { memory, ...options });

it("is offered where the host knows symbols, and nowhere else", () => {
  const { memory } = scene();
  const names = (host: Parameters<typeof toolsFor>[0]) => toolsFor(host).map(({ name }) => name);
  expect(names(memory.host)).toEqual(expect.arrayContaining(["code_symbols", "refactor_code"]));
  const { codeSymbols: _, ...host } = memory.host;
  expect(names(host)).toEqual(
    names(memory.host).filter((name) => name !== "code_symbols" && name !== "refactor_code"),
  );
});

describe("an address", () => {
  it("is the file, the line and the text on it", async () => {
    const { memory } = scene();
    const { text, output, invocation } = await ask(memory, {
      ...{ operation: "references", path: "src/cart.ts", line: 1, symbol: "total" },
    });
    expect(invocation?.paths).toEqual([{ path: "/project/src/cart.ts", access: "read" }]);
    expect(text).toBe(
      [
        "4 lines with references in 2 files",
        "",
        "src/cart.ts",
        "1 | export function total(a: number) {",
        "4 | const subtotal = total(total(1));",
        "",
        "src/shop.ts",
        "1 | import { total } from './cart';",
        "2 | total(2);",
      ].join("\n"),
    );
    expect(output?.shown).toMatchObject({ text: "4", hits: { found: { length: 4 }, more: 0 } });
    expect(output?.shown?.hits?.found[3]).toEqual({ path: "src/shop.ts", line: 2, text: "total(2);" });
  });

  it("needs no line where the name is unique, and is not a part of a longer name", async () => {
    const { memory } = scene();
    const only = await ask(memory, { operation: "definition", path: "src/cart.ts", symbol: "subtotal" });
    expect(only.text).toContain("4 | const subtotal");
    const { error } = await ask(memory, { operation: "definition", path: "src/cart.ts", symbol: "tot" });
    expect(error).toBe('"tot" is not in src/cart.ts. It is nowhere in the file.');
  });

  it.each([
    [
      "that is on several lines asks for the line",
      { symbol: "total" },
      '"total" is at 3 places in src/cart.ts:\n1 | …total(a: number) {\n4 | …total(total(1));\n4 | …total(1));\nName the line, too.',
    ],
    [
      "that is several times on the line asks for more of it",
      { symbol: "total", line: 4 },
      '"total" is 2 times on line 4 of src/cart.ts:\n4 | …total(total(1));\n4 | …total(1));\nMake symbol longer, to the right, until it occurs once: it must still begin with the symbol\'s name.',
    ],
    [
      "on the wrong line says where the text is",
      { symbol: "subtotal", line: 2 },
      '"subtotal" is not in line 2 of src/cart.ts. It is here:\n4 | …subtotal = total(total(1));',
    ],
    [
      "past the end says how long the file is",
      { symbol: "total", line: 40 },
      "src/cart.ts has 4 lines; there is no line 40.",
    ],
  ])("%s", async (_, address, message) => {
    const { memory, symbols } = scene();
    const { error } = await ask(memory, { operation: "references", path: "src/cart.ts", ...address });
    expect(error).toBe(message);
    expect(symbols.asked).toEqual([]);
  });

  it("is made unique by what follows the name", async () => {
    const { memory } = scene();
    const params = { operation: "references", path: "src/cart.ts", line: 4, symbol: "total(1" };
    expect((await ask(memory, params)).text).toContain("4 lines with references");
  });

  it("is needed, and what is missing is named", async () => {
    const { memory } = scene();
    const missing = await ask(memory, { operation: "callers", symbol: "total" });
    expect(missing.error).toContain("callers needs the parameters path and symbol");
    expect((await ask(memory, { operation: "find" })).error).toContain("find needs the parameter query");
  });
});

describe("an empty answer", () => {
  const params = { operation: "implementations", path: "src/shop.ts", line: 2, symbol: "total" };

  it("of a server that is starting is not a fact", async () => {
    const { memory, symbols } = scene();
    symbols.states = ["starting", "ready"];
    expect((await ask(memory, params)).text).toMatch(/^Not known yet: the language server is still starting/);
    expect((await ask(memory, params)).text).toBe(
      "The language server knows no implementations for total in src/shop.ts.",
    );
  });

  it("is not complete before the server has started, and says so", async () => {
    const { memory, symbols } = scene();
    symbols.states = ["starting"];
    const found = await ask(memory, { operation: "find", query: "tot" });
    expect(found.text).toBe(
      "1 symbol in 1 file\n\nsrc/cart.ts\n1 | export function total(a: number) {  (function)\n\n(The language server is still starting: there may be more.)",
    );
  });

  it("of nobody names another tool", async () => {
    const { memory, symbols } = scene();
    symbols.states = ["none"];
    expect((await ask(memory, params)).text).toContain("Use search_files.");
    expect(symbols.asked).toEqual([]);
  });
});

describe("a result", () => {
  it("is bounded, and the next call continues it", async () => {
    const many = Array.from({ length: 250 }, (_, line) => `use(${line}); // ${"x".repeat(500)}`).join("\n");
    const { memory } = scene({ "a.ts": "function use() {}\n", "b.ts": many });
    const params = { operation: "references", path: "a.ts", symbol: "use" };
    const first = await ask(memory, params);
    expect(first.text).toMatch(/^251 lines with references in 2 files\n/);
    expect(first.text).toMatch(/\n\(151 more\. Continue with offset 100\.\)$/);
    expect(first.text.length).toBeLessThan(25_000);
    const second = await ask(memory, { ...params, offset: 100 });
    expect(second.text).toContain("\n100 | use(99);");
    expect(second.text).toContain("Continue with offset 200.");
    const last = await ask(memory, { ...params, offset: 200 });
    expect(last.text).not.toContain("more");
    expect((await ask(memory, { ...params, offset: 251 })).error).toContain("only 251 lines");
    const small = await ask(memory, params, { settings: { context: { maxResultCharacters: 2_000 } } });
    expect(small.text.length).toBeLessThan(2_600);
    expect(small.text).toMatch(/Continue with offset \d+\.\)$/);
  });

  it("names the lines of a file whose reading would ask, without their text", async () => {
    const { memory, symbols } = scene();
    symbols.places = ["/project/src/shop.ts", "/elsewhere/secret.ts"].map((path) => ({
      ...{ path, span: { start: { line: 1, column: 2 }, end: { line: 1, column: 7 } } },
    }));
    memory.files.set("/elsewhere/secret.ts", "a\nthe secret\n");
    const { text } = await ask(
      memory,
      { operation: "references", path: "src/shop.ts", line: 2, symbol: "total" },
      { unreadable: (path) => (path.startsWith("/project/") ? undefined : "it is outside the project") },
    );
    expect(text).toContain("2 | total(2);");
    expect(text).toMatch(/\n\/elsewhere\/secret\.ts \(text not shown: reading it needs approval\)\n2$/);
    expect(text).not.toContain("the secret");
  });

  it("says what calls a symbol, and what it calls", async () => {
    const { memory } = scene();
    const at = { path: "src/cart.ts", line: 1, symbol: "total" };
    const callers = await ask(memory, { operation: "callers", ...at });
    expect(callers.text).toContain("2 | total(2);  (in main)");
    const callees = await ask(memory, { operation: "callees", ...at });
    expect(callees.text).toContain("1 | export function total(a: number) {  (total, called on line 1)");
  });

  it("reads in plan mode", async () => {
    const { memory } = scene();
    const registry = new ToolRegistry(toolsFor(memory.host));
    expect(registry.find("code_symbols")?.access).toBe("read");
    expect(registry.find("refactor_code")?.access).toBe("edit");
  });
});
