import { applySearchReplace } from "../../../../src/core/edits/apply-blocks.ts";
import { findElision } from "../../../../src/core/edits/blocks/elision.ts";
import { applyPatch } from "../../../../src/core/edits/patch/patch.ts";
import { changedRegions, unifiedDiff } from "../../../../src/core/edits/regions.ts";
import { createDiffStream } from "../../../../src/core/edits/stream.ts";
import type { Random } from "../../../support/random.ts";

const PIECES = [
  "------- SEARCH\n",
  "<<<<<<< SEARCH\n",
  "=======\n",
  "+++++++ REPLACE\n",
  ">>>>>>> REPLACE\n",
  "=====\n",
  "------- SEARCH",
  "+++++++",
  "\n",
  "\r\n",
  "\r",
  "  ",
  "\t",
  "a\n",
  "b\n",
  "  a\n",
  "a \n",
  "&lt;a&gt;\n",
  "<a>\n",
  "// ...\n",
  "}\n",
  "\u201cx\u201d\n",
  "\ud83d",
  "\udc00\n",
  "\0",
  "\ufeff",
  "e\u0301\n",
  "recieve the long word\n",
  "receive the long word\n",
  "1 | a\n",
  "@@ a\n",
  "*** Begin Patch\n",
  "*** Update File: f\n",
  "*** Add File: g\n",
  "*** Delete File: f\n",
  "*** Move to: h\n",
  "*** End of File\n",
  "*** End Patch\n",
  "-a\n",
  "+b\n",
  " a\n",
];

/** A short text made of all that means something to the readers of diffs. */
function hostileText(random: Random, most = 30): string {
  let text = "";
  for (let count = random.int(0, most); count > 0; count--) text += random.pick(PIECES);
  return text;
}

function spoiled(text: string, random: Random): string {
  const at = random.int(0, text.length);
  switch (random.int(0, 4)) {
    case 0:
      return text.slice(0, at) + text.slice(at + random.int(1, 12));
    case 1:
      return text.slice(0, at) + random.pick(PIECES) + text.slice(at);
    case 2:
      return text.slice(0, at);
    case 3:
      return text + text.slice(at);
    default:
      return text.replace(/\n/g, () => (random.chance(0.1) ? "\r\n" : "\n"));
  }
}

/**
 * One round of hostile input against everything that takes text from a model: no exception, an error in words or a
 * result whose untouched lines are the original's, and the same answer however the diff is cut. Throws what is wrong.
 */
export function hostileRound(
  random: Random,
  seeds: readonly { original: string; diff: string }[] = [],
): void {
  const seed = seeds.length > 0 && random.chance(0.5) ? random.pick(seeds) : undefined;
  const original = seed?.original ?? hostileText(random);
  const diff = spoiled(seed?.diff ?? hostileText(random, 40), random);
  const complete = random.chance(0.7);
  const result = applySearchReplace(original, diff, { complete });
  const stream = createDiffStream(original);
  for (let at = 0; at < diff.length; ) {
    const size = random.int(1, 9);
    stream.push(diff.slice(at, at + size));
    if (random.chance(0.02)) stream.preview();
    at += size;
  }
  const streamed = stream.end({ complete });
  const where = `original ${JSON.stringify(original)}, diff ${JSON.stringify(diff)}, complete ${complete}`;
  if (JSON.stringify(streamed) !== JSON.stringify(result))
    throw new Error(`streaming gives another answer: ${where}`);
  if (result.ok) checkUntouched(original, result.content, result.blocks, where);
  else if (result.error.trim() === "" || !result.error.includes("Nothing was changed"))
    throw new Error(`a poor error: ${where}`);
  findElision(diff, original);
  unifiedDiff(original, diff);
  const { added, removed } = changedRegions(original, diff);
  const gained = diff.split(/\r\n|\n|\r/).length - original.split(/\r\n|\n|\r/).length;
  if (Math.abs(added - removed - gained) > 1) throw new Error(`regions count wrong: ${where}`);
  const patched = applyPatch(diff, (path) => (path === "f" ? original : undefined), { complete });
  if (!patched.ok && patched.error.trim() === "") throw new Error(`a poor error for a patch: ${where}`);
}

type Spans = readonly { startLine: number; endLine: number }[];

function checkUntouched(original: string, content: string, blocks: Spans, where: string): void {
  const rows = original.replace(/^\ufeff/, "").match(/[^\r\n]*(?:\r\n|\n|\r)|[^\r\n]+$/g) ?? [];
  const spans = [...blocks].sort((a, b) => a.startLine - b.startLine);
  const first = spans[0];
  const last = spans.at(-1);
  if (first === undefined || last === undefined) throw new Error(`applied without a block: ${where}`);
  for (const [k, span] of spans.entries()) {
    const next = spans[k + 1];
    if (span.endLine > rows.length || (next !== undefined && next.startLine <= span.endLine))
      throw new Error(`bad lines: ${where}`);
  }
  const head = rows.slice(0, first.startLine - 1).join("");
  const tail = rows.slice(last.endLine).join("");
  // Behind lines taken from an unfinished end, the line before gives up its ending too.
  const shown = content.replace(/^\ufeff/, "");
  if (!shown.startsWith(head) && !(tail === "" && head.replace(/(?:\r\n|\n|\r)$/, "") === shown)) {
    throw new Error(`the lines before changed: ${where}`);
  }
  if (!shown.endsWith(tail)) throw new Error(`the lines after changed: ${where}`);
}
