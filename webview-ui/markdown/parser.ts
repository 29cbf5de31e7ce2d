/** Markdown to tokens, without HTML. Loaded on demand: the panel is up before it. */
import MarkdownIt, { type Token } from "markdown-it";

export type { Token };

const parser = new MarkdownIt({ html: false, linkify: true });
// `index.md` is a file before it is an address in Moldova.
parser.linkify.set({ fuzzyLink: false, fuzzyEmail: false, fuzzyIP: false });
// Every link is judged where it is shown (links.ts); here the text alone matters.
parser.validateLink = () => true;

export function parseMarkdown(text: string): Token[] {
  return parser.parse(text, {});
}
