/**
 * Cuts a growing Markdown text into top-level blocks, reading each line once. Closed blocks keep their identity, so
 * that only the last one is parsed and rendered anew while a message streams: the work of a chunk does not grow with
 * the message.
 */

export interface TextBlock {
  kind: "text";
  key: string;
  text: string;
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
/** Lines in a group of a code block. */
const chunkLines = 50;

const fenceOpen = /^ {0,3}(`{3,}|~{3,})([^\n]*)$/;
const anyFence = /^\s*(`{3,}|~{3,})([^\n]*)$/;
const listItem = /^ {0,3}(?:[-*+]|\d{1,9}[.)])(?:\s|$)/;
const indented = /^(?: {2,}|\t)/;

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

  /** The blocks of `text`. Continues from the last call when `text` begins with what was given then. */
  update(text: string): readonly MarkdownBlock[] {
    if (text === this.#text) return this.#blocks;
    if (!text.startsWith(this.#text)) this.#reset();
    this.#text = text;
    for (let end = text.indexOf("\n", this.#line); end >= 0; end = text.indexOf("\n", this.#line)) {
      this.#take(text.slice(this.#line, end).replace(/\r$/, ""), end + 1);
    }
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
  }

  /** Reads the complete line that begins at `#line`; the next one begins at `next`. */
  #take(line: string, next: number): void {
    const start = this.#line;
    this.#line = next;
    if (this.#fence) this.#takeCode(line, start, next, this.#fence);
    else this.#takeText(line, start, next);
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
    const tooLong = start - this.#start > longestBlock;
    if (start > this.#start && ((this.#blank && !continuesList && !indented.test(line)) || tooLong)) {
      this.#closeText(start);
    }
    this.#blank = false;
    if (isItem && this.#text.slice(this.#start, start).trim() === "") this.#list = true;
    if (this.#list) this.#inner = opensFence(line, anyFence);
  }

  #closeText(end: number): void {
    const text = this.#text.slice(this.#start, end);
    if (text.trim() !== "") this.#closed.push({ kind: "text", key: this.#key(), text });
    this.#beginText(end);
  }

  /** A text that never ends its line must not grow one block for ever. */
  #cutLongLine(): void {
    while (!this.#fence && this.#text.length - this.#start > 2 * longestBlock) {
      const full = this.#start + longestBlock;
      const limit = /[\uD800-\uDBFF]/.test(this.#text.charAt(full - 1)) ? full - 1 : full;
      const space = this.#text.lastIndexOf(" ", limit);
      this.#closeText(space > this.#start ? space + 1 : limit);
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
    return { kind: "text", key: this.#key(), text };
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
