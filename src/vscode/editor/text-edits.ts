/** Computes the edits that turn one text into another, and the text that the user made of a proposal. */

import { bareLines, lineEndings, splitLines, withEol } from "../../core/text.ts";
import { matchLines } from "../../shared/text/line-diff.ts";

/** Replaces `[start, end)`, in UTF-16 code units of the text before all changes, with `text`. */
export interface TextChange {
  start: number;
  end: number;
  text: string;
}

/** Changes of whole lines that turn `before` into `after`; in ascending order, without overlaps. */
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

/**
 * Removes from each change the leading and trailing characters that it does not change. VS Code moves cursors and
 * selections inside a replaced range, so a smaller range disturbs the user less. Never splits a line ending or a
 * surrogate pair.
 */
export function trimCommonEnds(before: string, changes: readonly TextChange[]): TextChange[] {
  return changes.map(({ start, end, text }) => {
    const old = before.slice(start, end);
    const most = Math.min(old.length, text.length);
    let head = 0;
    while (head < most && old[head] === text[head]) head++;
    while (head > 0 && (splitsUnit(old, head) || splitsUnit(text, head))) head--;
    let tail = 0;
    while (tail < most - head && old.at(-1 - tail) === text.at(-1 - tail)) tail++;
    while (tail > 0 && (splitsUnit(old, old.length - tail) || splitsUnit(text, text.length - tail))) tail--;
    return { start: start + head, end: end - tail, text: text.slice(head, text.length - tail) };
  });
}

/** Whether `at` is in the middle of a line ending or of a character. */
function splitsUnit(text: string, at: number): boolean {
  return (
    at > 0 && at < text.length && /^(?:\r\n|[\ud800-\udbff][\udc00-\udfff])$/.test(text.slice(at - 1, at + 1))
  );
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
 * The text that the user made of a proposal; undefined if they changed nothing. A document in the editor has only one
 * kind of line ending, so the lines that the user did not change get the proposal's line endings back.
 */
export function userEditedText(proposal: string, shown: string): string | undefined {
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
      // If the user added or removed the newline at the end of the text, their version applies.
      if (line !== undefined && /[\r\n]$/.test(line) === /[\r\n]$/.test(lines[b + row] ?? "")) {
        result[b + row] = line;
      }
    }
  }
  return result.join("");
}
