/** Programs that shells have built in, where some of them evaluate words as arithmetic or as names of variables. */
import { reasonOf } from "../../../shared/reason.ts";
import type { Word } from "../shells/shell-words.ts";
import type { Profile } from "./profile.ts";

/**
 * Shells that take a number for an expression: `x[$(id)]` runs a command there, `PATH=0` assigns, and a name such as `_`
 * stands for text that is then evaluated itself. sh may be one of them.
 */
const evaluates = (shell: string) => shell === "zsh" || shell === "sh";

/** What every shell takes for the same number. */
const isNumber = ({ text }: Word) => /^[-+]?\d{1,18}$|^\$[?#$]$/.test(text);

/** Conversions that take their operand as text, and the percent sign itself. */
const TEXT = /%(?:%|[-+ #0'\d.]*[sbcq])/g;
/** Any other: flags, width, precision and length, and its letter. */
const OTHER = /%(?:[^A-Za-z\\%(]|[hlLjztq])*(\([^)]*\)T|.|$)/gs;

/** printf: `-v` and `%n` assign a variable, whose name the shell evaluates; some shells evaluate numbers as well. */
export const printf: Profile = {
  judge({ words, shell }) {
    const ended = words[0]?.text === "--";
    const [first, ...rest] = ended ? words.slice(1) : words;
    if (!ended && first?.text.startsWith("-")) return reasonOf("options-of-program", "printf");
    if (first && (first.glob !== undefined || first.unknown)) return reasonOf("script-changed-by-shell");
    const letters = [...(first?.text ?? "").replace(TEXT, "").matchAll(OTHER)].map(([, letter]) => letter);
    if (letters.includes("n")) return reasonOf("words-evaluated");
    // Behind an escape, a letter may stand for another one, or for none.
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

/** test: `-v` and numbers with subscripts are evaluated by the shell. */
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

/** Whether the word at `i` stands beside an operator that compares numbers, or behind `-t`. */
function isCompared(words: readonly Word[], i: number): boolean {
  const operator = /^-(?:eq|ne|lt|le|gt|ge)$/;
  const before = words[i - 1]?.text ?? "";
  return operator.test(before) || before === "-t" || operator.test(words[i + 1]?.text ?? "");
}
