/** What names the encoding of a file. */
import { mkdir, writeFile } from "node:fs/promises";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { encodingNamed } from "../../../src/node/files/encoding/codecs.ts";
import { charsetIn } from "../../../src/node/files/encoding/editor-config.ts";
import { editorConfigNames, firstName } from "../../../src/node/files/encoding-names.ts";
import { temporaryFolder } from "./support.ts";

describe(".editorconfig", () => {
  it.each([
    ["*", "src/a.c", true],
    ["*.c", "src/a.c", true],
    ["*.c", "src/a.cc", false],
    ["*.{c,h}", "a.h", true],
    ["{a.c,lib/**.h}", "lib/x/y.h", true],
    ["{single}", "{single}", true],
    ["/a.c", "a.c", true],
    ["/a.c", "src/a.c", false],
    ["src/*.c", "src/a.c", true],
    ["src/*.c", "src/x/a.c", false],
    ["src/**/a.c", "src/a.c", true],
    ["src/**/a.c", "src/x/y/a.c", true],
    ["a?.c", "ab.c", true],
    ["[ab].c", "b.c", true],
    ["[!ab].c", "b.c", false],
    ["file{1..3}.c", "file2.c", true],
    ["file{1..3}.c", "file4.c", false],
    ["a\\*.c", "ab.c", false],
    ["a+b(1).c", "a+b(1).c", true],
  ])("[%s] and %s: %s", (pattern, file, applies) => {
    const { charset } = charsetIn(`[${pattern}]\ncharset = latin1\n`, file);
    expect(charset).toBe(applies ? "latin1" : undefined);
  });

  it("takes the last section, in any case, without comments", () => {
    const text =
      "\ufeffroot = TRUE\r\n; note\r\n[*]\r\nCharset = UTF-8 # note\r\n[*.c]\r\ncharset: Latin1\r\n";
    expect(charsetIn(text, "a.c")).toEqual({ isRoot: true, charset: "latin1" });
    expect(charsetIn(text, "a.h")).toEqual({ isRoot: true, charset: "utf-8" });
    expect(charsetIn("[*]\nroot = true\n", "a.h")).toEqual({ isRoot: false });
  });

  it("is looked for in the folders above, up to a root", async () => {
    const folder = await temporaryFolder();
    await mkdir(path.join(folder, "a/b"), { recursive: true });
    const names = (file: string) => editorConfigNames(path.join(folder, file));
    await writeFile(path.join(folder, ".editorconfig"), "root = true\n[*.c]\ncharset = big5\n");
    expect(await names("a/b/x.c")).toBe("big5");
    await writeFile(
      path.join(folder, "a/.editorconfig"),
      "[b/*.c]\ncharset = euc-jp\n[z.c]\ncharset = unset\n",
    );
    expect(await names("a/b/x.c")).toBe("euc-jp");
    expect(await names("a/x.c")).toBe("big5");
    expect(await names("a/z.c")).toBeUndefined();
    await writeFile(path.join(folder, "a/b/.editorconfig"), "root = true\n");
    expect(await names("a/b/x.c")).toBeUndefined();
  });
});

it("the first that knows a name is asked no further", async () => {
  const none = async () => undefined;
  expect(
    await firstName(
      none,
      async () => "a",
      async () => "b",
    )("x"),
  ).toBe("a");
  expect(await firstName(none)("x")).toBeUndefined();
});

it("all names of the editor's encodings are known", () => {
  const ids = [
    ..."utf8 utf8bom utf16le utf16be windows1252 iso88591 iso88593 iso885915 macroman cp437 windows1256".split(
      " ",
    ),
    ..."iso88596 windows1257 iso88594 iso885914 windows1250 iso88592 cp852 windows1251 cp866 cp1125".split(
      " ",
    ),
    ..."iso88595 koi8r koi8u iso885913 windows1253 iso88597 windows1255 iso88598 iso885910 iso885916".split(
      " ",
    ),
    ..."windows1254 iso88599 windows1258 gbk gb18030 cp950 big5hkscs shiftjis eucjp euckr windows874".split(
      " ",
    ),
    ..."iso885911 koi8ru koi8t gb2312 cp865 cp850".split(" "),
  ];
  expect(ids.filter((id) => encodingNamed(id) === undefined)).toEqual([]);
  const others = [
    "Shift_JIS",
    "EUC-JP",
    "ISO-2022-JP",
    "latin1",
    "utf-8-bom",
    "KOI8-R",
    "Big5",
    "windows-1252",
  ];
  expect(others.filter((name) => encodingNamed(name) === undefined)).toEqual([]);
  expect(["hex", "base64", "utf7", "klingon"].filter((name) => encodingNamed(name) !== undefined)).toEqual(
    [],
  );
});
