/** Finds the files that a Markdown file imports with `@path`. */
import { isAbsolute, join } from "node:path";

/** A path that a file names. */
export interface RuleImport {
  /** As it is written, without punctuation after it. */
  typed: string;
  /** Absolute. */
  path: string;
}

/** A word that begins with `@`, at the beginning of a line or after a space; `\\ ` is a space in the path. */
const IMPORT = /(?<![^\s])@((?:\\ |[^\s\\])+)/g;
/** What ends a sentence or a link is no part of a path. */
const PUNCTUATION = /[.,;:!?)\]}>"'*_]+$/;
const FENCE = /^ {0,3}(`{3,}|~{3,})/;

/** Each path once, in the order of the text, those in code left out. `folder`: that of the file. */
export function importsIn(text: string, folder: string, home: string): RuleImport[] {
  const found = new Map<string, RuleImport>();
  for (const [, word = ""] of withoutCode(text).matchAll(IMPORT)) {
    const typed = word.replace(PUNCTUATION, "").replaceAll("\\ ", " ");
    const path = resolved(typed, folder, home);
    if (path !== undefined && !found.has(path)) found.set(path, { typed, path });
  }
  return [...found.values()];
}

/** Whether the word can hardly be anything but a file, so that users want to know if there is none. */
export function looksLikeFile(typed: string): boolean {
  return /^(?:\.{1,2}|~)?\//.test(typed) ? /\.\w+$/.test(typed) : /[^@/]\.(?:md|mdc|txt)$/i.test(typed);
}

/** undefined: not a path of this computer. Looking at a path of another one would send the user's name there. */
function resolved(typed: string, folder: string, home: string): string | undefined {
  if (typed === "" || typed.startsWith("//") || typed.includes("\\") || typed.includes("\0"))
    return undefined;
  if (typed.startsWith("~/")) return join(home, typed.slice(2));
  if (typed.startsWith("~")) return undefined;
  return isAbsolute(typed) ? join(typed) : join(folder, typed);
}

/** The text with blanks in place of fenced blocks and code spans. */
function withoutCode(text: string): string {
  const kept: string[] = [];
  let paragraph: string[] = [];
  let fence: string | undefined;
  const end = () => {
    if (paragraph.length > 0) kept.push(withoutSpans(paragraph.join("\n")));
    paragraph = [];
  };
  for (const line of text.split(/\r?\n/)) {
    const [, mark] = FENCE.exec(line) ?? [];
    if (fence !== undefined) {
      const closes = mark?.startsWith(fence) && line.trim() === mark;
      if (closes) fence = undefined;
    } else if (
      mark !== undefined &&
      !(mark.startsWith("`") && line.trim().slice(mark.length).includes("`"))
    ) {
      end();
      fence = mark;
    } else if (line.trim() === "") end();
    else paragraph.push(line);
  }
  end();
  return kept.join("\n\n");
}

/** A code span ends with as many backticks as it begins with; if there are none, it is none. Takes time in proportion to the text. */
function withoutSpans(paragraph: string): string {
  const runs = [...paragraph.matchAll(/`+/g)];
  if (runs.length < 2) return paragraph;
  /** The indices of the runs of each length, the last one first. */
  const ofLength = new Map<number, number[]>();
  for (let index = runs.length - 1; index >= 0; index--) {
    const length = runs[index]?.[0].length ?? 0;
    const same = ofLength.get(length);
    if (same) same.push(index);
    else ofLength.set(length, [index]);
  }
  let out = "";
  let at = 0;
  for (let index = 0; index < runs.length; index++) {
    const run = runs[index];
    if (!run) break;
    const same = ofLength.get(run[0].length) ?? [];
    while ((same.at(-1) ?? runs.length) <= index) same.pop();
    const close = same.at(-1);
    const closing = close === undefined ? undefined : runs[close];
    if (close === undefined || !closing) continue;
    out += `${paragraph.slice(at, run.index)} `;
    at = closing.index + closing[0].length;
    index = close;
  }
  return out + paragraph.slice(at);
}
