import type { Random } from "../../../support/random.ts";
import { apart, type CaseMaker, slip, written } from "./edit-case.ts";
import { blockText, freshLine, meant, rowsOf, sidesOf, textOf, uniqueStretch } from "./edits-model.ts";
import { kept } from "./miscopies.ts";

const MARKER = /\+{7} REPLACE\n$/;

/** The diff of an exact edit with another end in place of its REPLACE marker. */
const ending =
  (end: (random: Random) => string, right: boolean): CaseMaker =>
  (file, random) => {
    const made = slip((sides) => (sides.replace.some((line) => line.trim() !== "") ? sides : undefined))(
      file,
      random,
    );
    if (made === undefined) return undefined;
    const diff = made.diff.replace(MARKER, () => end(random));
    return { ...made, diff, expected: right ? made.expected : undefined };
  };

const oneOf =
  (...ends: string[]) =>
  (random: Random) =>
    `${random.pick(ends)}\n`;

/** An edit that puts lines in at the end of a block, closed by a proper marker. */
const endingWith =
  (lines: (random: Random) => string[]): CaseMaker =>
  (file, random) => {
    const stretch = uniqueStretch(file, random);
    if (stretch === undefined) return undefined;
    const rows = rowsOf(file);
    const intent = kept(stretch.start, stretch.length);
    intent.steps.at(-1)?.put.push(...lines(random));
    return written(rows, intent, (sides) => sides);
  };

/** An edit whose last new line is a statement, so that nothing below it can be a heading's underline. */
const statementThen =
  (end: string): CaseMaker =>
  (file, random) => {
    const stretch = uniqueStretch(file, random);
    if (stretch === undefined || file.rows.some((row) => /^\s*={3,}\s*$/.test(row))) return undefined;
    const rows = rowsOf(file);
    const intent = kept(stretch.start, stretch.length);
    intent.steps.at(-1)?.put.push(`  const added${random.int(10_000, 99_999)} = compute(1);`);
    const made = written(rows, intent, (sides) => sides);
    return made && { ...made, diff: made.diff.replace(MARKER, end) };
  };

const twoBlocks =
  (between: (random: Random) => string, right: boolean, next = "------- SEARCH"): CaseMaker =>
  (file, random) => {
    const made = apart(file, random, 2);
    if (made === undefined) return undefined;
    const { rows, intents } = made;
    const [first = "", second = ""] = intents.map((intent) => blockText(sidesOf(rows, intent)));
    if (/=======\n\+/.test(first)) return undefined;
    const diff = first.replace(MARKER, () => between(random)) + second.replace("------- SEARCH", next);
    return { original: textOf(rows), diff, expected: right ? meant(rows, intents) : undefined };
  };

const TAGS = [
  "</diff>",
  "</replace>",
  "</parameter>",
  "</replace_in_file>",
  "</invoke>",
  "</diff></replace_in_file>",
];
const PROSE = [
  "This changes the value that is returned.",
  "I have added the missing check",
  "- Adds the missing check",
  "**Explanation**: the value was stale.",
  "\u3053\u308c\u3067\u76f4\u308a\u307e\u3059\u3002",
];
const BAD_MARKERS = [
  "  +++++++ REPLACE",
  "+++++++ replace",
  ">>>>>>> REPLACE<",
  "+++++++ REPLACE</diff>",
  "+++++++ REPLACE.",
];

