/**
 * Splits a growing Markdown text into top-level blocks, reading each line once. Closed blocks keep their identity, so
 * that only the last one is parsed and rendered again while a message streams: the work per chunk does not grow with
 * the message.
 */

import { OpenMarkup } from "./open-markup.ts";

export interface TextBlock {
  kind: "text";
  key: string;
  text: string;
  /** The previous block was cut short, so there is no gap between the two. */
  continues?: true;
}

export interface CodeBlock {
  kind: "code";
  key: string;
  /** The fence's info string, usually a language. */
  info: string;
  /** Complete groups of lines, which never change again, and the remaining text. */
  chunks: readonly string[];
  rest: string;
  /** False while the fence is still open. */
  closed: boolean;
}

export type MarkdownBlock = TextBlock | CodeBlock;

export function codeText(block: CodeBlock): string {
  return block.chunks.join("") + block.rest;
}

/** A text block longer than this (UTF-16 units) is cut at the next line, or within the line if there is none. */
export const LONGEST_BLOCK = 16_000;
/**
 * A paragraph longer than this (UTF-16 units) is cut at the end of a sentence outside any markup, one twice as long at
 * any such space, and a list at its next item. This bounds the text that is parsed again while they grow.
 */
export const LONG_BLOCK = 3_000;
/** Lines in a group of a code block. */
const CHUNK_LINES = 50;

