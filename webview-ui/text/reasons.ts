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

type Says = (t: Translate, first: string, second: string) => string;

/** Phrases with values in them, or of which several say the same to a person. */
const patterns: readonly (readonly [RegExp, Says])[] = [
  [
    /^where the path leads could not be found out(?: \(.*\))?$/,
    (t) => t("where the path leads could not be found out"),
  ],
  [/^(?:the command was not judged|an access class that is not known)$/, (t) => t("it was not judged")],
  [/^(\d+) requests without asking are used up$/, (t, n) => t("{0} requests without asking are used up", n)],
  [/^\$(.+) without asking are used up$/, (t, usd) => t("{0} USD without asking are used up", usd)],

  [/^not everything that it destroys can be kept$/, (t) => t("not everything that it destroys can be kept")],
  [/^plan mode changes nothing/, (t) => t("plan mode changes nothing")],
  [/^`(.+)` is on the deny list$/s, (t, name) => t("{0} is on the deny list", name)],

  [/^(.+), which it reads, may hold secrets$/s, (t, path) => t("it reads {0}, which may hold secrets", path)],
  [
    /^(.+), which it reads, is named in \.nekodeignore$/s,
    (t, path) => t("it reads {0}, which .nekodeignore names", path),
  ],
  [
    /^(.+) (?:holds more files than can|could not) be looked through for secrets(?: \(.*\))?$/s,
    (t, path) => t("{0} cannot be looked through for secrets", path),
  ],
  [
    /^the repository's own (.+) may run a program(?: \(.*\))?$/s,
    (t, what) => t("{0} of this repository may run a program", what),
  ],
  [/^it may run in many folders$/, (t) => t("it may run in one of many folders")],
  [/^it is named in \.nekodeignore$/, (t) => t("it is named in .nekodeignore")],
  [/^(.+) is named in \.nekodeignore$/s, (t, path) => t("{0} is named in .nekodeignore", path)],
  [/^(.+) may match several files$/s, (t, word) => t("{0} may match several files", word)],
  [
    /^(.+) may match (?!a file whose name)(.+)$/s,
    (t, word, name) => t("{0} may match {1}, which may hold secrets", word, name),
  ],
  [/^(.+) is outside the project$/s, (t, path) => t("{0} is outside the project", path)],
  [/^(.+), which is outside the project$/s, (t, path) => t("{0} is outside the project", path)],
  [/^(.+) may lead through a link$/s, (t, path) => t("{0} may lead somewhere else through a link", path)],
  [/^(.+) steers what runs$/s, (t, name) => t("{0} steers what runs on this computer", name)],
  [
    /^PATH looks for (.+) in the project \((.+)\), so no entry of the list counts$/s,
    (t, name, entry) =>
      t("PATH looks for {0} in the project ({1}), so the allow list does not apply", name, entry),
  ],
  [/^a git hook$/, (t) => t("it is a git hook, which git runs by itself")],
  [/^package\.json holds/, (t) => t("package.json holds scripts that run by name")],
  [/^Cargo\.toml names what runs/, (t) => t("Cargo.toml names what runs while it is built")],
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
  [/^(.+), which the allow list does not name$/s, (t, word) => t("{0} is not on the allow list", word)],
  [
    /^(.+) (?:alone|run with a script that is not listed|with more than what is listed)$/s,
    (t, name) => t("{0} is not on the allow list", name),
  ],
  [/^`?(.+?)`? is not (?:on the allow list|listed)$/s, (t, name) => t("{0} is not on the allow list", name)],
  [/^(.+) runs whatever it is given$/, (t, name) => t("{0} runs whatever it is given", name)],
  [/^(.+) runs other commands$/, (t, name) => t("{0} runs other commands", name)],
  [
    /^(.+) changes the shell or evaluates its words$/,
    (t, name) => t("{0} changes the shell or runs its words", name),
  ],
  [/^the shell's own word (.+)$/, (t, word) => t("{0} changes the shell or runs its words", word)],
  [
    /^([\w.+ -]+): the option (.+?)(?: without a plain value)?$/s,
    (t, name, option) => t("the option {1} of {0} is not known to be harmless", name, option),
  ],
  [
    /^(?:.*: )?the (?:option|parameter) (.+?)(?: without a plain value)?$/s,
    (t, option) => t("the option {0} is not known to be harmless", option),
  ],
  [
    /^(git|find|ps) (-.+|[a-z,]+)$/s,
    (t, name, option) => t("the option {1} of {0} is not known to be harmless", name, option),
  ],
  [
    /^(.+?)(?::)? (?:options behind --|without a value|behind .+|with further options|with an option)$/s,
    (t, name) => t("the options of {0} are not known to be harmless", name),
  ],
  [
    /^(.+), which some programs read as an option or a file of options$/s,
    (t, word) => t("some programs read {0} as an option", word),
  ],
  [/^(.+), which forces$/s, (t, word) => t("{0} forces what git would refuse", word)],
  [/^(.+), which names a helper program$/s, (t, word) => t("{0} names a program that git runs", word)],
  [
    /^(.+), which the script's shell may read otherwise$/s,
    (t, word) => t("the shell of the script may change {0}", word),
  ],
  [/^(.+) is not a file$/s, (t, word) => t("{0} is not a file", word)],
  [/^(.+) is on another machine$/s, (t, word) => t("{0} is on another machine", word)],
  [/^an archive on another machine$/, (t) => t("the path may be on another machine")],
  [/^(.+), which is not a plain address$/s, (t, word) => t("{0} is not a plain web address", word)],
  [/^(git \S+) that (?:changes|deletes).*$/, (t, name) => t("{0} may change something in this form", name)],
  [
    /^(?:date with an operand sets the clock|hostname with an operand sets the name)$/,
    (t) => t("it may change a setting of the computer"),
  ],
  [
    /^(?:(?:uniq|xxd) with an output file|dd with an output|tee with a file|wget writes a file)$/,
    (t) => t("it writes a file"),
  ],
  [/^(?:curl|kubectl|man) with a (?:template from a )?file$/, (t) => t("it takes something from a file")],
  [/^kubectl \S+ with secrets$/, (t) => t("it may show secrets")],
  [/^tar (?:that|with)/, (t) => t("it may do more than list the archive")],
  [
    /^(.+) reads the files that come through the pipe$/,
    (t, name) => t("{0} reads the files that come through the pipe", name),
  ],
  [/^a jq filter that reads more than its input$/, (t) => t("its filter reads more than its input")],
  [/^a format that runs gpg$/, (t) => t("it may run another program")],
  [/^cd to somewhere else than a folder below$/, (t) => t("it leaves the folder that it runs in")],
  [/^command runs what follows it$/, (t) => t("{0} runs other commands", "command")],
  [/^a command in the background$/, (t) => t("a command in it goes on in the background")],
  [
    /^(?:a test that .*|an operand that the shell may evaluate|printf that assigns a variable)$/,
    (t) => t("the shell may run what its words say"),
  ],
  [
    /^(?:a missing part|signs between the words|.+ where it is not expected)$/s,
    (t) => t("the command cannot be read for certain"),
  ],
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
        "the value of .+",
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
        "a parenthesis(?: inside a word)?",
        "(?:a sed script|an awk program|a format) that the shell changes",
        "(?:awk|jq|sed|git) without a (?:plain )?\\w+",
        "a backslash in(?:side)? fish(?: quotes)?",
        "an escape in fish quotes",
        ". outside quotes in (?:fish|zsh)",
        "a parameter (?:joined with its value|that is not a plain word)",
        'a translated string \\$"\\.\\.\\."',
        "\\|& in this shell",
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
    case "links that lead in a circle":
      return t("where the path leads could not be found out");
    case "the path contains a NUL character":
    case "the path is too long":
    case "the file system has no such root":
    case "~ is not expanded in paths":
      return t("it is no path that can be used");
    case "the path may be on another machine":
      return t("the path may be on another machine");
    case "the path may name an alternate data stream":
      return t("the path may name a hidden part of a file");
    case "the model marks it as requiring approval":
      return t("the model marks it as requiring approval");
    case "a shell that is not known":
      return t("the shell is not known");
    default:
  }
  for (const [pattern, says] of patterns) {
    const match = pattern.exec(reason);
    if (match) return says(t, match[1] ?? "", match[2] ?? "");
  }
  return reason;
}
