/** Describes a saved edit for the model. */
import { type Changes, changedRegions, unifiedDiff } from "../../edits/regions.ts";
import type { Saved } from "../../ports/editor.ts";
import type { TextFile } from "../../ports/files.ts";
import { sliceWhole } from "../../text.ts";
import type { ShownFile } from "../tool.ts";

/** Characters of a file that is always shown as a whole. */
const SMALL = 1_000;

/** Unchanged lines around a changed region, and the number of lines of one excerpt. */
const CONTEXT = 3;
const MOST_LINES = 60;

const REGIONS_NOTE = "only the changed regions are shown, with line numbers. read_file shows the rest.)";

/**
 * What the user and the editor changed, the current file, and new problems. The file is shown as a whole if it is new or small, or
 * differs from what the model wrote; otherwise the model knows it, and gets the changed regions. `limit`: characters of the file.
 */
export function describeSaved(
  path: string,
  original: TextFile | null,
  proposed: string,
  saved: Saved,
  limit: number,
): { text: string; added: number; removed: number } {
  const regions = changedRegions(original?.text ?? "", saved.finalText);
  const sections = [`The content was saved to ${path}.`];
  if (saved.userText !== undefined && saved.userText !== proposed) {
    sections.push(
      `Before approving, the user changed your proposal:\n\n${unifiedDiff(proposed, saved.userText)}\n\nTheir version is what was saved.`,
    );
  }
  if ((saved.userText ?? proposed) !== saved.finalText) {
    sections.push("The editor formatted the file while saving.");
  }
  const isExpected = original !== null && saved.finalText === proposed && saved.finalText.length >= SMALL;
  const whole = !isExpected && saved.finalText.length <= limit;
  sections.push(finalContent(path, saved.finalText, whole ? undefined : regions, limit));
  sections.push("This is the current file: base further changes on this text.");
  if (saved.newProblems.length > 0) {
    sections.push(`New problems reported after the change:\n${saved.newProblems.join("\n")}`);
  }
  return { text: sections.join("\n\n"), added: regions.added, removed: regions.removed };
}

/** The file whose new content an edit's result shows as a whole. */
export function savedFile(_: Readonly<Record<string, unknown>>, text: string): ShownFile | undefined {
  const [, path, first = ""] = /<final_file_content path="([^"\n]+)">\n([^\n]*)/.exec(text) ?? [];
  return path === undefined || first.endsWith(REGIONS_NOTE) ? undefined : { path, lines: "" };
}

/** `changes`: shows these alone. */
function finalContent(path: string, text: string, changes: Changes | undefined, limit: number): string {
  const open = `<final_file_content path="${path}">`;
  if (!changes) return `${open}\n${text}\n</final_file_content>`;
  const lines = text.split("\n");
  const excerpts = rangesOf(changes, lines.length).map((range) => excerptOf(lines, range));
  const note = `(${lines.length} lines; ${REGIONS_NOTE}`;
  return `${open}\n${note}\n${sliceWhole(excerpts.join("\n...\n"), 0, limit)}\n</final_file_content>`;
}

interface Range {
  from: number;
  to: number;
}

/** The changed regions with the lines around them; those that touch are one. */
function rangesOf({ regions }: Changes, count: number): Range[] {
  const ranges: Range[] = [];
  for (const { startLine, endLine } of regions) {
    const [from, to] = [Math.max(1, startLine - CONTEXT), Math.min(count, endLine + CONTEXT)];
    const last = ranges.at(-1);
    if (last && from <= last.to + 1) last.to = to;
    else ranges.push({ from, to });
  }
  return ranges;
}

/** The lines with their numbers; of a long range its beginning and its end. */
function excerptOf(lines: readonly string[], { from, to }: Range): string {
  const numbered = (first: number, last: number) =>
    lines.slice(first - 1, last).map((line, index) => `${first + index} | ${line}`);
  if (to - from < MOST_LINES) return numbered(from, to).join("\n");
  const half = MOST_LINES / 2;
  return [...numbered(from, from + half - 1), "...", ...numbered(to - half + 1, to)].join("\n");
}
