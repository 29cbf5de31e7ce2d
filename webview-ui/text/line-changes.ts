/** What changed between two short texts, line by line. */

export interface LineChange {
  kind: "same" | "added" | "removed";
  text: string;
}

/** Pairs of lines that are compared; beyond, everything counts as changed. */
const MOST_PAIRS = 1_000_000;

/** The lines of both texts in order. Removed lines come before the ones added in their place. */
export function lineChanges(before: string, after: string): LineChange[] {
  const a = before.split("\n");
  const b = after.split("\n");
  if (a.length * b.length > MOST_PAIRS) {
    return [
      ...a.map((text) => ({ kind: "removed" as const, text })),
      ...b.map((text) => ({ kind: "added" as const, text })),
    ];
  }
  // Length of the longest common subsequence of the rests, from each pair of lines.
  const width = b.length + 1;
  const common = new Uint32Array((a.length + 1) * width);
  for (let i = a.length - 1; i >= 0; i--)
    for (let j = b.length - 1; j >= 0; j--)
      common[i * width + j] =
        a[i] === b[j]
          ? (common[(i + 1) * width + j + 1] ?? 0) + 1
          : Math.max(common[(i + 1) * width + j] ?? 0, common[i * width + j + 1] ?? 0);
  const changes: LineChange[] = [];
  let i = 0;
  let j = 0;
  while (i < a.length || j < b.length) {
    const [old, now] = [a[i], b[j]];
    if (old !== undefined && old === now) {
      changes.push({ kind: "same", text: old });
      i++;
      j++;
    } else if (
      old !== undefined &&
      (now === undefined || (common[(i + 1) * width + j] ?? 0) >= (common[i * width + j + 1] ?? 0))
    ) {
      changes.push({ kind: "removed", text: old });
      i++;
    } else if (now !== undefined) {
      changes.push({ kind: "added", text: now });
      j++;
    }
  }
  return changes;
}
