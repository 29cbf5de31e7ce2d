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

/** For a text that the model wrote itself: enough to show what changed where. */
const KNOWN: Extent = { context: 0, mostLines: 20 };
/** For a text that the model has not seen. */
const UNKNOWN: Extent = { context: 3, mostLines: 60 };

/** The line above a tag with the path if the tag contains only the changed regions. */
const REGIONS_NOTE = "Changed lines:\n";
/** The line above a tag without the path, which contains only the changed regions. */
const KNOWN_NOTE = "Saved as:\n";
/** What began the content instead in results of earlier versions. */
const OLD_REGIONS_NOTE = "only the changed regions are shown, with line numbers. read_file shows the rest.)";

export interface Description {
  /** Characters of the file. */
  limit: number;
  /** The call names no other file. */
  isOnly: boolean;
  /** Only the numbers of the changed lines, unless the text differs from what was proposed. Default: false. */
  briefly?: boolean;
}

/**
 * What the user and the editor changed, the current file, and new problems. The file is shown as a whole if it is new or small, or
 * differs from what the model wrote; otherwise the model knows it, and gets the changed regions. Every later request repeats
 * this text, so it is short in that case, and omits the path if the call names only this file.
 */
export function describeSaved(
  path: string,
  original: TextFile | null,
  proposed: string,
  saved: Saved,
  { limit, isOnly, briefly = false }: Description,
): { text: string; added: number; removed: number } {
  const { finalText, userText } = saved;
  const regions = changedRegions(original?.text ?? "", finalText);
  const { added, removed } = regions;
  const problems = problemSections(saved);
  const isKnown = finalText === proposed && (userText ?? proposed) === proposed;
  if (original !== null && isKnown && briefly) {
    const shown = `${path} was changed on line ${changedLines(regions)}.`;
    return { text: [shown, ...problems].join("\n\n"), added, removed };
  }
  if (original !== null && isKnown && finalText.length >= SMALL) {
    const content = changedContent(finalText, { regions, extent: KNOWN, limit });
    const shown = isOnly ? `${KNOWN_NOTE}${inTag(content)}` : `Saved. ${REGIONS_NOTE}${inTag(content, path)}`;
    return { text: [shown, ...problems].join("\n\n"), added, removed };
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
      ? inTag(finalText, path)
      : `${REGIONS_NOTE}${inTag(changedContent(finalText, { regions, extent: UNKNOWN, limit }), path)}`,
    "This is the current file: base further changes on this text.",
    ...problems,
  );
  return { text: sections.join("\n\n"), added, removed };
}

/** What the language servers report after a change, as sections of its result. */
export function problemSections({
  newProblems,
  problemsUnknown,
}: Pick<Saved, "newProblems" | "problemsUnknown">): string[] {
  if (newProblems.length > 0) return [`New problems reported after the change:\n${newProblems.join("\n")}`];
  return problemsUnknown
    ? ["Whether the change causes problems is not known: the language server has not checked it yet."]
    : [];
}

function changedLines({ regions }: Changes): string {
  const ranges = regions.map(({ startLine: from, endLine: to }) => (to > from ? `${from}-${to}` : `${from}`));
  return ranges.join(", ");
}

/** The file whose new content an edit's result shows as a whole. */
export function savedFile(_: Readonly<Record<string, unknown>>, text: string): ShownFile | undefined {
  // The content of the first tag may contain text that looks like another tag.
  const [tag, path, first = ""] = /<final_file_content(?: path="([^"\n]+)")?>\n([^\n]*)/.exec(text) ?? [];
  if (tag === undefined || path === undefined || first.endsWith(OLD_REGIONS_NOTE)) return undefined;
  return text.slice(0, text.indexOf(tag)).endsWith(REGIONS_NOTE) ? undefined : { path, lines: "" };
}

/** As in the result of an edit. `path`: absent if the call names it. */
const inTag = (text: string, path?: string) =>
  `<final_file_content${path === undefined ? "" : ` path="${path}"`}>\n${text}\n</final_file_content>`;

interface Excerpts {
  regions: Changes;
  extent: Extent;
  /** Characters. */
  limit: number;
}

function changedContent(text: string, { regions, extent, limit }: Excerpts): string {
  const lines = text.split("\n");
  // There is no line after the last line break.
  if (lines.at(-1) === "") lines.pop();
  const excerpts = rangesOf(regions, lines.length, extent).map((range) => excerptOf(lines, range, extent));
  return sliceWhole(excerpts.join("\n...\n"), 0, limit);
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
