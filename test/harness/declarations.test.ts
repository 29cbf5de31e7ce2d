import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { bundleDeclarations } from "../../scripts/lib/declarations.mjs";

/** The bundle of declaration files, without its comments and empty lines. */
async function bundle(files: Record<string, string>): Promise<string[]> {
  const folder = await mkdtemp(path.join(tmpdir(), "nekode-declarations-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  for (const [name, text] of Object.entries(files)) await writeFile(path.join(folder, name), text);
  const text = await bundleDeclarations(path.join(folder, "entry.d.ts"));
  return text.split("\n").filter((line) => line !== "");
}

test("what is exported, and what that needs, and nothing else", async () => {
  const lines = await bundle({
    "entry.d.ts": 'export { read, type Options as ReadOptions } from "./read.ts";\n',
    "read.d.ts": [
      'import type { Size } from "./size.ts";',
      "/** How. */",
      "export interface Options {",
      "    size: Size;",
      "}",
      "export interface Unused {",
      "}",
      "export declare function read(options: Options): void;",
      "export declare function read(name: string): void;",
    ].join("\n"),
    "size.d.ts": "export type Size = number;\nexport type Other = string;\n",
  });
  expect(lines).toEqual([
    "type Size = number;",
    "/** How. */",
    "interface Options {",
    "    size: Size;",
    "}",
    "declare function read(options: Options): void;",
    "declare function read(name: string): void;",
    "export { Options as ReadOptions, read };",
  ]);
});

test("a comment of several lines within a declaration ends nothing", async () => {
  const lines = await bundle({
    "entry.d.ts": 'export { judge } from "./judge.ts";\n',
    "judge.d.ts": [
      "export interface Verdict {",
      "    /**",
      "     * Why.",
      "     */",
      "    reason: string;",
      "}",
      "export declare function judge(): Verdict;",
    ].join("\n"),
  });
  expect(lines.at(-2)).toBe("declare function judge(): Verdict;");
});

test("two declarations of one name stay apart", async () => {
  const lines = await bundle({
    "entry.d.ts": 'export * from "./a.ts";\nexport { make } from "./b.ts";\n',
    "a.d.ts": "export type Result = 1;\n",
    "b.d.ts": "type Result = 2;\nexport declare function make(): Result;\n",
  });
  expect(lines).toEqual([
    "type Result = 2;",
    "declare function make(): Result;",
    "type Result2 = 1;",
    "export { Result2 as Result, make };",
  ]);
});

test("a type that tsc names by its file", async () => {
  const lines = await bundle({
    "entry.d.ts": 'export declare const judge: import("./judge.ts").Judge;\n',
    "judge.d.ts": "export type Judge = () => Judge;\n",
  });
  expect(lines).toEqual(["type Judge = () => Judge;", "declare const judge: Judge;", "export { judge };"]);
});

test("a type of a package is refused by name", async () => {
  const files = { "entry.d.ts": 'import { z } from "zod";\nexport declare const schema: z;\n' };
  await expect(bundle(files)).rejects.toThrow('the package "zod"');
});
