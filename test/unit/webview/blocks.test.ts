import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  BlockSplitter,
  codeOf,
  longestBlock,
  type MarkdownBlock,
} from "../../../webview-ui/markdown/blocks.ts";

function split(text: string): readonly MarkdownBlock[] {
  return new BlockSplitter().update(text);
}

/** Blocks in short: a text as it is, a code block as [info, code, closed]. */
function short(blocks: readonly MarkdownBlock[]): unknown[] {
  return blocks.map((block) =>
    block.kind === "text" ? block.text.trim() : [block.info, codeOf(block), block.closed],
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
              .map((block) => (block.kind === "text" ? block.text : codeOf(block)))
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
    const word = "word ".repeat(longestBlock);
    const lines = "line\n".repeat(longestBlock);
    for (const text of [word, lines, "x".repeat(5 * longestBlock), `- a\n${"  b\n".repeat(longestBlock)}`]) {
      const sizes = split(text).map((block) => (block.kind === "text" ? block.text.length : 0));
      expect(Math.max(...sizes)).toBeLessThanOrEqual(2 * longestBlock);
      expect(sizes.reduce((sum, size) => sum + size, 0)).toBe(text.length);
    }
    const [code] = split(`\`\`\`\n${lines}`);
    if (code?.kind !== "code") throw new Error("not a code block");
    expect(code.rest.length).toBeLessThan(300);
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
