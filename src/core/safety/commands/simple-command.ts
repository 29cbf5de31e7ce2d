/** Judges one simple command: the lists, what its program may do, and the files that it names. */
import { type Reason, reasonOf, type Verdict } from "../../../shared/reason.ts";
import type { ShellKind } from "../../ports/shell.ts";
import { type GitUse, gitUse } from "../git/git-use.ts";
import { type TreeRead, treesOf } from "../paths/trees.ts";
import { cmdletReason } from "../programs/cmdlets.ts";
import { withoutPlainGlobals } from "../programs/git-program.ts";
import { alwaysAsks, mayChange, profileOf } from "../programs/known-programs.ts";
import type { Disk, ProgramCall } from "../programs/profile.ts";
import { isInterpreter, leavesOpen, programOf, runsGiven } from "../programs/runners/runners.ts";
import { setsUp } from "../programs/runners/unknown.ts";
import { isWindowsShell, type SimpleCommand, type Word } from "../shells/shell-words.ts";
import { type EntryMatch, type Lists, matchLists } from "./prefixes.ts";
import { secretArgument } from "./secret-arguments.ts";

export interface SimpleVerdict {
  verdict: Verdict;
  reason: Reason;
  /** The words of the list entry that decided. */
  entry?: string[];
  /** It may change files, or run something that does. */
  changes?: boolean;
  /** The words that may name files which the command reads. */
  reads: Word[];
  /** The words that may name files which it changes. */
  writes: Word[];
  /** The folders that it reads recursively. */
  trees: TreeRead[];
  /** Returns why the project's configuration for the program asks. */
  configured?: (disk: Disk) => Promise<Reason | undefined> | undefined;
  /** What it makes git do, in a repository that still has to be checked. */
  git?: GitUse;
}

function decided(verdict: Verdict, reason: Reason): SimpleVerdict {
  return { verdict, reason, reads: [], writes: [], trees: [] };
}
const ask = (reason: Reason): SimpleVerdict => decided("ask", reason);

/** Cmdlets that receive files, not their names as text, from a PowerShell pipe. */
const FROM_PIPE = /^(?:get-content|gc|cat|type|get-filehash|get-item|gi|get-childitem|gci|dir|ls)$/;

/** Returns the entry of the lists that decides about a simple command: all that its verdict takes from the lists. */
export function decidingEntry(texts: string[], lists: Lists): EntryMatch | undefined {
  const match = matchLists(listedWords(texts), lists);
  if (match?.list !== "allow") return match;
  const handed = handedOver(programName(texts, lists.shell), match.entry);
  return handed === undefined
    ? match
    : { ...match, inner: decidingEntry(texts.slice(1), { ...lists, allow: [handed] }) };
}

interface SimpleContext {
  shell: ShellKind;
  /** Whether .nekodeignore matches a path, as written. */
  ignored?: (path: string) => boolean;
}

/** `match`: the entry that decides about the command. */
export function judgeSimple(
  command: SimpleCommand,
  match: EntryMatch | undefined,
  context: SimpleContext,
): SimpleVerdict {
  const judged = judgeWords(command, match, context);
  const [first] = command.words;
  const rest = command.expanded ?? command.words.slice(1);
  if (judged.verdict !== "allow" || programOf(first?.text ?? "") !== "git") return judged;
  const git = gitUse(rest);
  return git ? { ...judged, git, changes: git.reach === "changes" } : judged;
}

/** The words that entries are compared with. */
function listedWords(texts: string[]): string[] {
  return texts[0] === "git" ? withoutPlainGlobals(texts) : texts;
}

function programName([written = ""]: readonly string[], shell: ShellKind): string {
  return isWindowsShell(shell) ? written.toLowerCase() : written;
}

