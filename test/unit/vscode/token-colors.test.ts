/** The colors of code in a color theme's file. */
import { posix } from "node:path";
import { describe, expect, it } from "vitest";
import { languageIdOf } from "../../../src/vscode/answers/language-ids.ts";
import { themeRules, tokenColors } from "../../../src/vscode/answers/token-colors.ts";

const FILES: Record<string, string> = {
  "themes/modern.json": '{ "include": "./plus.json", "colors": {} }',
  "themes/plus.json": `{
    // With comments, as theme files may have.
    "include": "./base.json",
    "tokenColors": [
      { "name": "Control flow", "scope": ["keyword.control", "source.cpp keyword.operator.new"], "settings": { "foreground": "#C586C0" } },
      { "scope": "entity.name.function, support.function", "settings": { "foreground": "#DCDCAA" } },
    ],
  }`,
  "themes/base.json":
    '{ "tokenColors": [{ "settings": { "foreground": "#D4D4D4" } }, { "scope": "keyword", "settings": { "foreground": "#569cd6" } }, { "scope": "storage", "settings": { "foreground": "#569cd6" } }, { "scope": "comment", "settings": { "fontStyle": "italic" } }, { "scope": "string", "settings": { "foreground": "red" } }] }',
  "themes/loop.json": '{ "include": "./loop.json" }',
  "themes/textmate.json": '{ "tokenColors": "./theme.tmTheme" }',
};
const rulesOf = (path: string) =>
  themeRules(
    path,
    async (file) => FILES[file] ?? "[]",
    (from, to) => posix.join(posix.dirname(from), to),
  );

describe("colors of a theme", () => {
  it("come from the file and those that it includes", async () => {
    expect(tokenColors(await rulesOf("themes/modern.json"))).toEqual({
      keyword: "#569cd6",
      control: "#C586C0",
      operator: "#569cd6",
      function: "#DCDCAA",
      builtin: "#DCDCAA",
    });
  });

  it("are those of the longest selector, and of the last of equal ones", () => {
    const rule = (scope: string, foreground: string) => ({ scope, settings: { foreground } });
    const rules = [
      rule("keyword.control", "#111111"),
      rule("keyword", "#222222"),
      rule("keyword", "#333333"),
    ];
    expect(tokenColors(rules)).toMatchObject({ control: "#111111", keyword: "#333333" });
    expect(tokenColors([rule("key", "#111111"), rule("string quoted", "#222222")])).toEqual({});
  });

  it("are none where a theme includes itself, has another format, or is no theme", async () => {
    expect(tokenColors(await rulesOf("themes/loop.json"))).toEqual({});
    expect(tokenColors(await rulesOf("themes/textmate.json"))).toEqual({});
    await expect(rulesOf("themes/missing.json")).rejects.toThrow();
  });
});

it("finds the editor's language by the names that code blocks use", () => {
  const known = ["typescript", "shellscript", "python", "plaintext"];
  expect(["ts", "TypeScript", "bash", "py", "cobol", ""].map((name) => languageIdOf(name, known))).toEqual([
    "typescript",
    "typescript",
    "shellscript",
    "python",
    undefined,
    undefined,
  ]);
});
