/**
 * Cuts a growing Markdown text into top-level blocks, reading each line once. Closed blocks keep their identity, so
 * that only the last one is parsed and rendered anew while a message streams: the work of a chunk does not grow with
 * the message.
 */

import { OpenMarkup } from "./open-markup.ts";

export interface TextBlock {
  kind: "text";
  key: string;
  text: string;
  /** The block before it was cut short: no gap stands between the two. */
  continues?: true;
}

export interface CodeBlock {
  kind: "code";
  key: string;
  /** The fence's info string: a language, mostly. */
  info: string;
  /** Whole groups of lines, which never change again, and what follows them. */
  chunks: readonly string[];
  rest: string;
  /** False while the fence is still open. */
  closed: boolean;
}

export type MarkdownBlock = TextBlock | CodeBlock;

export function codeOf(block: CodeBlock): string {
  return block.chunks.join("") + block.rest;
}

/** A text block longer than this (UTF-16 units) is cut at the next line, or in the line where it has none. */
export const longestBlock = 16_000;
/** A paragraph that is longer is cut where a sentence ends outside of any markup, twice as long at any such space; a list
 * at its next item. What is parsed again while they grow stays as short as that. */
export const longBlock = 3_000;
/** Lines in a group of a code block. */
const chunkLines = 50;

const fenceOpen = /^ {0,3}(`{3,}|~{3,})([^\n]*)$/;
const anyFence = /^\s*(`{3,}|~{3,})([^\n]*)$/;
const listItem = /^ {0,3}(?:[-*+]|\d{1,9}[.)])(?:\s|$)/;
const indented = /^(?: {2,}|\t)/;
/** A line that is no part of a paragraph: of a list, a quote, a heading, code. */
const noParagraph = /^\s*(?:[-*+](?:\s|$)|[>#~]|\d{1,9}[.)](?:\s|$)|`{3})|^(?: {4}|\t)/;
const letter = /\p{L}/u;

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
  /** Start of the first line that is not complete yet. */
  #line = 0;
  /** Start of the open block, or of the open code block's last group. */
  #start = 0;
  #closed: MarkdownBlock[] = [];
  #blocks: readonly MarkdownBlock[] = [];
  /** The top-level fence that is open; null in text. */
  #fence: (Fence & { info: string }) | null = null;
  #chunks: readonly string[] = [];
  #linesInChunk = 0;
  /** In text: */
  #blank = false;
  #list = false;
  #inner: Fence | null = null;
  /** Up to where `#markup` has read, and whether the block holds more than paragraphs. */
  #scanned = 0;
  #mixed = false;
  #continues = false;
  #markup = new OpenMarkup();

  /** The blocks of `text`. Continues from the last call when `text` begins with what was given then. */
  update(text: string): readonly MarkdownBlock[] {
    if (text === this.#text) return this.#blocks;
    if (!text.startsWith(this.#text)) this.#reset();
    this.#text = text;
    for (let end = text.indexOf("\n", this.#line); end >= 0; end = text.indexOf("\n", this.#line)) {
      this.#take(text.slice(this.#line, end).replace(/\r$/, ""), end + 1);
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

  /** Reads the complete line that begins at `#line`; the next one begins at `next`. */
  #take(line: string, next: number): void {
    if (this.#fence) {
      const start = this.#line;
      this.#line = next;
      this.#takeCode(line, start, next, this.#fence);
      return;
    }
    this.#cutParagraph(next);
    // What is left of it, where it was cut.
    const start = this.#line;
    this.#line = next;
    this.#takeText(this.#text.slice(start, next).replace(/\r?\n$/, ""), start, next);
  }

  #takeCode(line: string, start: number, next: number, fence: Fence): void {
    if (closesFence(line, fence)) {
      this.#closed.push(this.#code(this.#text.slice(this.#start, start), true));
      this.#fence = null;
      this.#beginText(next);
      return;
    }
    if (++this.#linesInChunk < chunkLines) return;
    this.#chunks = [...this.#chunks, this.#text.slice(this.#start, next)];
    this.#linesInChunk = 0;
    this.#start = next;
  }

  #takeText(line: string, start: number, next: number): void {
    if (line.trim() === "") {
      this.#blank = true;
      return;
    }
    if (this.#inner) {
      // A fence inside a list item: nothing in it begins a block.
      if (closesFence(line, this.#inner)) this.#inner = null;
      if (next - this.#start > longestBlock) this.#closeText(next);
      return;
    }
    const fence = opensFence(line, fenceOpen);
    if (fence && !(this.#list && indented.test(line))) {
      this.#closeText(start);
      this.#fence = fence;
      this.#chunks = [];
      this.#linesInChunk = 0;
      this.#start = next;
      return;
    }
    const isItem = listItem.test(line);
    const continuesList = this.#list && (isItem || indented.test(line));
    const isOuterItem = isItem && this.#list && /^\S/.test(line);
    const tooLong = start - this.#start > (isOuterItem ? longBlock : longestBlock);
    const begins = this.#blank && !continuesList && !indented.test(line);
    if (start > this.#start && (begins || tooLong)) {
      this.#closeText(start);
      this.#continues = !begins;
    }
    this.#blank = false;
    this.#mixed ||= noParagraph.test(line);
    if (isItem && this.#text.slice(this.#start, start).trim() === "") this.#list = true;
    if (this.#list) this.#inner = opensFence(line, anyFence);
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
   * Reads on in a paragraph, up to `end`, and cuts it where it has grown long. Each character is looked at once, and a cut
   * depends on what stands before it alone: it does not matter in which pieces the text arrives.
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
      if (size >= longBlock && this.#markup.none && this.#mayCut(at, size)) {
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
    if (!ends && !(isSpace && size >= 2 * longBlock)) return false;
    // What follows must not look like the beginning of something else.
    if (!letter.test(this.#text.charAt(at))) return false;
    return at <= this.#line || !noParagraph.test(this.#text.slice(this.#line, this.#line + 12));
  }

  /** A text that never ends its line must not grow one block for ever. */
  #cutLongLine(): void {
    while (!this.#fence && this.#text.length - this.#start > 2 * longestBlock) {
      const full = this.#start + longestBlock;
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
      // The text may end with the closing fence, without a line feed after it.
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

  /** Blocks only ever follow each other, so the place is the identity. */
  #key(): string {
    return String(this.#closed.length);
  }
}
