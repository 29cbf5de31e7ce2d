/** What a replacement writes where the search text and the file differ in blank lines. */
import { matchLines } from "../../shared/text/line-diff.ts";
import { withOwnCharacters } from "./own-characters.ts";
import type { Sides } from "./place.ts";

/** The lines that are not blank, each with the blank lines before it, and the blank lines at the end. */
interface Spaced {
  lines: { text: string; before: readonly string[] }[];
  after: readonly string[];
}

/**
 * Returns the new lines of a place. A run of blank lines that both sides have in common stays as it is in the file;
 * elsewhere the blank lines of the replacement are written. `file` are the rows of the place, whose lines that are not blank
 * are those of the search text.
 */
export function respaced(file: readonly string[], sides: Sides): string[] {
  const own = spaced(file);
  const search = spaced(sides.search);
  const replace = spaced(sides.replace);
  const partners = partnersOf(search, replace);
  const texts = linesOf(own, search, replace);
  const out: string[] = [];
  for (const [at, { before }] of replace.lines.entries()) {
    // At the edges, the number of blank lines alone counts.
    const partner = at === 0 ? 0 : partners[at];
    const follows = at === 0 || (partner !== undefined && partners[at - 1] === partner - 1);
    const searched = follows ? search.lines[partner ?? 0]?.before : undefined;
    const kept = searched?.length === before.length ? own.lines[partner ?? 0]?.before : undefined;
    out.push(...(kept ?? before), texts[at] ?? "");
  }
  if (replace.lines.length === 0)
    return edgesOf(search).length === replace.after.length ? edgesOf(own) : [...replace.after];
  const after = replace.after.length === search.after.length ? own.after : replace.after;
  return [...out, ...after];
}

function spaced(all: readonly string[]): Spaced {
  const lines: Spaced["lines"] = [];
  let before: string[] = [];
  for (const text of all) {
    if (text.trim() === "") before.push(text);
    else {
      lines.push({ text, before });
      before = [];
    }
  }
  return { lines, after: before };
}

/** The blank lines at both ends, which become one where the lines between them are taken out. */
const edgesOf = ({ lines, after }: Spaced) => [...(lines[0]?.before ?? []), ...after];

const textsOf = ({ lines }: Spaced) => lines.map(({ text }) => text);

/** The search line that each new line keeps or replaces. */
function partnersOf(search: Spaced, replace: Spaced): (number | undefined)[] {
  const partners: (number | undefined)[] = new Array(replace.lines.length).fill(undefined);
  for (const { a, b, aTo, bTo, same } of spansOf(search, replace)) {
    if (!same && aTo - a !== bTo - b) continue;
    for (let at = b; at < bTo; at++) partners[at] = a + at - b;
  }
  return partners;
}

/** The new lines that are not blank: as in the file where the replacement keeps them. */
function linesOf(own: Spaced, search: Spaced, replace: Spaced): string[] {
  return spansOf(search, replace).flatMap(({ a, b, aTo, bTo, same }) => {
    const file = textsOf(own).slice(a, aTo);
    if (same) return file;
    return [...withOwnCharacters(file, textsOf(search).slice(a, aTo), textsOf(replace).slice(b, bTo))];
  });
}

interface Span {
  a: number;
  aTo: number;
  b: number;
  bTo: number;
  same: boolean;
}

/** The stretches that both sides have in common, and those between them. */
function spansOf(search: Spaced, replace: Spaced): Span[] {
  const spans: Span[] = [];
  let [a, b] = [0, 0];
  const end = { a: search.lines.length, b: replace.lines.length, length: 0 };
  for (const match of [...matchLines(textsOf(search), textsOf(replace)), end]) {
    spans.push({ a, aTo: match.a, b, bTo: match.b, same: false });
    [a, b] = [match.a + match.length, match.b + match.length];
    spans.push({ a: match.a, aTo: a, b: match.b, bTo: b, same: true });
  }
  return spans;
}
