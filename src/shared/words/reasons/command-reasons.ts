/** Reasons about what a program may do with its words. */
import type { ReasonRule } from "./reason-rule.ts";

export const commandRules: readonly ReasonRule[] = [
  {
    code: "repository-runs-program",
    phrases: [/^the repository's own (.+) may run a program(?: \(.*\))?$/s],
    words: (t, what) => t("{0} of this repository may run a program", what),
  },
  {
    code: "program-from-project",
    phrases: [/^PATH looks for (.+) in the project \((.+)\), so no entry of the list counts$/s],
    words: (t, name, entry) =>
      t("PATH looks for {0} in the project ({1}), so the allow list does not apply", name, entry),
  },
  {
    code: "not-listed",
    phrases: [
      /^(.+), which the allow list does not name$/s,
      /^(.+) (?:alone|run with a script that is not listed|with more than what is listed)$/s,
      /^`?(.+?)`? is not (?:on the allow list|listed)$/s,
    ],
    words: (t, name) => t("{0} is not on the allow list", name),
  },
  {
    code: "interpreter",
    phrases: [/^(.+) runs whatever it is given$/],
    words: (t, name) => t("{0} runs whatever it is given", name),
  },
  {
    code: "runs-commands",
    phrases: [/^(.+) runs other commands$/, /^(command) runs what follows it$/],
    words: (t, name) => t("{0} runs other commands", name),
  },
  {
    code: "changes-shell",
    phrases: [/^(.+) changes the shell or evaluates its words$/, /^the shell's own word (.+)$/],
    words: (t, name) => t("{0} changes the shell or runs its words", name),
  },
  {
    code: "option-of-program",
    phrases: [
      /^([\w.+ -]+): the option (.+?)(?: without a plain value)?$/s,
      /^(git|find|ps) (-.+|[A-Za-z,]+)$/s,
    ],
    words: (t, name, option) => t("the option {1} of {0} is not known to be harmless", name, option),
  },
  {
    code: "option",
    phrases: [/^(?:.*: )?the (?:option|parameter) (.+?)(?: without a plain value)?$/s],
    words: (t, option) => t("the option {0} is not known to be harmless", option),
  },
  {
    code: "options-of-program",
    phrases: [
      /^(.+?)(?::)? (?:options behind --|without a value|behind .+|with further options|with an option)$/s,
    ],
    words: (t, name) => t("the options of {0} are not known to be harmless", name),
  },
  {
    code: "read-as-option",
    phrases: [/^(.+), which some programs read as an option or a file of options$/s],
    words: (t, word) => t("some programs read {0} as an option", word),
  },
  {
    code: "git-force",
    phrases: [/^(.+), which forces$/s],
    words: (t, word) => t("{0} forces what git would refuse", word),
  },
  {
    code: "git-helper",
    phrases: [/^(.+), which names a helper program$/s],
    words: (t, word) => t("{0} names a program that git runs", word),
  },
  {
    code: "git-steered",
    phrases: [/^(.+) leads git to another repository$/s],
    words: (t, name) => t("{0} leads git to another repository", name),
  },
  {
    code: "git-elsewhere",
    phrases: [/^the repository(?:'s objects lie| of .+ lies) elsewhere$/s],
    words: (t) => t("the repository, or a part of it, lies in another folder"),
  },
  {
    code: "git-link",
    phrases: [/^(.+) is a link$/s],
    words: (t, path) => t("{0} is a link", path),
  },
  {
    code: "git-outside",
    phrases: [/^files outside a repository are searched$/],
    words: (t) => t("it reads files outside a repository"),
  },
  {
    code: "git-notes",
    phrases: [/^notes, which may hold anything, are shown$/],
    words: (t) => t("it shows git notes, which may hold secrets"),
  },
  {
    code: "git-changed-word",
    phrases: [/^(.+) is changed by the shell$/s],
    words: (t, word) => t("the shell changes {0}", word),
  },
  {
    code: "git-object",
    phrases: [/^a format that shows a whole object$/],
    words: (t) => t("it may show a file that is not named"),
  },
  {
    code: "git-changes",
    phrases: [/^(git \S+) that (?:changes|deletes).*$/],
    words: (t, name) => t("{0} may change something in this form", name),
  },
  {
    code: "git-subcommand",
    phrases: [/^git (\S+) is not one of the subcommands that only show$/],
    words: (t, name) => t("git {0} may do more than show", name),
  },
  {
    code: "script-shell-changes-word",
    phrases: [/^(.+), which the script's shell may read otherwise$/s],
    words: (t, word) => t("the shell of the script may change {0}", word),
  },
  {
    code: "not-a-file",
    phrases: [/^(.+) is not a file$/s],
    words: (t, word) => t("{0} is not a file", word),
  },
  {
    code: "on-another-machine",
    phrases: [/^(.+) is on another machine$/s],
    words: (t, word) => t("{0} is on another machine", word),
  },
  {
    code: "not-a-plain-address",
    phrases: [/^(.+), which is not a plain address$/s],
    words: (t, word) => t("{0} is not a plain web address", word),
  },
  {
    code: "changes-computer",
    phrases: [/^date with an operand sets the clock$/, /^hostname with an operand sets the name$/],
    words: (t) => t("it may change a setting of the computer"),
  },
  {
    code: "writes-file",
    phrases: [/^(?:(?:uniq|xxd) with an output file|dd with an output|tee with a file|wget writes a file)$/],
    words: (t) => t("it writes a file"),
  },
  {
    code: "takes-from-file",
    phrases: [/^(?:curl|kubectl|man) with a (?:template from a )?file$/],
    words: (t) => t("it takes something from a file"),
  },
  {
    code: "shows-secrets",
    phrases: [/^kubectl \S+ with secrets$/],
    words: (t) => t("it may show secrets"),
  },
  {
    code: "archive",
    phrases: [/^tar (?:that|with)/],
    words: (t) => t("it may do more than list the archive"),
  },
  {
    code: "files-from-pipe",
    phrases: [/^(.+) reads the files that come through the pipe$/],
    words: (t, name) => t("{0} reads the files that come through the pipe", name),
  },
  {
    code: "filter-reads-more",
    phrases: [/^a jq filter that reads more than its input$/],
    words: (t) => t("its filter reads more than its input"),
  },
  {
    code: "format-runs-program",
    phrases: [/^a format that runs gpg$/],
    words: (t) => t("it may run another program"),
  },
  {
    code: "script-writes-or-runs",
    phrases: [/^(?:an awk program|a sed script) that may write or run$/],
    words: (t) => t("its script may write files or run commands"),
  },
  {
    code: "leaves-folder",
    phrases: [/^cd to somewhere else than a folder below$/],
    words: (t) => t("it leaves the folder that it runs in"),
  },
  {
    code: "many-folders",
    phrases: [/^it may run in many folders$/],
    words: (t) => t("it may run in one of many folders"),
  },
  {
    code: "words-evaluated",
    phrases: [
      /^a test that /,
      /^an operand that the shell may evaluate$/,
      /^printf that assigns a variable$/,
    ],
    words: (t) => t("the shell may run what its words say"),
  },
];