const FENCE_OPEN = /^ {0,3}(`{3,}|~{3,})([^\n]*)$/;
const ANY_FENCE = /^\s*(`{3,}|~{3,})([^\n]*)$/;
const LIST_ITEM = /^ {0,3}(?:[-*+]|\d{1,9}[.)])(?:\s|$)/;
const INDENTED = /^(?: {2,}|\t)/;
/** A line that is not part of a paragraph but of a list, quote, heading or code. */
const NO_PARAGRAPH = /^\s*(?:[-*+](?:\s|$)|[>#~]|\d{1,9}[.)](?:\s|$)|`{3})|^(?: {4}|\t)/;
/** A line that begins or ends a fold; a block of its own. */
const FOLD = /^ {0,3}<\/?(?:details|summary)\b/i;
const LETTER = /\p{L}/u;

interface Fence {
  mark: string;
  length: number;
}

function opensFence(line: string, pattern: RegExp): (Fence & { info: string }) | null {
  const match = pattern.exec(line);
  const marks = match?.[1];
  if (!match || !marks) return null;
  const info = (match[2] ?? "").trim();
  const mark = marks.charAt(0);
  if (mark === "`" && info.includes("`")) return null;
  return { mark, length: marks.length, info };
}

function closesFence(line: string, fence: Fence): boolean {
  const text = line.trim();
  return text.length >= fence.length && text === fence.mark.repeat(text.length);
}

export class BlockSplitter {
  #text = "";
  /** Start of the first incomplete line. */
  #line = 0;
  /** Start of the open block, or of the last group in the open code block. */
  #start = 0;
  #closed: MarkdownBlock[] = [];
  #blocks: readonly MarkdownBlock[] = [];
  /** The open top-level fence; null in text. */
  #fence: (Fence & { info: string }) | null = null;
  #chunks: readonly string[] = [];
  #linesInChunk = 0;
  /** State in text: */
  #blank = false;
  #list = false;
  #inner: Fence | null = null;
  /** End of the text that `#markup` has read, and whether the block contains more than paragraphs. */
  #scanned = 0;
  #mixed = false;
  #continues = false;
  #markup = new OpenMarkup();

  /** The blocks of `text`. Continues from the previous call when `text` starts with the text of that call. */
  update(text: string): readonly MarkdownBlock[] {
    if (text === this.#text) return this.#blocks;
    if (!text.startsWith(this.#text)) this.#reset();
    this.#text = text;
    for (let end = text.indexOf("\n", this.#line); end >= 0; end = text.indexOf("\n", this.#line)) {
      this.#readLine(text.slice(this.#line, end).replace(/\r$/, ""), end + 1);
    }
    this.#cutParagraph(text.length);
    this.#cutLongLine();
    const open = this.#open();
    this.#blocks = open ? [...this.#closed, open] : this.#closed.slice();
    return this.#blocks;
  }

  #reset(): void {
    this.#line = 0;
    this.#start = 0;
    this.#closed = [];
    this.#fence = null;
    this.#chunks = [];
    this.#linesInChunk = 0;
    this.#beginText(0);
  }

  #beginText(start: number): void {
    this.#start = start;
    this.#blank = false;
    this.#list = false;
    this.#inner = null;
    this.#scanned = start;
    this.#mixed = false;
    this.#continues = false;
    this.#markup.reset();
  }

  /** Reads the complete line that starts at `#line`; the next one starts at `next`. */
  #readLine(line: string, next: number): void {
    if (this.#fence) {
      const start = this.#line;
      this.#line = next;
      this.#readCode(line, start, next, this.#fence);
      return;
    }
    this.#cutParagraph(next);
    // If the paragraph was cut within this line, only the rest of the line remains to be read.
    const start = this.#line;
    this.#line = next;
    this.#readText(this.#text.slice(start, next).replace(/\r?\n$/, ""), start, next);
  }

  #readCode(line: string, start: number, next: number, fence: Fence): void {
    if (closesFence(line, fence)) {
      this.#closed.push(this.#code(this.#text.slice(this.#start, start), true));
      this.#fence = null;
      this.#beginText(next);
      return;
    }
    if (++this.#linesInChunk < CHUNK_LINES) return;
    this.#chunks = [...this.#chunks, this.#text.slice(this.#start, next)];
    this.#linesInChunk = 0;
    this.#start = next;
  }

  #readText(line: string, start: number, next: number): void {
    if (line.trim() === "") {
      this.#blank = true;
      return;
    }
    if (this.#inner) {
      // A fence inside a list item: no block starts inside it.
      if (closesFence(line, this.#inner)) this.#inner = null;
      if (next - this.#start > LONGEST_BLOCK) this.#closeText(next);
      return;
    }
    if (FOLD.test(line) && !this.#list) {
      this.#closeText(start);
      this.#closeText(next);
      return;
    }
    const fence = opensFence(line, FENCE_OPEN);
    if (fence && !(this.#list && INDENTED.test(line))) {
      this.#closeText(start);
      this.#fence = fence;
      this.#chunks = [];
      this.#linesInChunk = 0;
      this.#start = next;
      return;
    }
    const isItem = LIST_ITEM.test(line);
    const continuesList = this.#list && (isItem || INDENTED.test(line));
    const isOuterItem = isItem && this.#list && /^\S/.test(line);
    const tooLong = start - this.#start > (isOuterItem ? LONG_BLOCK : LONGEST_BLOCK);
    const begins = this.#blank && !continuesList && !INDENTED.test(line);
    if (start > this.#start && (begins || tooLong)) {
      this.#closeText(start);
      this.#continues = !begins;
    }
    this.#blank = false;
    this.#mixed ||= NO_PARAGRAPH.test(line);
    if (isItem && this.#text.slice(this.#start, start).trim() === "") this.#list = true;
    if (this.#list) this.#inner = opensFence(line, ANY_FENCE);
  }

  #closeText(end: number): void {
    const text = this.#text.slice(this.#start, end);
    if (text.trim() !== "") this.#closed.push(this.#textBlock(text));
    this.#beginText(end);
  }

  #textBlock(text: string): TextBlock {
    const block: TextBlock = { kind: "text", key: this.#key(), text };
    return this.#continues ? { ...block, continues: true } : block;
  }

  /**
   * Continues reading a paragraph, up to `end`, and cuts it where it has become long. Each character is read once, and
   * a cut depends only on the text before it, so the result does not depend on the pieces in which the text arrives.
   */
  #cutParagraph(end: number): void {
    if (this.#fence || this.#list || this.#inner || this.#mixed) return;
    const text = this.#text;
    if (this.#blank) {
      if (this.#line >= end || !/\S/.test(text.charAt(this.#line))) return;
      this.#closeText(this.#line);
    }
    for (let at = this.#scanned; at < end; at++) {
      this.#scanned = at + 1;
      const size = at - this.#start;
      if (size >= LONG_BLOCK && this.#markup.none && this.#mayCut(at, size)) {
        this.#closeText(at);
        this.#continues = true;
        this.#line = Math.max(this.#line, at);
        this.#scanned = at + 1;
      }
      const character = text.charAt(at);
      if (character === "|") {
        this.#mixed = true;
        return;
      }
      this.#markup.read(character, text.charAt(at - 1));
    }
  }

  #mayCut(at: number, size: number): boolean {
    const before = this.#text.charAt(at - 1);
    const isSpace = /\s/.test(before);
    const ends = isSpace ? /[.!?:;]/.test(this.#text.charAt(at - 2)) : /[。！？]/.test(before);
    if (!ends && !(isSpace && size >= 2 * LONG_BLOCK)) return false;
    // The text after the cut must not look like the start of another construct.
    if (!LETTER.test(this.#text.charAt(at))) return false;
    return at <= this.#line || !NO_PARAGRAPH.test(this.#text.slice(this.#line, this.#line + 12));
  }

  /** Bounds the block of a text that never ends its line. */
  #cutLongLine(): void {
    while (!this.#fence && this.#text.length - this.#start > 2 * LONGEST_BLOCK) {
      const full = this.#start + LONGEST_BLOCK;
      const limit = /[\uD800-\uDBFF]/.test(this.#text.charAt(full - 1)) ? full - 1 : full;
      const space = this.#text.lastIndexOf(" ", limit);
      this.#closeText(space > this.#start ? space + 1 : limit);
      this.#continues = true;
      this.#line = Math.max(this.#line, this.#start);
    }
  }

  #open(): MarkdownBlock | null {
    const text = this.#text.slice(this.#start);
    if (this.#fence) {
      // The text may end with the closing fence, without a line feed.
      const last = this.#text.slice(this.#line);
      const closed = last !== "" && closesFence(last, this.#fence);
      return this.#code(closed ? this.#text.slice(this.#start, this.#line) : text, closed);
    }
    if (text.trim() === "") return null;
    return this.#textBlock(text);
  }

  #code(rest: string, closed: boolean): CodeBlock {
    return {
      kind: "code",
      key: this.#key(),
      info: this.#fence?.info ?? "",
      chunks: this.#chunks,
      rest,
      closed,
    };
  }

  /** Blocks are only appended, so the position identifies a block. */
  #key(): string {
    return String(this.#closed.length);
  }
}
