/** The tools for symbols in the terminal, over a real language server: that of TypeScript 7. */
import { readFile, rm } from "node:fs/promises";
import { describe, expect, it } from "vitest";
import { oneGuardForAll } from "../servers/support.ts";
import { neverAborted } from "../support.ts";
import { present, TYPESCRIPT, userProject } from "./support.ts";

oneGuardForAll();

const FILES = {
  "tsconfig.json": '{ "compilerOptions": { "strict": true, "module": "esnext" }, "include": ["src"] }',
  "src/cart.ts":
    "/** 😀 */ export function total(a: number): number {\n  return a;\n}\nexport interface Priced { price(): number }\n",
  "src/shop.ts": [
    'import { type Priced, total } from "./cart";',
    'export const both = "😀" + total(1) + total(2);',
    "export class Item implements Priced {",
    "  price() {",
    "    return total(3);",
    "  }",
    "}",
    "// total is only a word here",
    "",
  ].join("\n"),
  "src/broken.ts": "export const three = total(3);\n",
};
const typescript = () => userProject(FILES, { typescript: TYPESCRIPT });
const AT = { path: "src/cart.ts", line: 1, symbol: "total" };

describe("code_symbols", () => {
  it("finds references, definitions, implementations, calls and symbols by name", async () => {
    const { call } = await typescript();
    expect(await call("code_symbols", { operation: "references", ...AT })).toBe(
      [
        "4 lines with references in 2 files",
        "",
        "src/cart.ts",
        "1 | /** 😀 */ export function total(a: number): number {",
        "",
        "src/shop.ts",
        '1 | import { type Priced, total } from "./cart";',
        '2 | export const both = "😀" + total(1) + total(2);',
        "5 | return total(3);",
      ].join("\n"),
    );
    const inShop = { path: "src/shop.ts", line: 2, symbol: "total(2)" };
    expect(await call("code_symbols", { operation: "definition", ...inShop })).toContain(
      "src/cart.ts\n1 | /** 😀 */ export function total",
    );
    const priced = { path: "src/cart.ts", symbol: "Priced" };
    expect(await call("code_symbols", { operation: "implementations", ...priced })).toContain(
      "src/shop.ts\n3 | export class Item",
    );
    expect(await call("code_symbols", { operation: "callers", ...AT })).toContain(
      "5 | return total(3);  (in price)",
    );
    expect(
      await call("code_symbols", { operation: "callees", path: "src/shop.ts", symbol: "price" }),
    ).toContain("(total, called on line 5)");
    expect(await call("code_symbols", { operation: "find", query: "Item" })).toContain(
      "src/shop.ts\n3 | export class Item implements Priced {  (class",
    );
  });

  it("knows what changed on the disk since the last question, in open files and in others", async () => {
    const { call, write, at } = await typescript();
    const ask = () => call("code_symbols", { operation: "references", ...AT });
    expect(await ask()).toMatch(/^4 lines/);
    // With other changes, the server looks for files itself.
    await write("src/new.ts", 'import { total } from "./cart";\ntotal(9);\n');
    expect(await ask()).toMatch(/^6 lines/);
    await write("src/cart.ts", `\n${FILES["src/cart.ts"]}`);
    await rm(at("src/broken.ts"));
    await write("src/shop.ts", "export {};\n");
    expect(await call("code_symbols", { operation: "references", ...AT, line: 2 })).toBe(
      [
        "3 lines with references in 2 files",
        "",
        "src/cart.ts",
        "2 | /** 😀 */ export function total(a: number): number {",
        "",
        "src/new.ts",
        '1 | import { total } from "./cart";',
        "2 | total(9);",
      ].join("\n"),
    );
  });
});

describe("refactor_code", () => {
  it("proposes a rename as edits of exactly the places that mean the symbol", async () => {
    const { symbols, at } = await typescript();
    const port = present(symbols);
    expect(await port.state(at("src/cart.ts"), neverAborted)).toBe("ready");
    const { files, hasOthers } = await port.rename(
      at("src/cart.ts"),
      { line: 0, column: FILES["src/cart.ts"].indexOf("total") },
      "sum",
      neverAborted,
    );
    expect(hasOthers).toBe(false);
    const shop = files.find(({ path }) => path === at("src/shop.ts"));
    expect(shop?.text).toBe(FILES["src/shop.ts"]);
    expect(shop?.edits.map(({ span }) => span.start)).toEqual(
      expect.arrayContaining([
        { line: 0, column: 22 },
        { line: 1, column: 27 },
        { line: 1, column: 38 },
        { line: 4, column: 11 },
      ]),
    );
    // Nothing is written before the user agrees.
    expect(await readFile(at("src/shop.ts"), "utf8")).toBe(FILES["src/shop.ts"]);
  });

  it("lists the quick fixes of a problem, and what one changes", async () => {
    const { call, symbols, at } = await typescript();
    expect(await call("refactor_code", { path: "src/broken.ts", symbol: "total" })).toContain(
      '- Add import from "./cart" (quickfix)',
    );
    const span = { start: { line: 0, column: 21 }, end: { line: 0, column: 26 } };
    const fix = { title: 'Add import from "./cart"', kind: "quickfix" };
    expect(await present(symbols).actionChange(at("src/broken.ts"), span, fix, neverAborted)).toEqual({
      files: [
        {
          path: at("src/broken.ts"),
          text: FILES["src/broken.ts"],
          edits: [
            {
              span: { start: { line: 0, column: 0 }, end: { line: 0, column: 0 } },
              text: expect.stringContaining("import { total }"),
            },
          ],
        },
      ],
      hasOthers: false,
    });
  });
});
