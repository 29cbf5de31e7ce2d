/** What a block ends with: a marker where nothing else makes sense, the user's text before a proper marker, else a refusal. */
import { describe, expect, test } from "vitest";
import { applySearchReplace } from "../../../../src/core/edits/apply-blocks.ts";
import { underlines } from "../../../../src/core/edits/blocks/block-end.ts";
import { nearMarker } from "../../../../src/core/edits/blocks/markers.ts";

const FILE = "import a;\n\nfunction f() {\n  return 1;\n}\n";
const edited = FILE.replace("1", "2");
const ended = (end: string) =>
  applySearchReplace(FILE, `------- SEARCH\n  return 1;\n=======\n  return 2;\n${end}`);

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
    "=======\n",
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

describe("refused, with the line of the diff on which a marker is expected", () => {
  test.each([
    ["```\n", 5],
    ["</diff>\n", 5],
    ["\nThis returns two.\n", 6],
    ["*** End Patch\n", 5],
    ["+++++++ REPLACE of the value\n", 5],
    ["`+++++++ REPLACE`\n", 5],
    [">>>>>>> main\n", 5],
    ["------- SEARCH\n", 5],
    ["\n", 1],
    ["\n\n", 1],
    ["  \n", 1],
  ])("%j", (end, line) => {
    const result = ended(end);
    expect(result).toMatchObject({ ok: false, error: expect.stringContaining(`line ${line}`) });
    expect(result).toMatchObject({ error: expect.stringContaining("+++++++ REPLACE") });
  });

  test("nothing at all is the end of a message that is whole", () => {
    expect(ended("")).toMatchObject({ ok: true, content: edited });
  });

  test.each([
    ["line breaks lost", "------- SEARCH\n  return 1;\n=======\n  return 2;+++++++ REPLACE\n"],
    [
      "a divider glued to the text",
      "------- SEARCH\n  return 1;\n=======\n  return 2;=======\n+++++++ REPLACE\n",
    ],
    ["nothing behind the divider", "------- SEARCH\n  return 1;\n=======\n"],
    ["what may be a heading", "------- SEARCH\n  return 1;\n=======\nreturns\nb\n=======\n+++++++ REPLACE\n"],
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
    ["Chapter\n======="],
    ["    ------- SEARCH\n    a\n    =======\n    b\n    +++++++ REPLACE"],
    ["  a\n*** End Patch"],
    ["This returns two."],
  ])("%j", (text) => {
    const diff = `------- SEARCH\n  return 1;\n=======\n${text}\n+++++++ REPLACE\n`;
    expect(applySearchReplace(FILE, diff)).toMatchObject({
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

test.each([
  ["=======", "Install", "yes"],
  ["=====", "title", "yes"],
  ["=======", "New chapter", "yes"],
  ["=======", "return 1;", "no"],
  ["=======", "}", "no"],
  ["=======", "    indented", "no"],
  ["=======", "b", "unclear"],
  ["=======", "", "unclear"],
  ["====================", "", "yes"],
])("%j under %j: %s", (line, above, answer) => {
  expect(underlines(line, above, "=======")).toBe(answer);
});

describe("a replacement without any marker behind it", () => {
  const unclosed = (...replace: string[]) =>
    applySearchReplace(FILE, ["------- SEARCH", "  return 1;", "=======", ...replace].join("\n"));

  test("is taken where it seems whole", () => {
    expect(unclosed("  return two(1);")).toMatchObject({ ok: true, content: FILE.replace("1", "two(1)") });
  });

  test.each([
    ["a bracket stays open", ["  return add("]],
    ["a bracket of an earlier line stays open", ["  if (yes) {", "    return 2;"]],
    ["the last line is the beginning of a searched one", ["  count += 1;", "  return"]],
  ])("is refused where %s", (_, replace) => {
    const result = unclosed(...replace);
    expect(result).toMatchObject({ ok: false });
    expect(!result.ok && result.error).toContain("its replacement seems to be cut off");
  });
});
