import { describe, expect, it } from "vitest";
import {
  BlockSplitter,
  codeText,
  LONG_BLOCK,
  LONGEST_BLOCK,
  type MarkdownBlock,
} from "../../../webview-ui/markdown/blocks.ts";
import { fc } from "../../support/property.ts";
import { rounds } from "../../support/random.ts";

function split(text: string): readonly MarkdownBlock[] {
  return new BlockSplitter().update(text);
}

/** Blocks in short: a text as it is, a code block as [info, code, closed]. */
function short(blocks: readonly MarkdownBlock[]): unknown[] {
  return blocks.map((block) =>
    block.kind === "text" ? block.text.trim() : [block.info, codeText(block), block.closed],
  );
}

describe("the blocks of a Markdown text", () => {
  it.each<[string, string, unknown[]]>([
    ["paragraphs", "one\ntwo\n\nthree\n", ["one\ntwo", "three"]],
    ["a fence right after a paragraph", "see:\n```ts\nx\n```\nafter", ["see:", ["ts", "x\n", true], "after"]],
    ["a fence that is open", "```py\na\nb", [["py", "a\nb", false]]],
    ["a closing fence without a line feed", "```\na\n```", [["", "a\n", true]]],
    ["shorter marks inside a fence", "````md\n```\nx\n```\n````\n", [["md", "```\nx\n```\n", true]]],
    ["tildes", "~~~\n```\n~~~\n", [["", "```\n", true]]],
    ["blank lines in code", "```\na\n\nb\n```\n", [["", "a\n\nb\n", true]]],
    ["a list with blank lines in it", "- a\n\n- b\n\n  more\n\nend\n", ["- a\n\n- b\n\n  more", "end"]],
    [
      "a fence inside a list item",
      "1. do\n\n   ```sh\n   ls\n\n   pwd\n   ```\n2. then\n",
      ["1. do\n\n   ```sh\n   ls\n\n   pwd\n   ```\n2. then"],
    ],
    [
      "the tags of folds, each a block",
      "a\n<details>\n<summary>S</summary>\n\nb\n</details>\nc\n",
      ["a", "<details>", "<summary>S</summary>", "b", "</details>", "c"],
    ],
    ["a table", "| a |\n| - |\n| 1 |\n\nend\n", ["| a |\n| - |\n| 1 |", "end"]],
    [
      "code spans that look like fences",
      "``` not a fence ``` here\n\nend\n",
      ["``` not a fence ``` here", "end"],
    ],
    ["CRLF", "a\r\n\r\n```js\r\nx\r\n```\r\nb", ["a", ["js", "x\r\n", true], "b"]],
    ["nothing", "", []],
    ["white space", "\n \n", []],
  ])("%s", (_, text, expected) => {
    expect(short(split(text))).toEqual(expected);
  });

  it("are the same however the text arrived", () => {
    const line = fc.constantFrom(
      "a",
      "",
      "- x",
      "  y",
      "```",
      "```ts",
      "~~~",
      "1. z",
      "> q",
      "# h",
      "| t |",
      "   ```",
    );
    fc.assert(
      fc.property(
        fc.array(line, { maxLength: 30 }),
        fc.array(fc.nat(60), { maxLength: 10 }),
        (lines, cuts) => {
          const text = lines.join("\n");
          const splitter = new BlockSplitter();
          for (const cut of cuts.sort((a, b) => a - b)) splitter.update(text.slice(0, cut));
          expect(splitter.update(text)).toEqual(split(text));
        },
      ),
    );
  });

  it("lose nothing but fences and blank lines", () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom("a", "", "- b", "  c", "d e"), { maxLength: 30 }), (lines) => {
        const words = (text: string) => text.split(/\s+/).filter((word) => word !== "");
        const text = lines.join("\n");
        expect(
          words(
            split(text)
              .map((block) => (block.kind === "text" ? block.text : codeText(block)))
              .join(""),
          ),
        ).toEqual(words(text));
      }),
    );
  });

  it("keep their identity while the text grows, but for the last", () => {
    const splitter = new BlockSplitter();
    const first = splitter.update("one\n\n```\ncode\n```\n\ntwo");
    const next = splitter.update("one\n\n```\ncode\n```\n\ntwo and more");
    expect(next[0]).toBe(first[0]);
    expect(next[1]).toBe(first[1]);
    expect(next[2]).not.toBe(first[2]);
  });

  it("begin anew when the text is another", () => {
    const splitter = new BlockSplitter();
    splitter.update("```\nopen");
    expect(short(splitter.update("plain"))).toEqual(["plain"]);
  });

  it("never grow without end: neither a paragraph, nor a line, nor the last group of a code block", () => {
    const word = "word ".repeat(LONGEST_BLOCK);
    const lines = "line\n".repeat(LONGEST_BLOCK);
    for (const text of [
      word,
      lines,
      "x".repeat(5 * LONGEST_BLOCK),
      `- a\n${"  b\n".repeat(LONGEST_BLOCK)}`,
    ]) {
      const sizes = split(text).map((block) => (block.kind === "text" ? block.text.length : 0));
      expect(Math.max(...sizes)).toBeLessThanOrEqual(2 * LONGEST_BLOCK);
      expect(sizes.reduce((sum, size) => sum + size, 0)).toBe(text.length);
    }
    const [code] = split(`\`\`\`\n${lines}`);
    if (code?.kind !== "code") throw new Error("not a code block");
    expect(code.rest.length).toBeLessThan(300);
  });

  const sentence = "Some **bold words. And more.** With `code. More code` and [a link. Or two](x. y). ";
  const long: Record<string, string> = {
    words: sentence.repeat(1_500),
    lines: sentence.replaceAll(". ", ".\n").repeat(1_500),
    Japanese: "猫は**液体である。そして**眠る。`猫。コード`もある。".repeat(3_000),
    "words without a sentence": "word ".repeat(20_000),
    "a list": "- some words, and **more. Of** them\n".repeat(3_000),
    "a numbered list": Array.from({ length: 3_000 }, (_, n) => `${n}. some words\n   and more\n`).join(""),
  };
  it.each(Object.entries(long))("of %s stay short while they grow, and markup stays whole", (_, text) => {
    const splitter = new BlockSplitter();
    for (let end = 0; end < text.length; end += 1_000) {
      const last = splitter.update(text.slice(0, end)).at(-1);
      expect(last?.kind === "text" ? last.text.length : 0).toBeLessThan(2 * LONG_BLOCK + 300);
    }
    const blocks = splitter.update(text);
    expect(blocks.map((block) => (block.kind === "text" ? block.text : "")).join("")).toBe(text);
    for (const [index, block] of blocks.entries()) {
      if (block.kind !== "text") throw new Error("a code block");
      expect(block.continues ?? false).toBe(index > 0);
      expect((block.text.match(/\*\*|`/g) ?? []).length % 2).toBe(0);
      expect(block.text).not.toMatch(/\[[^\]]*$/);
    }
  });

  it("are cut in the same places however a long text arrived, and never before what looks like another block", () => {
    const run = fc
      .tuple(fc.constantFrom("word", "end.", "**b. c**", "猫。"), fc.nat(400))
      .map(([text, times]) => `${text} `.repeat(times));
    const mark = fc.constantFrom("**", "`", "- x", "1. ", "# h", "| ", "[a](b) ", "\\*", "\n```\n");
    const part = fc.oneof(
      { weight: 6, arbitrary: run },
      { weight: 1, arbitrary: mark },
      { weight: 2, arbitrary: fc.constantFrom("\n", "\n\n", "\n\n ") },
    );
    fc.assert(
      fc.property(
        fc.array(part, { maxLength: 60 }),
        fc.array(fc.nat(20_000), { maxLength: 20 }),
        (parts, cuts) => {
          const text = parts.join("");
          fc.pre(!/[^\n]{14000}/.test(text));
          const splitter = new BlockSplitter();
          for (const cut of cuts.sort((a, b) => a - b)) splitter.update(text.slice(0, cut));
          expect(splitter.update(text)).toEqual(split(text));
        },
      ),
      { numRuns: rounds(10, 30) },
    );
  });

  it("keep the groups of an open code block as they are while it grows", () => {
    const splitter = new BlockSplitter();
    let text = `\`\`\`\n${"line\n".repeat(120)}`;
    const [before] = splitter.update(text);
    text += "more\n";
    const [after] = splitter.update(text);
    if (before?.kind !== "code" || after?.kind !== "code") throw new Error("not code blocks");
    expect(before.chunks).toHaveLength(2);
    expect(after.chunks).toBe(before.chunks);
  });
});
