/** Builds replace what they wrote before while programs run from there. */
import { chmod, mkdtemp, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { withOnly } from "../../scripts/lib/package.mjs";
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

it("a package has the files of its build, without those that an earlier one left", () => {
  const files = [
    "dist/webview/index.js",
    "dist/webview/chunks/a-1.js",
    "dist/wasm/x.wasm.br",
    "dist/core.mjs",
  ];
  expect(withOnly(files, "**\n!dist/core.mjs\n!dist/webview/**\n!dist/wasm/**\n!l10n/**\n")).toBe(
    "**\n!dist/core.mjs\n!dist/webview/index.js\n!dist/webview/chunks/a-1.js\n!dist/wasm/x.wasm.br\n!l10n/**\n",
  );
});