/** How models end a block where the format wants `+++++++ REPLACE`: understood where only one reading makes sense. */
export const endingKinds: Record<string, CaseMaker> = {
  "REPLACE marker indented": ending(
    (random) =>
      `${random.pick([" ", "  ", "    ", "\t"])}${random.pick(["+++++++ REPLACE", ">>>>>>> REPLACE"])}\n`,
    true,
  ),
  "REPLACE marker in another case": ending(
    oneOf("+++++++ replace", ">>>>>>> Replace", "+++++++ Replace>", "  >>>>>>> replace"),
    true,
  ),
  "REPLACE marker with a tail": ending(
    (random) =>
      `${random.pick(["+++++++", ">>>>>>>"])} REPLACE${random.pick(["<", ".", ":", ";", ">>", "]]>", '"}', "*/", " -->", " +++++++", ...TAGS, "```", "~~~", " ```", "<|im_end|>"])}\n`,
    true,
  ),
  "more or fewer signs in the REPLACE marker": ending(
    (random) =>
      `${random.pick(["+", ">"]).repeat(random.int(3, 14))}${random.pick(["", " ", "  ", "\t"])}REPLACE\n`,
    true,
  ),
  "REPLACE marker in other words": ending(
    oneOf(">>>>>>> UPDATED", "+++++++ UPDATED", ">>>>>>> REPLACED", ">>>>>>> END REPLACE"),
    true,
  ),
  "a part of the REPLACE marker": ending(oneOf("+++++++", ">>>>>>>", "+++++++ END", "+++++++ REPL"), false),
  "REPLACE marker with the signs of another": ending(
    oneOf("------- REPLACE", "<<<<<<< REPLACE", "======= REPLACE", "******* REPLACE", ">>>>>>> REPLACE"),
    true,
  ),
  "bad REPLACE marker, then fences, tags and prose": ending(
    (random) =>
      [
        random.pick(BAD_MARKERS),
        ...random.shuffle(["```", "", ...TAGS.slice(0, 2), ...PROSE.slice(0, 2)]).slice(0, 3),
        "",
      ].join("\n"),
    true,
  ),
  "bad REPLACE marker before another block": twoBlocks(
    (random) =>
      `${random.pick(BAD_MARKERS)}\n${random.pick(["", "\n", "```\n\nAnd then:\n\n```\n", "</diff>\n"])}`,
    true,
  ),
  "divider before REPLACE": statementThen("=======\n+++++++ REPLACE\n"),
  "divider in the place of REPLACE": (file, random) => {
    const made = statementThen("=======\n")(file, random);
    return made && { ...made, expected: undefined };
  },
  "doubled divider with nothing to put in": (file, random) => {
    const stretch = uniqueStretch(file, random);
    if (stretch === undefined) return undefined;
    const intent = kept(stretch.start, stretch.length);
    for (const step of intent.steps) step.keep = false;
    const made = written(rowsOf(file), intent, (sides) => sides);
    return made && { ...made, diff: made.diff.replace("=======\n+++", "=======\n=======\n+++") };
  },
  "fence in the place of REPLACE": ending(
    oneOf("```", "~~~", "````", "  ```", "```\n", "```\n\nThat is all."),
    false,
  ),
  "closing tag in the place of REPLACE": ending((random) => `${random.pick(TAGS)}\n`, false),
  "prose after an unclosed block": ending((random) => `\n${random.pick(PROSE)}\n`, false),
  "end of another format in the place of REPLACE": ending(
    oneOf(
      "*** End Patch",
      "*** End of File",
      "EOF",
      "]]>",
      "<|im_end|>",
      "-------",
      "======= END",
      "PATCH",
      "*******",
    ),
    false,
  ),
  "SEARCH marker in the place of REPLACE": ending(
    oneOf("------- SEARCH", "<<<<<<< SEARCH", "  ------- SEARCH"),
    false,
  ),
  "line break lost before the REPLACE marker": (file, random) => {
    const made = statementThen("+++++++ REPLACE\n")(file, random);
    if (made === undefined) return undefined;
    const glue =
      random.pick(["", " "]) +
      random.pick([...BAD_MARKERS.map((marker) => marker.trim()), "+++++++ REPLACE", "</diff>", "```"]);
    return { ...made, diff: made.diff.replace(/\n\+{7} REPLACE\n$/, `${glue}\n`), expected: undefined };
  },
  "REPLACE marker dressed up": ending(
    oneOf(
      "**+++++++ REPLACE**",
      "`+++++++ REPLACE`",
      "// +++++++ REPLACE",
      "# >>>>>>> REPLACE",
      "> +++++++ REPLACE",
      "&gt;&gt;&gt;&gt;&gt;&gt;&gt; REPLACE",
      "\uff0b\uff0b\uff0b\uff0b\uff0b\uff0b\uff0b REPLACE",
      "\u00bb\u00bb\u00bb\u00bb\u00bb\u00bb\u00bb REPLACE",
      "REPLACE",
      "++ REPLACE",
      "> REPLACE",
      "+++++++ REPLACE (end of the block)",
      "++++\u200b+++ REPLACE",
    ),
    false,
  ),
  "no REPLACE marker before another block": twoBlocks(
    oneOf("", "```\n\nNow the second:\n\n```", "</diff>\n<diff>"),
    false,
  ),
  "SEARCH marker of the next block not proper": twoBlocks(
    (random) => random.pick(["+++++++ REPLACE\n", "", ">>>>>>> REPLACE<\n", "```\n"]),
    false,
    "------- search",
  ),
  "bad REPLACE marker, then a proper one": ending(
    (random) => `${random.pick(BAD_MARKERS)}\n+++++++ REPLACE\n`,
    false,
  ),
  "doubled divider with text": (file, random) => {
    const made = slip((sides) => (sides.replace.length > 0 ? sides : undefined))(file, random);
    return (
      made && { ...made, diff: made.diff.replace("\n=======\n", "\n=======\n=======\n"), expected: undefined }
    );
  },
};

/** Texts that end as a diff might, before a proper marker: they are the user's and are kept byte for byte. */
export const keptEndingKinds: Record<string, CaseMaker> = {
  "new text ends with a fence": endingWith((random) => [
    "```js",
    freshLine("", random),
    random.pick(["```", "~~~", "````", "  ```"]),
  ]),
  "new text ends with a closing tag": endingWith((random) => [
    `  <p>${random.int(1, 999)}`,
    random.pick(["</diff>", "</div>", "</replace>", "</parameter>", "  </html>"]),
  ]),
  "new text ends with conflict markers": endingWith((random) => [
    "<<<<<<< HEAD",
    freshLine("", random),
    "=======",
    freshLine("", random),
    random.pick([">>>>>>> topic", ">>>>>>> UPDATED", ">>>>>>> 1a2b3c4"]),
  ]),
  "new text ends with an indented example block": endingWith((random) => [
    "    ------- SEARCH",
    `    old ${random.int(1, 999)}`,
    "    =======",
    "    new",
    "    +++++++ REPLACE",
  ]),
  "new text ends with the end of a patch": endingWith((random) => [
    "*** Begin Patch",
    `*** Delete File: f${random.int(1, 999)}`,
    "*** End Patch",
  ]),
  "new text ends with an underline as long as its heading": (file, random) => {
    const heading = random
      .pick(["install", "the api", "Chapter", "\u306f\u3058\u3081\u306b\u8aad\u3080", "foo bar"])
      .slice(0, 7);
    const made = endingWith((own) => [
      "",
      heading,
      "=".repeat(own.chance(0.5) ? heading.length : own.int(8, 40)),
    ])(file, random);
    return made && { ...made, path: random.pick(["README.md", "docs/index.rst"]) };
  },
  "new text ends with prose": endingWith((random) => ["", random.pick(PROSE)]),
  "new text mentions a marker": endingWith((random) => [
    random.pick([
      'const END = "+++++++ REPLACE";',
      "Close it with `+++++++ REPLACE`.",
      "// >>>>>>> REPLACE",
      ">>> replace(1)",
    ]),
    freshLine("", random),
  ]),
};
