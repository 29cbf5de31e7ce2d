import { corpus } from "../unit/core/edits/corpus.ts";
import { runCases, type Tally, tallyTable } from "../unit/core/edits/run-cases.ts";

/**
 * Makes `each` edits of every kind over real source files and says how they came out, kind by kind. `text` is the table
 * for a terminal, `markdown` the same for a README.
 */
export function editsTable(each = 40, seed = 1): { tallies: Tally[]; text: string; markdown: string } {
  const tallies = runCases(corpus(), each, seed);
  return { tallies, text: tallyTable(tallies), markdown: markdownTable(tallies) };
}

function markdownTable(tallies: readonly Tally[]): string {
  const sum = (key: "right" | "refused" | "wrong") => tallies.reduce((total, tally) => total + tally[key], 0);
  return [
    "| kind of edit | right | refused | wrong |",
    "| --- | ---: | ---: | ---: |",
    ...tallies.map(({ kind, right, refused, wrong }) => `| ${kind} | ${right} | ${refused} | ${wrong} |`),
    `| **all** | ${sum("right")} | ${sum("refused")} | ${sum("wrong")} |`,
  ].join("\n");
}
