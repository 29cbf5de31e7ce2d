import { corpus } from "../unit/core/edits/corpus.ts";
import { runCases, type Tally, tallyTable } from "../unit/core/edits/run-cases.ts";

/** Makes `each` edits of every kind over real source files and says how they came out, kind by kind. */
export function editsTable(each = 40, seed = 1): { tallies: Omit<Tally, "failures">[]; text: string } {
  const tallies = runCases(corpus(), each, seed);
  return { tallies: tallies.map(({ failures: _, ...counts }) => counts), text: tallyTable(tallies) };
}
