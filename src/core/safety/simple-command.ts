/** Judges one simple command: lists, what its program may do, and the files it names. */
import { secretArgument } from "./arguments.ts";
import { type Lists, matchLists } from "./prefixes.ts";
import { withoutPlainGlobals } from "./programs/git.ts";
import { alwaysAsks, isInterpreter, profileOf } from "./programs/index.ts";
import { cmdletReason } from "./programs/powershell.ts";
import type { SimpleCommand, Word } from "./words.ts";

export interface Judged {
  verdict: "allow" | "ask" | "deny";
  reason: string;
  /** The words that may name files which the command reads. */
  reads: Word[];
}

const ask = (reason: string): Judged => ({ verdict: "ask", reason, reads: [] });

/** `ignored` tells for a path, as written, whether .nekodeignore names it. */
export function judgeSimple(
  command: SimpleCommand,
  lists: Lists,
  ignored?: (path: string) => boolean,
): Judged {
  const texts = command.words.map((word) => word.text);
  const written = texts[0] ?? "";
  const words = written === "git" ? withoutPlainGlobals(texts) : texts;
  const shown = words.slice(0, 2).join(" ");
  const match = matchLists(words, lists);
  if (match?.list === "deny")
    return { verdict: "deny", reason: `\`${match.entry.join(" ")}\` is on the deny list`, reads: [] };
  const folds = lists.shell === "powershell" || lists.shell === "cmd";
  const name = folds ? written.toLowerCase() : written;
  const never = name === "command" ? undefined : alwaysAsks(name);
  if (never) return ask(never);
  if (!match) return ask(`\`${shown}\` is not on the allow list`);
  if (isInterpreter(name) && !namesScript(match.entry)) return ask(`${name} runs whatever it is given`);
  const rest = command.words.slice(1);
  // What was listed word by word to its end is exactly what a person saw.
  if (
    match.entry.length === words.length &&
    words.length > 1 &&
    command.words.every((word) => word.literal)
  ) {
    return { verdict: "allow", reason: `\`${match.entry.join(" ")}\` is on the allow list`, reads: [] };
  }
  const cmdlet = folds ? cmdletReason(name, rest, lists.shell) : undefined;
  if (cmdlet) return ask(cmdlet);
  const profile = profileOf(name);
  const call = { name, words: rest, entry: match.entry, shell: lists.shell };
  const risky = profile.judge(call);
  if (risky) return ask(risky);
  const reads = profile.files ? profile.files(call) : rest;
  const secret = secretArgument(reads, ignored);
  if (secret) return ask(secret);
  return { verdict: "allow", reason: `\`${match.entry.join(" ")}\` is on the allow list`, reads };
}

/** `node scripts/check.mjs`, `python -m pytest`, `node --test`: the entry says what the interpreter runs. */
function namesScript(entry: string[]): boolean {
  const [, first = "", second = ""] = entry;
  if (first === "-m") return /^[A-Za-z]/.test(second);
  return first === "--test" || /^[^-]/.test(first);
}
