/** What answers contain beyond CommonMark and tables: task lists, footnotes, and a few tags of HTML. */
import type { MarkdownIt, StateBlock, StateCore, StateInline } from "markdown-it";

/** Tags without attributes that are elements; all other HTML is text. */
const TAG = /^<(kbd|sub|sup)>/i;
const BREAK = /^<br\s*\/?>/i;
const TASK = /^\[([ xX])\]\s/;
const NOTE = /^\[\^([^\]\s]{1,40})\]/;

/** Adds tokens for the tags, `task_box` (`info`: "x" or ""), `footnote_ref` and `footnote_open` (`info`: the note's name). */
export function addExtras(parser: MarkdownIt): void {
  parser.inline.ruler.before("autolink", "safe_tag", safeTag);
  parser.inline.ruler.before("link", "footnote_ref", footnoteRef);
  parser.block.ruler.before("reference", "footnote", footnote, { alt: ["paragraph"] });
  parser.core.ruler.after("inline", "task_list", taskList);
}

function safeTag(state: StateInline, silent: boolean): boolean {
  const rest = state.src.slice(state.pos, state.posMax);
  const lineBreak = BREAK.exec(rest)?.[0];
  if (lineBreak !== undefined) {
    if (!silent) state.push("hardbreak", "br", 0);
    state.pos += lineBreak.length;
    return true;
  }
  const tag = TAG.exec(rest)?.[1]?.toLowerCase();
  if (tag === undefined) return false;
  const closer = `</${tag}>`;
  const end = rest.toLowerCase().indexOf(closer);
  if (end < 0) return false;
  if (!silent) {
    const { pos, posMax } = state;
    state.push(`${tag}_open`, tag, 1);
    state.pos = pos + tag.length + 2;
    state.posMax = pos + end;
    state.md.inline.tokenize(state);
    state.posMax = posMax;
    state.push(`${tag}_close`, tag, -1);
    state.pos = pos;
  }
  state.pos += end + closer.length;
  return true;
}

function footnoteRef(state: StateInline, silent: boolean): boolean {
  const match = NOTE.exec(state.src.slice(state.pos, state.posMax));
  const name = match?.[1];
  if (!match || name === undefined) return false;
  if (!silent) state.push("footnote_ref", "", 0).info = name;
  state.pos += match[0].length;
  return true;
}

function lineOf(state: StateBlock, line: number): string {
  return state.src.slice((state.bMarks[line] ?? 0) + (state.tShift[line] ?? 0), state.eMarks[line] ?? 0);
}

/** `[^name]: text`, with the lines that follow as in a paragraph. */
function footnote(state: StateBlock, startLine: number, endLine: number, silent: boolean): boolean {
  const first = lineOf(state, startLine);
  const match = NOTE.exec(first);
  const name = match?.[1];
  if (!match || name === undefined || first.charAt(match[0].length) !== ":") return false;
  if (silent) return true;
  const lines = [first.slice(match[0].length + 1)];
  let next = startLine + 1;
  while (next < endLine && !state.isEmpty(next) && !NOTE.test(lineOf(state, next))) {
    lines.push(lineOf(state, next++));
  }
  const open = state.push("footnote_open", "", 1);
  open.info = name;
  const inline = state.push("inline", "", 0);
  inline.content = lines.join("\n").trim();
  inline.map = [startLine, next];
  inline.children = [];
  state.push("footnote_close", "", -1);
  state.line = next;
  return true;
}

function taskList(state: StateCore): void {
  for (const [index, token] of state.tokens.entries()) {
    const item = state.tokens[index - 2];
    if (token.type !== "inline" || item?.type !== "list_item_open") continue;
    const mark = TASK.exec(token.content)?.[1];
    const first = token.children?.[0];
    if (mark === undefined || first?.type !== "text") continue;
    first.content = first.content.replace(TASK, "");
    const box = new state.Token("task_box", "", 0);
    box.info = mark === " " ? "" : "x";
    token.children?.unshift(box);
    item.attrSet("class", "task");
  }
}
