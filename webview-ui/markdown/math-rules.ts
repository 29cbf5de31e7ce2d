/** Formulas in Markdown: `$…$` and `\(…\)` in a line, `$$…$$` and `\[…\]` on their own. */
import type { MarkdownIt, StateBlock, StateInline } from "markdown-it";
import { CLOSERS } from "./math-source.ts";

const WORD = /[\p{L}\p{N}]/u;

/**
 * Adds the tokens `math_inline` and `math_block`: `content` is the TeX, `markup` the opening delimiter, `info` is
 * "display", or "open" for a block that is not closed yet.
 */
export function addMath(parser: MarkdownIt): void {
  parser.inline.ruler.before("escape", "math", inlineMath);
  parser.block.ruler.before("fence", "math_block", blockMath, {
    alt: ["paragraph", "reference", "blockquote", "list"],
  });
}

function inlineMath(state: StateInline, silent: boolean): boolean {
  const { src, pos, posMax } = state;
  const two = src.slice(pos, pos + 2);
  const opener = CLOSERS[two] === undefined ? src.charAt(pos) : two;
  const closer = CLOSERS[opener];
  if (closer === undefined) return false;
  const start = pos + opener.length;
  const end = opener === "$" ? dollarEnd(src, pos, posMax) : src.indexOf(closer, start);
  if (end < 0 || end + closer.length > posMax || src.slice(start, end).trim() === "") return false;
  if (!silent) {
    const token = state.push("math_inline", "", 0);
    token.content = src.slice(start, end);
    token.markup = opener;
    token.info = opener === "$$" || opener === "\\[" ? "display" : "";
  }
  state.pos = end + closer.length;
  return true;
}

/**
 * The position of the dollar sign that closes the one at `pos`, or -1. So that amounts and variables are not formulas, a sign
 * after a word or before a space does not open one, and a sign after a space or before a word does not close one.
 */
function dollarEnd(src: string, pos: number, posMax: number): number {
  if (WORD.test(src.charAt(pos - 1)) || /\s/.test(src.charAt(pos + 1))) return -1;
  for (let at = pos + 1; at < posMax; at++) {
    const character = src.charAt(at);
    if (character === "`") return -1;
    if (character === "\\") at++;
    else if (character === "$") {
      const closes = at > pos + 1 && !/\s/.test(src.charAt(at - 1)) && !WORD.test(src.charAt(at + 1));
      return closes ? at : -1;
    }
  }
  return -1;
}

function blockMath(state: StateBlock, startLine: number, endLine: number, silent: boolean): boolean {
  const lineAt = (line: number) =>
    state.src.slice((state.bMarks[line] ?? 0) + (state.tShift[line] ?? 0), state.eMarks[line] ?? 0).trimEnd();
  if ((state.sCount[startLine] ?? 0) - state.blkIndent >= 4) return false;
  const first = lineAt(startLine);
  const opener = first.slice(0, 2);
  const closer = CLOSERS[opener];
  if (closer === undefined || (opener !== "$$" && opener !== "\\[")) return false;
  const rest = first.slice(2);
  const closedAt = rest.indexOf(closer);
  // If text follows on the line, the formula is part of a paragraph.
  if (closedAt >= 0 && closedAt !== rest.length - 2) return false;
  const lines = [closedAt < 0 ? rest : rest.slice(0, -2)];
  let next = startLine + 1;
  let isClosed = closedAt >= 0;
  while (!isClosed && next < endLine && (state.sCount[next] ?? 0) >= state.blkIndent) {
    const line = lineAt(next++);
    isClosed = line.endsWith(closer);
    lines.push(isClosed ? line.slice(0, -2) : line);
  }
  const content = lines.join("\n").trim();
  if ((!isClosed && rest !== "") || (isClosed && content === "")) return false;
  if (silent) return true;
  const token = state.push("math_block", "", 0);
  token.content = content;
  token.markup = opener;
  token.info = isClosed ? "display" : "open";
  token.map = [startLine, next];
  state.line = next;
  return true;
}
