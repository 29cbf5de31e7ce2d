import { bones } from "./corpus.ts";
import { apart, type CaseMaker, refused } from "./edit-case.ts";
import { blockText, freshLine, rowsOf, sidesOf, someIntent, textOf, uniqueStretch } from "./edits-model.ts";
import { intentBeside, miscopied } from "./miscopies.ts";

/** More that mean no single place, or nothing at all. */
export const refusedKinds: Record<string, CaseMaker> = {
  "another number in a kept line": miscopied(
    (line) => (/[1-8]/.test(line) ? line.replace(/[1-8]/, (digit) => String(Number(digit) + 1)) : undefined),
    2,
    false,
  ),
  "a renamed name in a kept line": miscopied(
    (line) => (/[a-z]{3,}\w*\(/.test(line) ? line.replace(/([a-z]{3,}\w*)\(/, "$1Async(") : undefined),
    2,
    false,
  ),
  "a plural in a kept line": miscopied(
    (line, _random, rows) => {
      const word = /^\s*(?:\/|\*|#|<!)/.test(line) ? undefined : /\b[a-z]{6,}\b/.exec(line)?.[0];
      return word === undefined || word.endsWith("s") || rows.some((row) => row.includes(`${word}s`))
        ? undefined
        : line.replace(new RegExp(`\\b${word}\\b`), `${word}s`);
    },
    2,
    false,
  ),
  "a line left out of the middle": refused(
    ({ search, replace }) => {
      const gone = search[1] ?? "";
      if (gone.trim() === "") return undefined;
      return {
        search: search.filter((line) => line !== gone),
        replace: replace.filter((line) => line !== gone),
      };
    },
    { least: 3, most: 6 },
  ),
  "a line more in the middle": refused(
    ({ search, replace }, random) => {
      const more = freshLine(search[0] ?? "", random);
      return { search: search.toSpliced(1, 0, more), replace: [more, ...replace] };
    },
    { least: 2, most: 6 },
  ),
  "two lines exchanged": refused(
    ({ search, replace }) => {
      const [a, b, ...rest] = search;
      return a === undefined || b === undefined || bones(a) === bones(b) || bones(b) === ""
        ? undefined
        : { search: [b, a, ...rest], replace };
    },
    { least: 2, most: 6 },
  ),
  "three dots for the middle": refused(
    ({ search, replace }, random) => ({
      search: [
        search[0] ?? "",
        random.pick(["...", "// ...", "    // ... existing code ..."]),
        search.at(-1) ?? "",
      ],
      replace,
    }),
    { least: 4, most: 9 },
  ),
  "overlapping blocks": (file, random) => {
    const stretch = uniqueStretch(file, random, {
      least: 4,
      most: 7,
      fits: (rows, start) => rows.slice(start, start + 7).every((row) => bones(row).length > 5),
    });
    if (stretch === undefined) return undefined;
    const { start, length } = stretch;
    const rows = rowsOf(file);
    const first = intentBeside(rows, start, length - 1, 0, random);
    const second = intentBeside(rows, start + 1, length - 1, 0, random);
    return {
      original: textOf(rows),
      diff: blockText(sidesOf(rows, first)) + blockText(sidesOf(rows, second)),
      expected: undefined,
    };
  },
  "one stale block of five": (file, random) => {
    const made = apart(file, random, 5);
    if (made === undefined) return undefined;
    const { rows, intents } = made;
    const blocks = intents.map((intent) => sidesOf(rows, intent));
    const spoilt = random.pick(blocks);
    spoilt.search[0] = freshLine(spoilt.search[0] ?? "", random);
    return {
      original: textOf(rows),
      diff: blocks.map((sides) => blockText(sides)).join(""),
      expected: undefined,
    };
  },
  "stale text behind a divider in SEARCH": (file, random) => {
    const stretch = uniqueStretch(file, random, { least: 3 });
    if (stretch === undefined) return undefined;
    const { start, length } = stretch;
    const rows = rowsOf(file);
    const inside = random.int(1, length - 1);
    rows.splice(start + inside, 0, { text: "=======", end: "\n" });
    const sides = sidesOf(rows, someIntent(rows, start, length + 1, random));
    const search = sides.search.with(inside + 1, freshLine(sides.search[inside + 1] ?? "", random));
    return { original: textOf(rows), diff: blockText({ ...sides, search }), expected: undefined };
  },
  "nothing changes": refused(({ search }) => ({ search, replace: search })),
  "empty SEARCH on a file with content": refused(({ replace }) => ({ search: [], replace })),
  "SEARCH from another file": refused((_sides, random) => ({
    search: [freshLine("", random), freshLine("", random)],
    replace: ["x"],
  })),
};
