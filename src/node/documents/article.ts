/** Finds the article of a page: its text without the site around it. Runs in the document thread. */
import { Readability } from "@mozilla/readability";
import { parseHTML } from "linkedom";

/** Attribute of headings that are of the first level in the page; in the article they are of the second. */
export const FIRST_LEVEL = "data-first-level";

/** Characters of text that an article has at least. */
const SHORTEST = 500;
/** Maximum number of elements of a page, and their maximum depth. Larger pages would take seconds or even hours. */
const MOST_ELEMENTS = 20_000;
const MOST_LEVELS = 200;
/**
 * Elements that structure a page. Pages about an API consist of them, but an extractor that expects prose treats them as
 * clutter.
 */
const STRUCTURE = "h1, h2, h3, h4, h5, h6, pre, table";
/** Elements that belong to the site. */
const SITE = "nav, aside, header, footer";
/** Share of the structure that an article must keep. */
const LEAST_KEPT = 0.5;

/** The article as HTML; undefined: the page has none, or it would lose much of what the page consists of. */
export function articleOf(html: string): string | undefined {
  try {
    const whole = /<body[\s>]/i.test(html) ? html : `<html><body>${html}</body></html>`;
    const { document } = parseHTML(whole);
    if (isTooLarge(document.documentElement)) return undefined;
    for (const heading of document.querySelectorAll("h1")) heading.setAttribute(FIRST_LEVEL, "");
    // Links are resolved later, as in pages without an article.
    for (const base of document.querySelectorAll("base")) base.remove();
    const before = [...document.querySelectorAll(STRUCTURE)].filter((each) => !each.closest(SITE)).length;
    const article = new Readability(document, {
      keepClasses: true,
      charThreshold: SHORTEST,
    }).parse();
    if (typeof article?.content !== "string" || (article.length ?? 0) < SHORTEST) return undefined;
    const kept = parseHTML(article.content).document.querySelectorAll(STRUCTURE).length;
    return kept < before * LEAST_KEPT ? undefined : article.content;
  } catch {
    // Too unlike a page.
    return undefined;
  }
}

function isTooLarge(root: Element): boolean {
  let elements = 0;
  let level = 0;
  let at: Element | null = root;
  while (at) {
    if (++elements > MOST_ELEMENTS || level > MOST_LEVELS) return true;
    const child: Element | null = at.firstElementChild;
    if (child) {
      at = child;
      level++;
      continue;
    }
    while (at && at !== root && !at.nextElementSibling) {
      at = at.parentElement;
      level--;
    }
    at = at && at !== root ? at.nextElementSibling : null;
  }
  return false;
}
