/** The lines of a diff with their numbers, as a reviewer reads them. */
import type { DiffSide } from "../../../shared/review.ts";

export interface DiffLine {
  kind: "added" | "removed" | "context";
  /** Line numbers before and after the change, from 1. */
  old: number | undefined;
  new: number | undefined;
  /** Without its line end. */
  text: string;
}

/** Lines that follow each other in the file. */
export type DiffHunk = readonly DiffLine[];

const HEADER = /^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@/;

/** The hunks of one file in a diff of git. Its end may be cut. */
export function readHunks(text: string): DiffHunk[] {
  const hunks: DiffLine[][] = [];
  let at = { old: 0, new: 0 };
  let left = { old: 0, new: 0 };
  for (const line of text.split("\n")) {
    const header = HEADER.exec(line);
    if (header) {
      const [, oldStart, oldCount = "1", newStart, newCount = "1"] = header;
      at = { old: Number(oldStart), new: Number(newStart) };
      left = { old: Number(oldCount), new: Number(newCount) };
      hunks.push([]);
      continue;
    }
    const kind = kindOf(line);
    if (kind === undefined || left.old + left.new === 0) continue;
    const [inOld, inNew] = [kind !== "added", kind !== "removed"];
    hunks.at(-1)?.push({
      kind,
      old: inOld ? at.old : undefined,
      new: inNew ? at.new : undefined,
      text: line.slice(1).replace(/\r$/, ""),
    });
    if (inOld) {
      at.old++;
      left.old--;
    }
    if (inNew) {
      at.new++;
      left.new--;
    }
  }
  return hunks.filter((hunk) => hunk.length > 0);
}

function kindOf(line: string): DiffLine["kind"] | undefined {
  switch (line[0]) {
    case "+":
      return "added";
    case "-":
      return "removed";
    case " ":
      return "context";
    // "\ No newline at end of file", or the end of the text.
    default:
      return undefined;
  }
}

/** A new file as one hunk. */
export function addedHunk(content: string): DiffHunk {
  const lines = content.split(/\r?\n/);
  if (lines.at(-1) === "") lines.pop();
  return lines.map((text, index) => ({ kind: "added", old: undefined, new: index + 1, text }));
}

/** The line's number on a side; undefined: it is not on it. */
export function numberOn(line: DiffLine, side: DiffSide): number | undefined {
  return side === "new" ? line.new : line.kind === "removed" ? line.old : undefined;
}

/** The hunk for the model: mark, number, text. A removed line has its old number, all others their new one. */
export function numberedText(hunk: DiffHunk): string {
  return hunk
    .map((line) => {
      const mark = line.kind === "added" ? "+" : line.kind === "removed" ? "-" : " ";
      return `${mark}${String(line.kind === "removed" ? line.old : line.new).padStart(5)}| ${line.text}`;
    })
    .join("\n");
}

const PRIVATE_KEY = /-----(BEGIN|END) [A-Z ]*PRIVATE KEY-----/;

/** The hunks with secrets masked. No line is added or removed, so that the numbers stay right. */
export function maskedHunks(hunks: readonly DiffHunk[], mask: (text: string) => string): DiffHunk[] {
  let inKey = false;
  return hunks.map((hunk) => {
    inKey = false;
    return hunk.map((line) => {
      const bound = PRIVATE_KEY.exec(line.text)?.[1];
      const hidden = inKey || bound !== undefined;
      if (bound !== undefined) inKey = bound === "BEGIN";
      return { ...line, text: hidden ? REMOVED_LINE : mask(line.text).replaceAll("\n", " ") };
    });
  });
}

const REMOVED_LINE = "[secret removed by Nekode]";
