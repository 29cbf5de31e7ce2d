import { type Reason, reasonOf } from "../../../shared/reason.ts";
import { ofProgram, readProgramOptions } from "./option-tables.ts";
import type { Profile, ProgramCall } from "./profile.ts";

/** awk: programs that only print; system, getline, pipes, output to files, indirect calls and includes ask. */
export const awk: Profile = { judge, files };

const TABLE = { short: "", valued: "Fv" };

function judge({ words }: ProgramCall): Reason | undefined {
  const read = readProgramOptions(words, TABLE);
  if ("fault" in read) return ofProgram("awk", read.fault);
  const [program] = [...read.positionals, ...read.rest];
  if (!program) return reasonOf("missing-argument", "awk");
  if (!program.literal) return reasonOf("script-changed-by-shell");
  return isPlainAwk(program.text) ? undefined : reasonOf("script-writes-or-runs");
}

function files({ words }: ProgramCall) {
  const read = readProgramOptions(words, TABLE);
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

/** What a `/` means at a place: division (after an operand), the start of a pattern, or unknown. */
type Slash = "divides" | "starts" | "unknown";

interface ScriptState {
  slash: Slash;
  parentheses: number;
  braces: number;
}

interface Token {
  form: RegExp;
  /** What a `/` means after the token; undefined if the token may write, run or read something. */
  behind(place: ScriptState, token: string): Slash | undefined;
  /** If set, the token is recognized only where a `/` means this. */
  where?: Slash;
}

const TOKENS: readonly Token[] = [
  { form: /^[ \t]+/, behind: ({ slash }) => slash },
  {
    form: /^[A-Za-z_]\w*/,
    behind: (_, word) => (FORBIDDEN.has(word) ? undefined : KEYWORDS.has(word) ? "unknown" : "divides"),
  },
  { form: /^(?:\d|"(?:[^"\\\n]|\\[^\n])*")/, behind: () => "divides" },
  {
    form: /^\/(?:[^/\\\n[]|\\[^\n]|\[\^?\]?[^\]/\\\n[]*\])*\//,
    behind: () => "divides",
    where: "starts",
  },
  { form: /^\//, behind: () => "starts", where: "divides" },
  {
    form: /^[([]/,
    behind(place) {
      place.parentheses++;
      return "starts";
    },
  },
  { form: /^[)\]]/, behind: (place) => (--place.parentheses < 0 ? undefined : "divides") },
  {
    form: /^[{}]/,
    behind(place, brace) {
      place.braces += brace === "{" ? 1 : -1;
      return place.parentheses !== 0 || place.braces < 0 ? undefined : "starts";
    },
  },
  // After x++ a slash divides, after ++x it cannot occur: the token does not tell which.
  { form: /^(?:\+\+|--)/, behind: () => "unknown" },
  // In an action a `>` outside parentheses writes to a file.
  {
    form: /^>/,
    behind: ({ parentheses, braces }) => (braces > 0 && parentheses === 0 ? undefined : "starts"),
  },
  { form: /^(?:\|\||[;,\n!~<=+\-*%^?:&$])/, behind: () => "starts" },
];

/** Whether a program has no way to write, run or read anything but its input. */
export function isPlainAwk(program: string): boolean {
  const place: ScriptState = { slash: "starts", parentheses: 0, braces: 0 };
  for (let rest = program; rest !== ""; ) {
    const token = TOKENS.find(({ form, where }) => (!where || where === place.slash) && form.test(rest));
    const text = token?.form.exec(rest)?.[0] ?? "";
    const slash = token?.behind(place, text);
    if (!slash) return false;
    place.slash = slash;
    rest = rest.slice(text.length);
  }
  return place.parentheses === 0 && place.braces === 0;
}
