import { normalise } from "./spelling.ts";

/** A name that stands for a known tool, `alias` being the other name that was used; or the nearest names. */
export type ResolvedName = { name: string; alias?: string } | { suggestions: string[] };

/** Other names of known tools, each with the tool that it stands for. */
export type OtherNames = ReadonlyMap<string, string>;

const none: OtherNames = new Map();

const LONGEST_NAME = 64;

/**
 * The known tool that `name` means: the same name, another name of it, the same but for case or for how its words are
 * joined (`ReadFile`, `read-file`), or one of these after a prefix (`functions.read_file`). Anything else gives the
 * nearest known names, at most three, the nearest first; none where nothing is near.
 */
export function resolveToolName(name: string, known: readonly string[], others = none): ResolvedName {
  const whole = resolve(name, known, others);
  if (whole !== undefined) return whole;
  const bare = name.slice(Math.max(name.lastIndexOf("."), name.lastIndexOf(":"), name.lastIndexOf("/")) + 1);
  const stripped = bare === name || bare === "" ? undefined : resolve(bare, known, others);
  return stripped ?? { suggestions: nearestNames(name, known) };
}

function resolve(name: string, known: readonly string[], others: OtherNames): ResolvedName | undefined {
  if (known.includes(name)) return { name };
  const meant = others.get(name);
  if (meant !== undefined) return { name: meant, alias: name };
  const plain = normalise(name);
  const same = known.filter((other) => normalise(other) === plain);
  const [only] = same;
  return only !== undefined && same.length === 1 ? { name: only } : undefined;
}

/** The candidates that `name` may be a slip for, at most three, the nearest first. */
export function nearestNames(name: string, candidates: readonly string[]): string[] {
  const plain = normalise(name.slice(0, LONGEST_NAME));
  if (plain === "") return [];
  const scored = candidates.flatMap((candidate) => {
    const other = normalise(candidate);
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

/** True where at least half of the words of the shorter name, of three letters or more, stand in the other too. */
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

/** Insertions, deletions, replacements and swaps of neighbours that turn `a` into `b`. */
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
