/** The diffs that Git's port shows, of files in other encodings than UTF-8. */
import { rmSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { editorConfigNames } from "../../../src/node/files/encoding-names.ts";
import { encode } from "../../../src/node/files/encodings.ts";
import { diffText } from "../../../src/node/git/diff-text.ts";
import { createGit } from "../../../src/node/git/repository.ts";
import { git, repository, write } from "./git-support.ts";
import { neverAborted, temporaryFolder } from "./support.ts";

const reader = createGit(process.env, () => []);
const bounds = { limit: 10_000, signal: neverAborted };

function bytes(text: string, encoding: string): Uint8Array {
  const encoded = encode(text, { encoding, bom: false });
  if (!encoded.ok) throw new Error(encoded.message);
  return encoded.bytes;
}

const CAT = "吾輩は猫である。名前はまだ無い。\n";
const CONFIG =
  "root = true\n[*.sjis]\ncharset = shift_jis\n[*.euc]\ncharset = euc-jp\n[*.1251]\ncharset = windows-1251\n";

describe("a diff of files in several encodings", () => {
  const first = {
    ".editorconfig": CONFIG,
    "a.sjis": bytes(`${CAT}one\n`, "shiftjis"),
    "dir/b c.euc": bytes(`${CAT}one\n`, "eucjp"),
    "猫.1251": bytes("Кот\none\n", "windows1251"),
    "u.txt": `${CAT}one\n`,
  };

  it("has the text of each, whatever prefixes the repository configures", async () => {
    const root = await repository(first);
    git(root, "config", "diff.mnemonicPrefix", "true");
    write(root, {
      "a.sjis": bytes(`${CAT}ドット表\n`, "shiftjis"),
      // These bytes are UTF-8 too.
      "dir/b c.euc": bytes(`${CAT}猫\n`, "eucjp"),
      "猫.1251": bytes("Кот\nпёс\n", "windows1251"),
      "u.txt": `${CAT}ネコ\n`,
    });
    const state = await reader.workingState(root, bounds);
    for (const line of ["+ドット表", "+猫", " Кот", "+пёс", "+ネコ", `+++ b/猫.1251`])
      expect(state.split("\n")).toContain(line);
    expect(state.split("\n").filter((line) => line === ` ${CAT.trim()}`)).toHaveLength(3);
    expect(state).not.toContain("\ufffd");
    git(root, "commit", "-qam", "Кот и 猫");
    const commit = await reader.commit(root, git(root, "rev-parse", "HEAD").trim(), bounds);
    for (const line of ["    Кот и 猫", "+ドット表", "+猫", "+пёс", "+ネコ"])
      expect(commit.split("\n")).toContain(line);
  });

  it("has the text of a file that is gone, and of one that Git converts", async () => {
    const root = await repository({
      ...first,
      ".gitattributes": "*.w working-tree-encoding=Shift_JIS\n",
      "c.w": bytes(`${CAT}one\n`, "shiftjis"),
    });
    rmSync(path.join(root, "猫.1251"));
    write(root, { "c.w": bytes(`${CAT}two\n`, "shiftjis") });
    const lines = (await reader.workingState(root, bounds)).split("\n");
    expect(lines).toContain("-Кот");
    expect(lines).toContain(` ${CAT.trim()}`);
  });
});

it("a diff that is cut within a character keeps what is before it, and names in quotes are found", async () => {
  const top = await temporaryFolder();
  write(top, { ".editorconfig": CONFIG, 'q"\\.sjis': bytes(CAT, "shiftjis") });
  const place = { top, names: editorConfigNames };
  const header = (name: string) => `diff --git ${name} ${name}\n--- ${name}\n+++ ${name}\n@@ -0,0 +1 @@\n`;
  const utf8 = Buffer.from(`${header("b/u.txt")}+${CAT}`);
  expect(await diffText(utf8.subarray(0, -3), place)).toBe(`${header("b/u.txt")}+${CAT.slice(0, -2)}`);
  const quoted = header('"b/q\\"\\\\.sjis"');
  const output = Buffer.concat([utf8, Buffer.from(`${quoted}+`), bytes(CAT, "shiftjis")]);
  expect(await diffText(output, place)).toBe(`${utf8.toString()}${quoted}+${CAT}`);
  expect(await diffText(Buffer.alloc(0), place)).toBe("");
});
