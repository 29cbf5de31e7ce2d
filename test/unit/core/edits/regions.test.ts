import { describe, expect, test } from "vitest";
import { changedRegions, unifiedDiff } from "../../../../src/core/edits/regions.ts";
import { splitLines } from "../../../../src/core/text.ts";
import { matchLines } from "../../../../src/shared/text/line-diff.ts";
import { fc } from "../../../support/property.ts";
import { rounds } from "../../../support/random.ts";

const text = fc
  .array(fc.constantFrom("a\n", "b\n", "c\n", "a\r\n", "\n", "x"), { maxLength: 30 })
  .map((lines) => lines.join(""));

/** The length of the longest common subsequence, the slow and obvious way. */
function common(a: readonly string[], b: readonly string[]): number {
  let row: number[] = new Array(b.length + 1).fill(0);
  for (const left of a) {
    const next = [0];
    for (const [at, right] of b.entries())
      next.push(left === right ? (row[at] ?? 0) + 1 : Math.max(row[at + 1] ?? 0, next[at] ?? 0));
    row = next;
  }
  return row[b.length] ?? 0;
}

describe("common lines", () => {
  test("are the most there can be, in order and equal", () => {
    fc.assert(
      fc.property(text, text, (before, after) => {
        const a = splitLines(before);
        const b = splitLines(after);
        let total = 0;
        let [atA, atB] = [0, 0];
        for (const match of matchLines(a, b)) {
          expect(match.a >= atA && match.b >= atB && match.length > 0).toBe(true);
          expect(a.slice(match.a, match.a + match.length)).toEqual(b.slice(match.b, match.b + match.length));
          [atA, atB] = [match.a + match.length, match.b + match.length];
          total += match.length;
        }
        expect(total).toBe(common(a, b));
      }),
      { numRuns: rounds(120, 400), seed: 11 },
    );
  });

  test("are found around lines that stand once where the rest differs wholly", () => {
    const a = Array.from({ length: 4_000 }, (_, at) => (at % 100 === 0 ? `once ${at}` : `old ${at}`));
    const b = Array.from({ length: 4_000 }, (_, at) => (at % 100 === 0 ? `once ${at}` : `new ${at}`));
    expect(matchLines(a, b)).toHaveLength(40);
  });
});

describe("changed regions", () => {
  test("give the text after when their lines are put into the text before", () => {
    fc.assert(
      fc.property(text, text, (before, after) => {
        const lines = splitLines(before);
        const now = splitLines(after);
        const { regions, added, removed } = changedRegions(before, after);
        for (const region of [...regions].reverse()) {
          lines.splice(
            region.before.line - 1,
            region.before.count,
            ...now.slice(region.startLine - 1, region.endLine),
          );
        }
        expect(lines.join("")).toBe(after);
        expect(added - removed).toBe(now.length - splitLines(before).length);
      }),
      { numRuns: rounds(100, 300), seed: 12 },
    );
  });

  test("count lines", () => {
    expect(changedRegions("a\nb\nc\n", "a\nB\nB2\nc\n")).toEqual({
      regions: [{ before: { line: 2, count: 1 }, after: { line: 2, count: 2 }, startLine: 2, endLine: 3 }],
      added: 2,
      removed: 1,
    });
    expect(changedRegions("", "a\n")).toMatchObject({ added: 1, removed: 0 });
    expect(changedRegions("same", "same").regions).toEqual([]);
  });

  test("two files of 10,000 lines with nothing in common are told apart without delay", () => {
    const side = (word: string) => Array.from({ length: 10_000 }, (_, at) => `${word} ${at % 50}\n`).join("");
    expect(changedRegions(side("old"), side("new"))).toMatchObject({ added: 10_000, removed: 10_000 });
  });
});

describe("unified diff", () => {
  test("shows changes with three lines around them", () => {
    const before = "1\n2\n3\n4\n5\n6\n7\n8\n9\n10\n11\n12\n13\n14\n15\n16\n";
    const after = before.replace("5\n", "five\n").replace("14\n", "");
    expect(unifiedDiff(before, after)).toBe(
      "@@ -2,7 +2,7 @@\n 2\n 3\n 4\n-5\n+five\n 6\n 7\n 8\n@@ -11,6 +11,5 @@\n 11\n 12\n 13\n-14\n 15\n 16",
    );
  });

  test("marks what a missing line break and a changed line ending are", () => {
    expect(unifiedDiff("a", "b\n")).toBe("@@ -1 +1 @@\n-a\n\\ No newline at end of file\n+b");
    expect(unifiedDiff("a\n", "a\r\n")).toBe("@@ -1 +1 @@\n-a\n+a (line ending: CRLF)");
    expect(unifiedDiff("", "a\n")).toBe("@@ -0,0 +1 @@\n+a");
    expect(unifiedDiff("x", "x")).toBe("");
  });
});
