/** Reasons why a command line is not read for certain, or is read as something that the shell changes. */
import type { SyntaxReasons } from "../../reason.ts";
import type { Translate } from "../task-words.ts";
import type { WordsOf } from "./reason-table.ts";

const changed = (t: Translate) => t("the shell changes its words before it runs");

export const syntaxWords: WordsOf<SyntaxReasons> = {
  "hidden-character": (t, name) => t("it holds an invisible or control character ({0})", name),
  "unusual-white-space": (t, name) => t("it holds unusual white space ({0})", name),
  background: (t) => t("a command in it goes on in the background"),
  unparsed: (t) => t("the command cannot be read for certain"),
  "unexpected-sign": (t) => t("the command cannot be read for certain"),
  ambiguous: (t) => t("the command can be read in two ways"),
  "unknown-shell": (t) => t("the shell is not known"),
  "command-substitution": (t) => t("a command in it runs another one and takes what that says"),
  redirection: (t) => t("it redirects input or output"),
  "computed-name": (t) => t("the name of the command is computed"),
  unclosed: (t) => t("a quote or an escape in it is not closed"),
  empty: (t) => t("there is nothing in it to run"),
  "too-long": (t) => t("it is too long or too deep to be judged"),
  "unsupported-syntax": (t, what) => t("it holds shell syntax that is not judged ({0})", what),
  variable: (t, name) => t("the value of {0} is not known", name),
  expansion: changed,
  assignment: (t) => t("it sets a variable"),
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
  "script-changed-by-shell": changed,
  "missing-argument": changed,
};
