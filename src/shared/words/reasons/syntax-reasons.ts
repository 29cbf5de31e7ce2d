/**
 * The words for reasons why a command line cannot be read with certainty, or is read as something that the shell
 * changes.
 */
import type { SyntaxReasons } from "../../reason.ts";
import type { Translate } from "../task-words.ts";
import type { WordsOf } from "./reason-table.ts";

const changed = (t: Translate) => t("the shell changes parts of the command before running it");

export const syntaxWords: WordsOf<SyntaxReasons> = {
  "hidden-character": (t, name) => t("the text contains an invisible or control character ({0})", name),
  "unusual-white-space": (t, name) => t("the command contains unusual whitespace ({0})", name),
  background: (t) => t("part of the command runs in the background"),
  unparsed: (t) => t("the command cannot be parsed reliably"),
  "unexpected-sign": (t) => t("the command cannot be parsed reliably"),
  ambiguous: (t) => t("the command can be parsed in two ways"),
  "unknown-shell": (t) => t("the shell is unknown"),
  "command-substitution": (t) => t("the command uses the output of another command (command substitution)"),
  redirection: (t) => t("the command redirects input or output"),
  "computed-name": (t) => t("the command name is determined at run time"),
  unclosed: (t) => t("the command contains an unclosed quote or escape"),
  empty: (t) => t("the command contains nothing to run"),
  "too-long": (t) => t("the command is too long or too deeply nested to be judged"),
  "unsupported-syntax": (t, what) => t("the command contains unsupported shell syntax ({0})", what),
  variable: (t, name) => t("the value of {0} is unknown", name),
  expansion: changed,
  assignment: (t) => t("the command sets a variable"),
  arithmetic: changed,
  "brace-expansion": changed,
  "history-expansion": changed,
  "named-home": changed,
  "descriptor-variable": changed,
  "zsh-expansion": changed,
  "fish-expansion": changed,
  "coded-characters": changed,
  "fish-escape": changed,
  "unquoted-sign": changed,
  parenthesis: changed,
  "translated-string": changed,
  "pipe-of-errors": changed,
  "word-boundary": changed,
  comment: changed,
  "several-words": changed,
  "powershell-word": changed,
  "powershell-parameter": changed,
  "cmd-word": changed,
  "missing-argument": changed,
};
