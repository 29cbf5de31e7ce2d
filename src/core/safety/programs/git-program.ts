import { type Reason, reasonOf } from "../../../shared/reason.ts";
import type { Word } from "../shells/shell-words.ts";
import { type GitTable, gitTables } from "./git-tables.ts";
import { ofProgram, readProgramOptions } from "./option-tables.ts";
import type { Profile, ProgramCall } from "./profile.ts";
import { riskyGit } from "./runners/unknown.ts";

/** git: accepts subcommands that only show, with options that only show; others only as far as they are listed. */
export const git: Profile = { judge, files };

/** Options before the subcommand that only change the form of the output. */
const GIT_PLAIN_GLOBALS = new Set(
  "--no-pager -P --no-optional-locks --literal-pathspecs --no-replace-objects --glob-pathspecs --noglob-pathspecs --icase-pathspecs".split(
    " ",
  ),
);

/** Makes `git --no-pager log` match `git log`. */
export function withoutPlainGlobals(words: string[]): string[] {
  let i = 1;
  while (i < words.length && GIT_PLAIN_GLOBALS.has(words[i] ?? "")) i++;
  return [words[0] ?? "", ...words.slice(i)];
}

/**
 * Subcommands that run what their words name, show files that their words do not name, or print passwords. An entry
 * covers them only with its own words, or in the form that it names (`git submodule status`).
 */
const NOT_BY_NAME = new Set(
  "annotate apply bisect bundle check-attr checkout-index credential credential-cache credential-store daemon diff-pairs difftool fast-export filter-branch for-each-repo format-patch help http-backend instaweb interpret-trailers merge-file merge-tree mergetool notes patch-id range-diff receive-pack replay request-pull send-email shell show-index submodule unpack-file upload-archive upload-pack var web--browse".split(
    " ",
  ),
);
const RUNS = /^(?:run|foreach|view|visualize|fill|get|show|log|replay)$/;

function judge({ words, entry }: ProgramCall): Reason | undefined {
  let at = 0;
  while (at < words.length && GIT_PLAIN_GLOBALS.has(words[at]?.text ?? "")) at++;
  const sub = words[at];
  if (!sub) return reasonOf("missing-argument", "git");
  if (sub.text === "--version") return undefined;
  if (sub.text.startsWith("-")) return reasonOf("option-of-program", "git", sub.text);
  const rest = words.slice(at + 1);
  const table: GitTable | undefined = gitTables[sub.text];
  if (!table) return asListed(sub.text, rest, entry);
  const read = readProgramOptions(rest, table);
  if ("fault" in read) return ofProgram(`git ${sub.text}`, read.fault);
  // A format with %G runs gpg, or the program that the repository's configuration specifies.
  if (read.options.some((o) => /^--(?:format|pretty)$/.test(o.name) && /%G|signature/.test(o.value ?? "")))
    return reasonOf("format-runs-program");
  if (read.options.some((o) => o.name === "--format" && /%\(\*?(?:raw|signature)/.test(o.value ?? "")))
    return reasonOf("git-object");
  return table.operands?.(read, rest[0]?.text, rest);
}

/** Judges a subcommand that may do more than show: it runs only as far as the entry names it. */
function asListed(sub: string, rest: Word[], entry: readonly string[]): Reason | undefined {
  const runsWords = NOT_BY_NAME.has(sub) && (entry.length === 2 || RUNS.test(entry[2] ?? ""));
  if (entry[1] !== sub || runsWords) return reasonOf("git-subcommand", sub);
  return riskyGit(rest, entry.slice(2));
}

/** Subcommands that show information about files, not their content. */
const NAMES_ONLY = new Set(
  "status ls-files ls-tree branch tag remote describe rev-parse check-ignore for-each-ref".split(" "),
);

function files({ words }: ProgramCall) {
  const sub = words.find((word) => !GIT_PLAIN_GLOBALS.has(word.text));
  if (NAMES_ONLY.has(sub?.text ?? "")) return [];
  // HEAD~3 is not a Windows short name. Text after these options is searched for, not a file. A pathspec that begins
  // with :! or :^ excludes files.
  return words.filter(
    (word) =>
      !/^:[!^]|^[\w./@{}-]+~\d+$|^(?:--(?:grep|author|committer|format|pretty|since|until|after|before)=|-[SG].)/.test(
        word.text,
      ),
  );
}
