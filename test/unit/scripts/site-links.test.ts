/** The documentation site has the links of the pages, and its sidebar is the first page. */
import { readFileSync } from "node:fs";
import path from "node:path";
import { expect, it } from "vitest";
import { sidebarOf, siteLink } from "../../../scripts/lib/site-links.mjs";

const FILES = "https://example.com/nekode/blob/main";

it.each([
  ["models.md", "terminal.md#plans", "terminal.md#plans"],
  ["models.md", "#costs", "#costs"],
  ["models.md", "https://example.com/a", "https://example.com/a"],
  ["models.md", "README.md", "index.md"],
  ["ja/models.md", "../README.md#get-started", "../index.md#get-started"],
  ["ja/models.md", "../terminal.md", "../terminal.md"],
  ["models.md", "../SECURITY.md", `${FILES}/SECURITY.md`],
  ["ja/models.md", "../../README.ja.md", `${FILES}/README.ja.md`],
])("a link of %s to %s leads to %s on the site", (page, target, expected) => {
  expect(siteLink(page, target, FILES)).toBe(expected);
});

it("a file that the site does not have is no link where the address of the repository is not known", () => {
  expect(siteLink("models.md", "../SECURITY.md", undefined)).toBeUndefined();
  expect(siteLink("models.md", "terminal.md", undefined)).toBe("terminal.md");
});

it.each([
  ["README.md", "/models"],
  ["ja/README.md", "/ja/models"],
])("docs/%s is the sidebar of its language", (index, models) => {
  const markdown = readFileSync(path.join(import.meta.dirname, "../../../docs", index), "utf8");
  const groups = sidebarOf(index, markdown);
  const links = groups.flatMap(({ items }) => items.map(({ link }) => link));
  expect(groups.length).toBeGreaterThanOrEqual(4);
  expect(links).toEqual(expect.arrayContaining([models, "/terminal", "/coming-from"]));
  expect(links.filter((link) => link.includes(".."))).toEqual([]);
  expect(new Set(links).size).toBe(links.length);
  expect(groups.flatMap(({ items }) => items.map(({ text }) => text))).not.toContain("");
});
