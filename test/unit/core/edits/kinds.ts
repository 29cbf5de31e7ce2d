import { bones } from "./corpus.ts";
import { apart, both, type CaseMaker, refused, slip, written } from "./edit-case.ts";
import {
  blockText,
  freshLine,
  meant,
  rowsOf,
  sidesOf,
  someIntent,
  textOf,
  uniqueStretch,
} from "./edits-model.ts";

const indented = (rows: readonly string[], start: number) => /^\s/.test(rows[start] ?? "");

function escaped(line: string): string {
  return line
    .replace(/&/g, "&amp;")
    .replace(/</g, "&lt;")
    .replace(/>/g, "&gt;")
    .replace(/"/g, "&quot;")
    .replace(/'/g, "&#39;");
}

function leastIndent(lines: readonly string[]): string | undefined {
  let least: string | undefined;
  for (const line of lines) {
    if (line.trim() === "") continue;
    const indent = /^\s*/.exec(line)?.[0] ?? "";
    if (least === undefined || least.startsWith(indent)) least = indent;
    else if (!indent.startsWith(least)) return undefined;
  }
  return least === "" ? undefined : least;
}

const fiveBlocks =
  (shuffled: boolean): CaseMaker =>
  (file, random) => {
    const made = apart(file, random, 5);
    if (made === undefined) return undefined;
    const { rows, intents } = made;
    const blocks = intents.map((intent) => blockText(sidesOf(rows, intent)));
    const order = shuffled ? random.shuffle(blocks) : blocks;
    return { original: textOf(rows), diff: order.join("\n"), expected: meant(rows, intents) };
  };

/** A row of a file without some of its beginning, end, or both; undefined where that is a row of the file itself. */
function partOf(line: string, whole: ReadonlyMap<string, number>, cut: number): string | undefined {
  const words = line.trim().split(" ");
  if (words.length < 3) return undefined;
  const part =
    cut === 0
      ? words.slice(1).join(" ")
      : cut === 1
        ? words.slice(0, -1).join(" ")
        : line.trim().slice(2, -2);
  return part.length < 3 || whole.has(bones(part)) ? undefined : part;
}

/** The twelve kinds of peers.md. */
export const peerKinds: Record<string, CaseMaker> = {
  exact: slip((sides) => sides),
  "SEARCH dedented": slip(
    (sides) => {
      const least = leastIndent(sides.search);
      if (least === undefined || sides.replace.some((line) => line.trim() !== "" && !line.startsWith(least)))
        return undefined;
      return both(sides, (line) => (line.trim() === "" ? line : line.slice(least.length)));
    },
    { fits: indented },
  ),
  "SEARCH over-indented": slip((sides, random, file) => {
    const tabs = file.rows.some((row) => row.startsWith("\t"));
    const more = tabs ? "\t" : random.pick(["  ", "    ", "        "]);
    return both(sides, (line) => (line.trim() === "" ? line : more + line));
  }),
  "HTML-escaped": slip((sides) => both(sides, escaped), {
    fits: (rows, start) =>
      /[<>"'&]/.test(rows[start] ?? "") && !rows.some((row) => /&(?:lt|gt|amp|quot|#39);/.test(row)),
  }),
  "blank lines with other white space": slip(
    (sides, random) =>
      sides.search.includes("")
        ? both(sides, (line) => (line === "" ? random.pick(["  ", "\t", "    "]) : line))
        : undefined,
    { least: 3, most: 9, fits: (rows, start) => rows.slice(start, start + 3).includes("") },
  ),
  "CRLF file": (file, random) => {
    const stretch = uniqueStretch(file, random);
    if (stretch === undefined) return undefined;
    const rows = rowsOf(file, "\r\n");
    return written(rows, someIntent(rows, stretch.start, stretch.length, random), (sides) => sides);
  },
  "trailing spaces dropped": (file, random) => {
    const made = slip(
      (sides) => both(sides, (line) => line.trimEnd()),
      {},
      (rows, start, length, own) =>
        rows.map((row, at) =>
          at >= start - 3 && at < start + length + 3 && own.chance(0.6)
            ? { ...row, text: row.text + own.pick([" ", "  ", "\t"]) }
            : row,
        ),
    )(file, random);
    return made && { ...made, ownEnds: true };
  },
  "five blocks in order": fiveBlocks(false),
  "five blocks shuffled": fiveBlocks(true),
  "lines that stand twice": (file, random) => {
    const rows = rowsOf(file);
    const twice = file.rows.flatMap((row, at) =>
      bones(row).length > 2 && (file.seen.get(bones(row)) ?? 0) > 1 ? [at] : [],
    );
    // The same indentation in both places: an exact match in one place alone would be that place.
    const start = twice.length === 0 ? undefined : random.pick(twice);
    const text = start === undefined ? undefined : file.rows[start];
    if (start === undefined || text === undefined || file.rows.filter((row) => row === text).length < 2)
      return undefined;
    const made = written(rows, someIntent(rows, start, 1, random), (sides) => sides);
    return made === undefined ? undefined : { ...made, expected: undefined };
  },
  "middle lines stale": refused(
    ({ search, replace }, random) => {
      const at = random.int(1, search.length - 2);
      const line = search[at] ?? "";
      if (line.trim() === "") return undefined;
      const stale = freshLine(line, random);
      return {
        search: search.with(at, stale),
        replace: replace.map((other) => (other === line ? stale : other)),
      };
    },
    { least: 3 },
  ),
  "part of a longer line": refused(
    ({ search, replace }, random, file) => {
      const at = random.pick([0, search.length - 1]);
      const line = search[at] ?? "";
      const part = partOf(line, file.seen, random.int(0, 2));
      if (part === undefined) return undefined;
      return {
        search: search.with(at, part),
        replace: replace.map((other) => (other === line ? part : other)),
      };
    },
    { most: 3 },
  ),
};
