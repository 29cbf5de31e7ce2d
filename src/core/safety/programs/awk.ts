import { type Reason, reasonOf } from "../../../shared/reason.ts";
import { ofProgram, readOptions } from "./option-tables.ts";
import type { Profile, ProgramCall } from "./profile.ts";

/** awk: programs that only print; system, getline, pipes, output to files, indirect calls and includes ask. */
export const awk: Profile = { judge, files };

const TABLE = { short: "", valued: "Fv" };

function judge({ words }: ProgramCall): Reason | undefined {
  const read = readOptions(words, TABLE);
  if ("fault" in read) return ofProgram("awk", read.fault);
  const [program] = [...read.positionals, ...read.rest];
  if (!program) return reasonOf("missing-argument", "awk");
  if (!program.literal) return reasonOf("script-changed-by-shell");
  return isPlainAwk(program.text) ? undefined : reasonOf("script-writes-or-runs");
}

function files({ words }: ProgramCall) {
  const read = readOptions(words, TABLE);
  return "fault" in read ? words : [...read.positionals, ...read.rest].slice(1);
}

const FORBIDDEN = new Set([
  "system",
  "getline",
  "close",
  "fflush",
  "ENVIRON",
  "PROCINFO",
  "SYMTAB",
  "ARGV",
  "ARGC",
  "FUNCTAB",
  "function",
  "func",
]);
const KEYWORDS = new Set(
  "print printf return in if else while for do next nextfile exit delete case switch default break continue getline".split(
    " ",
  ),
);

/** Whether a program has no way to write, run or read anything but its input. */
export function isPlainAwk(program: string): boolean {
  let depth = 0;
  let braces = 0;
  /** Whether a `/` here divides (behind an operand) or starts a pattern. */
  let operand = false;
  let keyword = false;
  for (let at = 0; at < program.length; ) {
    const c = program.charAt(at);
    if (c === " " || c === "\t") {
      at++;
      continue;
    }
    if (/[A-Za-z_]/.test(c)) {
      const word = /^\w+/.exec(program.slice(at))?.[0] ?? c;
      if (FORBIDDEN.has(word)) return false;
      at += word.length;
      keyword = KEYWORDS.has(word);
      operand = true;
      continue;
    }
    if (/[0-9]/.test(c)) operand = true;
    else if (c === '"') {
      const string = /^"(?:[^"\\\n]|\\[^\n])*"/.exec(program.slice(at));
      if (!string) return false;
      at += string[0].length;
      operand = true;
      keyword = false;
      continue;
    } else if (c === "/") {
      if (keyword) return false;
      if (!operand) {
        const pattern = /^\/(?:[^/\\\n[]|\\[^\n]|\[\^?\]?[^\]/\\\n[]*\])*\//.exec(program.slice(at));
        if (!pattern) return false;
        at += pattern[0].length;
        operand = true;
        continue;
      }
      operand = false;
    } else if (c === "|") {
      if (program.charAt(at + 1) !== "|") return false;
      at++;
      operand = false;
    } else if (c === ">") {
      if (braces > 0 && depth === 0) return false;
      operand = false;
    } else if (c === "(" || c === "[") {
      depth++;
      operand = false;
    } else if (c === ")" || c === "]") {
      if (--depth < 0) return false;
      operand = true;
    } else if (c === "{" || c === "}") {
      if (depth !== 0) return false;
      braces += c === "{" ? 1 : -1;
      if (braces < 0) return false;
      operand = false;
    } else if ((c === "+" || c === "-") && program.charAt(at + 1) === c) {
      // Behind x++ a slash divides, behind ++x it cannot stand: neither is guessed.
      at += 2;
      keyword = true;
      continue;
    } else if (/[;,\n!~<=+\-*%^?:&$]/.test(c)) operand = false;
    else return false;
    keyword = false;
    at++;
  }
  return depth === 0 && braces === 0;
}
