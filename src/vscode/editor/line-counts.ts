/** How many lines a change of a file adds and removes. */
import type { FileContent } from "../../core/ports/file-states.ts";
import { decode } from "../../node/files/encodings.ts";
import { matchLines } from "../../shared/text/line-diff.ts";

/** Empty if either content is not text, or was not backed up. null: there is no file. */
export function lineCounts(
  before: FileContent | null | undefined,
  after: FileContent | null | undefined,
): { added?: number; removed?: number } {
  const old = linesOf(before);
  const now = linesOf(after);
  if (!old || !now) return {};
  const common = matchLines(old, now).reduce((total, { length }) => total + length, 0);
  return { added: now.length - common, removed: old.length - common };
}

function linesOf(content: FileContent | null | undefined): string[] | undefined {
  if (content === undefined) return undefined;
  if (content === null) return [];
  const decoded = decode(content.bytes);
  if (decoded.kind !== "text") return undefined;
  const lines = decoded.text.split(/\r\n|\r|\n/);
  if (lines.at(-1) === "") lines.pop();
  return lines;
}
