/** Edits at which an engine that only nearly understands would write something: right, or refused, and never else. */
import { describe, expect, it } from "vitest";
import { applySearchReplace } from "../../../../src/core/index.ts";

const block = (search: string, replace: string) =>
  `------- SEARCH\n${search}\n=======\n${replace}${replace === "" ? "" : "\n"}+++++++ REPLACE\n`;

function result(original: string, diff: string): string | undefined {
  const applied = applySearchReplace(original, diff);
  return applied.ok ? applied.content : undefined;
}

describe("is applied", () => {
  it.each<[string, string, string, string]>([
    ["a line that stands twice, told by its neighbor", "a\nx\nb\nx\n", block("b\nx", "b\ny"), "a\nx\nb\ny\n"],
    ["blocks that touch", "a\nb\n", block("a", "1") + block("b", "2"), "1\n2\n"],
    ["everything away", "a\nb\n", block("a\nb", ""), ""],
    ["a line away", "a\nb\nc\n", block("b", ""), "a\nc\n"],
    ["lines that end with CR alone", "a\rb\rc\r", block("b", "x"), "a\rx\rc\r"],
    ["a CR within a line elsewhere", "a\rb\nc\n", block("c", "d"), "a\rb\nd\n"],
    ["mixed ends, the neighbor's for what is new", "a\r\nb\nc\r\n", block("a", "a\nz"), "a\r\nz\r\nb\nc\r\n"],
    ["an end without a line break, longer", "a\nb", block("b", "b\nc"), "a\nb\nc"],
    ["an end without a line break, shorter", "a\nb", block("b", ""), "a"],
    ["a line separator is no end of a line", "a\u2028b\nc\n", block("c", "d"), "a\u2028b\nd\n"],
    ["nor are vertical tab and form feed", "a\u000bb\u000cc\nd\n", block("d", "e"), "a\u000bb\u000cc\ne\n"],
    ["nor is next line", "a\u0085b\nc\n", block("c", "x"), "a\u0085b\nx\n"],
    [
      "a tab that was copied as spaces",
      "all:\n\tcc a\n",
      block("all:\n    cc a", "all:\n    cc b"),
      "all:\n\tcc b\n",
    ],
    ["a letter in two pieces", "\u304b\u3099\n", block("\u304c", "ぎ"), "ぎ\n"],
    ["a joined emoji elsewhere", "👨‍👩‍👧 a\nb\n", block("b", "c"), "👨‍👩‍👧 a\nc\n"],
    ["what a pattern would take for its own", "a\n", block("a", "$& $1 $$ \\0"), "$& $1 $$ \\0\n"],
    ["a short rule in the text", "--\na\n", block("--\na", "--\nb"), "--\nb\n"],
    [
      "a longer divider in the text",
      "a\n========\nb\n",
      block("a\n========\nb", "c\n========\nd"),
      "c\n========\nd\n",
    ],
    ["a blank line between", "a\n\nb\n", block("a\n\nb", "a\nb"), "a\nb\n"],
    ["the mark at the head stays", "\ufeffa\nb\n", block("a", "x"), "\ufeffx\nb\n"],
    ["a mark that was copied is none", "a\nb\n", block("\ufeffa", "x"), "x\nb\n"],
    ["a backslash at the end", "a \\\nb\n", block("a \\\nb", "c \\\nb"), "c \\\nb\n"],
    ["into an empty file", "", block("", "x"), "x\n"],
    ["entities that are meant", "a\n", block("a", "&lt;b&gt;"), "&lt;b&gt;\n"],
    ["names that objects have", "__proto__\n", block("__proto__", "constructor"), "constructor\n"],
    [
      "an indentation that was left out",
      "class A:\n    def f(self):\n        pass\n",
      block("def f(self):\n    pass", "def f(self):\n    if x:\n        pass"),
      "class A:\n    def f(self):\n        if x:\n            pass\n",
    ],
  ])("%s", (_name, original, diff, expected) => {
    expect(result(original, diff)).toBe(expected);
  });
});

describe("is refused", () => {
  it.each<[string, string, string]>([
    ["blocks that overlap by a line", "a\nb\nc\n", block("a\nb", "1\n2") + block("b\nc", "3\n4")],
    ["one place in two blocks", "a\n", block("a", "a\nb") + block("a", "a\nc")],
    ["a line of two branches", "if x:\n    a()\nelse:\n    a()\n", block("a()", "b()")],
    ["digits of another width", "価格は１００円\n", block("価格は100円", "価格は200円")],
    ["a marker as the new text", "a\n", block("a", "------- SEARCH")],
    ["nothing that changes", "a\n", block("a", "a")],
    ["white space alone", "a\n   \nb\n", block("   ", "x")],
    ["the beginning of a longer line", "const ab = 1\n", block("const a", "const b")],
    ["another case", "Const a = 1\n", block("const a = 1", "const a = 2")],
    ["another number", "x = 10\ny = 11\n", block("x = 12", "x = 13")],
    [
      "the opposite",
      "if (!ready) return;\nstart();\nstop();\n",
      block("if (ready) return;\nstart();", "if (ready) return;\nbegin();"),
    ],
    ["nothing", "a\n", ""],
    ["prose", "a\n", "I changed it."],
    ["a diff of git", "a\n", "--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n+b\n"],
  ])("%s", (_name, original, diff) => {
    expect(result(original, diff)).toBeUndefined();
  });
});
