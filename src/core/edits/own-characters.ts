/** Keeps the characters of the file in a changed line where the edit does not change them. */
import { matchLines } from "../../shared/text/line-diff.ts";
import { foldLookAlikes, isAscii } from "./fold.ts";
import { createLikeness } from "./nearest.ts";

/** Maximum characters of a line whose parts are compared. */
const LONGEST = 20_000;
/** Maximum pairs of lines that are compared. */
const MOST_PAIRS = 10_000;
/** Share of letter pairs, and of the characters of the shorter line, that a changed line has in common with the replaced one. */
const ALIKE = 0.5;
const COMMON = 0.5;

/**
 * Returns the new lines with the characters of the file wherever `replace` has the same text as `search`: spaces, quotes,
 * dashes, full-width forms, decomposed letters and trailing white space. `file` are the lines that `search` was found at;
 * undefined: a line that the file lacks.
 */
export function withOwnCharacters(
  file: readonly (string | undefined)[],
  search: readonly string[],
  replace: readonly string[],
): readonly string[] {
  if (search.every((line, at) => line === (file[at] ?? line))) return replace;
  const partners = partnersOf(search, replace);
  return replace.map((line, at) => {
    const partner = partners[at];
    const own = partner === undefined ? undefined : file[partner];
    return partner === undefined || own === undefined ? line : merged(own, search[partner] ?? "", line);
  });
}

/** The index of the search line that each new line replaces, if there is one. */
function partnersOf(search: readonly string[], replace: readonly string[]): (number | undefined)[] {
  if (search.length === replace.length) return replace.map((_, at) => at);
  if (search.length * replace.length > MOST_PAIRS) return [];
  const alike = search.map((line) => createLikeness(line));
  let next = 0;
  return replace.map((line) => {
    let best: number | undefined;
    let most = ALIKE;
    for (let at = next; at < search.length; at++) {
      const share = alike[at]?.(line) ?? 0;
      if (share <= most) continue;
      most = share;
      best = at;
    }
    if (best !== undefined) next = best + 1;
    return best;
  });
}

/** A line without the white space around it, and that white space. */
function partsOf(line: string): [lead: string, body: string, trail: string] {
  const body = line.trim();
  const lead = line.slice(0, line.length - line.trimStart().length);
  return [lead, body, line.slice(lead.length + body.length)];
}

function merged(file: string, search: string, replace: string): string {
  if (file === search || replace.trim() === "" || Math.max(file.length, replace.length) > LONGEST)
    return replace;
  const [fileLead, fileBody, fileTrail] = partsOf(file);
  const [searchLead, searchBody, searchTrail] = partsOf(search);
  const [lead, body, trail] = partsOf(replace);
  const text = mergedBody(fileBody, searchBody, body);
  if (text === undefined) return replace;
  const start = lead.startsWith(searchLead) ? fileLead + lead.slice(searchLead.length) : lead;
  return start + text + (trail === searchTrail ? fileTrail : trail);
}

/** undefined: the text of the file is not the searched one, or the new one has little in common with it. */
function mergedBody(file: string, search: string, replace: string): string | undefined {
  const own = unitsOf(file);
  const searched = unitsOf(search);
  if (own.folded !== searched.folded) return undefined;
  const wanted = unitsOf(replace);
  const startsAt = new Map(own.units.map((unit) => [unit.from, unit]));
  const out: string[] = [];
  const texts = (units: readonly Unit[]) => units.map((unit) => unit.text);
  const matches = matchLines(texts(searched.units), texts(wanted.units));
  const common = matches.reduce((sum, { length }) => sum + length, 0);
  if (common < COMMON * Math.min(searched.units.length, wanted.units.length)) return undefined;
  let reached = 0;
  for (const match of matches) {
    out.push(...texts(wanted.units.slice(reached, match.b)));
    reached = match.b + match.length;
    const to = searched.units[match.a + match.length]?.from ?? searched.folded.length;
    for (let at = searched.units[match.a]?.from ?? 0; at < to; ) {
      const unit = startsAt.get(at);
      const fits = unit !== undefined && unit.to <= to;
      out.push(fits ? unit.text : searched.folded.slice(at, at + 1));
      at = fits ? unit.to : at + 1;
    }
  }
  out.push(...texts(wanted.units.slice(reached)));
  return out.join("");
}

/** A character as a reader sees it, with its range in the folded line. */
interface Unit {
  text: string;
  from: number;
  to: number;
}

function charactersOf(line: string): Iterable<string> {
  if (isAscii(line)) return line;
  // Not made as the module loads: the first one takes ten milliseconds, for its tables.
  const segmenter = new Intl.Segmenter(undefined, { granularity: "grapheme" });
  return Array.from(segmenter.segment(line), ({ segment }) => segment);
}

/** Splits a line into characters. What folds to nothing belongs to the character before it. */
function unitsOf(line: string): { units: Unit[]; folded: string } {
  const units: Unit[] = [];
  let folded = "";
  let before = "";
  for (const text of charactersOf(line)) {
    const fold = foldLookAlikes(text);
    const last = units.at(-1);
    if (fold === "" && last !== undefined) last.text += text;
    else if (fold === "") before += text;
    else {
      units.push({ text: before + text, from: folded.length, to: folded.length + fold.length });
      folded += fold;
      before = "";
    }
  }
  return { units, folded };
}
