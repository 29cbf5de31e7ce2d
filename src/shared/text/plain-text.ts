/** Converts Markdown to the text that a reader sees, without markup: for speech, searches and plain text. */
import { plainInline } from "./plain-inline.ts";

const FENCE = /^\s*(`{3,}|~{3,})([^\n]*)$/;
const QUOTE = /^ {0,3}>[ \t]?/;
const HEADING = /^ {0,3}#{1,6}(?:[ \t]+|$)/;
const HEADING_END = /[ \t]+#+[ \t]*$/;
const LIST_ITEM = /^\s*(?:[-*+]|\d{1,9}[.)])(?:[ \t]+(?:\[[ xX]\][ \t]+)?|$)/;
const RULE = /^ {0,3}(?:(?:-[ \t]*){3,}|(?:\*[ \t]*){3,}|(?:_[ \t]*){3,})$/;
const UNDERLINE = /^ {0,3}(?:=+|-+)[ \t]*$/;
const INDENTED_CODE = /^(?: {4}|\t)/;
/** The line between the head and the body of a table. */
const TABLE_LINE = /^[ \t]*\|?[ \t]*:?-+:?[ \t]*(?:\|[ \t]*:?-+:?[ \t]*)*\|?[ \t]*$/;

/**
 * `code`: what stands for the lines of a code block; by default, they stay. Lines and paragraphs stay apart; cells of a
 * table are separated by tabs.
 */
export function plainText(
  markdown: string,
  code: (lines: readonly string[]) => string = (lines) => lines.join("\n"),
): string {
  return new PlainText(code).of(markdown);
}

class PlainText {
  readonly #code: (lines: readonly string[]) => string;
  readonly #pieces: string[] = [];
  /** Lines of the paragraph, item or cell that is being read: emphasis may span them. */
  #open: string[] = [];
  #table = false;

  constructor(code: (lines: readonly string[]) => string) {
    this.#code = code;
  }

  of(markdown: string): string {
    const lines = markdown.split(/\r?\n/);
    for (let at = 0; at < lines.length; at++) {
      const line = unquoted(lines[at] ?? "");
      const fence = FENCE.exec(line);
      if (fence && !(fence[1]?.startsWith("`") && fence[2]?.includes("`"))) {
        at = this.#fenced(lines, at, fence[1] ?? "");
      } else if (INDENTED_CODE.test(line) && this.#open.length === 0 && !LIST_ITEM.test(line)) {
        this.#add(line.replace(INDENTED_CODE, ""));
      } else this.#line(line, unquoted(lines[at + 1] ?? ""));
    }
    this.#close();
    return this.#pieces
      .join("\n")
      .replace(/\n{3,}/g, "\n\n")
      .trim();
  }

  /** Reads a code block that begins at `from`; returns the index of its last line. */
  #fenced(lines: readonly string[], from: number, mark: string): number {
    this.#close();
    let end = from + 1;
    for (; end < lines.length; end++) {
      const line = unquoted(lines[end] ?? "").trim();
      if (line.length >= mark.length && line === mark.charAt(0).repeat(line.length)) break;
    }
    const text = this.#code(lines.slice(from + 1, end));
    if (text !== "") this.#pieces.push(text);
    return end;
  }

  #line(line: string, next: string): void {
    const isUnderline = this.#open.length > 0 && UNDERLINE.test(line);
    if (line.trim() === "" || isUnderline || RULE.test(line)) {
      this.#close();
      if (line.trim() === "") this.#pieces.push("");
      return;
    }
    if (
      this.#table ||
      (line.includes("|") && next.includes("-") && next.includes("|") && TABLE_LINE.test(next))
    ) {
      if (!this.#table) this.#close();
      this.#table = true;
      if (!TABLE_LINE.test(line)) this.#pieces.push(cellsOf(line).map(plainInline).join("\t"));
      return;
    }
    if (HEADING.test(line)) {
      this.#close();
      this.#add(plainInline(line.replace(HEADING, "").replace(HEADING_END, "")));
    } else if (LIST_ITEM.test(line)) {
      this.#close();
      // An item may begin with a heading, a quote or another item.
      const rest = unquoted(line.replace(LIST_ITEM, ""));
      if (LIST_ITEM.test(rest) || HEADING.test(rest)) this.#line(rest, next);
      else this.#open.push(rest);
    } else this.#open.push(line.trim());
  }

  #add(text: string): void {
    this.#pieces.push(text);
  }

  #close(): void {
    this.#table = false;
    if (this.#open.length === 0) return;
    this.#pieces.push(plainInline(this.#open.join("\n")));
    this.#open = [];
  }
}

function unquoted(line: string): string {
  let rest = line;
  while (QUOTE.test(rest)) rest = rest.replace(QUOTE, "");
  return rest;
}

function cellsOf(line: string): string[] {
  const inner = line
    .trim()
    .replace(/^\|/, "")
    .replace(/(?<!\\)\|$/, "");
  return inner.split(/(?<!\\)\|/).map((cell) => cell.replaceAll("\\|", "|").trim());
}
