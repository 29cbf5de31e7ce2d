/** What a block ends with: a marker where nothing else makes sense, the user's text before a proper marker, else a refusal. */
import { describe, expect, test } from "vitest";
import { applySearchReplace } from "../../../../src/core/edits/apply-blocks.ts";
import { isMarkup, isUnderlined } from "../../../../src/core/edits/blocks/block-end.ts";
import { nearMarker } from "../../../../src/core/edits/blocks/markers.ts";

const FILE = "import a;\n\nfunction f() {\n  return 1;\n}\n";
const edited = FILE.replace("1", "2");
const ended = (end: string) =>
  applySearchReplace(FILE, `------- SEARCH\n  return 1;\n=======\n  return 2;\n${end}`);
const replacedBy = (text: string, path?: string) => {
  const diff = `------- SEARCH\n  return 1;\n=======\n${text}\n+++++++ REPLACE\n`;
  return applySearchReplace(FILE, diff, path === undefined ? {} : { path });
};

function refusal(result: ReturnType<typeof applySearchReplace>): string {
  return result.ok ? "" : result.error;
}

describe("one reading alone makes sense", () => {
  test.each([
    "  +++++++ REPLACE\n",
    "+++++++ replace\n",
    ">>>>>>> REPLACE<\n",
    "+++++++ REPLACE</diff>\n",
    "+++++++ REPLACE```\n",
    "+++++++ REPLACE.\n\nThat is all.\n",
    "+++  REPLACE\n",
    ">>>>>>> UPDATED\n",
    "------- REPLACE\n```\n",
    "=======\n+++++++ REPLACE\n",
    "=======\n  +++++++ REPLACE\n",
  ])("%j", (end) => {
    expect(ended(end)).toMatchObject({ ok: true, content: edited });
  });

  test("a doubled divider with nothing to put in takes the lines out", () => {
    const diff = "------- SEARCH\n  return 1;\n=======\n=======\n+++++++ REPLACE\n";
    expect(applySearchReplace(FILE, diff)).toMatchObject({ content: "import a;\n\nfunction f() {\n}\n" });
  });

  test("an indented SEARCH marker and a REPLACE marker that is not", () => {
    const diff = "  ------- SEARCH\n  return 1;\n  =======\n  return 2;\n+++++++ REPLACE\n";
    expect(applySearchReplace(FILE, diff)).toMatchObject({ content: edited });
  });

  test("the next block begins behind a marker that is not proper", () => {
    const next =
      "+++++++ REPLACE</diff>\n\nAnd:\n\n------- SEARCH\nimport a;\n=======\nimport b;\n+++++++ REPLACE\n";
    expect(ended(next)).toMatchObject({ content: edited.replace("import a", "import b") });
  });
});

describe("refused", () => {
  test.each([
    "",
    "```\n",
    "</diff>\n",
    "oops!\n",
    "\nThis returns two.\n",
    "*** End Patch\n",
    "+++++++ REPLACE of the value\n",
    "`+++++++ REPLACE`\n",
    ">>>>>>> main\n",
    ">>>>>>>\n",
    "+++++++ REPL",
    "=======\n",
    "------- SEARCH\n",
    "\n",
    "  \n",
  ])("without a REPLACE line, ending in %j", (end) => {
    const [sentence] = refusal(ended(end)).split("\n");
    expect(sentence).toMatch(
      /^The block that begins on line 1 of the diff has no \+{7} REPLACE line( before the next SEARCH marker \(line 5\))?\. Nothing was changed\.$/,
    );
  });

  test("the last of two blocks alone", () => {
    const diff =
      "------- SEARCH\nimport a;\n=======\nimport b;\n+++++++ REPLACE\n------- SEARCH\n  return 1;\n=======\n  return 2;\n";
    expect(refusal(applySearchReplace(FILE, diff))).toContain("line 6 of the diff has no +++++++ REPLACE");
  });

  test("a miswritten marker at the end of a message that was cut off", () => {
    const diff = "------- SEARCH\n  return 1;\n=======\n  return 2;\n+++++++ REPLACE.";
    expect(applySearchReplace(FILE, diff)).toMatchObject({ ok: true, content: edited });
    expect(applySearchReplace(FILE, diff, { complete: false })).toMatchObject({ ok: false });
  });

  test.each([
    ["line breaks lost", "------- SEARCH\n  return 1;\n=======\n  return 2;+++++++ REPLACE\n"],
    [
      "a divider glued to the text",
      "------- SEARCH\n  return 1;\n=======\n  return 2;=======\n+++++++ REPLACE\n",
    ],
    ["nothing behind the divider", "------- SEARCH\n  return 1;\n=======\n"],
    [
      "an indented divider",
      "------- SEARCH\n  return 1;\n=======\n  return 2;\n  =======\n+++++++ REPLACE\n",
    ],
    [
      "two blocks run into one",
      "------- SEARCH\n  return 1;\n=======\n  return 2;\nimport a;\n=======\nb\n+++++++ REPLACE\n",
    ],
    [
      "a SEARCH marker that is not proper",
      "------- search\nimport a;\n=======\nimport b;\n+++++++ REPLACE\n------- SEARCH\n  return 1;\n=======\n  return 2;\n+++++++ REPLACE\n",
    ],
  ])("%s", (_name, diff) => {
    expect(applySearchReplace(FILE, diff)).toMatchObject({ ok: false });
  });
});

