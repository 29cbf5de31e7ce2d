import { type LineTable, lineEndings, lineTable } from "../text.ts";
import { looseKey } from "./fold.ts";

/** The id of every blank line. */
export const BLANK = 0;
/** The id of a search line that does not occur in the file. */
export const ABSENT = -1;

/**
 * An index of a file's lines, built once, so that each search costs about its own length. Lines that differ only in
 * surrounding white space and look-alikes share an id; `first` and `next` link the rows of one id.
 */
export interface LineIndex {
  /** The file without its byte order mark. */
  readonly text: string;
  readonly bom: string;
  readonly table: LineTable;
  /** Each row without its line ending. */
  readonly lines: readonly string[];
  readonly ids: Int32Array;
  /** How many rows have this id. */
  readonly counts: Int32Array;
  readonly first: Int32Array;
  readonly next: Int32Array;
  /** Returns the id of a search line, or ABSENT. */
  idOf(line: string): number;
  /** Returns the row of a character of the text. */
  rowAt(offset: number): number;
  /** Returns the line ending of a row; "" for a last row without one. */
  ending(row: number): string;
  /** The most frequent line ending. */
  readonly eol: "\n" | "\r\n" | "\r" | undefined;
  /** Whether a word (letters, digits, `_`, `$`) occurs in the file. */
  hasWord(word: string): boolean;
  /** Returns the rows that are not blank, ascending. */
  solidRows(): Int32Array;
  /** Whether most indented rows begin with a tab; undefined if no row is indented. */
  usesTabs(): boolean | undefined;
  /**
   * Returns the columns of one indentation step if it consists of spaces: 2, 4, 8...; 4 if the file does not show it.
   */
  indentStep(): number;
}

/** Builds the index of a file. Work and memory are proportional to its length. */
export function createFileIndex(original: string): LineIndex {
  const bom = original.startsWith("\ufeff") ? "\ufeff" : "";
  const text = original.slice(bom.length);
  const table = lineTable(text);
  const { count, starts, ends } = table;
  const lines: string[] = new Array(count);
  const ids = new Int32Array(count);
  const next = new Int32Array(count).fill(-1);
  const known = new Map<string, number>([["", BLANK]]);
  const first: number[] = [-1];
  const last: number[] = [-1];
  const counts: number[] = [0];
  for (let row = 0; row < count; row++) {
    const line = text.slice(starts[row], ends[row]);
    lines[row] = line;
    const key = looseKey(line);
    let id = known.get(key);
    if (id === undefined) {
      id = first.length;
      known.set(key, id);
      first.push(-1);
      last.push(-1);
      counts.push(0);
    }
    ids[row] = id;
    const before = last[id] ?? -1;
    if (before === -1) first[id] = row;
    else next[before] = row;
    last[id] = row;
    counts[id] = (counts[id] ?? 0) + 1;
  }

  let words: Set<string> | undefined;
  let solid: Int32Array | undefined;
  let style: { tabs: boolean | undefined; step: number } | undefined;
  let dominant: ReturnType<typeof lineEndings> | undefined;
  return {
    text,
    bom,
    table,
    lines,
    ids,
    counts: Int32Array.from(counts),
    first: Int32Array.from(first),
    next,
    idOf: (line) => known.get(looseKey(line)) ?? ABSENT,
    rowAt(offset) {
      let [low, high] = [0, count];
      while (high - low > 1) {
        const middle = (low + high) >> 1;
        if ((starts[middle] ?? 0) <= offset) low = middle;
        else high = middle;
      }
      return low;
    },
    ending: (row) => text.slice(ends[row], starts[row + 1]),
    get eol() {
      dominant ??= lineEndings(text);
      return dominant.dominant;
    },
    hasWord(word) {
      words ??= new Set(text.match(/[\p{L}\p{N}_$]+/gu));
      return words.has(word);
    },
    solidRows() {
      if (solid === undefined) {
        const rows: number[] = [];
        for (let row = 0; row < count; row++) if (ids[row] !== BLANK) rows.push(row);
        solid = Int32Array.from(rows);
      }
      return solid;
    },
    usesTabs() {
      style ??= indentStyle(lines);
      return style.tabs;
    },
    indentStep() {
      style ??= indentStyle(lines);
      return style.step;
    },
  };
}

function indentStyle(lines: readonly string[]): { tabs: boolean | undefined; step: number } {
  let tabs = 0;
  let spaces = 0;
  let before = 0;
  const steps = new Map<number, number>();
  for (const line of lines) {
    const mark = line.charCodeAt(0);
    if (mark === 9) tabs += 1;
    if (mark !== 32) {
      if (line !== "") before = 0;
      continue;
    }
    let width = 1;
    while (line.charCodeAt(width) === 32) width += 1;
    if (width === line.length) continue;
    spaces += 1;
    const step = width - before;
    if (step >= 2 && step <= 8) steps.set(step, (steps.get(step) ?? 0) + 1);
    before = width;
  }
  let step = 4;
  let most = 0;
  for (const [width, seen] of steps) {
    if (seen > most) {
      most = seen;
      step = width;
    }
  }
  return { tabs: tabs + spaces === 0 ? undefined : tabs > spaces, step };
}
