/** Random ends of blocks: whatever a diff ends with, only what it means as text is written, and the preview shows no more. */
import { applySearchReplace } from "../../../../src/core/edits/apply-blocks.ts";
import { createDiffStream } from "../../../../src/core/edits/stream.ts";
import type { Random } from "../../../support/random.ts";

/** Lines that a model may end a block with and that are no text of a file. */
const WRAPPING = [
  "```",
  "~~~",
  "````",
  "```diff",
  "</diff>",
  "</replace>",
  "</parameter>",
  "</diff></replace_in_file>",
  "*** End Patch",
  "EOF",
  "]]>",
  "<|im_end|>",
  ">>>>>>> main",
];
const EXPLAINED = [
  "This changes what is returned.",
  "- I added a check",
  "That is all!",
  "\u76f4\u3057\u307e\u3057\u305f\u3002",
];
/** Never part of a file, even where a proper marker follows. */
const MARKERS = [
  "  +++++++ REPLACE",
  "+++++++ replace",
  ">>>>>>> REPLACE<",
  "+++++++ REPLACE</diff>",
  "+++++++ REPLACE```",
  "+++++++  REPLACE.",
  "\t>>>>>>> REPLACE",
];
const OTHERS = [
  ">>>>>>> UPDATED",
  "+++++++",
  "------- REPLACE",
  "======= REPLACE",
  "**+++++++ REPLACE**",
  "REPLACE",
  "&gt;&gt;&gt;&gt;&gt; REPLACE",
];
const PROPER = ["+++++++ REPLACE", ">>>>>>> REPLACE", "+++++++ REPLACE "];
const DIVIDERS = ["=======", "  ======="];

const SEARCHED = ["  const first = 1;", "  const second = 2;", "  const third = 3;"];
const file = [
  "import a from 'a';",
  "",
  "function f() {",
  ...SEARCHED,
  "  return first + second + third;",
  "}",
  "",
].join("\n");
const TEXTS = [
  ["  const first = 10;"],
  ["  const first = 10;", "", "  run(first);"],
  ["  <p>", "    text", "  </p>;"],
  ["  // a comment", "  const list = [", "    1,", "  ];"],
];

interface MadeBlock {
  text: string;
  search: string;
  /** What may stand in the place of the searched line; undefined alone: it must be refused. */
  outcomes: (readonly string[])[];
}

function madeBlock(search: string, random: Random): MadeBlock {
  const replace = random.pick(TEXTS);
  const end: string[] = [];
  for (let count = random.int(0, 4); count > 0; count--) {
    const pool = random.pick([WRAPPING, EXPLAINED, MARKERS, OTHERS, PROPER, DIVIDERS, [""]]);
    end.push(random.pick(pool));
  }
  if (random.chance(0.4)) end.push(random.pick(PROPER));
  const close = end.findIndex((line) => PROPER.includes(line));
  const outcomes = [replace];
  if (close > 0) {
    const kept = end.slice(0, close);
    if (!kept.some((line) => MARKERS.includes(line))) outcomes.push([...replace, ...kept]);
    if (kept.at(-1) === "=======") outcomes.push([...replace, ...kept.slice(0, -1)]);
  }
  // A marker that is not proper ends a text as a proper one does.
  for (const [marked, line] of end.entries()) {
    if (!MARKERS.includes(line) && !OTHERS.includes(line)) continue;
    const before = end.slice(0, marked);
    outcomes.push([...replace, ...before]);
    if (before.at(-1) === "=======") outcomes.push([...replace, ...before.slice(0, -1)]);
    if (MARKERS.includes(line)) break;
  }
  return { text: `------- SEARCH\n${search}\n=======\n${[...replace, ...end].join("\n")}`, search, outcomes };
}

/**
 * One diff of one to three blocks with random ends, at once and in random pieces. Throws where more is written than the text
 * of the blocks, where the pieces give another answer, or where a preview shows a line that nobody meant.
 */
export function endingRound(random: Random): "applied" | "refused" {
  const blocks = random
    .shuffle(SEARCHED)
    .slice(0, random.int(1, 3))
    .map((line) => madeBlock(line, random));
  const diff =
    blocks.map(({ text }) => text).join(random.pick(["\n", "\n\n"])) + random.pick(["", "\n", "\n\n"]);
  const where = `diff ${JSON.stringify(diff)}`;
  const result = applySearchReplace(file, diff);
  const allowed = (content: string): boolean => {
    // Every block has its own outcome: try them all.
    const tries = (at: number, text: string): boolean => {
      const block = blocks[at];
      if (block === undefined) return text === content;
      return block.outcomes.some((lines) =>
        tries(
          at + 1,
          text.replace(block.search, () => lines.join("\n")),
        ),
      );
    };
    return tries(0, file);
  };
  if (result.ok && !allowed(result.content))
    throw new Error(`${where} gave ${JSON.stringify(result.content)}`);
  const stream = createDiffStream(file);
  const known = new Set([...file.split("\n"), ...blocks.flatMap(({ outcomes }) => outcomes.flat())]);
  for (let at = 0; at < diff.length; ) {
    const size = random.int(1, 40);
    stream.push(diff.slice(at, at + size));
    const strange = stream
      .preview()
      .split("\n")
      .find((line) => !known.has(line));
    if (strange !== undefined) throw new Error(`${where}: the preview shows ${JSON.stringify(strange)}`);
    at += size;
  }
  const streamed = stream.end();
  if (JSON.stringify(streamed) !== JSON.stringify(result))
    throw new Error(`streaming gives another answer: ${where}`);
  return result.ok ? "applied" : "refused";
}
