/** The differences between two texts as few small edits, and a person's edit of a proposal with its line endings. */
import { matchLines } from "../core/edits/line-diff.ts";
import { bareLines, lineEndings, splitLines, withEol } from "../core/text.ts";

/** Replaces `[start, end)`, in UTF-16 units of the text before, by `text`. */
export interface TextChange {
  start: number;
  end: number;
  text: string;
}

/** Changes of whole lines, ascending and apart, that make `after` of `before`. */
export function minimalChanges(before: string, after: string): TextChange[] {
  if (before === after) return [];
  const oldLines = splitLines(before);
  const newLines = splitLines(after);
  const starts = offsets(oldLines);
  const changes: TextChange[] = [];
  let row = 0;
  let other = 0;
  const replace = (rowEnd: number, otherEnd: number) => {
    if (row === rowEnd && other === otherEnd) return;
    const text = newLines.slice(other, otherEnd).join("");
    changes.push({ start: starts[row] ?? before.length, end: starts[rowEnd] ?? before.length, text });
  };
  for (const { a, b, length } of matchLines(oldLines, newLines)) {
    replace(a, b);
    row = a + length;
    other = b + length;
  }
  replace(oldLines.length, newLines.length);
  return changes;
}

function offsets(lines: readonly string[]): number[] {
  let at = 0;
  const starts = lines.map((line) => {
    const start = at;
    at += line.length;
    return start;
  });
  return [...starts, at];
}

/**
 * The text that a person approved: the proposal with what they changed in it. An editor shows one kind of line ending
 * only, so lines that they left alone keep the proposal's. undefined: they changed nothing.
 */
export function personVersion(proposal: string, shown: string): string | undefined {
  if (withEol(shown, "\n") === withEol(proposal, "\n")) return undefined;
  const endings = lineEndings(proposal);
  const eol = endings.dominant;
  if (eol === undefined) return shown;
  if (!endings.mixed) return withEol(shown, eol);
  const proposed = splitLines(proposal);
  const lines = splitLines(withEol(shown, eol));
  const result = [...lines];
  for (const { a, b, length } of matchLines(bareLines(proposal), bareLines(shown))) {
    for (let row = 0; row < length; row++) {
      const line = proposed[a + row];
      // The last line may have lost or gained its ending; then the person's form holds.
      if (line !== undefined && /[\r\n]$/.test(line) === /[\r\n]$/.test(lines[b + row] ?? "")) {
        result[b + row] = line;
      }
    }
  }
  return result.join("");
}
