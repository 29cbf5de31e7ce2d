/** Every link of the documents leads to a file and a heading that exist, on GitHub and on the documentation site. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { headingAnchor, readPage } from "../../../scripts/lib/markdown-page.mjs";

type Page = ReturnType<typeof readPage>;

const repository = path.join(import.meta.dirname, "../../..");
const at = (name: string) => path.join(repository, name);
const isMarkdown = (name: string) => name.endsWith(".md");

const pages = [
  ...readdirSync(repository),
  ...readdirSync(at("docs"), { recursive: true, encoding: "utf8" })
    .filter((name) => !name.startsWith("site"))
    .map((name) => `docs/${name.replaceAll(path.sep, "/")}`),
].filter(isMarkdown);

/** What is wrong with the links of a page, with their lines. */
function brokenLinks(name: string, markdown: string): string[] {
  const page = readPage(markdown);
  return page.links.flatMap(({ target, line }) => {
    const fault = linkFault(name, target, page);
    return fault === undefined ? [] : [`${name}:${line}: ${target}: ${fault}`];
  });
}

function linkFault(name: string, target: string, page: Page): string | undefined {
  if (/^[a-z][a-z+.-]*:/i.test(target)) return addressFault(target);
  const [, to = "", anchor] = /^([^#]*)(?:#(.*))?$/.exec(target) ?? [];
  if (to.startsWith("/")) return "is not relative";
  const file = path.join(path.dirname(name), to);
  if (file.startsWith("..")) return "leaves the repository";
  if (to !== "" && !existsSync(at(file))) return "no such file";
  if (anchor === undefined) return undefined;
  if (to !== "" && !isMarkdown(file)) return "an anchor needs a page";
  const { headings } = to === "" ? page : readPage(readFileSync(at(file), "utf8"));
  return headings.some((heading) => heading.anchor === anchor) ? undefined : "no such heading";
}

/** Addresses elsewhere are not fetched: only their form is checked. */
function addressFault(address: string): string | undefined {
  if (!URL.canParse(address)) return "is not an address";
  const { protocol, hostname } = new URL(address);
  return protocol === "https:" && hostname.includes(".") ? undefined : "is not an https address";
}

it("finds the pages", () => {
  expect(pages).toEqual(expect.arrayContaining(["README.md", "SECURITY.md", "docs/models.md"]));
});

it.each(pages)("%s has only links that lead somewhere", (name) => {
  expect(brokenLinks(name, readFileSync(at(name), "utf8"))).toEqual([]);
});

describe("the checker of links", () => {
  it("reports what does not exist", () => {
    const markdown = `# A page

[a](no.md) and [b](models.md#no-heading), also over
two [lines](#not-here).

![c](images/none.webp) [d](../../outside.md) [e](/docs/models.md) [f](http://example.com/) [g](https://nowhere)

\`[code](none.md)\` and [this page](#a-page), [models](models.md#apis), [elsewhere](https://example.com/a#b).
`;
    expect(brokenLinks("docs/page.md", markdown)).toEqual([
      "docs/page.md:3: no.md: no such file",
      "docs/page.md:3: models.md#no-heading: no such heading",
      "docs/page.md:3: #not-here: no such heading",
      "docs/page.md:6: images/none.webp: no such file",
      "docs/page.md:6: ../../outside.md: leaves the repository",
      "docs/page.md:6: /docs/models.md: is not relative",
      "docs/page.md:6: http://example.com/: is not an https address",
      "docs/page.md:6: https://nowhere: is not an https address",
    ]);
  });

  it("knows the anchors of GitHub", () => {
    expect(headingAnchor("VS Code's own models")).toBe("vs-codes-own-models");
    expect(headingAnchor("All tools, and what they cost")).toBe("all-tools-and-what-they-cost");
    expect(headingAnchor("Ctrl+K: a `nekode_x` & more")).toBe("ctrlk-a-nekode_x--more");
    expect(headingAnchor("承認と「元に戻す」")).toBe("承認と元に戻す");
    expect(readPage("# A\n\n## B `c` [d](e)\n\n## A\n").headings.map(({ anchor }) => anchor)).toEqual([
      "a",
      "b-c-d",
      "a-1",
    ]);
  });
});
