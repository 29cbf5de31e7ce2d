/** What a saved edit did, in words for the model. */
import { changedRegions, unifiedDiff } from "../../edits/regions.ts";
import type { Saved } from "../../ports/editor.ts";
import type { TextFile } from "../../ports/files.ts";
import { sliceWhole } from "../../text.ts";
import type { ShownFile } from "../tool.ts";

/** What a save did, for the model: what the person and the editor changed, the file as it is, and new problems. */
export function describeSaved(
  path: string,
  original: TextFile | null,
  proposed: string,
  saved: Saved,
  limit: number,
): { text: string; added: number; removed: number } {
  const regions = changedRegions(original?.text ?? "", saved.finalText);
  const sections = [`The content was saved to ${path}.`];
  if (saved.personText !== undefined && saved.personText !== proposed) {
    sections.push(
      `Before approving, the person changed your proposal:\n\n${unifiedDiff(proposed, saved.personText)}\n\nTheir version is what was saved.`,
    );
  }
  if ((saved.personText ?? proposed) !== saved.finalText) {
    sections.push("The editor formatted the file while saving.");
  }
  sections.push(finalContent(path, saved.finalText, regions, limit));
  sections.push("This is the file as it now is: base further changes to it on this text.");
  if (saved.newProblems.length > 0) {
    sections.push(`New problems reported after the change:\n${saved.newProblems.join("\n")}`);
  }
  return { text: sections.join("\n\n"), added: regions.added, removed: regions.removed };
}

/** The file whose new content a result of an edit shows. */
export function savedFile(_: Readonly<Record<string, unknown>>, text: string): ShownFile | undefined {
  const path = /<final_file_content path="([^"\n]+)">/.exec(text)?.[1];
  return path === undefined ? undefined : { path, lines: "" };
}

function finalContent(
  path: string,
  text: string,
  regions: ReturnType<typeof changedRegions>,
  limit: number,
): string {
  const open = `<final_file_content path="${path}">`;
  if (text.length <= limit) {
    return `${open}
${text}
</final_file_content>`;
  }
  const lines = text.split("\n");
  const excerpts = regions.regions.map(({ startLine, endLine }) => {
    const from = Math.max(1, startLine - 3);
    const to = Math.min(lines.length, endLine + 3, from + 200);
    const numbered = lines.slice(from - 1, to).map((line, index) => `${from + index} | ${line}`);
    return numbered.join("\n");
  });
  const note = `(${lines.length} lines; only the changed regions, with line numbers. read_file shows the rest.)`;
  return `${open}\n${note}\n${sliceWhole(excerpts.join("\n...\n"), 0, limit)}\n</final_file_content>`;
}
