import type { FileContent } from "../../core/ports/file-states.ts";
import { decodeFile, type EncodingNames } from "../../node/files/encoding-names.ts";
import { matchLines } from "../../shared/text/line-diff.ts";

/** `names`: what names the encoding of the file. Empty if either content is not text, or was not backed up. null: there is no file. */
export async function lineCounts(
  { path: file, names }: { path: string; names: EncodingNames },
  before: FileContent | null | undefined,
  after: FileContent | null | undefined,
): Promise<{ added?: number; removed?: number }> {
  const old = await linesOf(file, before, names);
  const now = await linesOf(file, after, names);
  if (!old || !now) return {};
  const common = matchLines(old, now).reduce((total, { length }) => total + length, 0);
  return { added: now.length - common, removed: old.length - common };
}

async function linesOf(
  file: string,
  content: FileContent | null | undefined,
  names: EncodingNames,
): Promise<string[] | undefined> {
  if (content === undefined) return undefined;
  if (content === null) return [];
  const decoded = await decodeFile(file, content.bytes, names);
  if (decoded.kind !== "text") return undefined;
  const lines = decoded.text.split(/\r\n|\r|\n/);
  if (lines.at(-1) === "") lines.pop();
  return lines;
}
