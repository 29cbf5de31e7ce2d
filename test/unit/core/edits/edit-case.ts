import type { Random } from "../../../support/random.ts";
import { bones, type SourceFile } from "./corpus.ts";
import {
  blockText,
  type Demand,
  type Intent,
  meant,
  type Row,
  rowsOf,
  type Sides,
  sidesOf,
  someIntent,
  textOf,
  uniqueStretch,
} from "./edits-model.ts";

/** A made edit: the file, the diff with its slip, and the content that must come out, or that it must be refused. */
export interface EditCase {
  original: string;
  diff: string;
  /** What the diff is: SEARCH/REPLACE blocks if not named. */
  format?: "patch";
  /** A changed line may end in other white space: that of the line in its place. */
  ownEnds?: true;
  /** The name of the file, where it matters. */
  path?: string;
  /** undefined: no single place is meant. */
  expected: string | undefined;
}

/** Makes one case of a kind from a file, or nothing where the file does not lend itself to it. */
export type CaseMaker = (file: SourceFile, random: Random) => EditCase | undefined;

/** A single block with a slip in how its lines are written. */
export function slip(
  write: (sides: Sides, random: Random, file: SourceFile) => Sides | undefined,
  demand: Demand = {},
  dress: (rows: Row[], start: number, length: number, random: Random) => Row[] = (rows) => rows,
): CaseMaker {
  return (file, random) => {
    const stretch = uniqueStretch(file, random, demand);
    if (stretch === undefined) return undefined;
    const rows = dress(rowsOf(file), stretch.start, stretch.length, random);
    const intent = someIntent(rows, stretch.start, stretch.length, random);
    return written(rows, intent, (sides) => write(sides, random, file));
  };
}

/** The case of one intent, its sides written by `write`. */
export function written(
  rows: readonly Row[],
  intent: Intent,
  write: (sides: Sides) => Sides | undefined,
): EditCase | undefined {
  const sides = write(sidesOf(rows, intent));
  if (sides === undefined) return undefined;
  return { original: textOf(rows), diff: blockText(sides), expected: meant(rows, [intent]) };
}

/** Both sides through one function, line by line. */
export function both(sides: Sides, change: (line: string) => string): Sides {
  return { search: sides.search.map(change), replace: sides.replace.map(change) };
}

/** A block that must be refused: `spoil` makes the searched lines such that they mean no place, or several. */
export function refused(
  spoil: (sides: Sides, random: Random, file: SourceFile) => Sides | undefined,
  demand: Demand = {},
): CaseMaker {
  return (file, random) => {
    const whole = `\n${file.rows.map(bones).join("\n")}\n`;
    const spoilt = (sides: Sides, own: Random, from: SourceFile) => {
      const made = spoil(sides, own, from);
      // What was spoilt may by chance be what stands elsewhere.
      const same = made !== undefined && made.search === sides.search;
      const stands =
        made !== undefined && !same && whole.includes(`\n${made.search.map(bones).join("\n")}\n`);
      return stands && made.search.length > 0 ? undefined : made;
    };
    const made = slip(spoilt, demand)(file, random);
    return made === undefined ? undefined : { ...made, expected: undefined };
  };
}

/** Several stretches of one file that lie apart, with an intent for each. */
export function apart(
  file: SourceFile,
  random: Random,
  count: number,
): { rows: Row[]; intents: Intent[] } | undefined {
  const rows = rowsOf(file);
  const intents: Intent[] = [];
  for (let tries = 0; tries < 30 && intents.length < count; tries++) {
    const stretch = uniqueStretch(file, random, { most: 5 });
    if (stretch === undefined) continue;
    const { start, length } = stretch;
    if (intents.some((other) => start < other.start + other.steps.length && other.start < start + length))
      continue;
    intents.push(someIntent(rows, start, length, random));
  }
  return intents.length < count ? undefined : { rows, intents: intents.sort((a, b) => a.start - b.start) };
}
