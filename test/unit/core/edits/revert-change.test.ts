/** Taking one change back out of a text that others have changed since: exactly that, or nothing. */
import { describe, expect, it } from "vitest";
import { revertChange } from "../../../../src/core/edits/revert-change.ts";
import { splitLines } from "../../../../src/core/text.ts";
import { fc } from "../../../support/property.ts";
import { rounds, seedOf } from "../../../support/random.ts";

const seed = seedOf("revert-change");
const text = (...lines: string[]) => lines.map((line) => `${line}\n`).join("");

const before = text("a", "b", "c", "d", "e", "f");
const after = text("a", "b", "C", "d", "e", "f");

it.each([
  ["a change above it", text("A", "b", "C", "d", "e", "f"), text("A", "b", "c", "d", "e", "f")],
  [
    "lines put in above it",
    text("0", "0", "a", "b", "C", "d", "e", "f"),
    text("0", "0", "a", "b", "c", "d", "e", "f"),
  ],
  ["a change below it, the last line end gone", after.slice(0, -1), before.slice(0, -1)],
  ["a change beside it", text("a", "B", "C", "d", "e", "f"), undefined],
  ["a line put in beside it", text("a", "b", "new", "C", "d", "e", "f"), undefined],
  ["a change of it", text("a", "b", "CC", "d", "e", "f"), undefined],
  ["other line endings", after.replaceAll("\n", "\r\n"), undefined],
  ["nothing left of it", "", undefined],
])("with %s", (_, now, expected) => {
  expect(revertChange(before, after, now)).toBe(expected);
});

it.each([
  [
    "lines put in",
    text("a", "d"),
    text("a", "b", "c", "d"),
    text("a", "b", "c", "d", "mine"),
    text("a", "d", "mine"),
  ],
  [
    "lines taken out",
    text("a", "b", "c", "d"),
    text("a", "d"),
    text("mine", "a", "d"),
    text("mine", "a", "b", "c", "d"),
  ],
  ["the end, which went on", text("a"), text("a", "b"), text("a", "b", "mine"), undefined],
  [
    "the end, as it was left",
    text("a", "x"),
    text("a", "x", "b"),
    text("mine", "a", "x", "b"),
    text("mine", "a", "x"),
  ],
  ["nothing", text("a"), text("a"), text("b"), undefined],
])("of %s", (_, was, became, now, expected) => {
  expect(revertChange(was, became, now)).toBe(expected);
});

it("not where the lines that it made are twice, with all that is around them", () => {
  const around = (line: string) => text("1", "2", "3", "4", line, "5", "6", "7", "8");
  expect(revertChange(around("c"), around("C"), around("C"))).toBe(around("c"));
  expect(revertChange(around("c"), around("C"), around("C") + around("C"))).toBeUndefined();
});

describe(`any texts (NEKODE_SEED=${seed})`, () => {
  /** Few kinds of lines, so that much is there twice; the last one may have no end. */
  const lines = fc
    .tuple(
      fc.array(fc.constantFrom("a\n", "b\n", "\n", "}\r\n", "\u00e9\n"), { maxLength: 9 }),
      fc.constantFrom("", "a", "\r"),
    )
    .map(([whole, last]) => whole.join("") + last);
  const counted = (part: string) => {
    const counts = new Map<string, number>();
    for (const line of splitLines(part)) counts.set(line, (counts.get(line) ?? 0) + 1);
    return counts;
  };

  it("give back what was, when nothing changed since and it is in one place", () => {
    fc.assert(
      fc.property(lines, lines, (was, became) => {
        expect([was, undefined]).toContain(revertChange(was, became, became));
      }),
      { seed, numRuns: rounds(300, 3_000) },
    );
  });

  const RUNS = rounds(500, 5_000);
  it("lose and gain no other line than the change did", () => {
    let taken = 0;
    fc.assert(
      fc.property(lines, lines, lines, lines, (was, became, above, below) => {
        const now = above + became + below;
        const result = revertChange(was, became, now);
        if (result === undefined) return;
        taken += 1;
        const [a, b, c, d] = [was, became, now, result].map(counted);
        for (const line of new Set(splitLines(was + became + now + result)))
          expect((d?.get(line) ?? 0) - (c?.get(line) ?? 0)).toBe((a?.get(line) ?? 0) - (b?.get(line) ?? 0));
      }),
      { seed, numRuns: RUNS },
    );
    expect(taken).toBeGreaterThan(RUNS / 100);
  });

  it("keep what others changed two lines away, to the byte", () => {
    const block = fc.integer({ min: 1, max: 4 });
    fc.assert(
      fc.property(
        fc.array(fc.record({ mine: fc.boolean(), size: block }), { minLength: 1, maxLength: 8 }),
        (parts) => {
          const sides = { was: "", became: "", now: "", wanted: "" };
          for (const [index, { mine, size }] of parts.entries()) {
            const same = text(
              ...Array.from({ length: size }, (_, at) => `same ${index} ${at}`),
              `edge ${index}`,
            );
            const [old, fresh] = [text(`old ${index}`), text(`new ${index}`, `more ${index}`)];
            sides.was += same + old;
            sides.became += same + (mine ? old : fresh);
            sides.now += same + fresh;
            sides.wanted += same + (mine ? fresh : old);
          }
          const end = text("the end");
          const result = revertChange(sides.was + end, sides.became + end, sides.now + end);
          if (parts.every(({ mine }) => mine)) expect(result).toBeUndefined();
          else expect(result).toBe(sides.wanted + end);
        },
      ),
      { seed, numRuns: rounds(100, 500) },
    );
  });
});
