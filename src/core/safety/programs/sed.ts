import { type Reason, reasonOf } from "../../../shared/reason.ts";
import { ofProgram, readOptions } from "./option-tables.ts";
import type { Profile, ProgramCall } from "./profile.ts";

/** sed: printing and plain substitution; in-place editing, script files, and the commands e, r, w ask. */
export const sed: Profile = { judge, files };

const TABLE = {
  short: "nErsuz",
  valued: "e",
  long: "quiet silent regexp-extended separate unbuffered null-data zero-terminated posix debug sandbox version help",
  longValued: "expression",
};

function judge({ words }: ProgramCall): Reason | undefined {
  const read = readOptions(words, TABLE);
  if ("fault" in read) return ofProgram("sed", read.fault);
  const scripts = read.options
    .filter((o) => o.name === "-e" || o.name === "--expression")
    .map((o) => o.value ?? "");
  const operands = [...read.positionals, ...read.rest];
  if (scripts.length === 0) {
    const [script] = operands;
    if (!script) return read.options.length > 0 ? undefined : reasonOf("missing-argument", "sed");
    if (!script.literal) return reasonOf("script-changed-by-shell");
    scripts.push(script.text);
  }
  const odd = scripts.find((script) => !isPlainSed(script));
  return odd === undefined ? undefined : reasonOf("script-writes-or-runs");
}

function files({ words }: ProgramCall) {
  const read = readOptions(words, TABLE);
  if ("fault" in read) return words;
  const operands = [...read.positionals, ...read.rest];
  return read.options.some((o) => o.name === "-e" || o.name === "--expression")
    ? operands
    : operands.slice(1);
}

/** Whether a script consists of addresses, labels, p d q = n N g G h H x D P l, s and y without writing or running. */
export function isPlainSed(script: string): boolean {
  let at = 0;
  let depth = 0;
  const blanks = () => {
    while (/[ \t\n;]/.test(script.charAt(at))) at++;
  };
  const address = (): boolean => {
    const number = /^(?:\d+(?:~\d+)?|\$)/.exec(script.slice(at));
    if (number) {
      at += number[0].length;
      return true;
    }
    if (script.charAt(at) !== "/") return false;
    const end = delimited(script, at + 1, "/");
    if (end < 0) {
      at = -1;
      return false;
    }
    at = end + 1;
    while (/[IM]/.test(script.charAt(at))) at++;
    return true;
  };
  for (blanks(); at < script.length; blanks()) {
    if (address()) {
      while (script.charAt(at) === " ") at++;
      if (script.charAt(at) === ",") {
        at++;
        while (script.charAt(at) === " ") at++;
        const relative = /^[+~]\d+/.exec(script.slice(at));
        if (relative) at += relative[0].length;
        else if (!address()) return false;
      }
    }
    if (at < 0) return false;
    while (/[ !]/.test(script.charAt(at))) at++;
    const command = script.charAt(at++);
    if (command === "{") depth++;
    else if (command === "}") {
      if (--depth < 0) return false;
    } else if (command === "s" || command === "y") {
      const after = substitution(script, at, command);
      if (after < 0) return false;
      at = after;
    } else if (/[:bt]/.test(command) && cannotWrite(script)) {
      const label = /^[A-Za-z0-9_]+(?=[;\n}]|$)/.exec(script.slice(at));
      if (label) at += label[0].length;
      else if (command === ":" || !/^[;\n}]|^$/.test(script.slice(at))) return false;
    } else if (!/[pdqQ=nNgGhHxDPl]/.test(command) || command === "") return false;
    else if (/[qQl]/.test(command)) {
      const code = /^ *\d+/.exec(script.slice(at));
      if (code) at += code[0].length;
    }
    if (!/^[ \t]*(?:$|[;\n}])/.test(script.slice(at)) && command !== "{") return false;
  }
  return depth === 0;
}

/** Without these letters no command in it writes, runs or reads files, however a sed takes it apart. */
function cannotWrite(script: string): boolean {
  return !/[wWerR]/.test(script);
}

function substitution(script: string, start: number, command: string): number {
  const delimiter = script.charAt(start);
  if (!/[/|#,:@%!_+~]/.test(delimiter)) return -1;
  const middle = delimited(script, start + 1, delimiter);
  if (middle < 0) return -1;
  const end = delimited(script, middle + 1, delimiter, true);
  if (end < 0) return -1;
  const flags = command === "s" ? (/^[gpiIM0-9]*/.exec(script.slice(end + 1))?.[0] ?? "") : "";
  return end + 1 + flags.length;
}

/** The end of a part, where both readings of brackets in a pattern (GNU's and BSD's) agree on it; else -1. */
function delimited(script: string, start: number, delimiter: string, replacement = false): number {
  let bracket = false;
  for (let i = start; i < script.length; i++) {
    const c = script.charAt(i);
    if (c === "\\") {
      if (bracket)
        return script.charAt(i + 1) === delimiter || script.charAt(i + 1) === "]"
          ? -1
          : plainEnd(script, i + 1, delimiter, bracket);
      i++;
      if (script.charAt(i) === "\n" && !replacement) return -1;
      continue;
    }
    if (c === "\n") return -1;
    if (c === delimiter && !(bracket && cannotWrite(script))) return bracket ? -1 : i;
    if (replacement) continue;
    if (!bracket && c === "[") {
      bracket = true;
      if (script.charAt(i + 1) === "^") i++;
      if (script.charAt(i + 1) === "]") i++;
    } else if (bracket && c === "[" && /[.:=]/.test(script.charAt(i + 1))) {
      const close = script.indexOf(`${script.charAt(i + 1)}]`, i + 2);
      if (close < 0 || script.slice(i, close).includes(delimiter)) return -1;
      i = close + 1;
    } else if (bracket && c === "]") bracket = false;
  }
  return -1;
}

/** Behind a backslash in brackets (a literal one for BSD, an escape for GNU): goes on as if it were any character. */
function plainEnd(script: string, from: number, delimiter: string, bracket: boolean): number {
  if (!bracket) return -1;
  const close = script.indexOf("]", from);
  if (close < 0 || script.slice(from, close).includes(delimiter) || script.slice(from, close).includes("\\"))
    return -1;
  return delimited(script, close + 1, delimiter);
}
