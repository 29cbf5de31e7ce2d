/** The tables of docs/figures.md: what the bench measured in, Markdown out. */
import { readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { sectionsOf, withSections } from "../../bench/figures.ts";
import { figuresSchema } from "../../bench/report.ts";

const repository = path.join(import.meta.dirname, "../../..");
const read = (name: string) => readFileSync(path.join(repository, "docs", name), "utf8");

const measured = {
  date: "2026-11-22T18:30:00.000Z",
  machine: { node: "v20.19.0", cpu: "Some CPU", cores: 2 },
  results: [],
};
const sectionOf = (more: object) =>
  sectionsOf(figuresSchema.parse({ suite: { ...measured, ...more } })).get("suite");
const ORIGIN = "Measured on 2026-11-22: Some CPU, 2 cores, Node 20.19.0.";

describe("docs/figures.md", () => {
  it("shows exactly what docs/figures.json holds", () => {
    const document = read("figures.md");
    const figures = figuresSchema.parse(JSON.parse(read("figures.json")));
    expect(withSections(document, sectionsOf(figures))).toBe(document);
  });

  it("was measured in all suites", () => {
    const names = Object.keys(figuresSchema.parse(JSON.parse(read("figures.json")))).sort();
    expect(names).toEqual(
      "acp assistant calls checkpoints context edits encodings growth panel prompts requests safety sessions sizes startup symbols together tokens turns".split(
        " ",
      ),
    );
  });
});

describe("a section", () => {
  it("of times has medians, best rounds, memory where it was measured, targets, and the noise", () => {
    const time = { suite: "suite", target: "< 30 ms", baselineMs: 0.1 };
    const memory = { bytes: 2_000, multiple: 2 };
    expect(
      sectionOf({
        results: [
          { ...time, name: "a | b", ms: 1.5, bestMs: 1, ratio: 15, memory },
          { ...time, name: "c", ms: 1234.5, bestMs: 1234.5, ratio: 12345, target: "" },
        ],
      }),
    ).toBe(`| measurement | median ms | best ms | times a plain scan | memory / input | target |
| --- | ---: | ---: | ---: | ---: | ---: |
| a \\| b | 1.50 | 1.00 | 15.0 | 2.0 | &lt; 30 ms |
| c | 1,235 | 1,235 | 12,345 |  |  |

Noise: medians were 50 % above the best round in the middle, 50 % at most.

${ORIGIN}`);
  });

  it("of edits has the sum first, and marks the kinds that must be rejected", () => {
    const edits = [
      { kind: "exact", right: 1_039, refused: 1, wrong: 0, rejected: 0 },
      { kind: "stale", right: 40, refused: 0, wrong: 0, rejected: 40 },
    ];
    expect(
      sectionOf({ edits }),
    ).toBe(`**1,079 right, 1 rejected without need, 0 wrong** of 1,080 edits of 2 kinds.

<details><summary>Every kind; × marks edits that must be rejected</summary>

| kind | right | rejected without need | wrong |
| --- | ---: | ---: | ---: |
| exact | 1039 | 1 | 0 |
| × stale | 40 | 0 | 0 |

</details>

${ORIGIN}`);
  });

  it("of commands and paths counts what must ask and what need not", () => {
    const safety = [
      { what: "commands", kind: "git", allow: 2, ask: 10, deny: 1, wrong: 1 },
      { what: "paths", kind: "links", allow: 3, ask: 4, deny: 0, wrong: 0 },
    ];
    const text = sectionOf({ safety });
    expect(text).toContain(
      "**11 commands that must not run or pass without approval, 2 that need none: 1 judged wrong.**",
    );
    expect(text).toContain("| git | 2 | 10 | 1 | 1 |");
    expect(text).toContain("| links | 3 | 4 | 0 | 0 |");
  });

  it("of other figures has a table of its own", () => {
    const text = sectionOf({
      bytesWritten: { 10: 2_086, 10000: 2_098 },
      typing: [{ name: "an answer", worstMs: 72, p95Ms: 56, slow: 7, presses: 100 }],
      sizes: { "the panel": 500_000 },
    });
    expect(text).toContain("| 10,000 | 2,098 |");
    expect(text).toContain("| an answer | 56 | 72 | 7 of 100 |");
    expect(text).toContain("| the panel | 500,000 |");
  });

  it("of tokens has what each agent sends, with cached tokens at a tenth of the price, and the largest parts of ours", () => {
    const agents = [
      { agent: "Nekode", sent: 12_000, fresh: 2_000, first: 1_500 },
      { agent: "another", sent: 2_000, fresh: 1_000, first: 900 },
    ];
    const parts = [
      { name: "tools", tokens: 1_100 },
      { name: "instructions", tokens: 300 },
    ];
    const text = sectionOf({ tokens: [{ script: "a bug", requests: 7, agents, parts }] });
    expect(text).toContain("| a bug, 7 requests | Nekode | 12,000 | 2,000 | 3,000 | 1,500 | 500 |");
    expect(text).toContain("|  | another | 2,000 | 1,000 | 1,100 | 900 | 100 |");
    expect(text).toContain("| a bug | tools: 1,100 | instructions: 300 |");
  });

  it("of processes has what each time was compared with, and counts as they are", () => {
    const plain = { name: "bare Node", value: 20, best: 10 };
    const text = sectionOf({
      startup: [
        { name: "a task", unit: "ms", target: "< 450 ms", value: 600, best: 300, plain },
        { name: "requests", unit: "times", target: "4", value: 4, best: 4 },
      ],
    });
    expect(text).toContain("| a task | 600 ms | 300 | bare Node: 20.00 | 30.00 | &lt; 450 ms |");
    expect(text).toContain("| requests | 4 |  |  |  | 4 |");
    expect(text).toContain("Noise: medians were 100 % above the best round in the middle, 100 % at most.");
  });

  it("of a long session compares it with a short one, and says how it scrolls", () => {
    const text = sectionOf({
      longSession: {
        messages: 5_004,
        shortMessages: 144,
        times: [{ name: "opened", target: "< 500 ms", ms: 150.4, bestMs: 99.5, shortMs: 75.2 }],
        scrolls: [{ name: "up", framesPerSecond: 59.94, longestMs: 33.4, elements: 1_234 }],
      },
    });
    expect(text).toContain(
      "| a session of 5,004 messages | median ms | best ms | with 144 messages, ms | ratio | target |",
    );
    expect(text).toContain("| opened | 150 | 99.50 | 75.20 | 2.00 | &lt; 500 ms |");
    expect(text).toContain("| up | 59.9 | 33 | 1,234 |");
  });
});

describe("a document", () => {
  const document = "# Title\n\n<!-- bench:a -->\nold\n<!-- /bench:a -->\n\nend\n";

  it("has the section between its markers replaced, and nothing else", () => {
    expect(withSections(document, new Map([["a", "new"]]))).toBe(document.replace("old", "\nnew\n"));
  });

  it("without a place for a section, or with one that nothing fills, is refused", () => {
    expect(() =>
      withSections(
        document,
        new Map([
          ["a", "new"],
          ["b", "more"],
        ]),
      ),
    ).toThrow("no section for: b");
    expect(() => withSections(document, new Map())).toThrow('section "a"');
  });
});
