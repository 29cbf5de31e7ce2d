import { applySearchReplace } from "../../../../src/core/edits/apply-blocks.ts";
import { applyPatch } from "../../../../src/core/edits/patch/patch.ts";
import { createDiffStream } from "../../../../src/core/edits/stream.ts";
import { Random } from "../../../support/random.ts";
import type { SourceFile } from "./corpus.ts";
import type { CaseMaker, EditCase } from "./edit-case.ts";
import { endingKinds, keptEndingKinds } from "./ending-kinds.ts";
import { peerKinds } from "./kinds.ts";
import { moreKinds } from "./more-kinds.ts";
import { PATCHED, patchKinds } from "./patch-kinds.ts";
import { refusedKinds } from "./refused-kinds.ts";

/** Slips in what is searched and replaced. */
export const textKinds: Record<string, CaseMaker> = { ...peerKinds, ...moreKinds, ...refusedKinds };

/** Slips in the form around it: ends of blocks, and patches. */
export const formKinds: Record<string, CaseMaker> = { ...endingKinds, ...keptEndingKinds, ...patchKinds };

/** Every kind of edit, in the order of the table. */
export const allKinds: Record<string, CaseMaker> = { ...textKinds, ...formKinds };

/** How the cases of one kind came out. `refused` are those that should have been applied. */
export interface Tally {
  kind: string;
  right: number;
  refused: number;
  wrong: number;
  /** Of those that are right, the ones that were refused as they must be. */
  rejected: number;
  /** The first cases that were not right, for inspection. */
  failures: { path: string; seed: number; made: EditCase; got: string }[];
}

/** Whether a case came out right, was refused though it meant one place, or went wrong; and what came out. */
export function judge(
  made: EditCase,
  random: Random,
): { verdict: "right" | "refused" | "wrong"; got: string } {
  if (made.format === "patch") return judgePatch(made);
  const result = applySearchReplace(made.original, made.diff, { path: made.path ?? "" });
  const streamed = random.chance(0.3) ? streamInPieces(made, random) : result;
  if (JSON.stringify(streamed) !== JSON.stringify(result)) {
    return { verdict: "wrong", got: `streaming differs: ${JSON.stringify(streamed)}` };
  }
  if (!result.ok) {
    const told =
      result.error.length > 0 &&
      result.error.length < 20_000 &&
      result.blocks.every((block) => block.ok || block.reason);
    if (!told) return { verdict: "wrong", got: `a poor error: ${result.error.slice(0, 500)}` };
    return { verdict: made.expected === undefined ? "right" : "refused", got: result.error };
  }
  if (made.expected === undefined || !isExpected(made, result.content))
    return { verdict: "wrong", got: result.content };
  const outside = touchedOutside(made.original, result.content, result.blocks);
  return outside === undefined
    ? { verdict: "right", got: result.content }
    : { verdict: "wrong", got: outside };
}

function isExpected({ original, expected = "", ownEnds }: EditCase, content: string): boolean {
  if (content === expected || ownEnds === undefined) return content === expected;
  const before = new Set(original.split("\n"));
  const [lines, wanted] = [content.split("\n"), expected.split("\n")];
  return (
    lines.length === wanted.length &&
    wanted.every((line, at) =>
      before.has(line) ? line === lines[at] : line.trimEnd() === lines[at]?.trimEnd(),
    )
  );
}

function judgePatch({ original, diff, expected }: EditCase): {
  verdict: "right" | "refused" | "wrong";
  got: string;
} {
  const result = applyPatch(diff, (path) => (path === PATCHED ? original : undefined));
  if (!result.ok) {
    const told = result.error.includes("Nothing was changed") && result.error.length < 20_000;
    return { verdict: !told ? "wrong" : expected === undefined ? "right" : "refused", got: result.error };
  }
  const [change] = result.changes;
  const got = change?.kind === "update" ? change.content : JSON.stringify(change);
  return { verdict: got === expected && result.changes.length === 1 ? "right" : "wrong", got };
}

function streamInPieces({ original, diff, path }: EditCase, random: Random) {
  const stream = createDiffStream(original, path);
  for (let at = 0; at < diff.length; ) {
    const size = random.int(1, 24);
    stream.push(diff.slice(at, at + size));
    at += size;
  }
  return stream.end();
}

/**
 * Compares what lies before, between and after the blocks byte by byte. Only the ending of the file's last line may
 * change with what is added or taken out behind it.
 */
function touchedOutside(
  original: string,
  content: string,
  blocks: readonly { startLine: number; endLine: number }[],
): string | undefined {
  const rows = original.match(/[^\r\n]*(?:\r\n|\n|\r)|[^\r\n]+$/g) ?? [];
  const spans = [...blocks].sort((a, b) => a.startLine - b.startLine);
  let row = 0;
  let at = 0;
  for (const { startLine, endLine } of spans) {
    const between = rows.slice(row, startLine - 1).join("");
    const found = row === 0 ? (content.startsWith(between) ? 0 : -1) : content.indexOf(between, at);
    if (found === -1 && endLine < rows.length) return `lines ${row + 1}-${startLine - 1} changed`;
    at = found + between.length;
    row = endLine;
  }
  const after = rows.slice(row).join("");
  return content.endsWith(after) ? undefined : `lines from ${row + 1} on changed`;
}

/** Makes and judges `each` cases of every kind over the files. The same seed gives the same cases. */
export function runCases(
  files: readonly SourceFile[],
  each: number,
  seed: number,
  kinds = allKinds,
): Tally[] {
  return Object.entries(kinds).map(([kind, make], number) => {
    const tally: Tally = { kind, right: 0, refused: 0, wrong: 0, rejected: 0, failures: [] };
    const random = new Random(seed + number * 7919);
    for (let tries = 0; tries < each * 400 && tally.right + tally.refused + tally.wrong < each; tries++) {
      const file = random.pick(files);
      const own = random.int(0, 0x7fffffff);
      const made = make(file, new Random(own));
      if (made === undefined) continue;
      const { verdict, got } = judge(made, new Random(own));
      tally[verdict] += 1;
      if (verdict === "right" && made.expected === undefined) tally.rejected += 1;
      if (verdict !== "right" && tally.failures.length < 5)
        tally.failures.push({ path: file.path, seed: own, made, got });
    }
    return tally;
  });
}

/** The tallies as lines of text, with a sum. */
export function tallyTable(tallies: readonly Tally[]): string {
  const width = Math.max(...tallies.map(({ kind }) => kind.length));
  const line = (kind: string, ...cells: (string | number)[]) =>
    kind.padEnd(width) + cells.map((cell) => String(cell).padStart(9)).join("");
  const sum = (key: "right" | "refused" | "wrong") => tallies.reduce((total, tally) => total + tally[key], 0);
  return [
    line("kind of edit", "right", "refused", "wrong"),
    ...tallies.map(({ kind, right, refused, wrong }) => line(kind, right, refused, wrong)),
    line("all", sum("right"), sum("refused"), sum("wrong")),
  ].join("\n");
}
