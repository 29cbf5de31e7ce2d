/** Reasons about what a program may do with its words. */
import type { CommandReasons } from "../../reason.ts";
import type { WordsOf } from "./reason-table.ts";

export const commandWords: WordsOf<CommandReasons> = {
  "repository-runs-program": (t, what) => t("{0} of this repository may run a program", what),
  "submodule-runs-program": (t, what, folder) =>
    t("{0} of the repository in {1} may run a program", what, folder),
  "repository-unclear": (t, path) => t("{0} cannot be read for certain, so git may run a program", path),
  "program-from-project": (t, name, entry) =>
    t("PATH looks for {0} in the project ({1}), so the allow list does not apply", name, entry),
  "not-listed": (t, name) => t("{0} is not on the allow list", name),
  "not-listed-in-folder": (t, command, folder) => t("{0} in {1} is not on the allow list", command, folder),
  interpreter: (t, name) => t("{0} runs whatever it is given", name),
  "runs-commands": (t, name) => t("{0} runs other commands", name),
  "changes-shell": (t, name) => t("{0} changes the shell or runs its words", name),
  "option-of-program": (t, name, option) =>
    t("the option {1} of {0} is not known to be harmless", name, option),
  option: (t, option) => t("the option {0} is not known to be harmless", option),
  "options-of-program": (t, name) => t("the options of {0} are not known to be harmless", name),
  "read-as-option": (t, word) => t("some programs read {0} as an option", word),
  "git-force": (t, word) => t("{0} forces what git would refuse", word),
  "git-helper": (t, word) => t("{0} names a program that git runs", word),
  "git-steered": (t, name) => t("{0} leads git to another repository", name),
  "git-elsewhere": (t) => t("the repository, or a part of it, lies in another folder"),
  "git-link": (t, path) => t("{0} is a link", path),
  "git-outside": (t) => t("it reads files outside a repository"),
  "git-notes": (t) => t("it shows git notes, which may hold secrets"),
  "git-changed-word": (t, word) => t("the shell changes {0}", word),
  "git-object": (t) => t("it may show a file that is not named"),
  "git-changes": (t, name) => t("{0} may change something in this form", name),
  "git-subcommand": (t, name) => t("git {0} may do more than show", name),
  "script-shell-changes-word": (t, word) => t("the shell of the script may change {0}", word),
  "not-a-file": (t, word) => t("{0} is not a file", word),
  "on-another-machine": (t, word) => t("{0} is on another machine", word),
  "not-a-plain-address": (t, word) => t("{0} is not a plain web address", word),
  "changes-computer": (t) => t("it may change a setting of the computer"),
  "writes-file": (t) => t("it writes a file"),
  "takes-from-file": (t) => t("it takes something from a file"),
  "shows-secrets": (t) => t("it may show secrets"),
  archive: (t) => t("it may do more than list the archive"),
  "files-from-pipe": (t, name) => t("{0} reads the files that come through the pipe", name),
  "filter-reads-more": (t) => t("its filter reads more than its input"),
  "format-runs-program": (t) => t("it may run another program"),
  "script-writes-or-runs": (t) => t("its script may write files or run commands"),
  "leaves-folder": (t) => t("it leaves the folder that it runs in"),
  "many-folders": (t) => t("it may run in one of many folders"),
  "words-evaluated": (t) => t("the shell may run what its words say"),
};
