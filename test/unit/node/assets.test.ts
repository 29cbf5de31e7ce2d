import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { brotliCompressSync } from "node:zlib";
import { afterEach, beforeEach, expect, it } from "vitest";
import { createAssets } from "../../../src/node/assets.ts";

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), "nekode-assets-"));
});
afterEach(() => rm(folder, { recursive: true }));

it("gives a file as it is, or as it was before it was compressed", async () => {
  const bytes = Buffer.from("\0asm and more");
  await writeFile(path.join(folder, "plain.wasm"), bytes);
  await writeFile(path.join(folder, "small.wasm.br"), brotliCompressSync(bytes));
  const assets = createAssets(folder);
  expect(Buffer.from(await assets.read("plain.wasm"))).toEqual(bytes);
  expect(Buffer.from(await assets.read("small.wasm"))).toEqual(bytes);
  await expect(assets.read("none.wasm")).rejects.toThrow(/ENOENT/);
});
