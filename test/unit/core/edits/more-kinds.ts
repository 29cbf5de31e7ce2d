import type { Random } from "../../../support/random.ts";
import { bones } from "./corpus.ts";
import { both, type CaseMaker, slip, written } from "./edit-case.ts";
import { freshLine, type Row, rowsOf, someIntent, uniqueStretch } from "./edits-model.ts";
import { intentBeside, kept, miscopied, type Rows } from "./miscopies.ts";

function misspell(line: string, _random: Random, rows: Rows): string | undefined {
  const word = line.match(/\b[a-z]{7,}\b/g)?.find((found) => found[3] !== found[4]);
  if (word === undefined || line.trim().length < 14) return undefined;
  const wrong = word.slice(0, 3) + word.charAt(4) + word.charAt(3) + word.slice(5);
  if (wrong.toLowerCase() === word.toLowerCase() || rows.some((row) => row.includes(wrong))) return undefined;
  // The same word twice in a line would be two slips.
  return line.split(word).length === 2 &&
    !/\w/.test(line.charAt(line.indexOf(word) - 1) + line.charAt(line.indexOf(word) + word.length))
    ? line.replace(word, wrong)
    : undefined;
}

const oneRow = (file: { rows: Rows }, change: (row: string, at: number) => string): Row[] =>
  file.rows.map((text, at) => ({ text: change(text, at), end: "\n" }));

const withLines =
  (change: (rows: Row[]) => Row[]): CaseMaker =>
  (file, random) => {
    const stretch = uniqueStretch(file, random);
    if (stretch === undefined) return undefined;
    const rows = change(rowsOf(file));
    return written(rows, someIntent(rows, stretch.start, stretch.length, random), (sides) => sides);
  };

/** Dresses the whole diff of an exact edit. */
const dressed =
  (dress: (diff: string, random: Random) => string): CaseMaker =>
  (file, random) => {
    const made = slip((sides) => sides)(file, random);
    return made === undefined ? undefined : { ...made, diff: dress(made.diff, random) };
  };

