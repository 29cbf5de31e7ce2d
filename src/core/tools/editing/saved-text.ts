/** Describes a saved edit for the model. */
import { type Changes, changedRegions, unifiedDiff } from "../../edits/regions.ts";
import type { Saved } from "../../ports/editor.ts";
import type { TextFile } from "../../ports/files.ts";
import { sliceWhole } from "../../text.ts";
import type { ShownFile } from "../tool.ts";

/** Characters of a file that is always shown as a whole. */
const SMALL = 1_000;

/** Places whose line numbers are listed. */
const MOST_RANGES = 100;

/** Unchanged lines around a changed region, and the number of lines of one excerpt. */
interface Extent {
  context: number;
  mostLines: number;
}

/** For a text that the model proposed in other lines, such as with another indentation: enough to show what changed where. */
const KNOWN: Extent = { context: 0, mostLines: 20 };
/** For a text that the model has not seen. */
const UNKNOWN: Extent = { context: 3, mostLines: 60 };
/** The same without leaving anything out, where that is at most this share of the file. */
const UNKNOWN_IN_FULL: Extent = { ...UNKNOWN, mostLines: Number.POSITIVE_INFINITY };
const LARGEST_SHARE = 0.5;

/** The beginning of a result whose file the result or the call shows as a whole. */
export const SAVED = "The content was saved to ";
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
  /** The text of the call, which the model need not read again. Default: the call does not contain the new lines. */
  written?: string | undefined;
}

/**
 * What the user and the editor changed, the current file, and new problems. Every later request repeats this text, so it has no line that
 * stands in the call as it was saved: of these it has the numbers. The exception is a small file, which is shown as a whole after a change
 * of some of its lines. Where the user or the editor changed what the model wrote, the result has the file, or all that is new to the model
 * if that is much less. The path is omitted if the call names only this file.
 */
export function describeSaved(
  path: string,
  original: TextFile | null,
  proposed: string,
  saved: Saved,
  description: Description,
): { text: string; added: number; removed: number } {
  const { finalText, userText } = saved;
  const changes = changedRegions(original?.text ?? "", finalText);
  const { added, removed } = changes;
  const isKnown = finalText === proposed && (userText ?? proposed) === proposed;
  const shown = isKnown ? knownText(path, original, { finalText, changes, description }) : undefined;
  const sections =
    shown === undefined ? wholeText(path, original, { proposed, saved, changes, description }) : [shown];
  return { text: [...sections, ...problemSections(saved)].join("\n\n"), added, removed };
}

interface KnownEdit {
  finalText: string;
  changes: Changes;
  description: Description;
}

/** For a text that was saved as the model proposed it; undefined: it is shown as a whole. */
function knownText(
  path: string,
  original: TextFile | null,
  { finalText, changes, description }: KnownEdit,
): string | undefined {
  const { limit, isOnly, briefly = false, written } = description;
  const onLines = `${path} was changed on line ${changedLines(changes)}.`;
  if (original !== null && briefly) return onLines;
  const lines = linesOf(finalText);
  const isInCall = linesIn(written);
  if (original === null) return isInCall(lines) ? `${SAVED}${path}.` : undefined;
  if (written !== undefined && lines.length === linesOf(written).length && isInCall(lines))
    return `${SAVED}${path}. Changed lines: ${changedLines(changes)}.`;
  if (finalText.length < SMALL) return undefined;
  const areKnown = changes.regions.every(({ startLine, endLine }) =>
    isInCall(lines.slice(startLine - 1, endLine)),
  );
  if (areKnown) return isOnly ? `Saved. Changed lines: ${changedLines(changes)}.` : onLines;
  const content = changedContent(finalText, { regions: changes.regions, extent: KNOWN, limit });
  return isOnly ? `${KNOWN_NOTE}${inTag(content)}` : `Saved. ${REGIONS_NOTE}${inTag(content, path)}`;
}

/** Tells whether lines stand in the text of a call, one after the other. */
function linesIn(written: string | undefined): (lines: readonly string[]) => boolean {
  if (written === undefined) return () => false;
  const call = asWritten(linesOf(written));
  return (lines) => lines.length === 0 || call.includes(asWritten(lines));
}

/** Lines as a model writes them: without a byte order mark and the first half of a line break, and with a line break on each side. */
function asWritten(lines: readonly string[]): string {
  return ["", ...lines.map((line) => line.replace(/^\ufeff/, "").replace(/\r$/, "")), ""].join("\n");
}

interface UnknownEdit {
  proposed: string;
  saved: Saved;
  changes: Changes;
  description: Description;
}

function wholeText(
  path: string,
  original: TextFile | null,
  { proposed, saved: { finalText, userText }, changes, description: { limit, written } }: UnknownEdit,
): string[] {
  const sections = [`${SAVED}${path}.`];
  if (userText !== undefined && userText !== proposed) {
    sections.push(
      `Before approving, the user changed your proposal:\n\n${unifiedDiff(proposed, userText)}\n\nTheir version is what was saved.`,
    );
  }
  if ((userText ?? proposed) !== finalText) sections.push("The editor formatted the file while saving.");
  // Of a new file the model wrote all other lines. What the editor put back as it was before is new to the model as well.
  const changed = original === null && linesIn(written)(linesOf(proposed)) ? [] : changes.regions;
  const regions = [...changed, ...changedRegions(proposed, finalText).regions];
  const inFull = changedContent(finalText, { regions, extent: UNKNOWN_IN_FULL, limit: finalText.length });
  const isShort = inFull.length <= Math.min(limit, finalText.length * LARGEST_SHARE);
  const excerpts = isShort ? inFull : changedContent(finalText, { regions, extent: UNKNOWN, limit });
  const isWhole = finalText.length <= limit && (finalText.length < SMALL || !isShort);
  return [
    ...sections,
    isWhole ? inTag(finalText, path) : `${REGIONS_NOTE}${inTag(excerpts, path)}`,
    "This is the current file: base further changes on this text.",
  ];
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
  const shown = regions.slice(0, MOST_RANGES);
  const ranges = shown.map(({ startLine: from, endLine: to }) => {
    if (to < from) return `removed before ${from}`;
    return to > from ? `${from}-${to}` : `${from}`;
  });
  const more = regions.length > shown.length ? ` and ${regions.length - shown.length} more places` : "";
  return `${ranges.join(", ")}${more}`;
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
  regions: Changes["regions"];
  extent: Extent;
  /** Characters. */
  limit: number;
}

function linesOf(text: string): string[] {
  const lines = text.split("\n");
  // There is no line after the last line break.
  if (lines.at(-1) === "") lines.pop();
  return lines;
}

function changedContent(text: string, { regions, extent, limit }: Excerpts): string {
  const lines = linesOf(text);
  const excerpts = rangesOf(regions, lines.length, extent).map((range) => excerptOf(lines, range, extent));
  return sliceWhole(excerpts.join("\n...\n"), 0, limit);
}

interface Range {
  from: number;
  to: number;
}

/** The changed regions with the lines around them; those that touch are one. Of removed lines, their neighbors are shown. */
function rangesOf(regions: Changes["regions"], count: number, { context }: Extent): Range[] {
  const ranges: Range[] = [];
  for (const { startLine, endLine } of regions.toSorted((a, b) => a.startLine - b.startLine)) {
    const around = endLine < startLine ? Math.max(1, context) : context;
    const [from, to] = [Math.max(1, startLine - around), Math.min(count, endLine + around)];
    const last = ranges.at(-1);
    if (last && from <= last.to + 1) last.to = Math.max(last.to, to);
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
