/** What is read of Markdown without its signs is what the panel's own parser shows of it. */
import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { plainText } from "../../../../src/shared/text/plain-text.ts";
import { parseMarkdown, type Token } from "../../../../webview-ui/markdown/parser.ts";
import { sampled } from "../../../support/random.ts";

function shown(tokens: readonly Token[]): string {
  return tokens
    .map((token) => {
      switch (token.type) {
        case "inline":
          return shown(token.children ?? []);
        case "softbreak":
        case "hardbreak":
          return "\n";
        case "image":
          return `${token.content} (${token.attrGet("src")})`;
        default:
          return token.nesting === 0 ? token.content : " ";
      }
    })
    .join("");
}

/** Without what lies between words: a row shows blocks as boxes. */
const letters = (text: string) => text.replace(/\s+/g, "");

const samples = [
  "A **bold** and *slanted* and ***both*** word, `a * b` and ``a ` b``.",
  "snake_case_name and _this_ and __that__, 2 * 3 * 4, a*b*c",
  "# Head\n\nText\n\nUnder\n=====\n\n## Closed ##\n\nBelow\n---\n\n***\n\nEnd",
  "- one\n- **two**\n  more of two\n  - three\n    1. four\n\n      four's text\n\n10) ten",
  "> quoted **text**\n> > deeper\n\nout",
  '[a link](http://x.example/a_b_c) and [one *with* signs](<a b.ts> "title") ![image](x.png) <http://y.example>',
  "| a | b |\n| - | :-: |\n| **1** | `x\\|y` |\n| _2_ | 3 |\n\nafter | it",
  "```ts\nconst a = b * c; // **not bold**\n```\nand\n~~~\n# no head\n~~~",
  "    indented *code*\n\ntext",
  "escaped \\*stars\\* and \\`ticks\\` &amp; &lt;tag&gt; ~~gone~~ ~kept~",
  "日本語の**太字**と*斜体*です。「**括弧**」の_中_。",
  "an *open star and a `tick, [a bracket](and no end, **two",
  "*a **b** c* **a *b* c** *a***b** **a*b*",
  "line one  \nline two\\\nline *three\nfour*",
  "1. first\n\n   ```\n   code * x\n   ```\n2. second",
];

describe("Markdown without its signs", () => {
  it.each(samples)("is what is shown of %j", (sample) => {
    expect(letters(plainText(sample))).toBe(letters(shown(parseMarkdown(sample))));
  });

  it.each(["README.md", "README.ja.md", "CONTRIBUTING.md", "CHANGELOG.md"])(
    "is what is shown of %s",
    (file) => {
      const text = readFileSync(file, "utf8");
      expect(letters(plainText(text))).toBe(letters(shown(parseMarkdown(text))));
    },
  );

  it("keeps lines, paragraphs and cells apart", () => {
    expect(plainText("# Title\n\nOne\ntwo\n\n- a\n- b\n\n| x | y |\n| - | - |\n| 1 | 2 |")).toBe(
      "Title\n\nOne\ntwo\n\na\nb\n\nx\ty\n1\t2",
    );
  });

  it("names code blocks instead of their lines, if asked", () => {
    expect(plainText("See:\n```ts\na\nb\n```\nDone.", (lines) => `(${lines.length} lines)`)).toBe(
      "See:\n(2 lines)\nDone.",
    );
  });

  // A reading that takes time by the square of the length would need many minutes for one of these.
  it.each(sampled(["[", "*", "*a b_ ", "`a``", "_a ", "[](", "![a](b", "<a:", "> ", "~~a", "|-"], 3))(
    "reads a million characters of %s without hanging",
    (sign) => {
      const text = sign.repeat(Math.ceil(1_000_000 / sign.length));
      expect(plainText(text).length).toBeLessThanOrEqual(text.length);
    },
  );
});
