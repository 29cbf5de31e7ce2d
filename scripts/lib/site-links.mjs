// Where the links of docs/ lead on the documentation site. Import only after the packages are installed.
import path from "node:path";

/**
 * What a link of a page becomes: links between pages stay as they are, but the first page of a folder is its README.md on GitHub and
 * its index.md on the site, and files outside of docs/ are shown elsewhere.
 * @param {string} page the page with the link, relative to docs/
 * @param {string} target
 * @param {string | undefined} files the address of the repository's files
 * @returns {string | undefined} undefined if the site cannot link there
 */
export function siteLink(page, target, files) {
  if (/^([a-z][a-z+.-]*:|#)/i.test(target)) return target;
  const file = path.posix.join(path.posix.dirname(page), target);
  if (!file.startsWith("../")) return target.replace(/(^|\/)README\.md(?=$|#)/, "$1index.md");
  return files === undefined ? undefined : `${files}/${file.slice(3)}`;
}

/**
 * The sidebar of the site: the headings of a first page are its groups, and the links of their lists its entries.
 * @param {string} index the page, relative to docs/
 * @param {string} markdown
 * @returns {{ text: string, items: { text: string, link: string }[] }[]}
 */
export function sidebarOf(index, markdown) {
  /** @type {{ text: string, items: { text: string, link: string }[] }[]} */
  const groups = [];
  for (const line of markdown.split("\n")) {
    const [, heading] = /^## (.+)$/.exec(line) ?? [];
    if (heading !== undefined) groups.push({ text: heading, items: [] });
    const [, text, target] = /^- \[([^\]]+)\]\(([^)]+)\.md\)/.exec(line) ?? [];
    if (text === undefined || target === undefined) continue;
    const link = path.posix.join(path.posix.dirname(index), target);
    if (!link.startsWith("../")) groups.at(-1)?.items.push({ text, link: `/${link}` });
  }
  return groups.filter(({ items }) => items.length > 0);
}
