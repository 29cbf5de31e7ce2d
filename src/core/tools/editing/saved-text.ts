/** Describes a saved edit for the model. */
import { type Changes, changedRegions, unifiedDiff } from "../../edits/regions.ts";
import type { Saved } from "../../ports/editor.ts";
import type { TextFile } from "../../ports/files.ts";
import { sliceWhole } from "../../text.ts";
import type { ShownFile } from "../tool.ts";

/** Characters of a file that is always shown as a whole. */
const SMALL = 1_000;

/** Unchanged lines around a changed region, and the number of lines of one excerpt. */
interface Extent {
  context: number;
  mostLines: number;
}

/** Of a text that the model wrote itself: enough to see what changed where. */
const KNOWN: Extent = { context: 0, mostLines: 20 };
/** Of a text that it has not seen. */
const UNKNOWN: Extent = { context: 3, mostLines: 60 };

/** The line above the tag if it has the changed regions alone. */
const REGIONS_NOTE = "Changed lines:\n";
/** What began the content instead in results of earlier versions. */
const OLD_REGIONS_NOTE = "only the changed regions are shown, with line numbers. read_file shows the rest.)";

/**
 * What the user and the editor changed, the current file, and new problems. The file is shown as a whole if it is new or small, or
 * differs from what the model wrote; otherwise the model knows it, and gets the changed regions. The text stays in every later
 * request, so it is short then. `limit`: characters of the file.
 */
export function describeSaved(
  path: string,
  original: TextFile | null,
  proposed: string,
  saved: Saved,
  limit: number,
): { text: string; added: number; removed: number } {
  const { finalText, userText, newProblems } = saved;
  const regions = changedRegions(original?.text ?? "", finalText);
  const { added, removed } = regions;
  const problems =
    newProblems.length > 0 ? [`New problems reported after the change:\n${newProblems.join("\n")}`] : [];
  const isKnown = finalText === proposed && (userText ?? proposed) === proposed;
  if (original !== null && isKnown && finalText.length >= SMALL) {
    const content = changedContent(path, finalText, { regions, extent: KNOWN, limit });
    return { text: [`Saved. ${content}`, ...problems].join("\n\n"), added, removed };
  }
  const sections = [`The content was saved to ${path}.`];
  if (userText !== undefined && userText !== proposed) {
    sections.push(
      `Before approving, the user changed your proposal:\n\n${unifiedDiff(proposed, userText)}\n\nTheir version is what was saved.`,
    );
  }
  if ((userText ?? proposed) !== finalText) sections.push("The editor formatted the file while saving.");
  sections.push(
    finalText.length <= limit
      ? inTag(path, finalText)
      : changedContent(path, finalText, { regions, extent: UNKNOWN, limit }),
    "This is the current file: base further changes on this text.",
    ...problems,
  );
  return { text: sections.join("\n\n"), added, removed };
}

/** The file whose new content an edit's result shows as a whole. */
export function savedFile(_: Readonly<Record<string, unknown>>, text: string): ShownFile | undefined {
  const [tag, path, first = ""] = /<final_file_content path="([^"\n]+)">\n([^\n]*)/.exec(text) ?? [];
  if (tag === undefined || path === undefined || first.endsWith(OLD_REGIONS_NOTE)) return undefined;
  return text.slice(0, text.indexOf(tag)).endsWith(REGIONS_NOTE) ? undefined : { path, lines: "" };
}

const inTag = (path: string, text: string) =>
  `<final_file_content path="${path}">\n${text}\n</final_file_content>`;

interface Excerpts {
  regions: Changes;
  extent: Extent;
  /** Characters. */
  limit: number;
}

function changedContent(path: string, text: string, { regions, extent, limit }: Excerpts): string {
  const lines = text.split("\n");
  // Behind the last line break there is no line.
  if (lines.at(-1) === "") lines.pop();
  const excerpts = rangesOf(regions, lines.length, extent).map((range) => excerptOf(lines, range, extent));
  const shown = sliceWhole(excerpts.join("\n...\n"), 0, limit);
  return `${REGIONS_NOTE}${inTag(path, shown)}`;
}

interface Range {
  from: number;
  to: number;
}

/** The changed regions with the lines around them; those that touch are one. Of removed lines, their neighbors are shown. */
function rangesOf({ regions }: Changes, count: number, { context }: Extent): Range[] {
  const ranges: Range[] = [];
  for (const { startLine, endLine } of regions) {
    const around = endLine < startLine ? Math.max(1, context) : context;
    const [from, to] = [Math.max(1, startLine - around), Math.min(count, endLine + around)];
    const last = ranges.at(-1);
    if (last && from <= last.to + 1) last.to = to;
    else ranges.push({ from, to });
  }
  return ranges;
}

/** The lines with their numbers; of a long range its beginning and its end. */
function excerptOf(lines: readonly string[], { from, to }: Range, { mostLines }: Extent): string {
  const numbered = (first: number, last: number) =>
    lines.slice(first - 1, last).map((line, index) => `${first + index} | ${line}`);
  if (to - from < mostLines) return numbered(from, to).join("\n");
  const half = mostLines / 2;
  return [...numbered(from, from + half - 1), "...", ...numbered(to - half + 1, to)].join("\n");
}
