import { describe, expect, test } from "vitest";
import {
  bareLines,
  lineEndings,
  lineTable,
  numberLines,
  sliceWhole,
  splitLines,
  truncateMiddle,
  withEol,
} from "../../../src/core/text.ts";
import { fc } from "../../support/property.ts";

const text = fc
  .array(fc.constantFrom("a", "\n", "\r", "\r\n", "\ud83d\ude00", "\u3042", ""), { maxLength: 40 })
  .map((parts) => parts.join(""));

describe("lines", () => {
  test("joined again they are the text", () => {
    fc.assert(
      fc.property(text, (whole) => {
        expect(splitLines(whole).join("")).toBe(whole);
      }),
      { numRuns: 500, seed: 3 },
    );
  });

  test("are those of the obvious pattern", () => {
    fc.assert(
      fc.property(text, (whole) => {
        expect(splitLines(whole)).toEqual(whole.match(/[^\r\n]*(?:\r\n|\n|\r)|[^\r\n]+$/g) ?? []);
        expect(bareLines(whole)).toEqual(splitLines(whole).map((line) => line.replace(/[\r\n]+$/, "")));
      }),
      { numRuns: 500, seed: 4 },
    );
  });

  test("a table knows every row of a long text", () => {
    const { count, starts, ends } = lineTable("ab\n".repeat(5_000));
    expect([count, starts[4_999], ends[4_999], starts[5_000]]).toEqual([5_000, 14_997, 14_999, 15_000]);
  });

  test("endings are counted", () => {
    expect(lineEndings("a\r\nb\nc\r\nd\re")).toEqual({
      dominant: "\r\n",
      mixed: true,
      lf: 1,
      crlf: 2,
      cr: 1,
    });
    expect(lineEndings("a\nb\n")).toEqual({ dominant: "\n", mixed: false, lf: 2, crlf: 0, cr: 0 });
    expect(lineEndings("a").dominant).toBeUndefined();
    expect(withEol("a\r\nb\rc\n", "\n")).toBe("a\nb\nc\n");
  });

  test("are numbered", () => {
    expect(numberLines(["a", "b"], 9)).toBe(" 9 | a\n10 | b");
    expect(numberLines([])).toBe("");
  });
});

describe("bounded texts", () => {
  test("never split a surrogate pair and keep their bound", () => {
    fc.assert(
      fc.property(text, fc.nat(50), fc.double({ min: 0, max: 1, noNaN: true }), (whole, max, headShare) => {
        const cut = truncateMiddle(whole, { max, headShare, next: "continue with start_line 3" });
        expect(cut).not.toMatch(/[\ud800-\udfff]/u);
        if (whole.length <= max) expect(cut).toBe(whole);
        else {
          expect(cut).toContain("continue with start_line 3");
          expect(cut.length).toBeLessThanOrEqual(max + 90);
        }
      }),
      { numRuns: 500, seed: 5 },
    );
  });

  test("keep head and tail, cut at line breaks where these are near", () => {
    const whole = Array.from({ length: 100 }, (_, at) => `line ${at}`).join("\n");
    const cut = truncateMiddle(whole, { max: 200, next: "x" });
    expect(cut).toMatch(
      /^line 0\n[\s\S]*\n\[\.\.\. \d+ characters left out; x \.\.\.\]\nline \d+\n[\s\S]*line 99$/,
    );
    expect(cut).not.toContain("\n\n");
  });

  test("one endless line is cut too", () => {
    expect(truncateMiddle("x".repeat(1_000_000), { max: 1_000 }).length).toBeLessThan(1_100);
  });

  test("slices keep whole characters", () => {
    expect(sliceWhole("a\ud83d\ude00b", 0, 2)).toBe("a");
    expect(sliceWhole("a\ud83d\ude00b", 2, 4)).toBe("b");
    expect(sliceWhole("a\ud83d\ude00b", 1, 3)).toBe("\ud83d\ude00");
    expect(sliceWhole("abc", -1, 9)).toBe("abc");
  });
});
