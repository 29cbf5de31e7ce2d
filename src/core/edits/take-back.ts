/** One change of a text taken back out of what the text became since. */
import { splitLines } from "../text.ts";
import { changedRegions } from "./regions.ts";

/** Unchanged lines beside what changed that have to be there still, at most; at least one on either side. */
const widest = 3;
/** No line is like these: they stand for the ends of a text. */
const [start, end] = ["\nstart", "\nend"];

/**
 * `now` with what the change from `before` to `after` did taken back, every other line as it is. undefined: something
 * else changed there or right beside it, or the lines that the change made are there more than once.
 */
export function takeBack(before: string, after: string, now: string): string | undefined {
  const old = splitLines(before);
  const made = [start, ...splitLines(after), end];
  const lines = [start, ...splitLines(now), end];
  const { regions } = changedRegions(before, after);
  if (regions.length === 0) return undefined;
  const out: string[] = [];
  let copied = 1;
  for (const region of regions) {
    const at = placeOf(made, region.after.line, region.after.count, lines);
    if (at === undefined || at < copied) return undefined;
    out.push(...lines.slice(copied, at));
    out.push(...old.slice(region.before.line - 1, region.before.line - 1 + region.before.count));
    copied = at + region.after.count;
  }
  out.push(...lines.slice(copied, -1));
  return out.join("");
}

/** Where these lines of `made` are in `lines`, with as much around them as is the same; undefined: nowhere, or not in one place. */
function placeOf(
  made: readonly string[],
  from: number,
  count: number,
  lines: readonly string[],
): number | undefined {
  for (let context = widest; context > 0; context--) {
    const first = Math.max(0, from - context);
    const wanted = made.slice(first, from + count + context);
    const places = placesOf(wanted, lines);
    if (places.length > 1) return undefined;
    const [place] = places;
    if (place !== undefined) return place + from - first;
  }
  return undefined;
}

/** The first two places, or all there are. */
function placesOf(wanted: readonly string[], lines: readonly string[]): number[] {
  const places: number[] = [];
  for (let at = 0; at + wanted.length <= lines.length && places.length < 2; at++) {
    if (wanted.every((line, index) => line === lines[at + index])) places.push(at);
  }
  return places;
}
