/** A page's HTML as Markdown. Hostile pages take the reader long: it runs in the documents' thread, which can be ended. */
import TurndownService from "turndown";

/** Parts of a page that say nothing. */
const silent = ["script", "style", "noscript", "template", "iframe", "nav", "footer", "form"] as const;
/** Characters of HTML that are turned into Markdown. */
const longest = 1_000_000;

export function htmlToMarkdown(html: string): string {
  const service = new TurndownService({
    headingStyle: "atx",
    codeBlockStyle: "fenced",
    bulletListMarker: "-",
  });
  service.remove([...silent]);
  service.remove((node) => ["svg", "head", "title"].includes(node.nodeName.toLowerCase()));
  // A picture's data says nothing in a text.
  service.addRule("picture", {
    filter: "img",
    replacement: (_content, node) => {
      const text = "getAttribute" in node ? (node.getAttribute("alt") ?? "").trim() : "";
      return text === "" ? "" : `[picture: ${text}]`;
    },
  });
  const body = html.slice(0, longest);
  let text: string;
  try {
    text = service.turndown(body);
  } catch {
    // Nested deeper than the reader can follow: the bare words are better than nothing.
    text = body.replace(/<[^<>]*>/g, " ").replace(/[ \t]+/g, " ");
  }
  return text.replace(/\n{3,}/g, "\n\n").trim();
}
