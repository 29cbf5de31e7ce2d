/**
 * Why a call asks, in the person's language. The host gives a short English phrase; those that only say "this kind of
 * call asks" are left out, and one that is not known here is shown as it came.
 */
import type { Translate } from "../../src/shared/texts.ts";

const ordinary: readonly RegExp[] = [
  /^(?:reading|editing) files asks$/,
  /^(?:commands|MCP tools|web access) asks?$/,
  /^$/,
];

type Says = (t: Translate, value: string) => string;

/** Phrases with one value in them, or of which several say the same to a person. */
const patterns: readonly (readonly [RegExp, Says])[] = [
  [/^(\d+) requests without asking are used up$/, (t, n) => t("{0} requests without asking are used up", n)],
  [/^\$(.+) without asking are used up$/, (t, usd) => t("{0} USD without asking are used up", usd)],

  [/^(.+) is outside the project$/s, (t, path) => t("{0} is outside the project", path)],
  [/^(.+), which is outside the project$/s, (t, path) => t("{0} is outside the project", path)],
  [/^(.+) may lead through a link$/s, (t, path) => t("{0} may lead somewhere else through a link", path)],
  [/^(.+) steers what runs$/s, (t, name) => t("{0} steers what runs on this computer", name)],
  [/^a git hook$/, (t) => t("it is a git hook, which git runs by itself")],
  [/^package\.json holds/, (t) => t("package.json holds scripts that run by name")],
  [/^(.+) (?:may hold|holds) secrets$/s, (t, name) => t("{0} may hold secrets", name)],
  [/^\/proc shows/, (t) => t("/proc shows other programs' memory and environment")],
  [
    /^(.+) may be the short name of a (?:protected file|file with secrets)$/s,
    (t, name) => t("{0} may be the short name of a protected file", name),
  ],
  [
    /^(.+) is the name of a device on Windows$/s,
    (t, name) => t("{0} is the name of a device on Windows", name),
  ],

  [
    /an invisible or control character \((.+)\)$/,
    (t, name) => t("it holds an invisible or control character ({0})", name),
  ],
  [/^unusual white space \((.+)\)$/, (t, name) => t("it holds unusual white space ({0})", name)],
  [/^`?(.+?)`? is not (?:on the allow list|listed)$/s, (t, name) => t("{0} is not on the allow list", name)],
  [/^(.+) runs whatever it is given$/, (t, name) => t("{0} runs whatever it is given", name)],
  [/^(.+) runs other commands$/, (t, name) => t("{0} runs other commands", name)],
  [
    /^(.+) changes the shell or evaluates its words$/,
    (t, name) => t("{0} changes the shell or runs its words", name),
  ],
  [/^the shell's own word (.+)$/, (t, word) => t("{0} changes the shell or runs its words", word)],
  [/^the option (.+)$/s, (t, option) => t("the option {0} is not known to be harmless", option)],
  [
    /^(.+) may match a file whose name is an option$/s,
    (t, word) => t("{0} may match a file whose name is an option", word),
  ],
  [
    /^git (\S+) is not one of the subcommands that only show$/,
    (t, name) => t("git {0} may do more than show", name),
  ],
  [
    /^(?:an awk program|a sed script) that may write or run$/,
    (t) => t("its script may write files or run commands"),
  ],
  [
    /^(?:command substitution with back-ticks|substitution)$/,
    (t) => t("a command in it runs another one and takes what that says"),
  ],
  [/^(?:a redirection(?: to a file)?|&> in this shell)$/, (t) => t("it redirects input or output")],
  [
    /^(?:a command whose name is computed|a command that is not a plain name)$/,
    (t) => t("the name of the command is computed"),
  ],
  [
    /^(?:a quote that is never closed|a backslash at the end)$/,
    (t) => t("a quote or an escape in it is not closed"),
  ],
  [/^(?:an empty command|nothing to run)$/, (t) => t("there is nothing in it to run")],
  [
    /^(?:it is too long to be judged|it takes too long to read|groups nested too deeply)$/,
    (t) => t("it is too long or too deep to be judged"),
  ],
  [/^(.+) is not judged$/, (t, what) => t("it holds shell syntax that is not judged ({0})", what)],
  [
    new RegExp(
      `^(?:${[
        "an expansion",
        "an assignment",
        "arithmetic",
        "brace expansion",
        "history expansion with !",
        "the value of \\$.+",
        "a named folder after ~",
        "a descriptor kept in a variable",
        "a zsh expansion with modifiers",
        "zsh expands a word that starts with =",
        "fish expands a word that starts with %",
        "\\$ in fish",
        "(?:an escape|a coded byte) in \\$'\\.\\.\\.'",
        "\\$'\\.\\.\\.' is not known to every sh",
        "a string that programs may read as several words",
        "a word with characters that PowerShell treats in its own way",
        "a character that PowerShell takes for a quote or a dash",
        "cmd runs only plain words without asking",
        "a parenthesis inside a word",
        "white space that is not a word boundary",
        "# may or may not start a comment in this shell",
      ].join("|")})$`,
    ),
    (t) => t("the shell changes its words before it runs"),
  ],
];

export function reasonText(t: Translate, reason: string): string {
  if (ordinary.some((pattern) => pattern.test(reason))) return "";
  switch (reason) {
    case "it does not parse":
      return t("the command cannot be read for certain");
    case "it can be read in two ways":
      return t("the command can be read in two ways");
    case "it is the project's folder itself":
      return t("it is the project's folder itself");
    case "where the path leads could not be found out":
    case "links that lead in a circle":
      return t("where the path leads could not be found out");
    case "the path may be on another machine":
      return t("the path may be on another machine");
    case "the path may name an alternate data stream":
      return t("the path may name a hidden part of a file");
    case "a shell that is not known":
      return t("the shell is not known");
    default:
  }
  for (const [pattern, says] of patterns) {
    const match = pattern.exec(reason);
    if (match) return says(t, match[1] ?? "");
  }
  return reason;
}
