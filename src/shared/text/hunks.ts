/** The separate changes between two texts, each of which can be included or excluded. */
import { matchLines } from "./line-diff.ts";

/** Lines without their line feeds; a carriage return stays part of its line. */
export interface Hunk {
  /** The first line that it replaces, or before which it inserts; counted from 1. */
  line: number;
  removed: string[];
  added: string[];
}

/** In order. Empty if the texts are equal. */
export function hunksOf(before: string, after: string): Hunk[] {
  const old = before.split("\n");
  const now = after.split("\n");
  const hunks: Hunk[] = [];
  let [a, b] = [0, 0];
  for (const match of [...matchLines(old, now), { a: old.length, b: now.length, length: 0 }]) {
    if (match.a > a || match.b > b)
      hunks.push({ line: a + 1, removed: old.slice(a, match.a), added: now.slice(b, match.b) });
    a = match.a + match.length;
    b = match.b + match.length;
  }
  return hunks;
}

/** `after`, but with the hunks of these indexes as in `before`. */
export function withoutHunks(before: string, after: string, excluded: ReadonlySet<number>): string {
  const lines = before.split("\n");
  const result: string[] = [];
  let at = 0;
  for (const [index, { line, removed, added }] of hunksOf(before, after).entries()) {
    result.push(...lines.slice(at, line - 1), ...(excluded.has(index) ? removed : added));
    at = line - 1 + removed.length;
  }
  return [...result, ...lines.slice(at)].join("\n");
}
