/**
 * The only way to standard output and standard error. A terminal executes control sequences, which can write to the
 * clipboard, change the title, clear the screen or hide part of an approval. All of them are blocked, regardless of who
 * wrote the text and of whether the output is a terminal now, because a saved file may be shown on a terminal later.
 */
import { stripVTControlCharacters } from "node:util";
import { visible } from "../shared/visible.ts";

export interface Screen {
  /** Writes a part of the answer. Resolves when the text has been passed on. */
  out(text: string): Promise<void>;
  /** Writes everything about the answer. */
  err(text: string): Promise<void>;
}

export function createScreen(stdout: NodeJS.WritableStream, stderr: NodeJS.WritableStream): Screen {
  const writer = (stream: NodeJS.WritableStream) => (text: string) =>
    new Promise<void>((resolve) => stream.write(withoutControls(text), () => resolve()));
  return { out: writer(stdout), err: writer(stderr) };
}

/**
 * Control characters except tab and line feed, and characters that change the direction or the line of the text after
 * them.
 */
const OBEYED = /[\0-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069]/g;

/**
 * The text with those characters written as their code points. Stateless, so the result is the same however a text is
 * split.
 */
export function withoutControls(text: string): string {
  return text.replace(OBEYED, (character) => visible(character));
}

/** A name, path or title within a line, without line breaks. */
export function oneLine(text: string): string {
  return visible(text).replaceAll("\n", "⏎");
}

/** JSON in which those characters are escaped: it has the same meaning and passes unchanged. */
export function harmlessJson(json: string): string {
  return json.replace(OBEYED, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`);
}

export function jsonLine(value: unknown): string {
  return `${harmlessJson(JSON.stringify(value))}\n`;
}

/** Maximum characters of an unfinished escape sequence to buffer. */
const LONGEST_SEQUENCE = 4_096;
/** Matches the start of a control sequence, of a control string (ECMA-48) or of CR LF at the end of a text. */
const UNFINISHED =
  /(?:\r+|\u001b[ -/]*|(?:\u001b\[|\u009b)[0-?]*[ -/]*|(?:\u001b[\]PX^_]|[\u0090\u0098\u009d-\u009f])[^\u0007\u001b\u009c]*\u001b?)$/;
const STRINGS =
  /(?:\u001b[\]PX^_]|[\u0090\u0098\u009d-\u009f])[^\u0007\u001b\u009c]*(?:\u0007|\u001b\\|\u009c)/g;

/** Streams a command's output without its colors and other sequences, including those that are split between chunks. */
export class PlainOutput {
  #unfinished = "";

  push(delta: string): string {
    const text = this.#unfinished + delta;
    const from = Math.max(0, text.length - LONGEST_SEQUENCE);
    const found = UNFINISHED.exec(text.slice(from));
    const cut = found ? from + found.index : text.length;
    this.#unfinished = text.slice(cut);
    const plain = stripVTControlCharacters(text.slice(0, cut).replace(STRINGS, ""));
    // Output that overwrites a line, such as a progress bar, is written below it.
    return plain.replace(/\r+\n/g, "\n").replaceAll("\r", "\n");
  }
}
