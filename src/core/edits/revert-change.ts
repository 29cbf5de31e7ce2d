/** Reverts a single change in a text that changed further since. */
import { splitLines } from "../text.ts";
import { changedRegions } from "./regions.ts";

/** Maximum number of unchanged context lines that must still be present; at least one is required on either side. */
const MAX_CONTEXT = 3;
/** Equal to no line of a text: they represent its start and end. */
const [start, end] = ["\nstart", "\nend"];

/**
 * Returns `now` with the change from `before` to `after` reverted and all other lines unchanged. undefined: something
 * else changed there or in an adjacent line, or the changed lines occur more than once.
 */
export function revertChange(before: string, after: string, now: string): string | undefined {
  const old = splitLines(before);
  const resultLines = [start, ...splitLines(after), end];
  const lines = [start, ...splitLines(now), end];
  const { regions } = changedRegions(before, after);
  if (regions.length === 0) return undefined;
  const out: string[] = [];
  let copied = 1;
  for (const region of regions) {
    const at = placeOf(resultLines, region.after.line, region.after.count, lines);
    if (at === undefined || at < copied) return undefined;
    out.push(...lines.slice(copied, at));
    out.push(...old.slice(region.before.line - 1, region.before.line - 1 + region.before.count));
    copied = at + region.after.count;
  }
  out.push(...lines.slice(copied, -1));
  return out.join("");
}

/**
 * Returns where these lines of `resultLines` are in `lines`, with as much matching context as possible; undefined if
 * there is no match or more than one.
 */
function placeOf(
  resultLines: readonly string[],
  from: number,
  count: number,
  lines: readonly string[],
): number | undefined {
  for (let context = MAX_CONTEXT; context > 0; context--) {
    const first = Math.max(0, from - context);
    const wanted = resultLines.slice(first, from + count + context);
    const places = placesOf(wanted, lines);
    if (places.length > 1) return undefined;
    const [place] = places;
    if (place !== undefined) return place + from - first;
  }
  return undefined;
}

/** Returns the first two places, or fewer if there are no more. */
function placesOf(wanted: readonly string[], lines: readonly string[]): number[] {
  const places: number[] = [];
  for (let at = 0; at + wanted.length <= lines.length && places.length < 2; at++) {
    if (wanted.every((line, index) => line === lines[at + index])) places.push(at);
  }
  return places;
}
