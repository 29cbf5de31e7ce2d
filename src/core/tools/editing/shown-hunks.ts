/** What an approval shows of a change to one file. */
import type { ShownHunks } from "../../../shared/event.ts";
import { hunksOf } from "../../../shared/text/hunks.ts";

/** Lines of all hunks together, and characters of a line. The diff editor shows the rest. */
const MOST_LINES = 400;
const LONGEST_LINE = 500;

/** The number of lines that an approval may still show. */
export interface HunkRoom {
  lines: number;
}

export const hunkRoom = (): HunkRoom => ({ lines: MOST_LINES });

/** The first hunks, in order, so that their indexes are those of all hunks. `room` is reduced by the lines that they use. */
export function shownHunks(before: string, after: string, room = hunkRoom()): ShownHunks {
  const part = (lines: readonly string[]) => {
    const shown = lines.slice(0, room.lines).map((line) => line.replace(/\r$/, "").slice(0, LONGEST_LINE));
    room.lines -= shown.length;
    return shown;
  };
  const all = hunksOf(before, after);
  const hunks: { line: number; removed: string[]; added: string[]; more?: number }[] = [];
  for (const { line, removed, added } of all) {
    if (room.lines <= 0) break;
    // An empty text has no line to remove.
    const gone = before === "" ? [] : removed;
    const [out, into] = [part(gone), part(added)];
    const more = gone.length + added.length - out.length - into.length;
    hunks.push({ line, removed: out, added: into, ...(more > 0 ? { more } : {}) });
  }
  return { shown: hunks, more: all.length - hunks.length };
}
