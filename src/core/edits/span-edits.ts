/** Applies edits that name their places by line and column, as language servers do. */
import type { TextPosition, TextSpan } from "../ports/symbols.ts";
import { type LineTable, lineEndings, lineTable, withEol } from "../text.ts";

/**
 * The text with the edits, which are in any order; new lines get the line ending of the text. undefined: an edit is outside the text, or
 * two overlap.
 */
export function withSpanEdits(
  text: string,
  edits: readonly { span: TextSpan; text: string }[],
): string | undefined {
  const table = lineTable(text);
  const eol = lineEndings(text).dominant ?? "\n";
  const changes = edits.map((edit, order) => ({
    start: offsetOf(text, table, edit.span.start),
    end: offsetOf(text, table, edit.span.end),
    insert: withEol(edit.text, eol),
    order,
  }));
  // Texts that are inserted at one place keep their order.
  changes.sort((a, b) => a.start - b.start || a.end - b.end || a.order - b.order);
  const parts: string[] = [];
  let at = 0;
  for (const { start, end, insert } of changes) {
    if (start < at || end < start) return undefined;
    parts.push(text.slice(at, start), insert);
    at = end;
  }
  return parts.join("") + text.slice(at);
}

/** -1: outside the text. The position after the last line is its end, because language servers mean that by it. */
function offsetOf(text: string, table: LineTable, { line, column }: TextPosition): number {
  if (line === table.count && column === 0) return text.length;
  const start = table.starts[line];
  if (start === undefined || line >= table.count) return -1;
  const end = table.ends[line] ?? text.length;
  return start + column > end ? -1 : start + column;
}
