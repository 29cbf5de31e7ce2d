/** Where a finding is: certain, or refused. */
import { describe, expect, it } from "vitest";
import {
  addedHunk,
  maskedHunks,
  numberedText,
  readHunks,
} from "../../../../../src/core/agent/review/diff-lines.ts";
import { mergedFindings } from "../../../../../src/core/agent/review/merge-findings.ts";
import { placeFinding } from "../../../../../src/core/agent/review/place-finding.ts";
import { partsOfReview } from "../../../../../src/core/agent/review/review-parts.ts";
import { type ReviewFinding, reviewScope } from "../../../../../src/shared/review.ts";
import { reviewMarkdown } from "../../../../../src/shared/words/review-words.ts";
import { translator } from "../../../../../src/shared/words/task-words.ts";

const HUNKS = readHunks(
  [
    "@@ -1,4 +1,5 @@ function",
    " one",
    "-two",
    "+zwei",
    "+drei",
    " }",
    " end",
    "@@ -20,3 +21,2 @@",
    " }",
    "-gone",
    " last",
    "\\ No newline at end of file",
  ].join("\n"),
);

const named = (startLine: number, lineText: string, more = {}) => ({
  side: "new" as const,
  startLine,
  endLine: startLine,
  lineText,
  severity: "important" as const,
  ...more,
});

describe("the lines of a diff", () => {
  it("have their numbers on both sides", () => {
    expect(HUNKS.map((hunk) => hunk.map((line) => [line.kind[0], line.old, line.new, line.text]))).toEqual([
      [
        ["c", 1, 1, "one"],
        ["r", 2, undefined, "two"],
        ["a", undefined, 2, "zwei"],
        ["a", undefined, 3, "drei"],
        ["c", 3, 4, "}"],
        ["c", 4, 5, "end"],
      ],
      [
        ["c", 20, 21, "}"],
        ["r", 21, undefined, "gone"],
        ["c", 22, 22, "last"],
      ],
    ]);
    expect(numberedText(HUNKS[1] ?? [])).toBe("    21| }\n-   21| gone\n    22| last");
  });

  it("may begin with marks, and end with \\r", () => {
    const [hunk = []] = readHunks("@@ -1,2 +1,2 @@\n--- a\r\n-@@ -1 +1 @@\r\n++++ b\r\n+++++\r\n");
    expect(hunk.map(({ kind, text }) => [kind, text])).toEqual([
      ["removed", "-- a"],
      ["removed", "@@ -1 +1 @@"],
      ["added", "+++ b"],
      ["added", "++++"],
    ]);
  });

  it("stay as many when secrets are masked", () => {
    const hunk = addedHunk(
      "a\n-----BEGIN RSA PRIVATE KEY-----\nMII\nabc\n-----END RSA PRIVATE KEY-----\nkey-1\n",
    );
    const [masked = []] = maskedHunks([hunk], (text) => text.replace("key-1", "***"));
    expect(masked.map(({ text }) => text)).toEqual([
      "a",
      ...Array(4).fill("[secret removed by Nekode]"),
      "***",
    ]);
    expect(masked.map((line) => line.new)).toEqual([1, 2, 3, 4, 5, 6]);
  });
});

