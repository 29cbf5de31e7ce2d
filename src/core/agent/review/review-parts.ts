/** Splits a diff into parts that fit a request: by files, a large file by its hunks, and a large hunk by its lines. */
import { estimateTokens } from "../../context/tokens.ts";
import type { DiffHunk } from "./diff-lines.ts";
import type { ReviewedFile } from "./review-changes.ts";
import { fileText } from "./review-prompts.ts";

/** Tokens of a part at most: a reviewer that sees more at once misses more. */
const MOST_TOKENS = 24_000;
/** The share of the context window that a part may take; the rest is for what the reviewer reads, and its answer. */
const SHARE = 0.35;

/** `window`: tokens. Each file is in one part, unless it is too large for that. */
export function partsOfReview(files: readonly ReviewedFile[], window: number): ReviewedFile[][] {
  const room = Math.min(MOST_TOKENS, Math.floor(window * SHARE));
  const parts: ReviewedFile[][] = [];
  let left = 0;
  for (const piece of files.flatMap((file) => piecesOf(file, room))) {
    const tokens = estimateTokens(fileText(piece));
    const part = parts.at(-1);
    if (!part || tokens > left) {
      parts.push([piece]);
      left = room - tokens;
    } else {
      part.push(piece);
      left -= tokens;
    }
  }
  return parts;
}

function piecesOf(file: ReviewedFile, room: number): ReviewedFile[] {
  if (estimateTokens(fileText(file)) <= room) return [file];
  const pieces: DiffHunk[][] = [];
  let left = 0;
  for (const hunk of file.hunks.flatMap((each) => smallHunks(each, room))) {
    const tokens = tokensOf(hunk);
    const piece = pieces.at(-1);
    if (!piece || tokens > left) {
      pieces.push([hunk]);
      left = room - tokens;
    } else {
      piece.push(hunk);
      left -= tokens;
    }
  }
  return pieces.map((hunks) => ({ ...file, hunks }));
}

function smallHunks(hunk: DiffHunk, room: number): DiffHunk[] {
  if (tokensOf(hunk) <= room || hunk.length < 2) return [hunk];
  const middle = Math.ceil(hunk.length / 2);
  return [...smallHunks(hunk.slice(0, middle), room), ...smallHunks(hunk.slice(middle), room)];
}

/** Tokens of a hunk with its numbers. */
function tokensOf(hunk: DiffHunk): number {
  return estimateTokens(fileText({ path: "", kind: "changed", hunks: [hunk] }));
}
