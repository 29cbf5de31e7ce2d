import type { Random } from "../../../support/random.ts";
import { bones, type SourceFile } from "./corpus.ts";

/** A file as the generator holds it: each row with its line ending. */
export interface Row {
  text: string;
  end: string;
}

/** What is meant to become of one row: it stays or goes, and rows come after it. */
interface Step {
  keep: boolean;
  put: string[];
}

/** A change that is known line by line: rows `start` and on, one step for each, after some rows that come first. */
export interface Intent {
  start: number;
  lead: string[];
  steps: Step[];
}

/** Both sides of a block, as lines. */
export interface Sides {
  search: string[];
  replace: string[];
}

export function rowsOf(file: SourceFile, end = "\n"): Row[] {
  return file.rows.map((text) => ({ text, end }));
}

export function textOf(rows: readonly Row[]): string {
  return rows.map((row) => row.text + row.end).join("");
}

/** The lines that the model would write for an intent if it made no slip. */
export function sidesOf(rows: readonly Row[], { start, lead, steps }: Intent): Sides {
  const search: string[] = [];
  const replace = [...lead];
  for (const [k, step] of steps.entries()) {
    const text = rows[start + k]?.text ?? "";
    search.push(text);
    if (step.keep) replace.push(text);
    replace.push(...step.put);
  }
  return { search, replace };
}

/** The file as it must be after some intents, built line by line without any search. */
export function meant(rows: readonly Row[], intents: readonly Intent[]): string {
  const openEnd = rows.at(-1)?.end === "";
  const out: Row[] = [];
  const usual = rows[0]?.end || "\n";
  for (let at = 0; at < rows.length; at++) {
    const row = rows[at];
    if (row === undefined) continue;
    const intent = intents.find(({ start, steps }) => at >= start && at < start + steps.length);
    if (intent === undefined) {
      out.push(row);
      continue;
    }
    const end = row.end || rows[at - 1]?.end || usual;
    if (at === intent.start)
      for (const text of intent.lead) out.push({ text, end: rows[at - 1]?.end || end });
    const step = intent.steps[at - intent.start];
    if (step === undefined || step.keep) out.push(row);
    for (const text of step?.put ?? []) out.push({ text, end });
  }
  return out
    .map((row, at) =>
      at === out.length - 1 ? row.text + (openEnd ? "" : row.end) : row.text + (row.end || usual),
    )
    .join("");
}

/** A line that no file has, in the style of its neighbor. */
export function freshLine(neighbor: string, random: Random): string {
  const serial = random.int(10_000, 99_999);
  const indent = /^\s*/.exec(neighbor)?.[0] ?? "";
  const body = random.pick([
    `const added${serial} = compute(${serial});`,
    `// note ${serial}: kept for later`,
    `if (a${serial} < limit && b > 0) { run("x${serial}"); }`,
    `"key${serial}": ["v", ${serial}],`,
    `\u65e5\u672c\u8a9e ${serial}`,
    `call${serial}(\`\${value}\`, 'text');`,
  ]);
  return indent + body;
}

function changedLine(line: string, random: Random): string {
  const serial = random.int(10_000, 99_999);
  const indent = /^\s*/.exec(line)?.[0] ?? "";
  const body = line.slice(indent.length);
  return random.pick([
    () => `${line.trimEnd()} /* ${serial} */`,
    () => `${indent}x${serial} ${body}`.trimEnd(),
    () => freshLine(line, random),
    () => `${indent}${body.split(" ").reverse().join(" ")} ${serial}`.trimEnd(),
  ])();
}

/** Some change of the rows from `start` on: at least one line is changed, added or taken out. */
export function someIntent(rows: readonly Row[], start: number, length: number, random: Random): Intent {
  const steps: Step[] = [];
  for (let k = 0; k < length; k++) steps.push({ keep: true, put: [] });
  const intent: Intent = { start, lead: [], steps };
  const changes = random.int(1, Math.min(3, length));
  for (let n = 0; n < changes; n++) {
    const k = random.int(0, length - 1);
    const step = steps[k];
    const text = rows[start + k]?.text ?? "";
    if (step === undefined || !step.keep || step.put.length > 0 || text.trim() === "") continue;
    const kind = random.int(0, 3);
    if (kind === 0) {
      step.keep = false;
      step.put.push(changedLine(text, random));
    } else if (kind === 1) step.put.push(freshLine(text, random));
    else if (kind === 2 && length > 1) step.keep = false;
    else if (k === 0) intent.lead.push(freshLine(text, random));
    else step.put.push(freshLine(text, random), freshLine(text, random));
  }
  if (intent.lead.length === 0 && steps.every((step) => step.keep && step.put.length === 0)) {
    const k = rows.slice(start, start + length).findIndex((row) => row.text.trim() !== "");
    steps[Math.max(0, k)]?.put.push(freshLine(rows[start + Math.max(0, k)]?.text ?? "", random));
  }
  return intent;
}

/** What a stretch of rows must be like to be chosen. */
export interface Demand {
  least?: number;
  most?: number;
  /** Whether the rows, from the chosen one on, will do. */
  fits?(rows: readonly string[], start: number): boolean;
}

/**
 * A stretch of rows that stands once in the file even with all white space left aside, begins and ends with a row of
 * letters, and has no row twice.
 */
export function uniqueStretch(
  file: SourceFile,
  random: Random,
  demand: Demand = {},
): { start: number; length: number } | undefined {
  const { rows } = file;
  for (let tries = 0; tries < 60; tries++) {
    const length = random.int(demand.least ?? 1, demand.most ?? 7);
    const start = random.int(0, rows.length - length);
    const part = rows.slice(start, start + length);
    const solid = part.map(bones).filter((text) => text !== "");
    if (bones(part[0] ?? "").length < 4 || bones(part.at(-1) ?? "").length < 2) continue;
    if (new Set(solid).size !== solid.length) continue;
    if (!solid.some((text) => file.seen.get(text) === 1 && text.length > 3)) continue;
    if (part.some((text) => /^[\s]*(?:[-<]{3,} ?SEARCH|={3,}\s*$|[+>]{3,} ?REPLACE|```)/.test(text)))
      continue;
    if (demand.fits !== undefined && !demand.fits(rows, start)) continue;
    return { start, length };
  }
  return undefined;
}

/** One block as text. */
export function blockText(
  { search, replace }: Sides,
  marks: readonly [string, string, string] = PLAIN_MARKS,
): string {
  const side = (lines: readonly string[]) => lines.map((line) => `${line}\n`).join("");
  return `${marks[0]}\n${side(search)}${marks[1]}\n${side(replace)}${marks[2]}\n`;
}

const PLAIN_MARKS = ["------- SEARCH", "=======", "+++++++ REPLACE"] as const;
