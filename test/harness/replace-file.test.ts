/** Builds replace what they wrote before while programs run from there. */
import { chmod, mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { packagedFiles } from "../../scripts/lib/package.mjs";
import { replaceFile } from "../../scripts/lib/replace-file.mjs";

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), "nekode-build-"));
});
afterAll(() => rm(folder, { recursive: true }));

describe("a file of a build", () => {
  it("is never missing and never a part, whenever it is read", async () => {
    const file = path.join(folder, "wasm/a.wasm.br");
    const contents = [0, 1].map((n) => Buffer.alloc(3_000_000 + n, 97 + n));
    await replaceFile(file, contents[0] ?? "");
    let over = false;
    const seen = new Set<boolean>();
    const read = (async () => {
      while (!over) {
        const bytes = await readFile(file);
        seen.add(contents.some((content) => content.equals(bytes)));
      }
    })();
    for (let n = 1; n <= 20; n++) await replaceFile(file, contents[n % 2] ?? "");
    over = true;
    await read;
    expect([...seen]).toEqual([true]);
    expect(await readdir(path.dirname(file))).toEqual(["a.wasm.br"]);
  });

  it("keeps its mode, and stays untouched with the same content", async () => {
    const file = path.join(folder, "cli.js");
    await writeFile(file, "one");
    await chmod(file, 0o755);
    await replaceFile(file, "two");
    const after = await stat(file);
    expect(after.mode & 0o777).toBe(0o755);
    await replaceFile(file, "two");
    expect((await stat(file)).ino).toBe(after.ino);
  });
});

it("a package has the files of its build, without those that an earlier one left", async () => {
  const built = ["dist/webview/index.js", "dist/webview/chunks/a-1.js", "dist/core.mjs"];
  const files = {
    "package.json": '{ "name": "a", "publisher": "b", "version": "1.0.0", "engines": { "vscode": "*" } }',
    ".vscodeignore": "**\n!dist/webview/**\n!l10n/**\n",
    "l10n/ja.json": "{}",
    "dist/webview/chunks/a-0.js": "of an earlier build",
    ...Object.fromEntries(built.map((file) => [file, ""])),
  };
  for (const [name, text] of Object.entries(files)) {
    await mkdir(path.dirname(path.join(folder, name)), { recursive: true });
    await writeFile(path.join(folder, name), text);
  }
  expect((await packagedFiles(built, folder)).toSorted()).toEqual([
    "dist/webview/chunks/a-1.js",
    "dist/webview/index.js",
    "l10n/ja.json",
    "package.json",
  ]);
});
