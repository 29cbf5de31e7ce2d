/** What the documents name exists, and what they claim was measured. */
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { z } from "zod";

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

it.each(READMES)("%s links to every page", (name) => {
  const text = read(name);
  // The page of the extension is shown in the editor.
  const missing = pages.filter((page) => page !== "extension.md" && !text.includes(`(docs/${page})`));
  expect(missing).toEqual([]);
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

it("docs/extension.md begins with the steps that the panel shows, in its words", () => {
  const bundle = z.record(z.string(), z.string()).parse(JSON.parse(read("l10n/bundle.l10n.ja.json")));
  const text = read("docs/extension.md");
  const english = text.slice(text.indexOf("## Get started"), text.indexOf("## Features"));
  const labels = [...english.matchAll(/\*\*([^*]+)\*\*/g)].map(([, label = ""]) => label);
  expect(labels).toContain("Find a local server");
  expect(labels.filter((label) => bundle[label] === undefined)).toEqual([]);
  const [japanese = ""] = text.slice(text.indexOf("## 日本語")).split("\n- **", 1);
  const quoted = [...japanese.matchAll(/「([^」]+)」/g)].map(([, label]) => label);
  expect(new Set(quoted)).toEqual(new Set(labels.map((label) => bundle[label])));
});
