/** Judges one simple command: the lists, what its program may do, and the files that it names. */
import { type Reason, reasonOf, type Verdict } from "../../../shared/reason.ts";
import type { ShellKind } from "../../ports/shell.ts";
import { gitUse, withoutPlainGlobals } from "../git/git-use.ts";
import { windowsFault } from "../programs/cmdlets.ts";
import { readingFault, readingProgram } from "../programs/reading-programs.ts";
import { isInterpreter, isRunner } from "../programs/runners.ts";
import { isWindowsShell, type SimpleCommand, type Word } from "../shells/shell-words.ts";
import { type EntryMatch, type Lists, matchLists } from "./prefixes.ts";
import { type FileUses, secretArgument } from "./secret-arguments.ts";

export interface SimpleVerdict extends FileUses {
  verdict: Verdict;
  reason: Reason;
  /** The words of the list entry that decided. */
  entry?: readonly string[];
  /** It may change files, or run something that does. */
  changes?: boolean;
}

const NO_FILES: FileUses = { reads: [], folders: [] };

function decided(verdict: Verdict, reason: Reason): SimpleVerdict {
  return { verdict, reason, ...NO_FILES };
}
const ask = (reason: Reason): SimpleVerdict => decided("ask", reason);

const SHOWS_FILES = /^(?:get-content|gc|cat|type)$/;
const LISTS_FILES = /^(?:get-item|gi|get-childitem|gci|dir|ls)$/;

/** Whether a cmdlet may read the files that come through a PowerShell pipe, and not their names or content as text. */
function takesFiles(name: string, from: string): boolean {
  if (/^(?:select-string|sls)$/.test(name)) return LISTS_FILES.test(from);
  return (
    (SHOWS_FILES.test(name) || LISTS_FILES.test(name) || name === "get-filehash") && !SHOWS_FILES.test(from)
  );
}

/** Alone, they install, and an entry of the first releases' kind meant all that begins with their name. */
const INSTALLS = /^(?:yarn|pnpm)$/;

/** Returns the entry of the lists that decides about a simple command: all that its verdict takes from the lists. */
export function decidingEntry(texts: readonly string[], lists: Lists): EntryMatch | undefined {
  return matchLists(listedWords(texts), lists);
}

/** The words that entries are compared with. */
function listedWords(texts: readonly string[]): readonly string[] {
  return texts[0] === "git" ? withoutPlainGlobals(texts) : texts;
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
  { shell, ignored }: SimpleContext,
): SimpleVerdict {
  const [first, ...words] = command.words;
  const listed = listedWords(command.words.map(({ text }) => text));
  if (match?.list === "deny") return decided("deny", reasonOf("deny-listed", match.entry.join(" ")));
  const notListed = ask(reasonOf("not-listed", listed.slice(0, 2).join(" ")));
  if (!match) return notListed;
  const { entry } = match;
  const allowed = { ...decided("allow", reasonOf("allow-listed", entry.join(" "))), entry };
  const name = isWindowsShell(shell) ? (first?.text.toLowerCase() ?? "") : (first?.text ?? "");
  const never = neverCovered(name, entry);
  if (never) return ask(never);
  const read = reading(name, command, words, shell);
  // What was listed word by word to its end is exactly what a user saw.
  if (entry.length > 1 && entry.length === listed.length && command.words.every(({ literal }) => literal)) {
    return { ...allowed, changes: !read || read.fault !== undefined, ...(read?.git && { git: read.git }) };
  }
  const odd = isWindowsShell(shell) ? windowsFault(name, words, shell) : undefined;
  if (odd) return ask(odd);
  if (read === undefined) {
    // It may do more than read: an entry covers its own words, and nothing after them or piped into it.
    const takesMore = words.length > 0 || command.link === "pipe" || command.piped !== undefined;
    return takesMore || INSTALLS.test(name) ? notListed : { ...allowed, changes: true };
  }
  const { fault, ...uses } = read;
  const refused = secretArgument(read.reads, ignored) ?? fault ?? refusedWord(name, words, read.reads);
  return refused ? ask(refused) : { ...allowed, ...uses };
}

/** Returns why no entry like this covers a program that runs code or commands. */
function neverCovered(name: string, entry: readonly string[]): Reason | undefined {
  if (isRunner(name) && !STARTS_PACKAGES.test(name) && name !== "command")
    return reasonOf("runs-commands", name);
  return isInterpreter(name) && !namesCode(entry) ? reasonOf("interpreter", name) : undefined;
}

/** Programs that start a package's program, which an entry may name. */
const STARTS_PACKAGES = /^(?:npx|bunx|pnpx|uvx|pipx)$/;

/** `node scripts/check.mjs`, `python -m pytest`, `node --test`, `node --version`: the entry contains what the interpreter runs. */
function namesCode([, first = "", second = ""]: readonly string[]): boolean {
  if (first === "-m") return /^[A-Za-z]/.test(second);
  return /^(?:--test|-?-version|-[vV])$/.test(first) || /^[^-]/.test(first);
}

/** Whether this is a plain form of a program that only reads. */
export function onlyReads(command: SimpleCommand, shell: ShellKind): boolean {
  const [first, ...words] = command.words;
  const read = reading(first?.text ?? "", command, words, shell);
  return read !== undefined && read.fault === undefined;
}

/** What a command reads if it is a plain form of a program that only reads, or why it is not; undefined: it is none. */
function reading(
  name: string,
  { piped }: SimpleCommand,
  words: readonly Word[],
  shell: ShellKind,
): (FileUses & { fault?: Reason | undefined }) | undefined {
  if (name === "git") {
    const git = gitUse(words);
    return "fault" in git ? { ...NO_FILES, ...git } : { ...NO_FILES, reads: git.reads, git };
  }
  const program = readingProgram(name, shell);
  if (!program) return undefined;
  const from = piped?.words[0]?.text.toLowerCase();
  const isPiped = from !== undefined && takesFiles(name, from);
  return {
    reads: program.reads?.(words) ?? words,
    folders: program.folders?.(words) ?? [],
    fault: isPiped ? reasonOf("files-from-pipe", name) : readingFault(name, program, words, shell),
  };
}

/** Programs that only print their words, or show names: for them it does not matter what a variable becomes. */
const SHOWS = /^(?:echo|pwd|ls|true|false|basename|dirname|realpath|readlink|stat|du|df)$/;

/** Returns why a word whose value only the shell knows asks. */
function refusedWord(name: string, words: readonly Word[], reads: readonly Word[]): Reason | undefined {
  const takesValue = (word: Word) =>
    !reads.includes(word) && (SHOWS.test(name) || (word.unknown === "one" && !word.text.startsWith("-")));
  const unknown = words.find((word) => word.unknown && !takesValue(word));
  return unknown && reasonOf("variable", unknown.text);
}
