/** Shortens several texts so that they fit a limit together. */
import { sliceWhole } from "../text.ts";

/** The texts in their order, shortened so that they fit together: short ones stay whole, and long ones share the remaining room. */
export function withinRoom(texts: readonly string[], room: number): string[] {
  const result = [...texts];
  const byLength = [...texts.entries()].sort(([, a], [, b]) => a.length - b.length);
  let remaining = room;
  for (const [done, [index, text]] of byLength.entries()) {
    const share = Math.floor(remaining / (byLength.length - done));
    if (text.length > share) {
      const beginning = sliceWhole(text, 0, share);
      result[index] = `${beginning}\n(${text.slice(beginning.length).split("\n").length} more lines)`;
    }
    remaining -= Math.min(text.length, share);
  }
  return result;
}
