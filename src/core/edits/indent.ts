import { foldLookAlikes, indentOf } from "./fold.ts";
import type { LineIndex } from "./line-index.ts";
import type { Sides } from "./match-range.ts";

/** Converts the indentation of a search text to that of the file. */
export interface Shift {
  convert(indent: string): string;
  /** Explains why a replacement may be indented otherwise than its search text; undefined if it is not. */
  doubt?(sides: Sides): string | undefined;
}

/** The indentation of a search line and of the file's line. */
export type IndentPair = readonly [searched: string, file: string];

const TAB_WIDTHS = [4, 2, 8, 3];

/**
 * Returns the common shift of all lines; undefined if there is none. A shift adds the same white space to each line or
 * removes it, or converts between tabs and spaces with the same number of columns at one tab width.
 */
export function commonShift(pairs: readonly IndentPair[], index: LineIndex): Shift | undefined {
  const [first] = pairs;
  if (first === undefined) return undefined;
  const [searched, file] = first;
  if (file.endsWith(searched)) {
    const added = file.slice(0, file.length - searched.length);
    if (pairs.every(([s, f]) => f === added + s)) return adding(added, pairs, index);
  }
  if (searched.endsWith(file)) {
    const removed = searched.slice(0, searched.length - file.length);
    if (pairs.every(([s, f]) => s === removed + f)) return removing(removed, pairs, index);
  }
  return byColumns(pairs, index);
}

/**
 * Returns the shift of lines that are indented by spaces in other steps than the file; undefined if they are not, or if they
 * show only one indentation.
 */
export function factorShift(pairs: readonly IndentPair[]): Shift | undefined {
  if (pairs.some(([searched, file]) => /[^ ]/.test(searched + file))) return undefined;
  const lengths = new Set(pairs.map(([searched]) => searched.length));
  const deep = pairs.find(([searched]) => searched !== "");
  if (deep === undefined || lengths.size < 2) return undefined;
  const unit = [...lengths].reduce(greatestDivisor);
  const step = (deep[1].length * unit) / deep[0].length;
  if (!Number.isInteger(step) || step === 0 || step === unit) return undefined;
  if (!pairs.every(([searched, file]) => searched.length * step === file.length * unit)) return undefined;
  const convert = (indent: string) =>
    /[^ ]/.test(indent)
      ? indent
      : " ".repeat(Math.floor(indent.length / unit) * step + (indent.length % unit));
  return {
    convert,
    doubt({ search, replace }) {
      const { asSearched, asFile } = sharedIndents(search, replace, convert);
      const least = leastIndent(replace);
      const isClear = asSearched > 0 || least === undefined || least === leastIndent(search);
      if (isClear && asFile === 0) return undefined;
      return `SEARCH is indented in steps of ${unit} spaces, the file in steps of ${step}, and REPLACE may be either. Indent SEARCH and REPLACE as the file is.`;
    },
  };
}

/** How many indented lines of a replacement are indented as in the search text, and how many only as in the file. */
function sharedIndents(
  search: readonly string[],
  replace: readonly string[],
  convert: (indent: string) => string,
): { asSearched: number; asFile: number } {
  const known = new Map<string, string[]>();
  for (const line of search) {
    const indents = known.get(line.trim());
    if (indents === undefined) known.set(line.trim(), [indentOf(line)]);
    else indents.push(indentOf(line));
  }
  let asSearched = 0;
  let asFile = 0;
  for (const line of replace) {
    const own = indentOf(line);
    const indents = line.trim() === "" || own === "" ? [] : (known.get(line.trim()) ?? []);
    if (indents.includes(own)) asSearched += 1;
    else if (indents.some((indent) => convert(indent) === own)) asFile += 1;
  }
  return { asSearched, asFile };
}

function greatestDivisor(a: number, b: number): number {
  return b === 0 ? a : greatestDivisor(b, a % b);
}

/** The least indentation of the lines that are indented. */
function leastIndent(lines: readonly string[]): number | undefined {
  const widths = lines.filter((line) => line.trim() !== "").map((line) => indentOf(line).length);
  const deep = widths.filter((width) => width > 0);
  return deep.length === 0 ? undefined : Math.min(...deep);
}

function adding(added: string, pairs: readonly IndentPair[], index: LineIndex): Shift {
  const seen = new Set(pairs.map(([searched]) => searched));
  return {
    convert(indent) {
      if (indent === "" || seen.has(indent)) return added + indent;
      return (
        added + inStyle(indent, added.includes("\t") || (added === "" && index.usesTabs() === true), index)
      );
    },
  };
}

/** Converts indentation to the file's kind of white space if the model used only the other kind. */
function inStyle(indent: string, tabs: boolean, index: LineIndex): string {
  if (tabs && /^ +$/.test(indent)) {
    const step = TAB_WIDTHS.find((width) => indent.length % width === 0);
    return step === undefined ? indent : "\t".repeat(indent.length / step);
  }
  if (!tabs && index.usesTabs() === false && /^\t+$/.test(indent)) {
    return " ".repeat(indent.length * index.indentStep());
  }
  return indent;
}

