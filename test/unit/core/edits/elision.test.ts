import { describe, expect, test } from "vitest";
import { findElision, isElision } from "../../../../src/core/edits/blocks/elision.ts";
import { corpus } from "./corpus.ts";

describe("content that was cut short", () => {
  test.each([
    "// rest of code ...",
    "// ... existing code ...",
    "  // ... rest of the file remains unchanged",
    "/* unchanged */",
    "/* ... existing styles ... */",
    "# ... rest of the function",
    "# rest of the file unchanged",
    "// rest of the code stays the same",
    "// Rest of your component here",
    "<!-- ... rest of the page ... -->",
    "{/* ... existing markup ... */}",
    "-- ... remaining code ...",
    "// ...",
    "// \u2026",
    "# ... (previous code)",
    "// rest of the implementation",
    "[... rest of file unchanged ...]",
    "// existing code remains unchanged",
    "// other methods omitted for brevity",
    "// same as before",
    "// \u4ee5\u4e0b\u7701\u7565",
    "# \u6b8b\u308a\u306f\u540c\u3058",
    "// \u4ee5\u964d\u306f\u5909\u66f4\u306a\u3057",
    "// \u7701\u7565",
    "// ... \u65e2\u5b58\u306e\u30b3\u30fc\u30c9 ...",
    "\uff08\u4ee5\u4e0b\u7565\uff09",
    "/* \u6b8b\u308a\u306e\u30b3\u30fc\u30c9\u306f\u305d\u306e\u307e\u307e */",
  ])("%j stands for more", (line) => {
    expect(isElision(line)).toBe(true);
    expect(findElision(`a\n${line}\nb\n`)).toEqual({ line: 2, text: line.trim() });
  });

  test.each([
    "const { a, ...rest } = props;",
    "...args,",
    "  ...defaults,",
    "return [...existing, item];",
    "foo(...rest);",
    "// wait for the rest of the message",
    "// Keep existing connections open while the pool drains.",
    "// the remaining lines are read lazily",
    "# Loading...",
    "// Loading items...",
    "The rest of the code is in src/.",
    'console.log("...");',
    "# the rest is up to the caller to free",
    "// handle other cases",
    "// existing users are migrated first",
    "/* same size */",
    "// unchanged lines are kept as they are in the file",
    "    ...",
    "pass  # ...",
    "## Existing features",
    "#rest-of-page { color: red; }",
    "def f(*args): ...",
    "// \u7701\u7565\u3057\u305f\u5834\u5408\u306f\u65e2\u5b9a\u5024",
    "// \u6b8b\u308a\u306e\u8981\u7d20\u3092\u51e6\u7406\u3059\u308b",
  ])("%j is itself", (line) => {
    expect(isElision(line)).toBe(false);
  });

  test("a line that the original has is the file's own", () => {
    expect(findElision("a\n// ...\n", "x\n  // ...\n")).toBeUndefined();
    expect(findElision("a\n// ...\n", "x\n")).toEqual({ line: 2, text: "// ..." });
  });

  test.each([
    ["a fence", "text\n```js\n// ...\n```\n", undefined],
    ["a fence of tildes, in a list", "- text\n  ~~~\n  // ...\n  ~~~\n", undefined],
    ["a longer fence around another", "````\n```\n```\n// ...\n````\n", undefined],
    ["two fences", "```\na\n```\n```\n// ...\n```\n", undefined],
    ["after a fence", "```\na\n```\n// ...\n", { line: 4, text: "// ..." }],
    ["in a fence that is not closed", "```\n// ...\n", { line: 2, text: "// ..." }],
    ["in a fence that another sign closes", "```\n// ...\n~~~\n", { line: 2, text: "// ..." }],
    ["between back-ticks in a line", "`` ```js `` \n// ...\n", { line: 2, text: "// ..." }],
  ])("%s", (_name, text, expected) => {
    expect(findElision(text)).toEqual(expected);
  });

  test("real source files are hardly ever taken for cut short", () => {
    const found = corpus().flatMap(({ path, rows }) => {
      const elision = findElision(rows.join("\n"));
      return elision === undefined ? [] : [`${path}:${elision.line}: ${elision.text}`];
    });
    // What remains are examples in documents that leave something out themselves.
    expect(
      found.filter((line) => !line.includes(".md:")),
      found.join("\n"),
    ).toEqual([]);
  });
});
