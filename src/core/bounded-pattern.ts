/**
 * Regular expressions that others wrote. Only those that cannot take long are run, because JavaScript offers no time limit for them.
 */

const LONGEST_PATTERN = 500;
/** Steps that a match may take at most, as `stepsOf` estimates them: some tens of milliseconds. */
const MOST_STEPS = 10_000_000;

/** Whether the expression is valid, and cannot take long whatever text of so many characters it is matched with. */
export function isBoundedPattern(pattern: string, length: number): boolean {
  if (pattern.length > LONGEST_PATTERN) return false;
  try {
    new RegExp(pattern);
  } catch (error) {
    if (error instanceof SyntaxError) return false;
    throw error;
  }
  return stepsOf(pattern, length) <= MOST_STEPS;
}

/**
 * At most how many steps a match takes that tries everything. Infinity for what can repeat a repetition (a repeated group, a counted
 * repetition) and for back references and look-around assertions.
 */
function stepsOf(pattern: string, length: number): number {
  // Escaped characters and classes are one character each; what they contain repeats nothing.
  const plain = pattern
    .replace(/\\[^\dk]/g, "a")
    .replace(/\[(?:[^\]\\]|\\.)*\]/g, "a")
    .replaceAll("(?:", "(");
  if (/\)[*+?{]|\\|\(\?|\{/.test(plain)) return Number.POSITIVE_INFINITY;
  // The alternatives of a group are tried with everything around the group, and groups with each other.
  if (plain.includes("(")) return stepsOfPart(plain, length) * 2 ** (plain.match(/\|/g)?.length ?? 0);
  return plain.split("|").reduce((sum, part) => sum + stepsOfPart(part, length), 0);
}

function stepsOfPart(part: string, length: number): number {
  const unbounded = part.match(/[*+]/g)?.length ?? 0;
  const optional = part.match(/\?/g)?.length ?? 0;
  return length ** (unbounded + 1) * 2 ** optional;
}
