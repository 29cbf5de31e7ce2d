/** Judges one simple command: lists, what its program may do, and the files it names. */
import { type Reason, reasonOf } from "../../../shared/reason.ts";
import { type GitUse, gitUse } from "../git/git-use.ts";
import { type TreeRead, treesOf } from "../paths/trees.ts";
import { cmdletReason } from "../programs/cmdlets.ts";
import { withoutPlainGlobals } from "../programs/git-program.ts";
import { alwaysAsks, mayChange, profileOf } from "../programs/known-programs.ts";
import type { Disk } from "../programs/profile.ts";
import { isInterpreter, leavesOpen, programOf, runsGiven } from "../programs/runners/runners.ts";
import { setsUp } from "../programs/runners/unknown.ts";
import type { SimpleCommand, Word } from "../shells/shell-words.ts";
import { type Lists, matchLists } from "./prefixes.ts";
import { secretArgument } from "./secret-arguments.ts";

export interface Judged {
  verdict: "allow" | "ask" | "deny";
  reason: Reason;
  /** The entry of the list that decided, by word. */
  entry?: string[];
  /** It may change files, or run what does. */
  changes?: boolean;
  /** The words that may name files which the command reads. */
  reads: Word[];
  /** The words that may name files which it changes. */
  writes: Word[];
  /** The folders that it reads with all that is in them. */
  trees: TreeRead[];
  /** Why what the project configures for the program asks. */
  configured?: (disk: Disk) => Promise<Reason | undefined> | undefined;
  /** What it has git do, in a repository that is still to be looked at. */
  git?: GitUse;
}

const ask = (reason: Reason): Judged => ({ verdict: "ask", reason, reads: [], writes: [], trees: [] });

/** They take files, not their names as text, from a pipe of PowerShell. */
const FROM_PIPE = /^(?:get-content|gc|cat|type|get-filehash|get-item|gi|get-childitem|gci|dir|ls)$/;

/** `ignored` tells for a path, as written, whether .nekodeignore names it. */
export function judgeSimple(
  command: SimpleCommand,
  lists: Lists,
  ignored?: (path: string) => boolean,
): Judged {
  const judged = judgeWords(command, lists, ignored);
  const [first] = command.words;
  const rest = command.expanded ?? command.words.slice(1);
  if (judged.verdict !== "allow" || programOf(first?.text ?? "") !== "git") return judged;
  const git = gitUse(rest);
  return git ? { ...judged, git, changes: git.reach === "changes" } : judged;
}

function judgeWords(
  command: SimpleCommand,
  lists: Lists,
  ignored: ((path: string) => boolean) | undefined,
): Judged {
  const texts = command.words.map((word) => word.text);
  const written = texts[0] ?? "";
  const words = written === "git" ? withoutPlainGlobals(texts) : texts;
  const shown = words.slice(0, 2).join(" ");
  const match = matchLists(words, lists);
  if (match?.list === "deny")
    return {
      verdict: "deny",
      reason: reasonOf("deny-listed", match.entry.join(" ")),
      reads: [],
      writes: [],
      trees: [],
    };
  const folds = lists.shell === "powershell" || lists.shell === "cmd";
  const name = folds ? written.toLowerCase() : written;
  const never = name === "command" ? undefined : alwaysAsks(name);
  const handed = match && handedOver(name, match.entry);
  if (never && !handed) return ask(never);
  if (!match) return ask(reasonOf("not-listed", shown));
  if (isInterpreter(name) && !namesScript(match.entry) && !onlyTells(match.entry, words))
    return ask(reasonOf("interpreter", name));
  const [first, ...asWritten] = command.words;
  const rest = command.expanded ?? asWritten;
  // What was listed word by word to its end is exactly what a person saw.
  if (
    match.entry.length === words.length &&
    words.length > 1 &&
    command.words.every((word) => word.literal)
  ) {
    return {
      verdict: "allow",
      reason: reasonOf("allow-listed", match.entry.join(" ")),
      entry: match.entry,
      changes: mayChange(name, lists.shell),
      reads: [],
      writes: [],
      trees: [],
    };
  }
  // `npx tsc` on the list covers what `tsc` there would.
  const sets = handed ? setsUp(words[1] ?? "", words.slice(2), match.entry.length - 2) : undefined;
  if (sets) return ask(reasonOf("not-listed", sets));
  if (handed) return judgeWords({ words: command.words.slice(1) }, { ...lists, allow: [handed] }, ignored);
  if (leavesOpen(match.entry)) return ask(reasonOf("runs-commands", match.entry.join(" ")));
  const cmdlet = folds ? cmdletReason(name, rest, lists.shell) : undefined;
  if (cmdlet) return ask(cmdlet);
  // What Get-Content says of a file leads back to that file, which was judged.
  const from = command.piped?.words[0]?.text.toLowerCase() ?? "get-content";
  if (FROM_PIPE.test(name) && !/^(?:get-content|gc|cat|type)$/.test(from))
    return ask(reasonOf("files-from-pipe", name));
  const profile = profileOf(name, lists.shell);
  const call = { name, words: rest, entry: match.entry, shell: lists.shell };
  const risky = profile.judge(call);
  if (risky) return ask(risky);
  const reads = profile.files ? profile.files(call) : rest;
  const unknown = rest.find((word) => word.unknown && !takesValues(name, word, reads));
  if (unknown) return ask(reasonOf("variable", unknown.text));
  const secret = secretArgument(reads, ignored, lists.shell === "cmd");
  if (secret) return ask(secret);
  return {
    verdict: "allow",
    reason: reasonOf("allow-listed", match.entry.join(" ")),
    entry: match.entry,
    changes: mayChange(name, lists.shell),
    reads,
    writes: profile.writes?.(call) ?? [],
    ...(profile.configured ? { configured: (disk: Disk) => profile.configured?.(call, disk) } : {}),
    trees: treesOf({ ...command, words: first ? [first, ...rest] : rest }),
  };
}

/** The entry without the runner in front of it, where it names a plain program behind. */
function handedOver(name: string, entry: string[]): string | undefined {
  const [, program = "", ...rest] = entry;
  const plain =
    [program, ...rest].every((word) => /^[\w.:=@%+,-]+$/.test(word)) && /^[a-z][\w-]*$/.test(program);
  if (!/^(?:npx|bunx|pnpx)$/.test(name) || !plain) return undefined;
  return alwaysAsks(program) || isInterpreter(program) || runsGiven([program, ...rest]) !== undefined
    ? undefined
    : entry.slice(1).join(" ");
}

/** Programs to which it does not matter what a variable holds, or whether it holds anything: they show it, or names. */
const SHOWS = /^(?:echo|printf|pwd|ls|true|false|test|\[|basename|dirname|realpath|readlink|stat|du|df)$/;
const SEARCHES = /^(?:[ef]?grep|rg)$/;

function takesValues(name: string, word: Word, reads: Word[]): boolean {
  if (reads.includes(word)) return false;
  return SHOWS.test(name) || (SEARCHES.test(name) && word.unknown === "one" && !word.text.startsWith("-"));
}

/** `node --version`, listed and asked for just so. */
function onlyTells(entry: string[], words: string[]): boolean {
  return entry.length === 2 && words.length === 2 && /^(?:-?-version|-V|--help)$/.test(entry[1] ?? "");
}

/** `node scripts/check.mjs`, `python -m pytest`, `node --test`: the entry says what the interpreter runs. */
function namesScript(entry: string[]): boolean {
  const [, first = "", second = ""] = entry;
  if (first === "-m") return /^[A-Za-z]/.test(second);
  return first === "--test" || /^[^-]/.test(first);
}
