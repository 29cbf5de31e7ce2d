import type { Word } from "../shells/shell-words.ts";

/** Returns the words that are no options, and all of them after `--`. The values of options are among them. */
export function operandsOf(words: readonly Word[]): Word[] {
  const dashes = words.findIndex(({ text }) => text === "--");
  const before = dashes < 0 ? words : words.slice(0, dashes);
  return [
    ...before.filter(({ text, unknown }) => unknown || text === "-" || !text.startsWith("-")),
    ...(dashes < 0 ? [] : words.slice(dashes + 1)),
  ];
}

/** Returns the words before `--` that begin with a dash. */
export function optionsOf(words: readonly Word[]): string[] {
  const operands = operandsOf(words);
  return words.filter((word) => !operands.includes(word)).map(({ text }) => text);
}
