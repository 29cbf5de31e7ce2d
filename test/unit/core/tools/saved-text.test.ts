/** What the model learns of a file that an edit saved: all of it where it cannot know it, otherwise what changed. */
import { describe, expect, it } from "vitest";
import type { Saved } from "../../../../src/core/ports/editor.ts";
import { describeSaved, savedFile } from "../../../../src/core/tools/editing/saved-text.ts";
import { fc } from "../../../support/property.ts";

const LIMIT = 100_000;
const numbered = (count: number) => Array.from({ length: count }, (_, index) => `line ${index + 1}`);
const text = (lines: readonly string[]) => `${lines.join("\n")}\n`;
const BIG = numbered(200);

function describeEdit(
  before: string | null,
  proposed: string,
  saved: Partial<Saved> = {},
  limit = LIMIT,
  isOnly = true,
): string {
  const original = before === null ? null : { text: before, encoding: "utf8", bom: false, version: "1" };
  const all = { finalText: proposed, encoding: "utf8", newProblems: [], ...saved };
  return describeSaved("a.ts", original, proposed, all, { limit, isOnly }).text;
}

const whole = (content: string) => `<final_file_content path="a.ts">\n${content}\n</final_file_content>`;
const known = (content: string) => `<final_file_content>\n${content}\n</final_file_content>`;

describe("the result of an edit", () => {
  it("shows a new file and a small one as a whole", () => {
    expect(describeEdit(null, text(BIG))).toContain(whole(text(BIG)));
    const small = numbered(9);
    expect(describeEdit(text(small), text(small.with(4, "five")))).toContain(
      whole(text(small.with(4, "five"))),
    );
  });

  it("shows only what changed in a file that is what the model wrote", () => {
    const after = text(BIG.with(99, "changed").with(150, "too"));
    const shown = describeEdit(text(BIG), after);
    expect(shown).toBe(`Saved as:\n${known("100 | changed\n...\n151 | too")}`);
    expect(savedFile({}, shown)).toBeUndefined();
  });

  it("says that the problems are not known, unless some are", () => {
    const unknown =
      "Whether the change causes problems is not known: the language server has not checked it yet.";
    const change = (saved: Partial<Saved>) => describeEdit(text(BIG), text(BIG.with(99, "changed")), saved);
    expect(change({ problemsUnknown: true })).toMatch(new RegExp(`\n\n${unknown}$`));
    expect(change({})).not.toContain("problems");
    const some = change({ problemsUnknown: true, newProblems: ["line 1: error: no"] });
    expect(some).toMatch(/\n\nNew problems reported after the change:\nline 1: error: no$/);
  });

  it("names the file if the call names others as well", () => {
    const shown = describeEdit(text(BIG), text(BIG.with(99, "changed")), {}, LIMIT, false);
    expect(shown).toBe(`Saved. Changed lines:\n${whole("100 | changed")}`);
    expect(savedFile({}, shown)).toBeUndefined();
  });

  it("shows no file as a whole whose tag is in the changed lines", () => {
    const lines = whole("not this").split("\n");
    const shown = describeEdit(text(BIG), text([...BIG.slice(0, 99), ...lines, ...BIG.slice(99)]));
    expect(shown).toContain('<final_file_content path="a.ts">');
    expect(savedFile({}, shown)).toBeUndefined();
  });

  it("shows what is around removed lines, also at the ends of the file", () => {
    const shown = describeEdit(text(BIG), text(BIG.slice(1, 99).concat(BIG.slice(100, 199))));
    expect(shown).toBe(
      `Saved as:\n${known("1 | line 2\n...\n98 | line 99\n99 | line 101\n...\n197 | line 199")}`,
    );
  });

  it("shows the lines around a change of a file that is too long to be shown as a whole, if it is not the model's text", () => {
    const proposed = text(BIG.with(99, "changed"));
    const formatted = text(BIG.with(99, "changed;"));
    const shown = describeEdit(text(BIG), proposed, { finalText: formatted }, 1_000);
    const around = [97, 98, 99, 100, 101, 102, 103].map(
      (line) => `${line} | ${line === 100 ? "changed;" : `line ${line}`}`,
    );
    expect(shown).toContain(`\n\nChanged lines:\n${whole(around.join("\n"))}\n`);
    expect(savedFile({}, shown)).toBeUndefined();
  });

  it("reads the results of earlier versions", () => {
    const note =
      "(201 lines; only the changed regions are shown, with line numbers. read_file shows the rest.)";
    const old = `The content was saved to a.ts.\n\n${whole(`${note}\n5 | line`)}`;
    expect(savedFile({}, old)).toBeUndefined();
  });

  it("shows regions that touch once", () => {
    const shown = describeEdit(text(BIG), text(BIG.with(99, "changed").with(100, "too")));
    expect(shown).toContain(known("100 | changed\n101 | too"));
    const near = BIG.filter((_, index) => index !== 99 && index !== 101);
    expect(describeEdit(text(BIG), text(near))).toContain(
      known("99 | line 99\n100 | line 101\n101 | line 103"),
    );
  });

  it("shows the whole file where the editor or the user changed what the model wrote", () => {
    const proposed = text(BIG.with(99, "changed"));
    const formatted = text(BIG.with(99, "changed;"));
    for (const saved of [{ finalText: formatted }, { finalText: formatted, userText: formatted }]) {
      const shown = describeEdit(text(BIG), proposed, saved);
      expect(shown).toContain(whole(formatted));
      expect(savedFile({}, shown)).toEqual({ path: "a.ts", lines: "" });
    }
  });

  it("shows the ends of a long region, whose lines the model wrote", () => {
    const added = Array.from({ length: 500 }, (_, index) => `new ${index + 1}`);
    const shown = describeEdit(text(BIG), text([...BIG.slice(0, 100), ...added, ...BIG.slice(100)]));
    expect(shown).toContain("\n101 | new 1\n");
    expect(shown).toContain("\n600 | new 500\n</final");
    expect(shown).not.toContain("new 250");
    expect(shown.length).toBeLessThan(500);
  });

  it("shows every changed line of short regions, with its number", () => {
    fc.assert(
      fc.property(fc.uniqueArray(fc.nat({ max: 199 }), { minLength: 1, maxLength: 8 }), (changed) => {
        const after = BIG.map((line, index) => (changed.includes(index) ? `changed ${index}` : line));
        const shown = describeEdit(text(BIG), text(after));
        for (const index of changed) expect(shown).toContain(`\n${index + 1} | changed ${index}\n`);
      }),
    );
  });
});
