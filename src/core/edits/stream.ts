import { type EditResult, finishSession } from "./apply-blocks.ts";
import { createEditSession, type PlacedBlock } from "./edit-session.ts";
import type { Tier } from "./match-range.ts";
import type { Splice } from "./splice.ts";

/** A completed block of a streaming diff: its place in the original (1-based, inclusive), or why it has none. */
type StreamedBlock =
  | { ok: true; index: number; startLine: number; endLine: number; tier: Tier; splices: readonly Splice[] }
  | { ok: false; index: number; reason: string };

/** A diff that arrives in chunks. Each block is located once, as soon as its last marker line is complete. */
export interface DiffStream {
  /** Reads the next chunk; returns the blocks that it completed. */
  push(delta: string): StreamedBlock[];
  /** Returns the file with all matching blocks so far. Rebuilt only if a block was added since the last call. */
  preview(): string;
  /** Ends the diff. Returns the same result as applySearchReplace for the whole diff, without searching again. */
  end(options?: { complete?: boolean }): EditResult;
}

/** Applies a SEARCH/REPLACE diff to a file while it streams. Work per chunk is proportional to the chunk. */
export function createDiffStream(original: string, path?: string): DiffStream {
  const session = createEditSession(original, path);
  const whole: string[] = [];
  let pending: string[] = [];
  let heldReturn = false;
  let shown = original;
  let shownBlocks = 0;
  let result: EditResult | undefined;

  const describe = (placed: PlacedBlock): StreamedBlock => {
    const index = session.placed.length - 1;
    return placed.ok
      ? {
          ok: true,
          index,
          startLine: placed.range.start + 1,
          endLine: placed.range.end,
          tier: placed.range.tier,
          splices: placed.splices,
        }
      : { ok: false, index, reason: placed.reason };
  };

  const takeLine = (rest: string, completed: StreamedBlock[]) => {
    const line = pending.length === 0 ? rest : pending.join("") + rest;
    if (pending.length > 0) pending = [];
    const placed = session.line(line);
    if (placed !== undefined) completed.push(describe(placed));
  };

  return {
    push(delta) {
      const completed: StreamedBlock[] = [];
      if (result !== undefined || delta === "") return completed;
      if (session.placed.length === 0) whole.push(delta);
      let at = 0;
      if (heldReturn) {
        heldReturn = false;
        if (delta.charCodeAt(0) === 10) at = 1;
        takeLine("", completed);
      }
      for (let next = nextBreak(delta, at); next !== -1; next = nextBreak(delta, at)) {
        const isReturn = delta.charCodeAt(next) === 13;
        if (isReturn && next === delta.length - 1) {
          // Only the next chunk shows whether this is the whole line ending.
          pending.push(delta.slice(at, next));
          heldReturn = true;
          return completed;
        }
        takeLine(delta.slice(at, next), completed);
        at = next + (isReturn && delta.charCodeAt(next + 1) === 10 ? 2 : 1);
      }
      if (at < delta.length) pending.push(delta.slice(at));
      return completed;
    },
    preview() {
      if (shownBlocks !== session.placed.length) {
        shownBlocks = session.placed.length;
        shown = session.preview();
      }
      return shown;
    },
    end(options = {}) {
      if (result !== undefined) return result;
      if (pending.length > 0 || heldReturn) takeLine("", []);
      session.end(options.complete ?? true);
      result = finishSession(session, whole.join(""));
      return result;
    },
  };
}

function nextBreak(text: string, from: number): number {
  for (let at = from; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === 10 || code === 13) return at;
  }
  return -1;
}
