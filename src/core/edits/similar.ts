import { looseKey } from "./fold.ts";
import type { LineIndex } from "./line-index.ts";

/** How two different lines are similar. */
export type Likeness =
  | { kind: "same" }
  /** The same words and signs with different spacing or quotes. */
  | { kind: "spacing" }
  /** One ends in a comma or semicolon that the other lacks. */
  | { kind: "ending" }
  /** A comment in which one word has one letter added, missing or different. */
  | { kind: "comment" }
  /** One word is misspelled: the spellings in the search text and in the file. */
  | { kind: "spelling"; searched: string; file: string };

/** Normalizes a line: removes the spacing around signs and unifies the quotes. */
export function squeeze(line: string): string {
  return looseKey(line)
    .replace(/[`"]/g, "'")
    .replace(/\s+/g, " ")
    .replace(/ ?([^\p{L}\p{N}_$ ]) ?/gu, "$1");
}

/**
 * Returns how two squeezed lines are similar; undefined if a careful reader would call them different: another number,
 * another name, more or fewer words. A misspelling is one typing error inside a long word that the file does not
 * contain.
 */
export function likeness(searched: string, file: string, index: LineIndex): Likeness | undefined {
  if (searched === file) return /[\p{L}\p{N}_$]{2}/u.test(file) ? { kind: "spacing" } : undefined;
  if (Math.abs(searched.length - file.length) > 1) return undefined;
  if (searched.replace(/[,;]$/, "") === file.replace(/[,;]$/, "")) return { kind: "ending" };
  let head = 0;
  while (head < searched.length && searched[head] === file[head]) head += 1;
  let tail = 0;
  const most = Math.min(searched.length, file.length) - head;
  while (tail < most && searched[searched.length - 1 - tail] === file[file.length - 1 - tail]) tail += 1;
  if (Math.max(searched.length, file.length) - head - tail > 2) return undefined;
  let left = 0;
  while (/^[A-Za-z_]$/.test(searched.charAt(head - left - 1))) left += 1;
  let right = 0;
  while (/^[A-Za-z_]$/.test(searched.charAt(searched.length - tail + right))) right += 1;
  const word = searched.slice(head - left, searched.length - tail + right);
  const other = file.slice(head - left, file.length - tail + right);
  const before = searched.charAt(head - left - 1);
  const after = searched.charAt(searched.length - tail + right);
  const outside = before + after;
  if (
    isComment(searched) &&
    isComment(file) &&
    isOneLetterOff(word, other) &&
    /^[ /*#:,;]$/.test(before) &&
    /^[ .,:']?$/.test(after)
  ) {
    return { kind: "comment" };
  }
  if (!isTypo(word, other)) return undefined;
  if (/[\p{L}\p{N}]/u.test(outside)) return undefined;
  return index.hasWord(word) ? undefined : { kind: "spelling", searched: word, file: other };
}

/** Minimum letters of a word in which one may be wrong, missing or extra, and of one in which two may be swapped. */
const MIN_WORD_LENGTH = 6;
const MIN_SWAPPED_LENGTH = 4;

function isComment(squeezed: string): boolean {
  return /^(?:\/\/|\/\*|\*[\p{L} ]|#[\p{L} ]|<!--)/u.test(squeezed);
}

/** Whether two words of a language, not names, differ in one letter at any position. */
function isOneLetterOff(word: string, other: string): boolean {
  if (!/^[A-Za-z][a-z]{4,}$/.test(word) || !/^[A-Za-z][a-z]{4,}$/.test(other)) return false;
  let head = 0;
  while (head < word.length && word[head] === other[head]) head += 1;
  const a = word.slice(head);
  const b = other.slice(head);
  return a.slice(1) === b || b.slice(1) === a || a.slice(1) === b.slice(1);
}

/** Whether two names differ by one typing error inside one of their words. */
function isTypo(name: string, other: string): boolean {
  if (!/^[A-Za-z_]+$/.test(name) || !/^[A-Za-z_]+$/.test(other)) return false;
  const words = wordsOf(name);
  const others = wordsOf(other);
  if (words.length !== others.length) return false;
  const different = words.flatMap((word, at) => (word === others[at] ? [] : [at]));
  const [at] = different;
  return at !== undefined && different.length === 1 && isTypoInWord(words[at] ?? "", others[at] ?? "");
}

/** Splits a camelCase or snake_case name into words. */
function wordsOf(name: string): string[] {
  return name.match(/[A-Z]+(?![a-z])|[A-Z]?[a-z]+|_+/g) ?? [];
}

/**
 * True if the first and last letters match, and between them two letters are swapped or one is wrong, missing or extra.
 */
function isTypoInWord(word: string, other: string): boolean {
  if (word[0] !== other[0] || word.at(-1) !== other.at(-1)) return false;
  let head = 0;
  while (word[head] === other[head]) head += 1;
  const a = word.slice(head);
  const b = other.slice(head);
  const exchanged = a[0] === b[1] && a[1] === b[0] && a.slice(2) === b.slice(2);
  if (exchanged) return word.length >= MIN_SWAPPED_LENGTH;
  if (Math.min(word.length, other.length) < MIN_WORD_LENGTH) return false;
  return a.slice(1) === b || b.slice(1) === a || a.slice(1) === b.slice(1);
}
