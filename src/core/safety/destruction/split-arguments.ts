/** Splits the words after a program into options and operands. */
import type { Values } from "./value.ts";

export interface Arguments {
  /** In order. A word with several values may be any of them. */
  operands: Values[];
  /** Options as written, `--name` without its value; the letters of a cluster separately. */
  options: Set<string>;
  /** Values of the options that take one. */
  values: Map<string, Values>;
}

/**
 * `takes`: options that take a value, for example `-t --target-directory`. Words after `--` that look like options are
 * operands. An unknown word is an operand.
 */
export function splitArguments(words: readonly Values[], takes = ""): Arguments {
  const withValue = new Set(takes.split(" "));
  const result: Arguments = { operands: [], options: new Set(), values: new Map() };
  for (let i = 0; i < words.length; i++) {
    const word = words[i];
    const text = only(word);
    if (text === "--") {
      result.operands.push(...words.slice(i + 1));
      break;
    }
    if (text === undefined || !text.startsWith("-") || text === "-") {
      result.operands.push(word);
      continue;
    }
    const long = /^(--[^=]+)(?:=([\s\S]*))?$/.exec(text);
    if (long) {
      const [, name = "", value] = long;
      result.options.add(name);
      if (value !== undefined) result.values.set(name, [{ text: value }]);
      else if (withValue.has(name)) result.values.set(name, words[++i]);
      continue;
    }
    for (let at = 1; at < text.length; at++) {
      const letter = `-${text.charAt(at)}`;
      result.options.add(letter);
      if (!withValue.has(letter)) continue;
      const attached = text.slice(at + 1);
      result.values.set(letter, attached === "" ? words[++i] : [{ text: attached }]);
      break;
    }
  }
  return result;
}

/** Returns the single text that the word certainly has. */
export function only(word: Values): string | undefined {
  return word?.length === 1 && word[0]?.pattern === undefined ? word[0]?.text : undefined;
}

export function has(parsed: Arguments, ...names: string[]): boolean {
  return names.some((name) => parsed.options.has(name));
}

/** Returns the value of the first of these options that has one. */
export function optionValue(parsed: Arguments, ...names: string[]): { word: Values } | undefined {
  const name = names.find((each) => parsed.values.has(each));
  return name === undefined ? undefined : { word: parsed.values.get(name) };
}
