/**
 * Folds a long text: its beginning and end are shown, and the lines between them are counted and can be unfolded. A model could
 * otherwise push the part that matters out of sight with blank lines or arguments.
 */

export type FoldedPiece =
  | { kind: "text"; text: string }
  /** A run of blank lines. */
  | { kind: "blank"; lines: number }
  /** The text between the beginning and the end. `lines` is 0 within a single line. */
  | { kind: "middle"; text: string; lines: number; characters: number };

/** Maximum number of successive blank lines that are shown unchanged. */
const BLANK_LINES = 2;

/** About the number of characters in a row of a narrow panel. */
const ROW_LENGTH = 40;

/** Rows that are visible together with the question and the buttons. */
const ALL_ROWS = 24;

/** Rows of a longer text that stay visible. */
const HEAD_ROWS = 12;
const TAIL_ROWS = 6;

interface Unit {
  text: string;
  rows: number;
  /** Number of lines of a run of blank lines. */
  blank?: number;
}

/** The text in order. Nothing is omitted, except that a run of blank lines is only counted. */
export function foldText(text: string): FoldedPiece[] {
  const units = unitsOf(text);
  if (unitsOfRows(units, ALL_ROWS) === units.length) return piecesOf(units);
  const head = unitsOfRows(units, HEAD_ROWS);
  const tail = unitsOfRows(units.slice(head).reverse(), TAIL_ROWS);
  const middle = units.slice(head, units.length - tail);
  const hidden = middle.map((unit) => unit.text).join("");
  return [
    ...piecesOf(units.slice(0, head)),
    { kind: "middle", text: hidden, lines: linesIn(hidden), characters: hidden.length },
    ...piecesOf(units.slice(units.length - tail)),
  ];
}

/** The text with runs of blank lines folded, and nothing else. */
export const foldBlankLines = (text: string): FoldedPiece[] => piecesOf(unitsOf(text));

function unitsOf(text: string): Unit[] {
  const units: Unit[] = [];
  for (const [part, blank] of text.matchAll(LINES)) {
    if (blank !== undefined && linesIn(blank) > BLANK_LINES)
      units.push({ text: blank, rows: 1, blank: linesIn(blank) });
    else
      for (const [row] of part.matchAll(ROWS)) units.push({ text: row, rows: linesIn(row.slice(0, -1)) + 1 });
  }
  return units;
}

/** All blank lines in a row, or one other line, with its line break. */
const LINES = /((?:[^\S\n]*\n)+)|[^\n]*\n|[^\n]+/g;

/** The `u` flag keeps pairs of surrogates together. */
const ROWS = new RegExp(`[\\s\\S]{1,${ROW_LENGTH}}`, "gu");

const linesIn = (text: string): number => text.split("\n").length - 1;

/** The number of units at the beginning that fill this many rows. */
function unitsOfRows(units: readonly Unit[], rows: number): number {
  let used = 0;
  const end = units.findIndex((unit) => {
    used += unit.rows;
    return used > rows;
  });
  return end < 0 ? units.length : end;
}

/** Neighboring units as one piece. */
function piecesOf(units: readonly Unit[]): FoldedPiece[] {
  const pieces: FoldedPiece[] = [];
  for (const { text, blank } of units) {
    const last = pieces.at(-1);
    if (blank !== undefined) pieces.push({ kind: "blank", lines: blank });
    else if (last?.kind === "text") last.text += text;
    else pieces.push({ kind: "text", text });
  }
  return pieces;
}
