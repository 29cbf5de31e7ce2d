import { looseKey } from "./fold.ts";
import type { FileIndex } from "./line-index.ts";

/** How two lines that are not the same are alike. */
export type Likeness =
  | { kind: "same" }
  /** The same words and signs, spaced or quoted otherwise. */
  | { kind: "spacing" }
  /** One of them ends in a comma or semicolon that the other lacks. */
  | { kind: "ending" }
  /** A comment of which one word has a letter more, less or other. */
  | { kind: "comment" }
  /** One word is misspelt: what the search says and what the file says. */
  | { kind: "spelling"; searched: string; file: string };

/** A line with the spacing around signs and the kind of quotes taken out. */
export function squeeze(line: string): string {
  return looseKey(line)
    .replace(/[`"]/g, "'")
    .replace(/\s+/g, " ")
    .replace(/ ?([^\p{L}\p{N}_$ ]) ?/gu, "$1");
}

/**
 * How alike two squeezed lines are; undefined where a careful reader would call them different: another number, another
 * name, words more or fewer. A misspelling is one slip inside a long word that the file does not have.
 */
export function likeness(searched: string, file: string, index: FileIndex): Likeness | undefined {
  if (searched === file) return /[\p{L}\p{N}_$]{2}/u.test(file) ? { kind: "spacing" } : undefined;
  if (Math.abs(searched.length - file.length) > 1) return undefined;
  if (searched.replace(/[,;]$/, "") === file.replace(/[,;]$/, "")) return { kind: "ending" };
  let head = 0;
  while (head < searched.length && searched[head] === file[head]) head += 1;
  let tail = 0;
  const most = Math.min(searched.length, file.length) - head;
  while (tail < most && searched[searched.length - 1 - tail] === file[file.length - 1 - tail]) tail += 1;
  if (Math.max(searched.length, file.length) - head - tail > 2) return undefined;
  const left = searched.slice(0, head).match(/[A-Za-z_]*$/)?.[0].length ?? 0;
  const right = searched.slice(searched.length - tail).match(/^[A-Za-z_]*/)?.[0].length ?? 0;
  const word = searched.slice(head - left, searched.length - tail + right);
  const other = file.slice(head - left, file.length - tail + right);
  const before = searched.charAt(head - left - 1);
  const after = searched.charAt(searched.length - tail + right);
  const outside = before + after;
  if (
    isComment(searched) &&
    isComment(file) &&
    isNearly(word, other) &&
    /^[ /*#:,;]$/.test(before) &&
    /^[ .,:']?$/.test(after)
  ) {
    return { kind: "comment" };
  }
  if (!isSlip(word, other)) return undefined;
  if (/[\p{L}\p{N}]/u.test(outside)) return undefined;
  return index.hasWord(word) ? undefined : { kind: "spelling", searched: word, file: other };
}

/** Letters of a word in which one may be wrong, missing or too many; and of one in which two may be exchanged. */
const LEAST_WORD = 6;
const LEAST_EXCHANGED = 4;

function isComment(squeezed: string): boolean {
  return /^(?:\/\/|\/\*|\*[\p{L} ]|#[\p{L} ]|<!--)/u.test(squeezed);
}

/** Whether two words of a language, not names, differ in one letter, wherever it stands. */
function isNearly(word: string, other: string): boolean {
  if (!/^[A-Za-z][a-z]{4,}$/.test(word) || !/^[A-Za-z][a-z]{4,}$/.test(other)) return false;
  let head = 0;
  while (head < word.length && word[head] === other[head]) head += 1;
  const a = word.slice(head);
  const b = other.slice(head);
  return a.slice(1) === b || b.slice(1) === a || a.slice(1) === b.slice(1);
}

/** Whether two names differ by one slip of the fingers inside one of the words that they are made of. */
function isSlip(name: string, other: string): boolean {
  if (!/^[A-Za-z_]+$/.test(name) || !/^[A-Za-z_]+$/.test(other)) return false;
  const words = wordsOf(name);
  const others = wordsOf(other);
  if (words.length !== others.length) return false;
  const different = words.flatMap((word, at) => (word === others[at] ? [] : [at]));
  const [at] = different;
  return at !== undefined && different.length === 1 && isSlipInWord(words[at] ?? "", others[at] ?? "");
}

/** The words of a camelCase or snake_case name. */
function wordsOf(name: string): string[] {
  return name.match(/[A-Z]+(?![a-z])|[A-Z]?[a-z]+|_+/g) ?? [];
}

/** The first and last letters are right; between them two are exchanged, or one is wrong, missing or too many. */
function isSlipInWord(word: string, other: string): boolean {
  if (word[0] !== other[0] || word.at(-1) !== other.at(-1)) return false;
  let head = 0;
  while (word[head] === other[head]) head += 1;
  const a = word.slice(head);
  const b = other.slice(head);
  const exchanged = a[0] === b[1] && a[1] === b[0] && a.slice(2) === b.slice(2);
  if (exchanged) return word.length >= LEAST_EXCHANGED;
  if (Math.min(word.length, other.length) < LEAST_WORD) return false;
  return a.slice(1) === b || b.slice(1) === a || a.slice(1) === b.slice(1);
}