describe("a finding", () => {
  it.each([
    ["is where its number and its text say", named(2, "zwei"), { side: "new", startLine: 2, endLine: 2 }],
    ["is where its text is, if only one line has it", named(90, "drei"), { startLine: 3, lineText: "drei" }],
    ["may have mark and number before its text", named(3, "+    3| drei"), { startLine: 3 }],
    ["may quote several lines", named(7, "zwei\ndrei", { endLine: 8 }), { startLine: 2, endLine: 3 }],
    ["changes the side if only the other one has its text", named(2, "two"), { side: "old", startLine: 2 }],
    ["on a removed line knows the line behind it", named(21, "gone", { side: "old" }), { newLine: 22 }],
    ["ends where the diff does", named(3, "drei", { endLine: 400 }), { startLine: 3, endLine: 5 }],
    [
      "that was there before may be on a context line",
      named(5, "end", { severity: "pre-existing" }),
      { startLine: 5 },
    ],
  ])("%s", (_, where, expected) => {
    expect(placeFinding(HUNKS, where)).toMatchObject(expected);
  });

  it.each([
    ["a text that no line has", named(2, "vier"), "no line of the diff has the text"],
    [
      "a text that several lines have, and another number",
      named(9, "}", { severity: "pre-existing" }),
      "several lines",
    ],
    ["no text", named(2, ""), "give the text"],
    ["lines that did not change", named(5, "end"), "not changed"],
    ["half a line", named(2, "zwe"), "no line of the diff"],
  ])("is refused with %s", (_, where, expected) => {
    expect(placeFinding(HUNKS, where)).toContain(expected);
  });

  const finding = (more: Partial<ReviewFinding>): ReviewFinding => ({
    ...{ path: "a.ts", side: "new", startLine: 1, endLine: 1, lineText: "x", severity: "important" },
    ...{ title: "Reads behind the end", body: "Because i reaches length.", confidence: 0.5, verified: false },
    ...more,
  });

  it("is listed once, with the graver severity and the higher confidence", () => {
    const merged = mergedFindings([
      finding({ severity: "nit", confidence: 1 }),
      finding({ title: "reads behind the END!", confidence: 0.9, endLine: 3 }),
      finding({ confidence: 0.4 }),
      finding({ startLine: 2, endLine: 2, title: "Another matter", body: "Entirely different." }),
      finding({ path: "b.ts" }),
      finding({ title: "配列の終わりを超えて読みます", body: "猫" }),
      finding({ title: "配列の終わりを超えて読む", body: "犬" }),
    ]);
    expect(
      merged.map(({ path, startLine, title, confidence }) => [path, startLine, title, confidence]),
    ).toEqual([
      ["a.ts", 1, "reads behind the END!", 0.9],
      ["a.ts", 1, "配列の終わりを超えて読みます", 0.5],
      ["a.ts", 2, "Another matter", 0.5],
      ["b.ts", 1, "Reads behind the end", 0.5],
    ]);
  });

  it("cannot change the Markdown around it, and nothing of it is an image", () => {
    const report = {
      ...{ version: 1 as const, compared: { with: "staged" as const }, folder: "", reviewed: ["a.ts"] },
      ...{ notReviewed: [], dropped: { unplaced: 0, refuted: 0, repeated: 0 }, ended: "done" as const },
      ...{ requests: 2, inputTokens: 1, outputTokens: 1, cost: null },
      findings: [finding({ path: "猫 (1).ts", title: "](x) ![p](http://x) **b**" })],
    };
    const text = reviewMarkdown(translator({}), report, { links: true });
    expect(text).toContain("[猫 (1).ts:1](%E7%8C%AB%20(1).ts#L1)");
    expect(text).toContain("\\]\\(x) \\!\\[p\\]\\(http://x) \\*\\*b\\*\\*".replaceAll("\\(", "("));
  });
});

it("a large diff is split by files, hunks and lines, and every line is in one part", () => {
  const lines = Array.from(
    { length: 5_000 },
    (_, index) => `const value${index} = compute(${index}); // line`,
  );
  const large = {
    path: "large.ts",
    kind: "changed" as const,
    hunks: [addedHunk(lines.join("\n")), addedHunk("x\n")],
  };
  const small = { path: "small.ts", kind: "changed" as const, hunks: [addedHunk("y\n")] };
  const parts = partsOfReview([large, small], 32_000);
  expect(parts.length).toBeGreaterThan(5);
  const numbers = parts.flat().flatMap(({ hunks }) => hunks.flatMap((hunk) => hunk.map((line) => line.new)));
  expect(numbers).toEqual([...lines.map((_, index) => index + 1), 1, 1]);
  expect(partsOfReview([small, small, small], 32_000)).toHaveLength(1);
});

it.each([
  ["", { of: "working" }],
  ["--staged", { of: "staged" }],
  ["--base main", { of: "base", revision: "main" }],
  ["main", { of: "base", revision: "main" }],
  ["--in web app", { of: "working", folder: "web app" }],
  ["--staged --in ./lib", { of: "staged", folder: "./lib" }],
  ["main --in web", { of: "base", revision: "main", folder: "web" }],
  ["--in", undefined],
  ["look at the parser --in web", undefined],
  ["look at the parser", undefined],
  ["--base", undefined],
  ["--base --staged", undefined],
  ["--staged main", undefined],
])("the words %j name a scope", (words, scope) => {
  expect(reviewScope(words === "" ? [] : words.split(" "))).toEqual(scope);
});