function removing(removed: string, pairs: readonly IndentPair[], index: LineIndex): Shift {
  const tabs = pairs.some(([, file]) => file.includes("\t"));
  return {
    convert(indent) {
      if (indent.startsWith(removed)) return indent.slice(removed.length);
      if (removed.startsWith(indent)) return "";
      const width = tabs ? 4 : index.indentStep();
      return render(Math.max(0, columns(indent, width) - columns(removed, width)), width, tabs);
    },
  };
}

function byColumns(pairs: readonly IndentPair[], index: LineIndex): Shift | undefined {
  if (!pairs.some(([searched, file]) => searched.includes("\t") !== file.includes("\t"))) return undefined;
  const table = new Map<string, string>();
  for (const [searched, file] of pairs) if (!table.has(searched)) table.set(searched, file);
  let found: { width: number; delta: number } | undefined;
  for (const width of TAB_WIDTHS) {
    const [first] = pairs;
    if (first === undefined) return undefined;
    const delta = columns(first[1], width) - columns(first[0], width);
    if (!pairs.every(([s, f]) => columns(f, width) - columns(s, width) === delta)) continue;
    if (found === undefined || (delta === 0 && found.delta !== 0)) found = { width, delta };
  }
  if (found === undefined) return undefined;
  const { width, delta } = found;
  const fileIndents = pairs.map(([, file]) => file).filter((indent) => indent !== "");
  const tabs =
    fileIndents.length > 0 ? fileIndents.some((indent) => indent.includes("\t")) : index.usesTabs() === true;
  return {
    convert: (indent) =>
      table.get(indent) ??
      (indent === "" && delta <= 0 ? "" : render(columns(indent, width) + delta, width, tabs)),
  };
}

function render(width: number, tabWidth: number, tabs: boolean): string {
  const whole = Math.max(0, width);
  return tabs ? "\t".repeat(Math.floor(whole / tabWidth)) + " ".repeat(whole % tabWidth) : " ".repeat(whole);
}

/** Returns the width of white space in columns at a tab width. */
export function columns(indent: string, tabWidth: number): number {
  let width = 0;
  for (let at = 0; at < indent.length; at++) {
    width = indent.charCodeAt(at) === 9 ? width + tabWidth - (width % tabWidth) : width + 1;
  }
  return width;
}

/** Converts the indentation of a line. A line that is only white space becomes blank. */
function shiftLine(line: string, shift: Shift): string {
  if (line.trim() === "") return "";
  const indent = indentOf(line);
  return shift.convert(foldLookAlikes(indent)) + line.slice(indent.length);
}

/**
 * Whether a replacement already has the file's indentation although the search text was shifted: every line that it
 * shares with the search text is indented as in the file, none as in the search text, and no line is indented less.
 */
function alreadyInPlace(
  searched: readonly string[],
  file: readonly string[],
  replacement: readonly string[],
): boolean {
  const known = new Map<string, IndentPair>();
  const words: string[] = [];
  const fileIndents: string[] = [];
  let searchedLeast = Number.POSITIVE_INFINITY;
  let fileLeast = Number.POSITIVE_INFINITY;
  for (let at = 0; at < searched.length; at++) {
    const line = searched[at] ?? "";
    const trimmed = line.trim();
    if (trimmed === "") continue;
    const pair: IndentPair = [indentOf(line), indentOf(file[at] ?? "")];
    words.push(trimmed);
    fileIndents.push(pair[1]);
    if (!known.has(trimmed)) known.set(trimmed, pair);
    searchedLeast = Math.min(searchedLeast, columns(pair[0], 4));
    fileLeast = Math.min(fileLeast, columns(pair[1], 4));
  }
  let asSearched = 0;
  let asFile = 0;
  let least = Number.POSITIVE_INFINITY;
  const replaced: string[] = [];
  const indents: string[] = [];
  for (const line of replacement) {
    const trimmed = line.trim();
    if (trimmed === "") continue;
    const indent = indentOf(line);
    replaced.push(trimmed);
    indents.push(indent);
    least = Math.min(least, columns(indent, 4));
    const pair = known.get(trimmed);
    if (pair === undefined || pair[0] === pair[1]) continue;
    if (indent === pair[0]) asSearched += 1;
    else if (indent === pair[1]) asFile += 1;
  }
  if (asSearched > 0 || least < fileLeast || least === searchedLeast) return false;
  if (asFile > 0) return replaced.join("\n") !== words.join("\n");
  // No lines are shared: every line must be indented exactly as in the file.
  return indents.join("\n") === fileIndents.join("\n") && replaced.every((line) => !known.has(line));
}

/** Shifts both sides. A replacement that already has the file's indentation stays unchanged. */
export function shifted({ search, replace }: Sides, shift: Shift, file: readonly string[]): Sides {
  const move = (line: string) => shiftLine(line, shift);
  return {
    search: search.map(move),
    replace: alreadyInPlace(search, file, replace) ? replace : replace.map(move),
  };
}
