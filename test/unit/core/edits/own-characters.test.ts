/** What SEARCH and REPLACE have in common stays as the file has it; only the difference is written. */
import { describe, expect, test } from "vitest";
import { applySearchReplace } from "../../../../src/core/edits/apply-blocks.ts";
import { applyPatch } from "../../../../src/core/edits/patch/patch.ts";

const nfd = (text: string) => text.normalize("NFD");

function written(file: string, search: string, replace: string): string | undefined {
  const result = applySearchReplace(
    file,
    `------- SEARCH\n${search}\n=======\n${replace}\n+++++++ REPLACE\n`,
  );
  return result.ok ? result.content : undefined;
}

describe("a changed line keeps the characters of the file", () => {
  test.each([
    ["no-break space", "a\u00a0b = 1\n", "a b = 1", "a b = 2", "a\u00a0b = 2\n"],
    [
      "narrow no-break space",
      "10\u202f000 \u20ac\n",
      "10 000 \u20ac",
      "10 000 \u00a5",
      "10\u202f000 \u00a5\n",
    ],
    [
      "quotes",
      "say(\u201chi\u201d, 1)\n",
      'say("hi", 1)',
      'say("hi", "all")',
      'say(\u201chi\u201d, "all")\n',
    ],
    ["apostrophe", "it\u2019s one\n", "it's one", "it's two", "it\u2019s two\n"],
    ["dash", "pages 1\u20139, old\n", "pages 1-9, old", "pages 1-9, new", "pages 1\u20139, new\n"],
    ["ellipsis", "wait\u2026 once\n", "wait... once", "wait... twice", "wait\u2026 twice\n"],
    ["three dots", "wait... once\n", "wait\u2026 once", "wait\u2026 twice", "wait... twice\n"],
    [
      "ideographic space",
      "\u540d\u524d\u3000\u5024\n",
      "\u540d\u524d \u5024",
      "\u540d\u524d \u5024\u6bb5",
      "\u540d\u524d\u3000\u5024\u6bb5\n",
    ],
    [
      "ideographic indentation",
      "\u3000\u672c\u6587\uff11\n",
      " \u672c\u6587\uff11",
      " \u672c\u6587\uff12",
      "\u3000\u672c\u6587\uff12\n",
    ],
    ["zero width space", "long\u200bword = 1\n", "longword = 1", "longword = 2", "long\u200bword = 2\n"],
    [
      "decomposed kana",
      `${nfd("\u304c\u304e")} = 1\n`,
      "\u304c\u304e = 1",
      "\u304c\u304e = 2",
      `${nfd("\u304c\u304e")} = 2\n`,
    ],
    [
      "decomposed accent",
      `${nfd("caf\u00e9")}: 1\n`,
      "caf\u00e9: 1",
      "caf\u00e9: 2",
      `${nfd("caf\u00e9")}: 2\n`,
    ],
    [
      "decomposed hangul",
      `${nfd("\ud55c\uad6d")}: 1\n`,
      "\ud55c\uad6d: 1",
      "\ud55c\uad6d: 2",
      `${nfd("\ud55c\uad6d")}: 2\n`,
    ],
    [
      "full-width parentheses",
      "\u95a2\u6570\uff08\u5024\uff09\u3092\u547c\u3076\n",
      "\u95a2\u6570(\u5024)\u3092\u547c\u3076",
      "\u95a2\u6570(\u5024)\u306f\u547c\u3076",
      "\u95a2\u6570\uff08\u5024\uff09\u306f\u547c\u3076\n",
    ],
    [
      "full-width comma",
      "\u7532\uff0c\u4e59\uff0c\u4e19\n",
      "\u7532,\u4e59,\u4e19",
      "\u7532,\u4e59,\u4e01",
      "\u7532\uff0c\u4e59\uff0c\u4e01\n",
    ],
    ["wave dash", "3\u301c5 \u500b\n", "3\uff5e5 \u500b", "3\uff5e6 \u500b", "3\u301c6 \u500b\n"],
    ["the other wave dash", "3\uff5e5 \u500b\n", "3\u301c5 \u500b", "3\u301c6 \u500b", "3\uff5e6 \u500b\n"],
    ["two spaces at the end", "one line  \nnext\n", "one line", "two line", "two line  \nnext\n"],
    ["with an indentation shift", "    a\u00a0b = 1\n", "a b = 1", "a b = 2", "    a\u00a0b = 2\n"],
    [
      "of the right line of two",
      "a\u00a0b = 1\nc\u00a0d = 1\n",
      "a b = 1\nc d = 1",
      "c d = 2",
      "c\u00a0d = 2\n",
    ],
    ["next to a new line", "a\u00a0b = 1\n", "a b = 1", "// new\na b = 2", "// new\na\u00a0b = 2\n"],
  ])("%s", (_name, file, search, replace, expected) => {
    expect(written(file, search, replace)).toBe(expected);
  });

  test("but not where they are what the edit changes", () => {
    expect(written("say(\u201chi\u201d)\n", "say(\u201chi\u201d)", 'say("hi")')).toBe('say("hi")\n');
    expect(written("a\u00a0b\n", "a\u00a0b", "a b")).toBe("a b\n");
    expect(written("one  \ntwo\n", "one  \ntwo", "one\ntwo")).toBe("one\ntwo\n");
    expect(written("one line\n", "one line", "one line  ")).toBe("one line  \n");
  });

  test("nor in a line that has little in common with it", () => {
    expect(written("say(\u201chi\u201d)\n", 'say("hi")', 'print("x", "y", end="")')).toBe(
      'print("x", "y", end="")\n',
    );
  });

  test("in a patch too", () => {
    const patch = "*** Begin Patch\n*** Update File: f\n@@\n-a b = 1\n+a b = 2\n*** End Patch";
    expect(applyPatch(patch, () => "a\u00a0b = 1\n")).toMatchObject({
      changes: [{ content: "a\u00a0b = 2\n" }],
    });
  });

  test("full-width letters and digits are other characters", () => {
    expect(written("\uff11\uff10 items\n", "10 items", "12 items")).toBeUndefined();
    expect(written("\uff21 = 1;\n", "A = 1;", "A = 2;")).toBeUndefined();
  });
});

