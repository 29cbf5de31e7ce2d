/** Programs that are shell builtins, some of which evaluate words as arithmetic or as names of variables. */
import { reasonOf } from "../../../shared/reason.ts";
import type { SimpleCommand, Word } from "../shells/shell-words.ts";
import type { Profile, ProgramCall } from "./profile.ts";

/**
 * Shells that evaluate a number as an expression: there, `x[$(id)]` runs a command, `PATH=0` assigns, and a name such
 * as `_` stands for text that is evaluated in turn. sh may be one of them.
 */
const evaluates = (shell: string) => shell === "zsh" || shell === "sh";

/** Whether every shell reads the word as the same number. */
const isNumber = ({ text }: Word) => /^[-+]?\d{1,18}$|^\$[?#$]$/.test(text);

/** Conversions whose operand is text, and the percent sign itself. */
const TEXT = /%(?:%|[-+ #0'\d.]*[sbcq])/g;
/** All other conversions: flags, width, precision and length, and the letter. */
const OTHER = /%(?:[^A-Za-z\\%(]|[hlLjztq])*(\([^)]*\)T|.|$)/gs;

/** printf: `-v` and `%n` assign a variable whose name the shell evaluates; some shells also evaluate numbers. */
export const printf: Profile = {
  judge({ words, shell }) {
    const ended = words[0]?.text === "--";
    const [first, ...rest] = ended ? words.slice(1) : words;
    if (!ended && first?.text.startsWith("-")) return reasonOf("options-of-program", "printf");
    if (first && (first.glob !== undefined || first.unknown)) return reasonOf("script-changed-by-shell");
    const letters = [...(first?.text ?? "").replace(TEXT, "").matchAll(OTHER)].map(([, letter]) => letter);
    if (letters.includes("n")) return reasonOf("words-evaluated");
    // After an escape, a letter may represent another one, or none.
    if (rest.length > 0 && letters.some((letter) => letter === "\\" || letter === ""))
      return reasonOf("script-changed-by-shell");
    if (letters.length === 0) return undefined;
    const odd = evaluates(shell)
      ? !rest.every(isNumber)
      : shell !== "bash" && rest.some(({ text }) => /[[(]/.test(text));
    return odd ? reasonOf("words-evaluated") : undefined;
  },
  files: () => [],
};

/** test: the shell evaluates the operand of `-v` and numbers with subscripts. */
export const test: Profile = {
  judge({ name, words, shell }) {
    const last = words[words.length - 1];
    if (name === "[" && last?.text !== "]") return reasonOf("words-evaluated");
    const asked = name === "[" ? words.slice(0, -1) : words;
    const evaluated =
      asked.some(({ text }) => text !== "$?" && /[[\]$`]|^-[vR]$/.test(text)) ||
      (evaluates(shell) && asked.some((word, i) => isCompared(asked, i) && !isNumber(word)));
    return evaluated ? reasonOf("words-evaluated") : undefined;
  },
  files: () => [],
};

/** Whether the word at `i` is next to an operator that compares numbers, or follows `-t`. */
function isCompared(words: readonly Word[], i: number): boolean {
  const operator = /^-(?:eq|ne|lt|le|gt|ge)$/;
  const before = words[i - 1]?.text ?? "";
  return operator.test(before) || before === "-t" || operator.test(words[i + 1]?.text ?? "");
}

const NAME = /^(?:cd|chdir|set-location|sl)$/i;

/** Whether this command may change the folder, judged by its name in any shell. */
export function isCd(command: SimpleCommand): boolean {
  return NAME.test(command.words[0]?.text ?? "");
}

/** Returns the folder as written; undefined if the words leave it open. */
export function cdTarget({ words }: SimpleCommand): string | undefined {
  const rest = words.slice(1);
  while (rest[0] && /^(?:-[PL]|--|-(?:literal)?path|\/d)$/i.test(rest[0].text)) rest.shift();
  const [to, ...more] = rest;
  if (!to || to.unknown || more.length > 0 || (!to.literal && to.text.startsWith("~"))) return undefined;
  if (to.glob !== undefined || /^[-+]|^$|[*?[\]`\n\t]/.test(to.text)) return undefined;
  // `C:` and `C:src` refer to the current folder of that drive.
  if (/^[A-Za-z]:(?![\\/])|^[\\/]{2}|.:.*:/.test(to.text)) return undefined;
  return to.text;
}

/** cd and its relatives: accepts one folder named by the words, which working-folders.ts then checks. */
export const cd: Profile = {
  judge({ name, words }: ProgramCall) {
    const command = { words: [{ text: name, start: 0, end: 0, literal: true }, ...words] };
    return cdTarget(command) === undefined ? reasonOf("leaves-folder") : undefined;
  },
  files: () => [],
};
