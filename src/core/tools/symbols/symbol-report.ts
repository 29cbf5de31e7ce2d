/** Places in the code, for the model: by file, with the text of their lines, in pages. */
import { relative } from "node:path";
import { ToolError } from "../../errors.ts";
import { bareLines, sliceWhole, visibleName } from "../../text.ts";
import { type FoundHit, shownHits } from "../content/found-hits.ts";
import { type ToolContext, type ToolOutput, textOutput } from "../tool.ts";
import { displayPath } from "../tool-paths.ts";

/** A line of the code. */
export interface CodePlace {
  /** Absolute. */
  path: string;
  /** 0-based. */
  line: number;
  /** What is said about it, such as the symbol that contains it. */
  note?: string;
}

/** Lines on one page, and characters of one line. */
const PAGE_LINES = 100;
const LINE_LENGTH = 200;

export interface ReportOptions {
  /** Such as `3 references in 2 files`; the page follows. */
  summary(lines: number, files: number): string;
  /** Lines that earlier pages have shown. */
  offset: number;
  /** Sentences after the places. */
  notes: readonly string[];
}

/** Lines of files whose reading would ask are named without their text. */
export async function placesOutput(
  context: ToolContext,
  places: readonly CodePlace[],
  { summary, offset, notes }: ReportOptions,
): Promise<ToolOutput> {
  const { workspace } = context.host;
  const merged = mergeLines(places);
  const page = merged.slice(offset, offset + PAGE_LINES);
  if (page.length === 0)
    throw new ToolError(`There are only ${merged.length} lines, so none follows offset ${offset}.`);
  const limit = context.settings().context.maxResultCharacters;
  const lines = [summary(merged.length, new Set(merged.map(({ path }) => path)).size)];
  const hits: FoundHit[] = [];
  let size = 0;
  let count = 0;
  for (const [path, inFile] of byFile(page)) {
    const texts = await linesOf(context, path);
    lines.push(
      "",
      `${visibleName(displayPath(workspace, path))}${texts === undefined ? " (text not shown: reading it needs approval)" : ""}`,
    );
    for (const { line, note } of inFile) {
      const text = texts?.[line]?.trim();
      const shown = `${line + 1}${text === undefined ? "" : ` | ${cut(text)}`}${note === undefined ? "" : `  (${note})`}`;
      if (count > 0 && size + shown.length > limit) break;
      size += shown.length + 1;
      count++;
      lines.push(shown);
      hits.push({
        path: relativeTo(workspace.root, path),
        line: line + 1,
        ...(text === undefined ? {} : { text }),
      });
    }
    if (size > limit) break;
  }
  const next = offset + count;
  const more = next < merged.length ? [`${merged.length - next} more. Continue with offset ${next}.`] : [];
  const closing = [...more, ...notes];
  if (closing.length > 0) lines.push("", `(${closing.join(" ")})`);
  return textOutput(lines.join("\n"), {
    text: String(merged.length),
    ...shownHits(workspace, workspace.root ?? "/", hits),
  });
}

const relativeTo = (root: string | undefined, path: string) => relative(root ?? "/", path);

function cut(text: string): string {
  return text.length <= LINE_LENGTH ? text : `${sliceWhole(text, 0, LINE_LENGTH)} [...]`;
}

/** One entry for each line, in order of the files' first places, and then of the lines. */
function mergeLines(places: readonly CodePlace[]): CodePlace[] {
  return [...byFile(places)].flatMap(([path, inFile]) => {
    const notes = new Map<number, Set<string>>();
    for (const { line, note } of inFile) {
      const known = notes.get(line) ?? new Set();
      if (note !== undefined) known.add(note);
      notes.set(line, known);
    }
    return [...notes]
      .sort(([a], [b]) => a - b)
      .map(([line, texts]) => ({ path, line, ...(texts.size > 0 ? { note: [...texts].join(", ") } : {}) }));
  });
}

function byFile(places: readonly CodePlace[]): Map<string, CodePlace[]> {
  const files = new Map<string, CodePlace[]>();
  for (const place of places) files.set(place.path, [...(files.get(place.path) ?? []), place]);
  return files;
}

/** undefined: reading the file would ask or is denied, or it is not text. */
async function linesOf(context: ToolContext, path: string): Promise<string[] | undefined> {
  if ((await context.unreadable(path)) !== undefined) return undefined;
  try {
    return bareLines((await context.host.files.readText(path)).text);
  } catch (error) {
    if (error instanceof ToolError) return undefined;
    throw error;
  }
}