describe("kept byte for byte before a proper marker", () => {
  test.each([
    ["  a\n```"],
    ["  a\n</diff>"],
    ["  a\n</div>"],
    ["<<<<<<< HEAD\na\n=======\nb\n>>>>>>> topic"],
    ["Title\n====="],
    ["Chapter one\n==========="],
    ["=========\nChapter 1\n========="],
    ["    ------- SEARCH\n    a\n    =======\n    b\n    +++++++ REPLACE"],
    ["  a\n*** End Patch"],
    ["This returns two."],
  ])("%j", (text) => {
    expect(replacedBy(text)).toMatchObject({
      content: FILE.replace("  return 1;", () => text),
    });
  });

  test("lines of the file that look like an improper marker", () => {
    const readme = "Close it so:\n\n    +++++++ REPLACE\n\nEnd.\n";
    const diff =
      "------- SEARCH\n    +++++++ REPLACE\n\nEnd.\n=======\nNot so:\n\n    +++++++ REPLACE\n+++++++ REPLACE\n";
    expect(applySearchReplace(readme, diff)).toMatchObject({
      content: "Close it so:\n\nNot so:\n\n    +++++++ REPLACE\n",
    });
  });
});

test.each([
  ["  +++++++ REPLACE", "replace"],
  ["+++++++ replace</diff>", "replace"],
  ["+++++++ REPLACE the text", "glued"],
  [">>>>>>> REPLACE<<<<<<< SEARCH", "glued"],
  [">>> replace('a', 'b')", undefined],
  [">>>>>>> UPDATED", "end"],
  [">>>>>>> main", undefined],
  ["------- search", "search"],
  ["--- search", undefined],
  ["------- Search -------", undefined],
  ["-- REPLACE", undefined],
  ["text +++++++ REPLACE", undefined],
])("%j resembles %s", (line, kind) => {
  expect(nearMarker(line)).toBe(kind);
});

describe("a divider right before the REPLACE marker", () => {
  test.each(["a.md", "a.mdx", "docs/A.MARKDOWN", "a.rst"])("underlines a heading in %s", (path) => {
    expect(replacedBy("Install\n=======", path)).toMatchObject({
      content: FILE.replace("  return 1;", "Install\n======="),
    });
    expect(replacedBy("Install\n=======\n\ntext", path)).toMatchObject({ ok: true });
  });

  test.each(["a.ts", "a.txt", "md", undefined])("is left out in %s", (path) => {
    expect(replacedBy("Install\n=======", path)).toMatchObject({
      content: FILE.replace("  return 1;", "Install"),
    });
    expect(replacedBy("Install\n=======\n\ntext", path)).toMatchObject({ ok: false });
  });

  test("is left out in Markdown where the line above it is no heading", () => {
    for (const above of ["- item", "```", "# Title", "", "    code"])
      expect(replacedBy(`${above}\n=======`, "a.md")).toMatchObject({
        content: FILE.replace("  return 1;", above),
      });
  });

  test("is text where SEARCH has it too, or where the file has it below the same line", () => {
    const file = "Install\n=======\n\ntext\n";
    const diff = "------- SEARCH\ntext\n=======\nmore\n\nInstall\n=======\n+++++++ REPLACE\n";
    expect(applySearchReplace(file, diff)).toMatchObject({
      content: "Install\n=======\n\nmore\n\nInstall\n=======\n",
    });
    const both = "------- SEARCH\nInstall\n=======\n=======\nSet up\n=======\n+++++++ REPLACE\n";
    expect(applySearchReplace(file, both)).toMatchObject({ content: "Set up\n=======\n\ntext\n" });
  });
});

test.each([
  ["a.md", true],
  ["x/Y.RST", true],
  ["a.mdx", true],
  ["a.ts", false],
  ["md", false],
  ["a.md.ts", false],
  ["", false],
])("%j is markup: %s", (path, markup) => {
  expect(isMarkup(path)).toBe(markup);
});

test.each([
  ["Install", true],
  ["return 1;", true],
  ["  b", true],
  ["1984 was a year", true],
  ["", false],
  ["=======", false],
  ["    indented", false],
  ["> quoted", false],
  ["1. first", false],
  ["~~~", false],
])("%j can be underlined: %s", (above, can) => {
  expect(isUnderlined(above)).toBe(can);
});
