/** Describes a saved edit for the model. */
import { changedRegions, unifiedDiff } from "../../edits/regions.ts";
import type { Saved } from "../../ports/editor.ts";
import type { TextFile } from "../../ports/files.ts";
import { sliceWhole } from "../../text.ts";
import type { ShownFile } from "../tool.ts";

/** What the user and the editor changed, the current file, and new problems. `limit`: characters of the file. */
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
  sections.push(finalContent(path, saved.finalText, regions, limit));
  sections.push("This is the current file: base further changes on this text.");
  if (saved.newProblems.length > 0) {
    sections.push(`New problems reported after the change:\n${saved.newProblems.join("\n")}`);
  }
  return { text: sections.join("\n\n"), added: regions.added, removed: regions.removed };
}

/** The file whose new content an edit's result shows. */
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
  const note = `(${lines.length} lines; only the changed regions are shown, with line numbers. read_file shows the rest.)`;
  return `${open}\n${note}\n${sliceWhole(excerpts.join("\n...\n"), 0, limit)}\n</final_file_content>`;
}
