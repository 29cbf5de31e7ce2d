import { bareLines } from "../text.ts";
import type { FormProblem } from "./blocks/blocks.ts";
import {
  contentOf,
  createEditSession,
  type EditSession,
  type PlacedBlock,
  placeUnescaped,
} from "./edit-session.ts";
import type { Tier } from "./match-range.ts";
import { clip, listing, plural } from "./messages.ts";

/** Where a block was applied: 1-based lines of the original, inclusive (`endLine` is 0 for an empty file). */
interface AppliedBlock {
  startLine: number;
  endLine: number;
  /** How the place was found: "exact", or the first tolerant tier that found it. */
  tier: Tier;
}

/** The outcome of one block of a rejected diff. `ok`: the block would have applied. */
interface RefusedBlock {
  ok: boolean;
  reason?: string;
  /** 1-based line of the original where the lines most similar to the SEARCH text begin. */
  nearestLine?: number;
  nearest?: string;
}

/**
 * The result of a diff: the new content, with a sentence about blocks that were skipped because they change nothing; or an
 * error that a model can act on, with nothing applied.
 */
export type EditResult =
  | { ok: true; content: string; blocks: AppliedBlock[]; leftOut?: string }
  | { ok: false; error: string; blocks: RefusedBlock[] };

/**
 * Applies SEARCH/REPLACE blocks to a text, all or none; blocks that change nothing are skipped if others change something.
 * Each block is located in the original as whole lines and must match exactly one place. Only lines that differ between
 * SEARCH and REPLACE are written, with the file's own line endings. Never throws: for any two strings, it returns a result
 * or an error.
 *
 * `complete: false` means that the message was cut off. `path` is the name of the file: in Markdown and reStructuredText, a
 * ======= line may underline a heading.
 */
export function applySearchReplace(
  original: string,
  diff: string,
  options: { complete?: boolean; path?: string } = {},
): EditResult {
  const session = createEditSession(original, options.path);
  for (const line of bareLines(diff)) session.line(line);
  session.end(options.complete ?? true);
  return finishSession(session, diff);
}

/** Returns the result of a session whose diff was read to its end. `diff` is needed only to explain a missing block. */
export function finishSession(session: EditSession, diff: string): EditResult {
  const { placed, problem } = session;
  if (problem !== undefined) return malformed(placed, problem);
  if (placed.length === 0) return { ok: false, error: noBlocks(diff), blocks: [] };
  const failures = placed.filter((entry) => !entry.ok && !entry.isIdle);
  if (failures.length > 0 || !placed.some((entry) => entry.ok)) return refused(placed, undefined);
  const fitting = unescapedAlike(
    session,
    placed.filter((entry) => entry.ok),
  );
  const overlap = firstOverlap(fitting);
  if (overlap !== undefined) {
    const [first, second] = overlap.map((at) =>
      placed.findIndex((entry) => entry.block === fitting[at]?.block),
    );
    return refused(placed, [first ?? 0, second ?? 0]);
  }
  const idle = placed.flatMap((entry, at) => (entry.ok ? [] : [at + 1]));
  return {
    ok: true,
    content: contentOf(
      session.index,
      fitting.map(({ range, splices }) => ({ start: range.start, splices })),
    ),
    blocks: fitting.map(({ range }) => ({
      startLine: range.start + 1,
      endLine: range.end,
      tier: range.tier,
    })),
    ...(idle.length > 0 ? { leftOut: leftOutText(idle, placed.length) } : {}),
  };
}

function leftOutText(idle: readonly number[], total: number): string {
  return idle.length === 1
    ? `Block ${idle[0]} of ${total} was left out: it changes nothing.`
    : `Blocks ${listing(idle)} of ${total} were left out: they change nothing.`;
}

type Fitting = PlacedBlock & { ok: true };

/**
 * If one block of a diff was escaped and none contains a bare sign, the whole diff was escaped: all replacements are
 * unescaped.
 */
