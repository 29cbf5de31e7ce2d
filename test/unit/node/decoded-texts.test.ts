/** What a search keeps of files that it decoded. */
import { rm, utimes, writeFile } from "node:fs/promises";
import path from "node:path";
import iconv from "iconv-lite";
import { expect, it } from "vitest";
import { DecodedTexts } from "../../../src/node/search/other-encodings.ts";
import { temporaryFolder } from "./support.ts";

async function kept(name: { encoding?: string } = {}) {
  const folder = await temporaryFolder();
  const texts = new DecodedTexts(async () => name.encoding);
  return {
    folder,
    textOf: (file: string) => texts.textOf(path.join(folder, file)),
    async write(file: string, text: string, { encoding = "shiftjis", at = 1_000 } = {}) {
      await writeFile(path.join(folder, file), iconv.encode(text, encoding));
      await utimes(path.join(folder, file), at, at);
    },
  };
}

it("a file is decoded again when it or the name of its encoding changed, and not before", async () => {
  const name: { encoding?: string } = { encoding: "shiftjis" };
  const { folder, textOf, write } = await kept(name);
  await write("a.txt", "カタカナ");
  expect(await textOf("a.txt")).toBe("カタカナ");
  // As many bytes at the same time: nothing tells that it changed.
  await write("a.txt", "ひらがな");
  expect(await textOf("a.txt")).toBe("カタカナ");
  await write("a.txt", "ひらがな", { at: 2_000 });
  expect(await textOf("a.txt")).toBe("ひらがな");
  name.encoding = "windows1252";
  expect(await textOf("a.txt")).toBe(iconv.decode(iconv.encode("ひらがな", "shiftjis"), "windows1252"));
  await rm(path.join(folder, "a.txt"));
  expect(await textOf("a.txt")).toBeUndefined();
});

it("what is no such text is kept too", async () => {
  const { textOf, write } = await kept();
  await write("b.png", "\0\0\0\0", { encoding: "latin1" });
  expect(await textOf("b.png")).toBeUndefined();
  await write("b.png", "ｶﾅｶﾅ");
  expect(await textOf("b.png")).toBeUndefined();
});

it("the oldest texts make room for new ones", async () => {
  const { textOf, write } = await kept({ encoding: "shiftjis" });
  const long = "ｶ".repeat(2_000_000);
  const files = Array.from({ length: 9 }, (_, at) => `${at}.txt`);
  for (const file of files) {
    await write(file, long);
    expect(await textOf(file)).toHaveLength(long.length);
  }
  const other = "ﾅ".repeat(2_000_000);
  for (const file of ["0.txt", "8.txt"]) await write(file, other);
  expect((await textOf("8.txt"))?.startsWith("ｶ")).toBe(true);
  expect((await textOf("0.txt"))?.startsWith("ﾅ")).toBe(true);
});
