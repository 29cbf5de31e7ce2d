import { normalize } from "./spelling.ts";

/** The known tool that a name refers to, with `alias` if another name was used; or the nearest names. */
export type ResolvedName = { name: string; alias?: string } | { suggestions: string[] };

/** Aliases of known tools, mapped to the tools. */
type ToolAliases = ReadonlyMap<string, string>;

const none: ToolAliases = new Map();

const LONGEST_NAME = 64;

/**
 * Returns the known tool that `name` refers to: by its own name, by an alias, by the same name in another case or with
 * other separators (`ReadFile`, `read-file`), or by one of these after a prefix (`functions.read_file`). Otherwise
 * returns up to three similar known names, most similar first; none if no name is similar.
 */
export function resolveToolName(name: string, known: readonly string[], others = none): ResolvedName {
  const whole = resolve(name, known, others);
  if (whole !== undefined) return whole;
  const bare = name.slice(Math.max(name.lastIndexOf("."), name.lastIndexOf(":"), name.lastIndexOf("/")) + 1);
  const stripped = bare === name || bare === "" ? undefined : resolve(bare, known, others);
  return stripped ?? { suggestions: nearestNames(name, known) };
}

function resolve(name: string, known: readonly string[], others: ToolAliases): ResolvedName | undefined {
  if (known.includes(name)) return { name };
  const meant = others.get(name);
  if (meant !== undefined) return { name: meant, alias: name };
  const plain = normalize(name);
  const same = known.filter((other) => normalize(other) === plain);
  const [only] = same;
  return only !== undefined && same.length === 1 ? { name: only } : undefined;
}

/** Returns up to three candidates that `name` may be a misspelling of, most similar first. */
export function nearestNames(name: string, candidates: readonly string[]): string[] {
  const plain = normalize(name.slice(0, LONGEST_NAME));
  if (plain === "") return [];
  const scored = candidates.flatMap((candidate) => {
    const other = normalize(candidate);
    const length = Math.max(plain.length, other.length);
    const contains =
      plain.length >= 3 && other.length >= 3 && (other.includes(plain) || plain.includes(other));
    const score = Math.min(
      distance(plain, other) / length,
      contains ? 0.3 : 1,
      sharesWords(name, candidate) ? 0.35 : 1,
    );
    return score <= 0.4 ? [{ candidate, score }] : [];
  });
  return scored
    .sort((a, b) => a.score - b.score)
    .slice(0, 3)
    .map(({ candidate }) => candidate);
}

/**
 * True if at least half of the words of the longer name, counting words of three or more letters, are in the other name
 * too.
 */
function sharesWords(a: string, b: string): boolean {
  const wordsA = words(a);
  const wordsB = words(b);
  const shared = wordsA.filter((word) => wordsB.includes(word)).length;
  return shared > 0 && shared * 2 >= Math.max(wordsA.length, wordsB.length);
}

function words(name: string): string[] {
  return name
    .slice(0, LONGEST_NAME)
    .replace(/([a-z])([A-Z])/g, "$1_$2")
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter((word) => word.length >= 3);
}

/** The number of insertions, deletions, replacements and swaps of adjacent characters that turn `a` into `b`. */
function distance(a: string, b: string): number {
  let before: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const cost = a[i - 1] === b[j - 1] ? 0 : 1;
      let best = Math.min((last[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1, (last[j - 1] ?? 0) + cost);
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1])
        best = Math.min(best, (before[j - 2] ?? 0) + 1);
      row.push(best);
    }
    before = last;
    last = row;
  }
  return last[b.length] ?? 0;
}