function judgeWords(
  command: SimpleCommand,
  match: EntryMatch | undefined,
  context: SimpleContext,
): SimpleVerdict {
  const { shell, ignored } = context;
  const texts = command.words.map((word) => word.text);
  const words = listedWords(texts);
  if (match?.list === "deny") return decided("deny", reasonOf("deny-listed", match.entry.join(" ")));
  const name = programName(texts, shell);
  const never = name === "command" ? undefined : alwaysAsks(name);
  const handed = match && handedOver(name, match.entry);
  if (never && !handed) return ask(never);
  if (!match) return ask(reasonOf("not-listed", words.slice(0, 2).join(" ")));
  const { entry } = match;
  if (isInterpreter(name) && !namesScript(entry) && !isVersionQuery(entry, words))
    return ask(reasonOf("interpreter", name));
  const allowed: SimpleVerdict = {
    ...decided("allow", reasonOf("allow-listed", entry.join(" "))),
    entry,
    changes: mayChange(name, shell),
  };
  // A command that was listed word by word to its end is exactly what a user saw.
  if (entry.length === words.length && words.length > 1 && command.words.every((word) => word.literal))
    return allowed;
  if (!handed) {
    const rest = command.expanded ?? command.words.slice(1);
    return judgeUse(command, { name, words: rest, entry, shell }, allowed, ignored);
  }
  // `npx tsc` on the list covers what `tsc` would cover there.
  const sets = setsUp(words[1] ?? "", words.slice(2), entry.length - 2);
  if (sets) return ask(reasonOf("not-listed", sets));
  return judgeWords({ words: command.words.slice(1) }, match.inner, context);
}

/** Judges what a program on the allow list does with its words. */
function judgeUse(
  command: SimpleCommand,
  call: ProgramCall,
  allowed: SimpleVerdict,
  ignored: ((path: string) => boolean) | undefined,
): SimpleVerdict {
  const { name, words: rest, entry, shell } = call;
  if (leavesOpen(entry)) return ask(reasonOf("runs-commands", entry.join(" ")));
  const cmdlet = isWindowsShell(shell) ? cmdletReason(name, rest, shell) : undefined;
  if (cmdlet) return ask(cmdlet);
  // Content from Get-Content leads back to its file, which was judged.
  const from = command.piped?.words[0]?.text.toLowerCase() ?? "get-content";
  if (FROM_PIPE.test(name) && !/^(?:get-content|gc|cat|type)$/.test(from))
    return ask(reasonOf("files-from-pipe", name));
  const profile = profileOf(name, shell);
  const risky = profile.judge(call);
  if (risky) return ask(risky);
  const reads = profile.files ? profile.files(call) : rest;
  const unknown = rest.find((word) => word.unknown && !takesValues(name, word, reads));
  if (unknown) return ask(reasonOf("variable", unknown.text));
  const secret = secretArgument(reads, ignored, shell === "cmd");
  if (secret) return ask(secret);
  return {
    ...allowed,
    reads,
    writes: profile.writes?.(call) ?? [],
    ...(profile.configured ? { configured: (disk: Disk) => profile.configured?.(call, disk) } : {}),
    trees: treesOf({ ...command, words: [...command.words.slice(0, 1), ...rest] }),
  };
}

/** Returns the entry without its runner, if it names a plain program after it. */
function handedOver(name: string, entry: string[]): string | undefined {
  const [, program = "", ...rest] = entry;
  const plain =
    [program, ...rest].every((word) => /^[\w.:=@%+,-]+$/.test(word)) && /^[a-z][\w-]*$/.test(program);
  if (!/^(?:npx|bunx|pnpx)$/.test(name) || !plain) return undefined;
  return alwaysAsks(program) || isInterpreter(program) || runsGiven([program, ...rest]) !== undefined
    ? undefined
    : entry.slice(1).join(" ");
}

/** Programs for which the value of a variable does not matter: they only print it, or show names. */
const SHOWS = /^(?:echo|printf|pwd|ls|true|false|test|\[|basename|dirname|realpath|readlink|stat|du|df)$/;
const SEARCHES = /^(?:[ef]?grep|rg)$/;

function takesValues(name: string, word: Word, reads: Word[]): boolean {
  if (reads.includes(word)) return false;
  return SHOWS.test(name) || (SEARCHES.test(name) && word.unknown === "one" && !word.text.startsWith("-"));
}

/** `node --version`, requested exactly as listed. */
function isVersionQuery(entry: string[], words: string[]): boolean {
  return entry.length === 2 && words.length === 2 && /^(?:-?-version|-V|--help)$/.test(entry[1] ?? "");
}

/** `node scripts/check.mjs`, `python -m pytest`, `node --test`: the entry contains what the interpreter runs. */
function namesScript(entry: string[]): boolean {
  const [, first = "", second = ""] = entry;
  if (first === "-m") return /^[A-Za-z]/.test(second);
  return first === "--test" || /^[^-]/.test(first);
}