function unescapedAlike(session: EditSession, placed: Fitting[]): Fitting[] {
  if (!placed.some(({ range }) => range.tier === "entities")) return placed;
  const bare = /[<>]|&(?!(?:lt|gt|amp|quot|apos|#\d+|#x[\da-f]+);)/i;
  if (placed.some(({ block }) => [...block.search, ...block.replace].some((line) => bare.test(line))))
    return placed;
  return placed.map((entry) =>
    entry.range.tier === "entities" ? entry : placeUnescaped(session.index, entry),
  );
}

function firstOverlap(placed: readonly Fitting[]): [number, number] | undefined {
  const order = placed
    .map((_, at) => at)
    .sort((x, y) => (placed[x]?.range.start ?? 0) - (placed[y]?.range.start ?? 0));
  let reached = -1;
  let holder = -1;
  for (const at of order) {
    const range = placed[at]?.range;
    if (range === undefined) continue;
    if (holder !== -1 && (range.start < reached || (range.end === 0 && reached === 0))) {
      return [Math.min(at, holder), Math.max(at, holder)];
    }
    if (range.end > reached) {
      reached = range.end;
      holder = at;
    }
  }
  return undefined;
}

function refused(placed: readonly PlacedBlock[], overlap: [number, number] | undefined): EditResult {
  const blocks: RefusedBlock[] = placed.map((entry) =>
    entry.ok
      ? { ok: true }
      : {
          ok: false,
          reason: entry.reason,
          ...(entry.nearest ? { nearestLine: entry.nearest.line, nearest: entry.nearest.text } : {}),
        },
  );
  const parts: string[] = [];
  if (overlap !== undefined) {
    const [first, second] = overlap;
    const reason = `Blocks ${first + 1} (${spanOf(placed[first])}) and ${second + 1} (${spanOf(placed[second])}) overlap. Join them into one block, or search for fewer lines.`;
    for (const at of overlap) blocks[at] = { ok: false, reason, ...nearestOfOverlap(placed[at]) };
    parts.push(reason);
  }
  for (const [at, entry] of placed.entries()) {
    if (!entry.ok && !(overlap !== undefined && entry.isIdle))
      parts.push(
        `${placed.length > 1 ? `Block ${at + 1} of ${placed.length}` : "The block"} does not fit: ${entry.reason}`,
      );
  }
  return { ok: false, error: closing(parts, blocks), blocks };
}

function spanOf(placed: PlacedBlock | undefined): string {
  return placed?.ok ? `lines ${placed.range.start + 1}-${placed.range.end}` : "";
}

function nearestOfOverlap(placed: PlacedBlock | undefined): Partial<RefusedBlock> {
  if (!placed?.ok) return {};
  return {
    nearestLine: placed.range.start + 1,
    nearest: placed.block.search
      .slice(0, 16)
      .map((line) => clip(line))
      .join("\n"),
  };
}

function closing(parts: readonly string[], blocks: readonly RefusedBlock[]): string {
  const fitting = blocks.flatMap((block, at) => (block.ok ? [at + 1] : []));
  const others =
    fitting.length === 0
      ? ""
      : fitting.length === 1
        ? `Block ${fitting[0]} would have fitted. `
        : `Blocks ${listing(fitting)} would have fitted. `;
  const next =
    blocks.length > 1
      ? "Correct what failed and send all blocks again"
      : "Correct the block and send it again";
  return `${parts.join("\n\n")}\n\n${others}Nothing was changed. ${next}; if in doubt about the file's present content, read it first.`;
}

function malformed(placed: readonly PlacedBlock[], problem: FormProblem): EditResult {
  const blocks: RefusedBlock[] = placed.map((entry) =>
    entry.ok ? { ok: true } : { ok: false, reason: entry.reason },
  );
  blocks.push({ ok: false, reason: problem.message });
  const read = placed.length === 0 ? "" : ` ${plural(placed.length, "block")} could be read.`;
  return { ok: false, error: `${problem.message}${read} Nothing was changed.\n${FORM}`, blocks };
}

const FORM = `Each block must look like this, with every marker alone on its line:
------- SEARCH
whole lines as they stand in the file
=======
the lines that take their place
+++++++ REPLACE`;

function noBlocks(diff: string): string {
  const unified = /^@@ .* @@|^--- \S.*\n\+\+\+ /m.test(diff.slice(0, 100_000));
  const patch = diff.includes("*** Begin Patch");
  const what =
    diff.trim() === ""
      ? "The diff is empty."
      : patch
        ? "The diff is in the apply_patch format, not SEARCH/REPLACE blocks."
        : unified
          ? "The diff is a unified diff, not SEARCH/REPLACE blocks."
          : "The diff holds no SEARCH/REPLACE block.";
  return `${what} Nothing was changed.\n${FORM}`;
}
