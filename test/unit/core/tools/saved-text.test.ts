/** What the model learns of a file that an edit saved: all of it where it cannot know it, otherwise what changed. */
import { describe, expect, it } from "vitest";
import type { Saved } from "../../../../src/core/ports/editor.ts";
import { describeSaved, savedFile } from "../../../../src/core/tools/editing/saved-text.ts";
import { writeToFile } from "../../../../src/core/tools/write-to-file.ts";
import { fc } from "../../../support/property.ts";

const LIMIT = 100_000;
const numbered = (count: number) => Array.from({ length: count }, (_, index) => `line ${index + 1}`);
const text = (lines: readonly string[]) => `${lines.join("\n")}\n`;
const BIG = numbered(200);

function describeEdit(
  before: string | null,
  proposed: string,
  saved: Partial<Saved> = {},
  { limit = LIMIT, isOnly = true, written }: { limit?: number; isOnly?: boolean; written?: string } = {},
): string {
  const original = before === null ? null : { text: before, encoding: "utf8", bom: false, version: "1" };
  const all = { finalText: proposed, encoding: "utf8", newProblems: [], ...saved };
  return describeSaved("a.ts", original, proposed, all, { limit, isOnly, written }).text;
}

const whole = (content: string) => `<final_file_content path="a.ts">\n${content}\n</final_file_content>`;
const known = (content: string) => `<final_file_content>\n${content}\n</final_file_content>`;

describe("the result of an edit", () => {
  it("of a whole file makes earlier results with the file superfluous, since the call has it", () => {
    const shows = writeToFile.resultShortening?.shows;
    expect(shows?.({ path: "a.ts" }, "The content was saved to a.ts.")).toEqual({ path: "a.ts", lines: "" });
    expect(shows?.({ path: "a.ts" }, "The user rejected this call.")).toBeUndefined();
  });

  it("shows a small file as a whole, and a new one whose lines the call does not have", () => {
    expect(describeEdit(null, text(BIG))).toContain(whole(text(BIG)));
    expect(describeEdit(null, text(BIG), {}, { written: text(BIG.with(4, "five")) })).toContain(
      whole(text(BIG)),
    );
    const small = numbered(9);
    expect(describeEdit(text(small), text(small.with(4, "five")))).toContain(
      whole(text(small.with(4, "five"))),
    );
  });

  it("does not repeat a file that the call contains", () => {
    const crlf = text(BIG).replaceAll("\n", "\r\n");
    for (const saved of [text(BIG), `\ufeff${text(BIG)}`, crlf]) {
      const shown = describeEdit(null, saved, {}, { written: text(BIG) });
      expect(shown).toBe("The content was saved to a.ts.");
    }
    const small = text(numbered(9));
    const rewritten = text(numbered(9).with(4, "five"));
    expect(describeEdit(small, rewritten, {}, { written: rewritten })).toBe(
      "The content was saved to a.ts. Changed lines: 5.",
    );
    const unknown = describeEdit(null, text(BIG), { problemsUnknown: true }, { written: text(BIG) });
    expect(unknown).toMatch(/^The content was saved to a\.ts\.\n\nWhether the change causes problems/);
  });

  it("has the numbers of changed lines that the call contains as they were saved", () => {
    const after = text(BIG.with(99, "  changed").with(150, "too").toSpliced(170, 2));
    const edit = (written: string) => describeEdit(text(BIG), after, {}, { written });
    expect(edit("  changed\ntoo")).toBe("Saved. Changed lines: 100, 151, removed before 171.");
    // The file's indentation is not the model's.
    expect(edit("changed\ntoo")).toContain("\n100 |   changed\n...\n151 | too\n");
    expect(describeEdit(text(BIG), after, {}, { written: "  changed\ntoo", isOnly: false })).toBe(
      "a.ts was changed on line 100, 151, removed before 171.",
    );
  });

  it("shows lines that the call has in another order", () => {
    const after = text(BIG.with(99, "  }").with(100, "}"));
    const edit = (written: string) => describeEdit(text(BIG), after, {}, { written });
    expect(edit("}\n  }")).toBe(`Saved as:\n${known("100 |   }\n101 | }")}`);
    expect(edit("  }\n}")).toBe("Saved. Changed lines: 100-101.");
  });

  it("counts the places of which there are more than a model needs", () => {
    const after = numbered(500).map((line, index) => (index % 2 ? line : "new"));
    const shown = describeEdit(text(numbered(500)), text(after), {}, { written: "new" });
    expect(shown).toMatch(/^Saved\. Changed lines: 1, 3, .*, 199 and 150 more places\.$/);
  });

  it("shows only what changed in a file that is what the model proposed", () => {
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
    const shown = describeEdit(text(BIG), text(BIG.with(99, "changed")), {}, { isOnly: false });
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
    const shown = describeEdit(text(BIG), proposed, { finalText: formatted }, { limit: 1_000 });
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

  it("shows the whole file where the editor or the user changed much of what the model wrote", () => {
    const proposed = text(BIG.with(99, "changed"));
    const formatted = text(BIG.with(99, "changed").map((line) => `${line};`));
    for (const saved of [{ finalText: formatted }, { finalText: formatted, userText: formatted }]) {
      const shown = describeEdit(text(BIG), proposed, saved);
      expect(shown).toContain(whole(formatted));
      expect(savedFile({}, shown)).toEqual({ path: "a.ts", lines: "" });
    }
  });

  it("shows what the editor or the user changed of it, where that is little", () => {
    const proposed = text(BIG.with(99, "changed").with(149, "other"));
    // The second change is put back as it was.
    const formatted = text(BIG.with(99, "changed;"));
    for (const saved of [{ finalText: formatted }, { finalText: formatted, userText: formatted }]) {
      const shown = describeEdit(text(BIG), proposed, saved);
      expect(shown).toContain("\n\nChanged lines:\n");
      expect(shown).toContain("\n99 | line 99\n100 | changed;\n101 | line 101\n");
      expect(shown).toContain("\n...\n147 | line 147\n");
      expect(shown).toContain("\n150 | line 150\n");
      expect(shown).not.toContain("line 50");
      expect(savedFile({}, shown)).toBeUndefined();
    }
    const created = describeEdit(null, proposed, { finalText: formatted }, { written: proposed });
    expect(created).toContain("\n100 | changed;\n");
    expect(created).not.toContain("line 50");
  });

  it("shows all of a long region that the editor changed", () => {
    const before = numbered(1_000);
    const formatted = before.map((line, index) => (index >= 100 && index < 300 ? `${line};` : line));
    const shown = describeEdit(text(before), text(before.with(99, "changed")), {
      finalText: text(formatted),
    });
    for (let line = 101; line <= 300; line++) expect(shown).toContain(`\n${line} | line ${line};\n`);
    expect(shown).not.toContain("line 500");
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
