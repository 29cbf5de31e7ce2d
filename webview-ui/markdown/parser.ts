/** Converts Markdown to tokens, without HTML. Loaded on demand, after the panel appears. */
import MarkdownIt, { type Token } from "markdown-it";
import { addExtras } from "./extra-rules.ts";
import { addMath } from "./math-rules.ts";

export type { Token };

const parser = new MarkdownIt({ html: false, linkify: true });
// `index.md` is more likely a file than a Moldovan domain.
parser.linkify.set({ fuzzyLink: false, fuzzyEmail: false, fuzzyIP: false });
// links.ts validates each link when it is rendered; the parser needs only the text.
parser.validateLink = () => true;

addMath(parser);
addExtras(parser);

export function parseMarkdown(text: string): Token[] {
  return parser.parse(text, {});
}
