/**
 * The only way to standard output and standard error. A terminal obeys control sequences: they write to the clipboard,
 * change the title, clear the screen or hide what an approval says. None of them passes, whoever wrote the text and
 * whether or not the output is a terminal now, because what is saved in a file is read on a terminal later.
 */
import { stripVTControlCharacters } from "node:util";
import { visible } from "../shared/visible.ts";

export interface Screen {
  /** The answer. Resolves when the text has been handed over. */
  out(text: string): Promise<void>;
  /** Everything about the answer. */
  err(text: string): Promise<void>;
}

export function createScreen(stdout: NodeJS.WritableStream, stderr: NodeJS.WritableStream): Screen {
  const writer = (stream: NodeJS.WritableStream) => (text: string) =>
    new Promise<void>((resolve) => stream.write(harmless(text), () => resolve()));
  return { out: writer(stdout), err: writer(stderr) };
}

/** Controls but for tab and line feed, and characters that change the direction or the line of what follows. */
const obeyed = /[\0-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069]/g;

/** The text with those characters written as their code points. Stateless, so that it holds for any cut of a text. */
export function harmless(text: string): string {
  return text.replace(obeyed, (character) => visible(character));
}

/** A name, path or title within a line: it cannot begin another one. */
export function oneLine(text: string): string {
  return visible(text).replaceAll("\n", "⏎");
}

/** JSON in which those characters are escaped: it says the same, and passes unchanged. */
export function harmlessJson(json: string): string {
  return json.replace(obeyed, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`);
}

export function jsonLine(value: unknown): string {
  return `${harmlessJson(JSON.stringify(value))}\n`;
}

/** Characters of an unfinished escape sequence that are waited for. */
const longestSequence = 4_096;
/** At the end of a text: the beginning of a control sequence or of a control string (ECMA-48), or of CR LF. */
const unfinished =
  /(?:\r+|\u001b[ -/]*|(?:\u001b\[|\u009b)[0-?]*[ -/]*|(?:\u001b[\]PX^_]|[\u0090\u0098\u009d-\u009f])[^\u0007\u001b\u009c]*\u001b?)$/;
const strings =
  /(?:\u001b[\]PX^_]|[\u0090\u0098\u009d-\u009f])[^\u0007\u001b\u009c]*(?:\u0007|\u001b\\|\u009c)/g;

/** A command's output as it comes: without its colors and other sequences, also where a piece ends within one. */
export class CommandOutput {
  #held = "";

  push(delta: string): string {
    const text = this.#held + delta;
    const from = Math.max(0, text.length - longestSequence);
    const found = unfinished.exec(text.slice(from));
    const cut = found ? from + found.index : text.length;
    this.#held = text.slice(cut);
    const plain = stripVTControlCharacters(text.slice(0, cut).replace(strings, ""));
    // What draws over a line, as progress bars do, is written below it.
    return plain.replace(/\r+\n/g, "\n").replaceAll("\r", "\n");
  }
}
