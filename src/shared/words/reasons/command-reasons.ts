/** The words for reasons about what a program may do with its arguments. */
import type { CommandReasons } from "../../reason.ts";
import type { WordsOf } from "./reason-table.ts";

export const commandWords: WordsOf<CommandReasons> = {
  "repository-runs-program": (t, what) => t("{0} in this repository may run a program", what),
  "repository-unclear": (t, path) => t("{0} cannot be read reliably, so Git may run a program", path),
  "program-from-project": (t, name, entry) =>
    t(
      "PATH includes a folder of the project ({1}) that is searched for {0}, so the allow list does not apply",
      name,
      entry,
    ),
  "not-listed": (t, name) => t("{0} is not on the allow list", name),
  "not-listed-in-folder": (t, command, folder) => t("{0} in {1} is not on the allow list", command, folder),
  interpreter: (t, name) => t("{0} runs any code that it is given", name),
  "runs-commands": (t, name) => t("{0} runs other commands", name),
  "changes-shell": (t, name) => t("{0} can change the shell or run other commands", name),
  "option-of-program": (t, name, option) => t("the option {1} of {0} is not known to be safe", name, option),
  option: (t, option) => t("the option {0} is not known to be safe", option),
  "options-of-program": (t, name) => t("the options of {0} are not known to be safe", name),
  "git-steered": (t, name) => t("{0} points Git to another repository", name),
  "git-elsewhere": (t) => t("the repository, or part of it, is in another folder"),
  "git-outside": (t) => t("the command reads files outside a repository"),
  "git-changes": (t, name) => t("{0} may make changes when used this way", name),
  "git-subcommand": (t, name) => t("git {0} may do more than show information", name),
  "not-a-file": (t, word) => t("{0} is not a file", word),
  "on-another-machine": (t, word) => t("{0} is on another computer", word),
  "writes-file": (t) => t("the command writes a file"),
  archive: (t) => t("the command may do more than list the archive"),
  "files-from-pipe": (t, name) => t("{0} reads the files that are piped to it", name),
  "filter-reads-more": (t) => t("the filter may read more than its input"),
  "script-writes-or-runs": (t) => t("the script may write files or run commands"),
  "leaves-folder": (t) => t("the command leaves the folder that it runs in"),
  "many-folders": (t) => t("the command may run in any of several folders"),
};
