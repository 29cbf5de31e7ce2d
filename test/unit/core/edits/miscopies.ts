import type { Random } from "../../../support/random.ts";
import { bones } from "./corpus.ts";
import { both, type CaseMaker, written } from "./edit-case.ts";
import { freshLine, type Intent, type Row, rowsOf, uniqueStretch } from "./edits-model.ts";

export type Rows = readonly string[];

export const kept = (start: number, length: number): Intent => ({
  start,
  lead: [],
  steps: Array.from({ length }, () => ({ keep: true, put: [] as string[] })),
});

/** An intent that leaves the row `safe` of its stretch alone. */
export function intentBeside(
  rows: readonly Row[],
  start: number,
  length: number,
  safe: number,
  random: Random,
): Intent {
  const intent = kept(start, length);
  const at = (safe + 1 + random.int(0, length - 2)) % length;
  const step = intent.steps[at];
  const text = rows[start + at]?.text ?? "";
  if (step !== undefined && random.chance(0.5) && text.trim() !== "") step.keep = false;
  step?.put.push(freshLine(text, random));
  return intent;
}

/** A block of which one kept line is copied wrongly by `miscopy`. */
export const miscopied =
  (
    miscopy: (line: string, random: Random, rows: Rows) => string | undefined,
    least: number,
    right: boolean,
  ): CaseMaker =>
  (file, random) => {
    const stretch = uniqueStretch(file, random, { least, most: 8 });
    if (stretch === undefined) return undefined;
    const { start, length } = stretch;
    const rows = rowsOf(file);
    const part = file.rows.slice(start, start + length);
    const at = part.findIndex((line) => miscopy(line, random, file.rows) !== undefined);
    const wrong = at === -1 ? undefined : miscopy(part[at] ?? "", random, file.rows);
    const line = part[at];
    if (wrong === undefined || line === undefined) return undefined;
    // Nothing else in the file may be like it: most lines of the stretch stand nowhere else.
    if (part.filter((text) => file.seen.get(bones(text)) === 1).length * 2 <= length) return undefined;
    const intent = intentBeside(rows, start, length, at, random);
    const made = written(rows, intent, (sides) => both(sides, (text) => (text === line ? wrong : text)));
    return made === undefined ? undefined : { ...made, expected: right ? made.expected : undefined };
  };
