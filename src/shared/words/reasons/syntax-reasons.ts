/** Reasons why a command line is not read for certain, or is read as something that the shell changes. */
import type { Translate } from "../task-words.ts";
import type { ReasonRule } from "./reason-rule.ts";

const changed = (t: Translate) => t("the shell changes its words before it runs");

export const syntaxRules: readonly ReasonRule[] = [
  {
    code: "hidden-character",
    phrases: [/an invisible or control character \((.+)\)$/],
    words: (t, name) => t("it holds an invisible or control character ({0})", name),
  },
  {
    code: "unusual-white-space",
    phrases: [/^unusual white space \((.+)\)$/],
    words: (t, name) => t("it holds unusual white space ({0})", name),
  },
  {
    code: "background",
    phrases: [/^a command in the background$/],
    words: (t) => t("a command in it goes on in the background"),
  },
  {
    code: "unparsed",
    phrases: [/^it does not parse$/, /^a missing part$/, /^signs between the words$/],
    words: (t) => t("the command cannot be read for certain"),
  },
  {
    code: "unexpected-sign",
    phrases: [/^(.+) where it is not expected$/s],
    words: (t) => t("the command cannot be read for certain"),
  },
  {
    code: "ambiguous",
    phrases: [/^it can be read in two ways$/],
    words: (t) => t("the command can be read in two ways"),
  },
  {
    code: "unknown-shell",
    phrases: [/^a shell that is not known$/],
    words: (t) => t("the shell is not known"),
  },
  {
    code: "command-substitution",
    phrases: [/^command substitution with back-ticks$/, /^substitution$/],
    words: (t) => t("a command in it runs another one and takes what that says"),
  },
  {
    code: "redirection",
    phrases: [/^a redirection(?: to a file)?$/, /^&> in this shell$/],
    words: (t) => t("it redirects input or output"),
  },
  {
    code: "computed-name",
    phrases: [/^a command whose name is computed$/, /^a command that is not a plain name$/],
    words: (t) => t("the name of the command is computed"),
  },
  {
    code: "unclosed",
    phrases: [/^a quote that is never closed$/, /^a backslash at the end$/],
    words: (t) => t("a quote or an escape in it is not closed"),
  },
  {
    code: "empty",
    phrases: [/^an empty command$/, /^nothing to run$/],
    words: (t) => t("there is nothing in it to run"),
  },
  {
    code: "too-long",
    phrases: [/^it is too long to be judged$/, /^it takes too long to read$/, /^groups nested too deeply$/],
    words: (t) => t("it is too long or too deep to be judged"),
  },
  {
    code: "unsupported-syntax",
    phrases: [/^(.+) is not judged$/],
    words: (t, what) => t("it holds shell syntax that is not judged ({0})", what),
  },

  {
    code: "variable",
    phrases: [/^the value of (.+)$/s],
    words: (t, name) => t("the value of {0} is not known", name),
  },
  { code: "expansion", phrases: [/^an expansion$/, /^\$ in fish$/], words: changed },
  { code: "assignment", phrases: [/^an assignment$/], words: (t) => t("it sets a variable") },
  { code: "arithmetic", phrases: [/^arithmetic$/], words: changed },
  { code: "brace-expansion", phrases: [/^brace expansion$/], words: changed },
  { code: "history-expansion", phrases: [/^history expansion with !$/], words: changed },
  { code: "named-home", phrases: [/^a named folder after ~$/], words: changed },
  { code: "descriptor-variable", phrases: [/^a descriptor kept in a variable$/], words: changed },
  {
    code: "zsh-expansion",
    phrases: [/^a zsh expansion with modifiers$/, /^zsh expands a word that starts with =$/],
    words: changed,
  },
  { code: "fish-expansion", phrases: [/^fish expands a word that starts with %$/], words: changed },
  {
    code: "coded-characters",
    phrases: [/^(?:an escape|a coded byte) in \$'\.\.\.'$/, /^\$'\.\.\.' is not known to every sh$/],
    words: changed,
  },
  {
    code: "fish-escape",
    phrases: [/^a backslash in(?:side)? fish(?: quotes)?$/, /^an escape in fish quotes$/],
    words: changed,
  },
  { code: "unquoted-sign", phrases: [/^(.) outside quotes in (?:fish|zsh)$/], words: changed },
  { code: "parenthesis", phrases: [/^a parenthesis(?: inside a word)?$/], words: changed },
  { code: "translated-string", phrases: [/^a translated string \$"\.\.\."$/], words: changed },
  { code: "pipe-of-errors", phrases: [/^\|& in this shell$/], words: changed },
  { code: "word-boundary", phrases: [/^white space that is not a word boundary$/], words: changed },
  { code: "comment", phrases: [/^# may or may not start a comment in this shell$/], words: changed },
  {
    code: "several-words",
    phrases: [/^a string that programs may read as several words$/],
    words: changed,
  },
  {
    code: "powershell-word",
    phrases: [
      /^a word with characters that PowerShell treats in its own way$/,
      /^a character that PowerShell takes for a quote or a dash$/,
    ],
    words: changed,
  },
  {
    code: "powershell-parameter",
    phrases: [/^a parameter (?:joined with its value|that is not a plain word)$/],
    words: changed,
  },
  { code: "cmd-word", phrases: [/^cmd runs only plain words without asking$/], words: changed },
  {
    code: "script-changed-by-shell",
    phrases: [/^(?:a sed script|an awk program|a format) that the shell changes$/],
    words: changed,
  },
  {
    code: "missing-argument",
    phrases: [/^(awk|jq|sed|git) without a (?:plain )?\w+$/],
    words: changed,
  },
];