/** Slips that models make beyond those of peers.md, each of which means one place. */
export const moreKinds: Record<string, CaseMaker> = {
  "trailing spaces added": slip(
    (sides, random) => {
      const more = random.pick([" ", "  ", "\t"]);
      return both(sides, (line) => (line.trim() === "" ? line : line + more));
    },
    { fits: (rows, start) => rows.slice(start, start + 8).every((row) => row === row.trimEnd()) },
  ),
  "typographic quotes in the file": (file, random) => {
    const stretch = uniqueStretch(file, random, {
      least: 2,
      fits: (rows, start) => /["']/.test(rows[start] ?? ""),
    });
    if (stretch === undefined) return undefined;
    const { start, length } = stretch;
    const rows = oneRow(file, (row, at) =>
      at === start ? row.replace(/"/g, "\u201d").replace(/'/g, "\u2019").replace(/-/g, "\u2013") : row,
    );
    const plain = file.rows[start] ?? "";
    const intent = intentBeside(rows, start, length, 0, random);
    return written(rows, intent, (sides) =>
      both(sides, (line) => (line === rows[start]?.text ? plain : line)),
    );
  },
  "no-break spaces in SEARCH": slip(({ search, replace }) =>
    search[0]?.trim().includes(" ")
      ? {
          search: search.map((line, at) => (at === 0 ? line.replace(/(\S) (\S)/, "$1\u00a0$2") : line)),
          replace: replace.map((line) =>
            line === search[0] ? line.replace(/(\S) (\S)/, "$1\u00a0$2") : line,
          ),
        }
      : undefined,
  ),
  "decomposed letters in SEARCH": (file, random) => {
    const stretch = uniqueStretch(file, random, { least: 2 });
    if (stretch === undefined) return undefined;
    const { start, length } = stretch;
    const rows = oneRow(file, (row, at) => (at === start ? `${row} caf\u00e9 \u304c` : row));
    const intent = intentBeside(rows, start, length, 0, random);
    return written(rows, intent, (sides) => both(sides, (line) => line.normalize("NFD")));
  },
  "tabs in the file, spaces in the diff": slip(
    (sides, random) => {
      const width = random.pick([2, 4]);
      return both(sides, (line) => line.replace(/^\t+/, (tabs) => " ".repeat(width * tabs.length)));
    },
    {
      fits: (rows, start) =>
        rows[start]?.startsWith("\t") === true &&
        !rows.slice(start, start + 8).some((row) => /^\t* /.test(row)),
    },
  ),
  "spaces in the file, tabs in the diff": slip(
    (sides) => both(sides, (line) => line.replace(/^ +/, (spaces) => "\t".repeat(spaces.length / 4))),
    {
      fits: (rows, start) =>
        /^ {4}/.test(rows[start] ?? "") &&
        rows.slice(start, start + 8).every((row) => /^(?: {4})*(?:\S|$)/.test(row)),
    },
  ),
  "blank lines around both sides": slip(
    ({ search, replace }) => ({ search: ["", ...search, ""], replace: ["", ...replace, ""] }),
    {
      fits: (rows, start) => rows[start - 1]?.trim() !== "" && start > 0,
    },
  ),
  "blank line left out of SEARCH": (file, random) => {
    const stretch = uniqueStretch(file, random, {
      least: 3,
      most: 8,
      fits: (rows, start) => rows[start + 1]?.trim() === "",
    });
    if (stretch === undefined) return undefined;
    const rows = rowsOf(file);
    const intent = kept(stretch.start, stretch.length);
    intent.steps.at(-1)?.put.push(freshLine(file.rows[stretch.start] ?? "", random));
    return written(rows, intent, (sides) => ({
      search: sides.search.filter((line) => line.trim() !== ""),
      replace: sides.replace.filter((line) => line.trim() !== ""),
    }));
  },
  "first line without its indentation": slip(
    ({ search, replace }) => {
      const first = search[0] ?? "";
      if (replace[0] !== first || !search.slice(1).some((line) => line.trim() !== "")) return undefined;
      return {
        search: [first.trimStart(), ...search.slice(1)],
        replace: [first.trimStart(), ...replace.slice(1)],
      };
    },
    {
      least: 2,
      fits: (rows, start) => /^\s/.test(rows[start] ?? "") && /^\S|^\s/.test(rows[start + 1] ?? ""),
    },
  ),
  "line numbers copied": (file, random) => {
    const stretch = uniqueStretch(file, random);
    if (stretch === undefined) return undefined;
    const { start, length } = stretch;
    const rows = rowsOf(file);
    const gap = random.pick([" | ", ": ", "\t", "| "]);
    if (file.rows.slice(start, start + length).some((row) => gap === "| " && row.startsWith(" ")))
      return undefined;
    return written(rows, someIntent(rows, start, length, random), ({ search, replace }) => ({
      search: search.map((line, at) => `${start + at + 1}${gap}${line}`),
      replace: replace.map((line, at) => `${start + at + 1}${gap}${line}`),
    }));
  },
  "only SEARCH dedented": slip(
    ({ search, replace }) => {
      const least = /^\s*/.exec(search[0] ?? "")?.[0] ?? "";
      if (least === "" || search.some((line) => line.trim() !== "" && !line.startsWith(least)))
        return undefined;
      if (
        replace.some((line) => line.trim() !== "" && !line.startsWith(least)) ||
        !replace.some((line) => search.includes(line) && line.trim() !== "")
      )
        return undefined;
      return { search: search.map((line) => line.slice(least.length)), replace };
    },
    { least: 2, fits: (rows, start) => /^\s/.test(rows[start] ?? "") },
  ),
  "no final line break, last line": (file, random) => {
    const length = random.int(1, 4);
    const start = file.rows.length - length;
    if (
      file.rows.slice(start).some((row) => row.trim() === "") ||
      file.seen.get(bones(file.rows[start] ?? "")) !== 1
    )
      return undefined;
    const rows = rowsOf(file);
    const last = rows.at(-1);
    if (last !== undefined) last.end = "";
    return written(rows, someIntent(rows, start, length, random), (sides) => sides);
  },
  "mixed line endings": (file, random) => {
    const stretch = uniqueStretch(file, random);
    if (stretch === undefined) return undefined;
    const { start, length } = stretch;
    const near = random.pick(["\n", "\r\n"]);
    const rows = rowsOf(file).map((row, at) => ({
      ...row,
      end: at >= start - 1 && at <= start + length ? near : random.pick(["\n", "\r\n"]),
    }));
    return written(rows, someIntent(rows, start, length, random), (sides) => sides);
  },
  "byte order mark, first lines": (file, random) => {
    const length = random.int(1, 3);
    if (file.seen.get(bones(file.rows[0] ?? "")) !== 1 || (file.rows[0] ?? "").trim() === "")
      return undefined;
    const rows = rowsOf(file);
    const made = written(rows, someIntent(rows, 0, length, random), (sides) => sides);
    if (made?.expected === undefined) return undefined;
    return { ...made, original: `\ufeff${made.original}`, expected: `\ufeff${made.expected}` };
  },
  "the diff in CRLF": dressed((diff) => diff.replace(/\n/g, "\r\n")),
  "last marker missing": (file, random) => {
    const made = slip((sides) => sides)(file, random);
    return made && { ...made, diff: made.diff.replace(/\+{7} REPLACE\n$/, ""), expected: undefined };
  },
  "other markers": dressed((diff, random) => {
    const n = random.int(3, 10);
    const [open, close] = random.pick([
      ["<", ">"],
      ["-", "+"],
    ] as const);
    return diff
      .replace(/^-{7} SEARCH$/m, `${open.repeat(n)} SEARCH`)
      .replace(/^={7}$/m, "=".repeat(n))
      .replace(/^\+{7} REPLACE$/m, `${close.repeat(n)} REPLACE`);
  }),
  "prose and fences around": dressed(
    (diff) => `Here is the change:\n\n\`\`\`\n${diff}\`\`\`\nThat is all.\n`,
  ),
  "heading underline in SEARCH": (file, random) => {
    const stretch = uniqueStretch(file, random, { least: 2 });
    if (stretch === undefined) return undefined;
    const { start, length } = stretch;
    const inside = random.int(1, length - 1);
    const rows = rowsOf(file);
    rows.splice(start + inside, 0, { text: "=======", end: "\n" });
    return written(rows, someIntent(rows, start, length + 1, random), (sides) => sides);
  },
  "conflict markers in SEARCH": (file, random) => {
    const stretch = uniqueStretch(file, random, { least: 3 });
    if (stretch === undefined) return undefined;
    const { start, length } = stretch;
    const rows = rowsOf(file);
    rows.splice(start + 2, 0, { text: "=======", end: "\n" });
    rows.splice(start + 1, 0, { text: "<<<<<<< HEAD", end: "\n" });
    rows.splice(start + length + 2, 0, { text: ">>>>>>> topic", end: "\n" });
    const intent = kept(start, length + 3);
    for (const k of [1, 3, intent.steps.length - 1]) {
      const step = intent.steps[k];
      if (step !== undefined) step.keep = false;
    }
    return written(rows, intent, (sides) => sides);
  },
  "a whole block in SEARCH": (file, random) => {
    const stretch = uniqueStretch(file, random, { least: 2 });
    if (stretch === undefined) return undefined;
    const rows = rowsOf(file);
    const example = ["------- SEARCH", "old text", "=======", "new text", "+++++++ REPLACE"].map((text) => ({
      text,
      end: "\n",
    }));
    rows.splice(stretch.start + 1, 0, ...example);
    const intent = kept(stretch.start, stretch.length + 5);
    intent.steps.at(-1)?.put.push(freshLine(file.rows[stretch.start] ?? "", random));
    return written(rows, intent, (sides) => sides);
  },
  "heading underline in REPLACE": (file, random) => {
    const stretch = uniqueStretch(file, random);
    if (stretch === undefined) return undefined;
    const rows = rowsOf(file);
    const intent = someIntent(rows, stretch.start, stretch.length, random);
    intent.steps.at(-1)?.put.push(`Heading ${random.int(1, 999)}`, "=======");
    const made = written(rows, intent, (sides) => sides);
    return made && { ...made, path: random.pick(["a.md", "a.rst", "docs/a.markdown"]) };
  },
  "everything taken out": (file, random) => {
    const stretch = uniqueStretch(file, random);
    if (stretch === undefined) return undefined;
    const intent = kept(stretch.start, stretch.length);
    for (const step of intent.steps) step.keep = false;
    return written(rowsOf(file), intent, (sides) => sides);
  },
  "NUL and lone surrogates elsewhere": withLines((rows) => [
    ...rows,
    { text: "x\0y \ud83d z \udc00", end: "\n" },
  ]),
  "one word misspelled in a kept line": miscopied(misspell, 3, true),
  "spacing inside a kept line": miscopied(
    (line) => (/\w \w.* = /.test(line) ? line.replace(" = ", "=") : undefined),
    2,
    true,
  ),
  "other quotes in a kept line": miscopied(
    (line) => (/'\w{3,}'/.test(line) && !/["`]/.test(line) ? line.replace(/'/g, '"') : undefined),
    2,
    true,
  ),
  "a letter more in a kept comment": miscopied(
    (line) =>
      /^\s*\/\/ .* [a-z]{5,} [a-z]/.test(line) ? line.replace(/ ([a-z]{5,}) (?=[a-z])/, " $1s ") : undefined,
    3,
    true,
  ),
  "comma lost from a kept line": miscopied(
    (line) => (/\w{3,}.*,$/.test(line) ? line.slice(0, -1) : undefined),
    4,
    true,
  ),
};
