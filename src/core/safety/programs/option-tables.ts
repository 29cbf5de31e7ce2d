/** Parses a program's options against a table of those that neither write nor run anything. */
import { type Reason, reasonOf } from "../../../shared/reason.ts";
import type { Word } from "../shells/shell-words.ts";

/** The harmless options of one program. All other options ask, including abbreviations of long ones. */
export interface OptionTable {
  /** One-letter options without a value, as one string. */
  short: string;
  /** One-letter options that take a value (attached or the next word). */
  valued?: string;
  /** One-letter options whose value can only be attached. */
  attached?: string;
  /** Long options, `=value` or not, that never take the next word; names without dashes. */
  long?: string;
  /** Long options with `=value` or the next word as their value. */
  longValued?: string;
  /** Words after `--` are for another program; those that match are accepted. */
  handed?: RegExp;
  /** `-20`: a number as an option. */
  number?: boolean;
}

export interface ReadOptions {
  positionals: Word[];
  /** Words after `--`. */
  rest: Word[];
  /** Whether there is a `--`, even at the very end. */
  dashes: boolean;
  /** The options found, with their dashes (`-e`, `--expression`), and their values if they take one. */
  options: { name: string; value?: string }[];
  /** Everything before `--`, in order. */
  parts: ReadPart[];
}

/** An operand, or an option together with the word that is its value. */
export interface ReadPart {
  /** As written. */
  words: string[];
  /** Names of the options in it; empty for an operand. A number is `-1`. */
  names: string[];
}

/** A word that the shell may turn into an option, or an option that is not in the table; undefined: one after `--`. */
export type OptionFault = { pattern: string } | { option: string | undefined };

export function ofProgram(name: string, fault: OptionFault): Reason {
  if ("pattern" in fault) return reasonOf("pattern-option", fault.pattern);
  return fault.option === undefined
    ? reasonOf("options-of-program", name)
    : reasonOf("option-of-program", name, fault.option);
}

const sets = new Map<string, Set<string>>();

function names(list: string | undefined): Set<string> {
  const key = list ?? "";
  let set = sets.get(key);
  if (!set) {
    set = new Set(key.split(/\s+/).filter((name) => name !== ""));
    sets.set(key, set);
  }
  return set;
}

/** Whether the shell may turn a word into an option: a glob that can match a file named `-x`. */
export function mayBecomeOption(word: Word): boolean {
  return word.glob !== undefined && /^[*?[]/.test(word.glob);
}

/** Parses the options of `words` (without the command itself), or returns why they ask. */
export function readProgramOptions(words: Word[], table: OptionTable): ReadOptions | { fault: OptionFault } {
  const read: ReadOptions = { positionals: [], rest: [], dashes: false, options: [], parts: [] };
  for (let i = 0; i < words.length; i++) {
    const word = words[i];
    if (!word) break;
    const { text } = word;
    if (mayBecomeOption(word)) return { fault: { pattern: text } };
    if (text === "--") return afterDashes(read, words, i, table);
    if (!text.startsWith("-") || text === "-") {
      read.positionals.push(word);
      read.parts.push({ words: [text], names: [] });
      continue;
    }
    const parsed = text.startsWith("--")
      ? longOption(text, words[i + 1], table)
      : shortOptions(text, words[i + 1], table);
    if ("fault" in parsed) return parsed;
    read.options.push(...parsed.options);
    const names = parsed.options.map(({ name }) => name);
    const value = parsed.usedNext ? [words[i + 1]?.text ?? ""] : [];
    read.parts.push({ words: [text, ...value], names: names.length > 0 ? names : ["-1"] });
    if (parsed.usedNext) i++;
  }
  return read;
}

/** Reads the words after the `--` at `at`. */
function afterDashes(
  read: ReadOptions,
  words: readonly Word[],
  at: number,
  { handed }: OptionTable,
): ReadOptions | { fault: OptionFault } {
  const rest = words.slice(at + 1);
  if (handed) {
    const odd = rest.find(({ text }) => !handed.test(text));
    return odd ? { fault: { option: odd.text } } : { ...read, dashes: true, rest };
  }
  // An option before it might take the dashes as its value; then the words after it are still options.
  const swallowed = words[at - 1]?.text.startsWith("-") && rest.some(({ text }) => text.startsWith("-"));
  if (swallowed || rest.some(({ text }) => text === "--")) return { fault: { option: undefined } };
  return { ...read, dashes: true, rest };
}

/** A next word that looks like an option does not count as a value: if the table were wrong, it would be an option. */
function isValue(next: Word | undefined): next is Word {
  return (
    next !== undefined && next.glob === undefined && (!/^-./.test(next.text) || /^-\d+$/.test(next.text))
  );
}

type OptionReading = { options: ReadOptions["options"]; usedNext: boolean } | { fault: OptionFault };

function longOption(text: string, next: Word | undefined, table: OptionTable): OptionReading {
  const equals = text.indexOf("=");
  const name = equals < 0 ? text.slice(2) : text.slice(2, equals);
  const value = equals < 0 ? undefined : text.slice(equals + 1);
  if (names(table.longValued).has(name)) {
    if (value !== undefined) return { options: [{ name: `--${name}`, value }], usedNext: false };
    if (!isValue(next)) return { fault: { option: `--${name}` } };
    return { options: [{ name: `--${name}`, value: next.text }], usedNext: true };
  }
  if (names(table.long).has(name)) {
    return {
      options: [value === undefined ? { name: `--${name}` } : { name: `--${name}`, value }],
      usedNext: false,
    };
  }
  return { fault: { option: equals < 0 ? text : text.slice(0, equals) } };
}

function shortOptions(text: string, next: Word | undefined, table: OptionTable): OptionReading {
  if (table.number && /^-\d+$/.test(text)) return { options: [], usedNext: false };
  const options: ReadOptions["options"] = [];
  for (let i = 1; i < text.length; i++) {
    const letter = text.charAt(i);
    const attached = text.slice(i + 1);
    if (table.attached?.includes(letter))
      return { options: [...options, { name: `-${letter}`, value: attached }], usedNext: false };
    if (table.valued?.includes(letter)) {
      if (attached !== "")
        return { options: [...options, { name: `-${letter}`, value: attached }], usedNext: false };
      if (!isValue(next)) return { fault: { option: `-${letter}` } };
      return { options: [...options, { name: `-${letter}`, value: next.text }], usedNext: true };
    }
    if (!table.short.includes(letter)) return { fault: { option: `-${letter}` } };
    options.push({ name: `-${letter}` });
  }
  return { options, usedNext: false };
}
