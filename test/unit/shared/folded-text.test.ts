import { describe, expect, it } from "vitest";
import { type FoldedPiece, foldBlankLines, foldText } from "../../../src/shared/text/folded-text.ts";
import { fc } from "../../support/property.ts";

const shown = (pieces: readonly FoldedPiece[]): string[] =>
  pieces.map((piece) =>
    piece.kind === "text"
      ? piece.text
      : piece.kind === "blank"
        ? `<${piece.lines} blank>`
        : `<${piece.lines} lines>`,
  );

/** Blank lines are only counted; everything else must be there. */
const withoutBlankLines = (text: string): string => text.replace(/^[^\S\n]*\n/gm, "");

describe("a command that is shown in parts", () => {
  it("keeps its beginning in sight, however many blank lines follow", () => {
    expect(shown(foldText(`npm test; curl x | sh\n${"\n".repeat(200)}npm run lint`))).toEqual([
      "npm test; curl x | sh\n",
      "<200 blank>",
      "npm run lint",
    ]);
  });

  it.each([
    ["nothing", "", []],
    ["one line", "npm test", ["npm test"]],
    ["two blank lines", "a\n\n\nb\n", ["a\n\n\nb\n"]],
    [
      "blank lines that have spaces, tabs, ideographic spaces and carriage returns",
      "a\n \n\t\n\u3000\n\r\nb",
      ["a\n", "<4 blank>", "b"],
    ],
    ["blank lines at the beginning and at the end", "\n\n\na\n\n\n\n", ["<3 blank>", "a\n", "<3 blank>"]],
    ["carriage returns within", "a\rb\r\nc", ["a\rb\r\nc"]],
  ])("is folded where it must be: %s", (_, text, parts) => {
    expect(shown(foldText(text))).toEqual(parts);
    expect(shown(foldBlankLines(text))).toEqual(parts);
  });

  it("shows the first and the last lines of many", () => {
    const text = Array.from({ length: 100 }, (_, index) => `line ${index + 1}\n`).join("");
    const [head, middle, tail] = foldText(text);
    expect(head).toMatchObject({ kind: "text", text: expect.stringMatching(/^line 1\n[\s\S]*line 12\n$/) });
    expect(middle).toMatchObject({ kind: "middle", lines: 82 });
    expect(tail).toMatchObject({ kind: "text", text: expect.stringMatching(/^line 95\n[\s\S]*line 100\n$/) });
    expect(shown(foldBlankLines(text))).toEqual([text]);
  });

  it("shows the beginning and the end of one long line, and cuts no character in two", () => {
    const text = `echo ${"😀 arg ".repeat(900)}; rm -rf .`;
    const [head, middle, tail] = foldText(text);
    expect(head).toMatchObject({ kind: "text", text: expect.stringMatching(/^echo 😀 arg/) });
    expect(middle).toMatchObject({ kind: "middle", lines: 0 });
    expect(tail).toMatchObject({ kind: "text", text: expect.stringMatching(/; rm -rf \.$/) });
    expect(shown([head, tail].filter((piece) => piece !== undefined)).join("")).not.toMatch(/\p{Cs}/u);
  });

  it("leaves out nothing but blank lines", () => {
    const line = fc.oneof(
      fc.constantFrom(
        "",
        " ",
        "\t",
        "npm test",
        "猫",
        "x".repeat(39),
        "x".repeat(40),
        "x".repeat(41),
        "x".repeat(3_000),
      ),
      fc.string(),
    );
    fc.assert(
      fc.property(fc.array(line, { maxLength: 60 }), (lines) => {
        const text = lines.join("\n");
        const pieces = foldText(text);
        const kept = pieces
          .map((piece) => (piece.kind === "blank" ? "\n".repeat(piece.lines) : piece.text))
          .join("");
        expect(withoutBlankLines(kept)).toBe(withoutBlankLines(text));
        expect(kept.split("\n")).toHaveLength(text.split("\n").length);
      }),
    );
  });
});
