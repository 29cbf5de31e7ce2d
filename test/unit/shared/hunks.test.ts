import { expect, it } from "vitest";
import { hunksOf, withoutHunks } from "../../../src/shared/text/hunks.ts";
import { fc } from "../../support/property.ts";

const text = fc.array(fc.constantFrom("a", "b", "c", "", "d\r")).map((lines) => lines.join("\n"));

it("taking all gives the new text, leaving all the old one", () => {
  fc.assert(
    fc.property(text, text, (before, after) => {
      const all = new Set(hunksOf(before, after).keys());
      return withoutHunks(before, after, new Set()) === after && withoutHunks(before, after, all) === before;
    }),
  );
});

it("what is left out is exactly that hunk, and the others are taken", () => {
  fc.assert(
    fc.property(text, text, fc.nat(5), (before, after, index) => {
      const hunks = hunksOf(before, after);
      fc.pre(index < hunks.length);
      const result = withoutHunks(before, after, new Set([index]));
      const expected = before.split("\n");
      for (const [at, { line, removed, added }] of [...hunks.entries()].reverse())
        if (at !== index) expected.splice(line - 1, removed.length, ...added);
      return result === expected.join("\n");
    }),
  );
});

it("are separate where lines between them stay", () => {
  expect(hunksOf("1\n2\n3\n4\n", "1\ntwo\n3\n4\n5\n")).toEqual([
    { line: 2, removed: ["2"], added: ["two"] },
    { line: 5, removed: [], added: ["5"] },
  ]);
  expect(hunksOf("a\n", "a\n")).toEqual([]);
});
