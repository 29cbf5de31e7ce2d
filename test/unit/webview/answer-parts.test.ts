/** Folds, and what code in a line names. */
import { describe, expect, it } from "vitest";
import { BlockSplitter } from "../../../webview-ui/markdown/blocks.ts";
import { codeTarget } from "../../../webview-ui/markdown/links.ts";
import { type MarkdownItem, nested, sameItem } from "../../../webview-ui/markdown/nesting.ts";

const items = (text: string) => nested(new BlockSplitter().update(text));
/** A fold as [summary, ...contents]. */
const short = (all: readonly MarkdownItem[]): unknown[] =>
  all.map((item) => {
    if (item.kind === "details") return [item.summary, ...short(item.items)];
    return item.kind === "code" ? item.info : item.text.trim();
  });

describe("folds", () => {
  it.each<[string, string, unknown[]]>([
    ["on one line", "<details><summary>S</summary>text</details>\n\nend", [["S", "text"], "end"]],
    [
      "with blank lines",
      "<details>\n<summary>S</summary>\n\na\n\n```js\nx\n```\n\n</details>\nend",
      [["S", "a", "js"], "end"],
    ],
    ["without blank lines", "<details>\n<summary>S</summary>\na\nb\n</details>\nend", [["S", "a\nb"], "end"]],
    [
      "inside each other",
      "<details>\n<summary>A</summary>\n\n<details><summary>B</summary>\n\nb\n\n</details>\na\n</details>\n",
      [["A", ["B", "b"], "a"]],
    ],
    ["that are still open", "x\n\n<details>\n<summary>S</summary>\n\na\n\nb", ["x", ["S", "a", "b"]]],
    ["without a summary", "<details>\n\na\n\n</details>\n", [["", "a"]]],
    ["that nothing opened", "a\n\n</details>\n\nb", ["a", "</details>", "b"]],
  ])("%s", (_, text, expected) => {
    expect(short(items(text))).toEqual(expected);
  });

  it("are the same as before exactly where their contents are", () => {
    const splitter = new BlockSplitter();
    const start = "<details>\n<summary>S</summary>\n\na\n\n</details>\n\n";
    const [before] = nested(splitter.update(`${start}end`));
    const [after] = nested(splitter.update(`${start}end of it`));
    expect(sameItem(before, after)).toBe(true);
    expect(sameItem(before, items(start.replace("a", "b"))[0])).toBe(false);
    expect(sameItem(before, items(start.replace("S", "T"))[0])).toBe(false);
  });
});

it.each<[string, ReturnType<typeof codeTarget>]>([
  ["src/a.ts:12", { kind: "file", path: "src/a.ts", line: 12 }],
  ["src/a.ts:12:3", { kind: "file", path: "src/a.ts", line: 12 }],
  ["a.ts:4-9", { kind: "file", path: "a.ts", line: 4 }],
  ["src/a.ts#L7", { kind: "file", path: "src/a.ts", line: 7 }],
  ["./b.py", { kind: "file", path: "b.py" }],
  ["@lib:/src/c.go", { kind: "file", path: "@lib:/src/c.go" }],
  ["readFile", { kind: "symbol", name: "readFile" }],
  ["Cart.total()", { kind: "symbol", name: "Cart.total()" }],
  ["std::vec_of", { kind: "symbol", name: "std::vec_of" }],
  ["run()", { kind: "symbol", name: "run()" }],
  ...["true", "npm test", "a.length", "--flag", "x", "1.5", "https://a.b/c.ts", "git status", "MAX"].map(
    (text): [string, null] => [text, null],
  ),
])("%s is taken as what it names", (text, expected) => {
  expect(codeTarget(text)).toEqual(expected);
});
