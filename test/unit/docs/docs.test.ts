/** What the documents name exists, and what they claim was measured. */
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { readPage } from "../../../scripts/lib/markdown-page.mjs";
import { joinLanguages } from "../../../scripts/lib/page.mjs";

const repository = path.join(import.meta.dirname, "../../..");
const read = (name: string) => readFileSync(path.join(repository, name), "utf8");
const { scripts } = z
  .object({ scripts: z.record(z.string(), z.string()) })
  .parse(JSON.parse(read("package.json")));

describe.each(["CONTRIBUTING.md", "README.md", "README.ja.md"])("%s", (name) => {
  const text = read(name);

  it("names files and folders that exist", () => {
    const named = [
      ...text.matchAll(/`((?:src|test|docs|webview-ui|scripts|l10n|media)\/[\w./-]+?)`|\]\(([\w./-]+)\)/g),
    ];
    const paths = named.map((match) => match[1] ?? match[2] ?? "");
    expect(paths.length).toBeGreaterThan(0);
    expect(paths.filter((file) => !existsSync(path.join(repository, file)))).toEqual([]);
  });

  it("names commands that exist", () => {
    const commands = [...text.matchAll(/`npm run ([\w:-]+)/g)].map((match) => match[1] ?? "");
    expect(commands.filter((command) => scripts[command] === undefined)).toEqual([]);
  });
});

const pages = readdirSync(path.join(repository, "docs")).filter((file) => file.endsWith(".md"));
const READMES = ["README.md", "README.ja.md"];

it.each(pages)("docs/%s names pages, pictures and commands that exist", (page) => {
  const text = read(`docs/${page}`);
  const targets = [...text.matchAll(/\]\(([\w./-]+)\)/g)].map((match) => match[1] ?? "");
  expect(targets.filter((target) => !existsSync(path.join(repository, "docs", target)))).toEqual([]);
  const commands = [...text.matchAll(/`npm run ([\w:-]+)/g)].map((match) => match[1] ?? "");
  expect(commands.filter((command) => scripts[command] === undefined)).toEqual([]);
});

it("docs/README.md links to every page", () => {
  const text = read("docs/README.md");
  expect(pages.filter((page) => page !== "README.md" && !text.includes(`(${page})`))).toEqual([]);
});

it("docs/ja/README.md links to every page, or to its translation", () => {
  const text = read("docs/ja/README.md");
  const translations = readdirSync(path.join(repository, "docs/ja"));
  const targets = pages.map((page) => (translations.includes(page) ? `(${page})` : `(../${page})`));
  expect(targets.filter((target) => target !== "(README.md)" && !text.includes(target))).toEqual([]);
});

/** Numbers of the running text: not those of code, addresses, steps and versions. */
function numbersOf(text: string): string[] {
  const prose = text
    .replace(/```[\s\S]*?```|`[^`]*`|\]\([^)]*\)/g, "")
    .replace(/^\d+\. /gm, "")
    .replace(/Node \d+|Apache-2\.0/g, "");
  return [...prose.matchAll(/\d[\d,.]*(?<=\d)/g)].map(([number]) => number);
}

it.each(READMES)("%s quotes only figures that docs/figures.md has", (name) => {
  const measured = new Set(numbersOf(read("docs/figures.md")));
  // The size of a context window is advice.
  const quoted = numbersOf(read(name).replaceAll("32,768", ""));
  expect(quoted.length).toBeGreaterThanOrEqual(10);
  expect(quoted.filter((number) => !measured.has(number))).toEqual([]);
});

it.each(READMES)("%s moves, and loads quickly", (name) => {
  const [, picture = ""] = /!\[[^\]]+\]\((docs\/images\/[\w.]+\.webp)\)/.exec(read(name)) ?? [];
  const file = path.join(repository, picture);
  expect(readFileSync(file).includes("ANIM")).toBe(true);
  expect(statSync(file).size).toBeLessThan(1_500_000);
});

describe("the page of the extension", () => {
  it("begins with the steps that the panel shows, in its words", () => {
    const bundle = z.record(z.string(), z.string()).parse(JSON.parse(read("l10n/bundle.l10n.ja.json")));
    const steps = (text: string) => text.split(/^## .*$/m)[1] ?? "";
    const labels = [...steps(read("docs/extension.md")).matchAll(/\*\*([^*]+)\*\*/g)].map(
      ([, label = ""]) => label,
    );
    expect(labels).toContain("Find a local server");
    expect(labels.filter((label) => bundle[label] === undefined)).toEqual([]);
    const quoted = [...steps(read("docs/ja/extension.md")).matchAll(/「([^」]+)」/g)].map(
      ([, label]) => label,
    );
    expect(new Set(quoted)).toEqual(new Set(labels.map((label) => bundle[label])));
  });

  it("has both languages, whose links stay on it", () => {
    const page = readPage(joinLanguages(read("docs/extension.md"), read("docs/ja/extension.md")));
    const anchors = page.headings.map(({ anchor }) => `#${anchor}`);
    expect(anchors).toEqual(expect.arrayContaining(["#日本語", "#複数のタスク", "#several-tasks"]));
    expect(page.headings.filter(({ level }) => level === 1)).toHaveLength(1);
    const links = page.links.map(({ target }) => target).filter((target) => !target.endsWith(".webp"));
    expect(links).toContain("#日本語");
    expect(links.filter((target) => !anchors.includes(target))).toEqual([]);
  });
});

const translated = readdirSync(path.join(repository, "docs/ja")).filter((file) => file !== "README.md");
const PAIRS: [string, string][] = [
  ["README.md", "README.ja.md"],
  ...translated.map((page): [string, string] => [`docs/${page}`, `docs/ja/${page}`]),
];

it.each(PAIRS)("%s and %s have the same headings, code, tables and lists", (english, japanese) => {
  const [from, to] = [read(english), read(japanese)];
  const levels = (text: string) => readPage(text).headings.map(({ level }) => level);
  expect(levels(to)).toEqual(levels(from));
  expect(readPage(to).code).toEqual(readPage(from).code);
  const shape = (text: string) =>
    text
      .split("\n")
      .flatMap((line) => /^(?:\||[-*] |\d+\. )/.exec(line.trim()) ?? [])
      .join("");
  expect(shape(to)).toBe(shape(from));
  expect(to).toMatch(/です|ます/);
  // A line break would become a space in the middle of a sentence.
  expect(
    to.match(/[、。\p{sc=Han}\p{sc=Hira}\p{sc=Kana}]\n *[「\p{sc=Han}\p{sc=Hira}\p{sc=Kana}]/gu) ?? [],
  ).toEqual([]);
});
