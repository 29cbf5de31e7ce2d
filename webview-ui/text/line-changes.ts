import { matchLines } from "../../src/shared/text/line-diff.ts";

export interface LineChange {
  kind: "same" | "added" | "removed";
  text: string;
}

/** Maximum pairs of lines to compare. With more, all lines count as changed. */
const MOST_PAIRS = 1_000_000;

/** What changed between two short texts: the lines of both, in order. Removed lines come before the ones added in their place. */
export function lineChanges(before: string, after: string): LineChange[] {
  const old = before.split("\n");
  const now = after.split("\n");
  const common = old.length * now.length > MOST_PAIRS ? [] : matchLines(old, now);
  const of = (kind: LineChange["kind"], lines: readonly string[]) => lines.map((text) => ({ kind, text }));
  const changes: LineChange[] = [];
  let [a, b] = [0, 0];
  // The end of both texts is a common run of no lines.
  for (const match of [...common, { a: old.length, b: now.length, length: 0 }]) {
    changes.push(...of("removed", old.slice(a, match.a)), ...of("added", now.slice(b, match.b)));
    a = match.a + match.length;
    b = match.b + match.length;
    changes.push(...of("same", old.slice(match.a, a)));
  }
  return changes;
}
