/** Highlights matches on the page, without changing its elements, by the CSS Custom Highlight API. */
import type { TextMatch } from "../../src/shared/text/find-text.ts";

type Finder = (text: string) => TextMatch[];

/** Names in webview-ui/styles/find.css. */
const ALL = "nekode-find";
const CURRENT = "nekode-find-current";

/** Elements whose text the search of the session does not count: hidden words and the names of actions. */
const NOT_TEXT = ".only-heard, [aria-hidden=true], button, vscode-button, textarea, input, select";
/** A match does not continue from one of these elements into the next, because a line ends between them. */
const BLOCKS =
  "p, li, pre, div, td, th, h1, h2, h3, h4, h5, h6, dt, dd, summary, details, blockquote, article, figure";

/** The matches in what an element shows, in order. */
export function rangesIn(element: Element, find: Finder): Range[] {
  const pieces: { node: Node; start: number }[] = [];
  let text = "";
  let block: Element | null = null;
  const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const parent = node.parentElement;
    if (!parent || parent.closest(NOT_TEXT)) continue;
    const own = parent.closest(BLOCKS);
    if (block && own !== block) text += "\n";
    block = own;
    pieces.push({ node, start: text.length });
    text += node.nodeValue ?? "";
  }
  return find(text).map(([start, end]) => {
    const range = document.createRange();
    range.setStart(...pointAt(pieces, start));
    range.setEnd(...pointAt(pieces, end - 1));
    const { endContainer, endOffset } = range;
    range.setEnd(endContainer, Math.min(endOffset + 1, endContainer.nodeValue?.length ?? 0));
    return range;
  });
}

/** The last piece that begins at or before the position. */
function pointAt(pieces: readonly { node: Node; start: number }[], at: number): [Node, number] {
  let low = 0;
  let high = pieces.length - 1;
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if ((pieces[middle]?.start ?? 0) <= at) low = middle;
    else high = middle - 1;
  }
  const piece = pieces[low];
  if (!piece) throw new Error("a match in a text without pieces");
  return [piece.node, Math.min(at - piece.start, piece.node.nodeValue?.length ?? 0)];
}

/** Highlights these ranges and no others; `current` stands out. */
export function mark(ranges: readonly Range[], current: Range | undefined): void {
  CSS.highlights.set(ALL, new Highlight(...ranges));
  const one = new Highlight(...(current ? [current] : []));
  // If both apply, the one with the higher priority is drawn.
  one.priority = 1;
  CSS.highlights.set(CURRENT, one);
}

export function unmark(): void {
  CSS.highlights.delete(ALL);
  CSS.highlights.delete(CURRENT);
}

/** Scrolls boxes inside the row, such as a long output, to the match. */
export function scrollWithin(row: Element, range: Range): void {
  for (let box = range.startContainer.parentElement; box && box !== row; box = box.parentElement) {
    const { overflowX, overflowY } = getComputedStyle(box);
    const match = range.getBoundingClientRect();
    const edge = box.getBoundingClientRect();
    const scrolls = (overflow: string) => overflow === "auto" || overflow === "scroll";
    if (scrolls(overflowY) && (match.top < edge.top || match.bottom > edge.bottom))
      box.scrollTop += match.top - edge.top - box.clientHeight / 2;
    if (scrolls(overflowX) && (match.left < edge.left || match.right > edge.right))
      box.scrollLeft += match.left - edge.left - box.clientWidth / 3;
  }
}
