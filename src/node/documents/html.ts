/** Converts a page's HTML to Markdown. Runs in the document thread, because hostile pages can take long and must be abortable. */
import TurndownService from "turndown";
import { articleOf, FIRST_LEVEL } from "./article.ts";

/** Elements without useful content. */
const REMOVED_TAGS = [
  ...(["script", "style", "noscript", "template", "iframe", "nav", "footer", "form"] as const),
  ...(["button", "select", "dialog"] as const),
];
/** Characters of HTML that are converted. */
const LONGEST = 1_000_000;
/** A `<main>` with fewer characters is not the page's main content. */
const LEAST_MAIN = 500;

/** Resolves links against the first `<base href>` in `html`. */
export function htmlToMarkdown(html: string): string {
  const base = /<base\b[^>]{0,200}?\bhref=["']?([^"'\s>]{1,2000})/i.exec(html)?.[1];
  const searched = html.slice(0, LONGEST);
  const content = markedMain(html) ?? articleOf(searched) ?? searched;
  return converted(converter(base), content.slice(0, LONGEST));
}

/** Creates a converter from HTML to Markdown that supports tables. Resolves links against `base`. */
export function converter(base?: string): TurndownService {
  const service = new TurndownService({
    headingStyle: "atx",
    codeBlockStyle: "fenced",
    bulletListMarker: "-",
  });
  addRules(service, base);
  return service;
}

export function converted(service: TurndownService, html: string): string {
  let text: string;
  try {
    text = service.turndown(html);
  } catch {
    // Too deeply nested for the converter: falls back to plain text.
    text = html.replace(/<[^<>]*>/g, " ").replace(/[ \t]+/g, " ");
  }
  return text
    .replace(/[ \t]+\n/g, "\n")
    .replace(/\n{3,}/g, "\n\n")
    .trim();
}

/** The content of the page's `<main>`, if there is one: the rest belongs to the site, not to the page. */
function markedMain(html: string): string | undefined {
  const start = html.search(/<main[\s>]/i);
  const end = html.search(/<\/main>/i);
  return start >= 0 && end - start >= LEAST_MAIN ? html.slice(start, end) : undefined;
}

function addRules(service: TurndownService, base: string | undefined): void {
  service.remove(REMOVED_TAGS);
  service.remove((node) => ["svg", "head", "title"].includes(node.nodeName.toLowerCase()));
  // The data of an image is useless in a text.
  service.addRule("picture", {
    filter: "img",
    replacement: (_content, node) => {
      const text = attribute(node, "alt").trim();
      return text === "" ? "" : `[picture: ${text}]`;
    },
  });
  service.addRule("link", {
    filter: "a",
    replacement: (content, node) => {
      const words = content.trim();
      const address = absolute(attribute(node, "href"), base);
      return words === "" || address === "" ? content : `[${words}](${address})`;
    },
  });
  service.addRule("code without a mark", {
    filter: (node) => node.nodeName === "PRE" && node.firstChild?.nodeName !== "CODE",
    replacement: (_content, node) => fenced(node),
  });
  service.addRule("heading of the first level", {
    filter: (node) => node.hasAttribute(FIRST_LEVEL),
    replacement: (content) => `\n\n# ${content.trim()}\n\n`,
  });
  addTables(service);
  // The rule added last has the highest priority.
  service.addRule("unseen", { filter: isHidden, replacement: () => "" });
}

function addTables(service: TurndownService): void {
  service.addRule("cell", {
    filter: ["td", "th"],
    replacement: (content) =>
      ` ${content
        .trim()
        .replace(/\s*\n\s*/g, " ")
        .replaceAll("|", "\\|")} |`,
  });
  service.addRule("row", {
    filter: "tr",
    replacement: (content, node) => {
      if (content.trim() === "") return "";
      const cells = Math.max(1, Array.from(node.childNodes).filter(isCell).length);
      return `\n|${content}${isFirstRow(node) ? `\n|${" --- |".repeat(cells)}` : ""}`;
    },
  });
  service.addRule("rows", { filter: ["thead", "tbody", "tfoot"], replacement: (content) => content });
  service.addRule("table", { filter: "table", replacement: (content) => `\n\n${content.trim()}\n\n` });
}

type Node = TurndownService.Node;

function attribute(node: Node, name: string): string {
  return "getAttribute" in node ? (node.getAttribute(name) ?? "") : "";
}

/** Whether an element is hidden. Hidden text is not what the user meant, and may contain injected instructions. */
function isHidden(node: Node): boolean {
  if (!("hasAttribute" in node)) return false;
  const style = attribute(node, "style").replace(/\s/g, "").toLowerCase();
  const unseen = style.includes("display:none") || style.includes("visibility:hidden");
  return unseen || node.hasAttribute("hidden") || attribute(node, "aria-hidden") === "true";
}

function isCell({ nodeName }: { nodeName: string }): boolean {
  return nodeName === "TD" || nodeName === "TH";
}

function isFirstRow(row: Node): boolean {
  const group = row.parentNode;
  if (!group || !isFirst(row)) return false;
  return group.nodeName === "TABLE" || isFirst(group);
}

/** Whether only a caption, column groups or text precede the element. */
function isFirst({ previousSibling }: { previousSibling: ChildNode | null }): boolean {
  let before = previousSibling;
  while (before && /^(?:#|CAPTION|COLGROUP)/.test(before.nodeName)) before = before.previousSibling;
  return before === null;
}

/** The absolute address of a link; "": it stays on the page or is not a web or mail address. */
function absolute(address: string, base: string | undefined): string {
  if (address === "" || address.startsWith("#")) return "";
  try {
    const url = new URL(address, base);
    return ["http:", "https:", "mailto:"].includes(url.protocol) ? url.href : "";
  } catch {
    return /^[a-z][a-z0-9+.-]*:/i.test(address) ? "" : address;
  }
}

function fenced(node: Node): string {
  const text = (node.textContent ?? "").replace(/\n$/, "");
  const classes = `${attribute(node, "class")} ${node.parentNode ? attribute(node.parentNode as Node, "class") : ""}`;
  const language = /(?:language-|lang-|highlight-source-|brush:\s*)([\w+#-]+)/.exec(classes)?.[1] ?? "";
  const longestRun = Math.max(2, ...(text.match(/`+/g) ?? []).map((run) => run.length));
  const fence = "`".repeat(longestRun + 1);
  return `\n\n${fence}${language}\n${text}\n${fence}\n\n`;
}