describe("blank lines of REPLACE are written as they are where SEARCH and the file differ in them", () => {
  const doubled = "text one here\n\n\n- item";

  test.each([
    [
      "one too many in SEARCH",
      "# A\n\ntext one here\n\n- item\n",
      doubled,
      "text one here\n\nnew paragraph\n\n- item",
      "# A\n\ntext one here\n\nnew paragraph\n\n- item\n",
    ],
    [
      "lacking in SEARCH alone",
      "one here\n\ntwo here\n",
      "one here\ntwo here",
      "one here\n\nthree\n\ntwo here",
      "one here\n\nthree\n\ntwo here\n",
    ],
    [
      "lacking in SEARCH, before a changed line",
      "one here\n\ntwo here\n",
      "one here\ntwo here",
      "one here\n\ntwo there",
      "one here\n\ntwo there\n",
    ],
    [
      "lacking on both sides",
      "one here\n\ntwo here\n",
      "one here\ntwo here",
      "one here\ntwo there",
      "one here\n\ntwo there\n",
    ],
    [
      "too many on both sides",
      "one here\n\ntwo here\n",
      "one here\n\n\ntwo here",
      "one here\n\n\ntwo there",
      "one here\n\ntwo there\n",
    ],
    [
      "taken out",
      "one here\n\n\ntwo here\n",
      "one here\n\ntwo here",
      "one here\ntwo here",
      "one here\ntwo here\n",
    ],
    ["around both sides", "one here\ntwo here\n", "\none here\n", "\none there\n", "one there\ntwo here\n"],
    [
      "elsewhere",
      "one here\n\ntwo here\n\nthree\n",
      "one here\ntwo here\n\nthree",
      "one here\ntwo here\n\n\nthree",
      "one here\n\ntwo here\n\n\nthree\n",
    ],
  ])("%s", (_name, file, search, replace, expected) => {
    expect(written(file, search, replace)).toBe(expected);
  });
});

test("a file has one byte order mark", () => {
  expect(written("\ufeffone\ntwo\n", "one", "\ufeffone more")).toBe("\ufeffone more\ntwo\n");
  expect(written("\ufeffone\ntwo\n", "\ufeffone", "\ufeffone more")).toBe("\ufeffone more\ntwo\n");
});
