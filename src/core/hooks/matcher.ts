/**
 * Matchers of hooks: exact names, or a regular expression that may come from a repository. Only expressions that cannot take long are
 * run, because JavaScript offers no time limit for them.
 */

/** Only exact names, separated by `|` or `,`. */
const NAMES = /^[A-Za-z0-9_ ,|-]+$/;
const LONGEST_PATTERN = 500;
/** Characters of a value that are matched. */
const LONGEST_VALUE = 128;
/** Steps that a match may take at most, as `stepsOf` estimates them: some tens of milliseconds. */
const MOST_STEPS = 10_000_000;

export function isMatch(matcher: string | undefined, value: string): boolean {
  if (matcher === undefined || matcher === "" || matcher === "*") return true;
  if (!NAMES.test(matcher)) return new RegExp(matcher).test(value.slice(0, LONGEST_VALUE));
  return matcher.split(/[|,]/).some((name) => name.trim() === value);
}

/** Whether the matcher is valid, and cannot take long whatever it is matched with. */
export function isUsableMatcher(matcher: string): boolean {
  if (matcher === "" || matcher === "*" || NAMES.test(matcher)) return true;
  if (matcher.length > LONGEST_PATTERN) return false;
  try {
    new RegExp(matcher);
  } catch (error) {
    if (error instanceof SyntaxError) return false;
    throw error;
  }
  return stepsOf(matcher) <= MOST_STEPS;
}

/**
 * At most how many steps a match takes that tries everything. Infinity for what can repeat a repetition (a repeated group, a counted
 * repetition) and for what is not needed in a matcher (back references, look-around assertions).
 */
function stepsOf(pattern: string): number {
  // Escaped characters and classes are one character each; what they contain repeats nothing.
  const plain = pattern
    .replace(/\\[^\dk]/g, "a")
    .replace(/\[(?:[^\]\\]|\\.)*\]/g, "a")
    .replaceAll("(?:", "(");
  if (/\)[*+?{]|\\|\(\?|\{/.test(plain)) return Number.POSITIVE_INFINITY;
  // The alternatives of a group are tried with everything around the group, and groups with each other.
  if (plain.includes("(")) return stepsOfPart(plain) * 2 ** (plain.match(/\|/g)?.length ?? 0);
  return plain.split("|").reduce((sum, part) => sum + stepsOfPart(part), 0);
}

function stepsOfPart(part: string): number {
  const unbounded = part.match(/[*+]/g)?.length ?? 0;
  const optional = part.match(/\?/g)?.length ?? 0;
  return LONGEST_VALUE ** (unbounded + 1) * 2 ** optional;
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
