/** Where a symbol is that a model names by file, line and the text on that line. Models cannot count columns. */
import { ToolError } from "../../errors.ts";
import type { TextPosition, TextSpan } from "../../ports/symbols.ts";
import { bareLines, sliceWhole } from "../../text.ts";

/** Places in one error, and characters of a line in it. */
const MOST_PLACES = 20;
const LINE_LENGTH = 160;

export interface SymbolAddress {
  /** The path as shown to the model. */
  shown: string;
  /** 1-based; undefined: any line on which the text occurs. */
  line?: number | undefined;
  /** The symbol's name, or more of its line, from the name on. */
  symbol: string;
}

/** Throws ToolError that lists the places where the text occurs, unless there is exactly one. */
export function symbolSpan(text: string, { shown, line, symbol }: SymbolAddress): TextSpan {
  const wanted = symbol.trim();
  if (wanted === "" || /[\r\n]/.test(wanted))
    throw new ToolError("The parameter symbol must be the symbol's name, or a part of its line.");
  const lines = bareLines(text);
  const all = lines.flatMap((content, row) =>
    columnsOf(content, wanted).map((column): TextPosition => ({ line: row, column })),
  );
  const named = line === undefined ? all : all.filter((place) => place.line === line - 1);
  const [only] = named;
  if (only && named.length === 1)
    return { start: only, end: { line: only.line, column: only.column + wanted.length } };
  const quoted = JSON.stringify(wanted);
  if (only) {
    const where =
      line === undefined
        ? `at ${named.length} places in ${shown}`
        : `${named.length} times on line ${line} of ${shown}`;
    const advice =
      line === undefined
        ? "Name the line, too."
        : "Make symbol longer, to the right, until it occurs once: it must still begin with the symbol's name.";
    throw new ToolError(`${quoted} is ${where}:\n${placesText(lines, named)}\n${advice}`);
  }
  if (line !== undefined && line > lines.length)
    throw new ToolError(`${shown} has ${lines.length} lines; there is no line ${line}.`);
  const found = all.length > 0 ? `It is here:\n${placesText(lines, all)}` : "It is nowhere in the file.";
  const where = line === undefined ? shown : `line ${line} of ${shown}`;
  throw new ToolError(`${quoted} is not in ${where}. ${found}`);
}

const isWordPart = (character: string | undefined) =>
  character !== undefined && /[\p{L}\p{N}_$]/u.test(character);

/** Where the text occurs in a line, not as a part of a longer name. */
function columnsOf(line: string, wanted: string): number[] {
  const columns: number[] = [];
  for (let at = line.indexOf(wanted); at !== -1; at = line.indexOf(wanted, at + 1)) {
    const joinsBefore = isWordPart(wanted[0]) && isWordPart(line[at - 1]);
    const joinsAfter = isWordPart(wanted.at(-1)) && isWordPart(line[at + wanted.length]);
    if (!joinsBefore && !joinsAfter) columns.push(at);
  }
  return columns;
}

/** Each place with its line from there on. */
function placesText(lines: readonly string[], places: readonly TextPosition[]): string {
  const shown = places.slice(0, MOST_PLACES).map(({ line, column }) => {
    const content = lines[line] ?? "";
    const before = column === 0 ? "" : content.slice(0, column).trim() === "" ? "" : "…";
    return `${line + 1} | ${before}${sliceWhole(content, column, column + LINE_LENGTH)}`;
  });
  const more = places.length - shown.length;
  return [...shown, ...(more > 0 ? [`(${more} more)`] : [])].join("\n");
}
