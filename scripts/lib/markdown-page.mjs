// What a Markdown page has: headings with their anchors, links and code blocks. Import only after the packages are installed.
import MarkdownIt from "markdown-it";

/**
 * @typedef {object} Page
 * @property {{ level: number, text: string, anchor: string }[]} headings
 * @property {{ target: string, text: string, line: number }[]} links with those of pictures; `line` is where the paragraph or the row begins, from 1
 * @property {{ language: string, content: string }[]} code
 */

const parser = new MarkdownIt({ html: true });

/**
 * The anchor that GitHub gives a heading that is the first with this text on its page. The documentation site uses it too.
 * @param {string} text without marks
 */
export function headingAnchor(text) {
  return text
    .trim()
    .toLowerCase()
    .replace(/[^\p{L}\p{M}\p{N}\p{Pc}\- ]/gu, "")
    .replaceAll(" ", "-");
}

/** @param {string} markdown @returns {Page} */
export function readPage(markdown) {
  /** @type {Page} */
  const page = { headings: [], links: [], code: [] };
  /** @type {Map<string, number>} */
  const used = new Map();
  const tokens = parser.parse(markdown, {});
  let line = 1;
  for (const [index, token] of tokens.entries()) {
    if (token.map !== null) line = token.map[0] + 1;
    if (token.type === "fence") page.code.push({ language: token.info.trim(), content: token.content });
    if (token.type !== "inline") continue;
    const children = token.children ?? [];
    for (const [at, child] of children.entries()) {
      const target = child.attrGet("href") ?? child.attrGet("src");
      if (target !== null)
        page.links.push({
          target: decodeURI(`${target}`),
          text: textOf(children.slice(at), "link_close"),
          line,
        });
    }
    const opening = tokens[index - 1];
    if (opening?.type !== "heading_open") continue;
    const text = textOf(children);
    const anchor = headingAnchor(text);
    const earlier = used.get(anchor) ?? 0;
    used.set(anchor, earlier + 1);
    page.headings.push({
      level: Number(opening.tag.slice(1)),
      text,
      anchor: earlier === 0 ? anchor : `${anchor}-${earlier}`,
    });
  }
  return page;
}

/**
 * @param {readonly { type: string, content: string }[]} tokens
 * @param {string} [end] the type of the token before which the text ends
 */
function textOf(tokens, end) {
  let text = "";
  for (const { type, content } of tokens) {
    if (type === end) break;
    if (type === "text" || type === "code_inline" || type === "image") text += content;
    if (type === "softbreak") text += " ";
  }
  return text;
}
