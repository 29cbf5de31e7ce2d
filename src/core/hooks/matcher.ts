/**
 * Matchers of hooks: exact names, or a regular expression that may come from a repository. Only expressions that cannot take long are
 * run.
 */
import { isBoundedPattern } from "../bounded-pattern.ts";

/** Only exact names, separated by `|` or `,`. */
const NAMES = /^[A-Za-z0-9_ ,|-]+$/;
/** Characters of a value that are matched. */
const LONGEST_VALUE = 128;

export function isMatch(matcher: string | undefined, value: string): boolean {
  if (matcher === undefined || matcher === "" || matcher === "*") return true;
  if (!NAMES.test(matcher)) return new RegExp(matcher).test(value.slice(0, LONGEST_VALUE));
  return matcher.split(/[|,]/).some((name) => name.trim() === value);
}

/** Whether the matcher is valid, and cannot take long whatever it is matched with. */
export function isUsableMatcher(matcher: string): boolean {
  return matcher === "" || matcher === "*" || NAMES.test(matcher) || isBoundedPattern(matcher, LONGEST_VALUE);
}

/** Commands in a command line, roughly: too many of them only make a hook run more often. */
const COMMAND_START = /(?:&&|\|\||[;|&\n(`]|\$\()/;

/**
 * Whether a rule such as `Bash(git *)` covers the call. One that cannot be read covers every call, so that no hook is left out by
 * mistake.
 */
export function isCovered(
  rule: string | undefined,
  tool: string,
  input: Readonly<Record<string, unknown>>,
): boolean {
  if (rule === undefined) return true;
  const [, name, pattern] = /^([\w-]+)(?:\((.*)\))?$/s.exec(rule.trim()) ?? [];
  if (name === undefined) return true;
  if (name !== tool) return false;
  const subject = input.command ?? input.file_path ?? input.url ?? input.path;
  if (pattern === undefined || pattern === "" || typeof subject !== "string") return true;
  const parts = input.command === undefined ? [subject] : [subject, ...subject.split(COMMAND_START)];
  return parts.some((part) => isGlobMatch(pattern.replace(/:\*$/, " *"), part.trim()));
}

/** `*` stands for any characters; `git *` also covers `git` alone. Takes time in proportion to the text for each `*`. */
function isGlobMatch(glob: string, text: string): boolean {
  if (glob.endsWith(" *") && text === glob.slice(0, -2)) return true;
  const [first = "", ...rest] = glob.split(/\*+/);
  if (rest.length === 0) return glob === text;
  if (!text.startsWith(first)) return false;
  const last = rest.pop() ?? "";
  let at = first.length;
  for (const part of rest) {
    const found = text.indexOf(part, at);
    if (found < 0) return false;
    at = found + part.length;
  }
  return text.length - last.length >= at && text.endsWith(last);
}
