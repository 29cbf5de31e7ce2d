/** A short name for exactly what an approval shows, so that an answer given later is an answer to that. */
import { createHash } from "node:crypto";
import type { ApprovalView } from "../../shared/event.ts";

/** Hexadecimal digits: enough that nobody finds another approval with the same code. */
const LENGTH = 32;

/** `diff`: of the file that the call changes. */
export function shownCode(approval: ApprovalView, diff: string | undefined): string {
  // What led to the question says nothing of what runs.
  const { changedSince: _, ...shown } = approval;
  const text = JSON.stringify([shown, diff ?? null]);
  return createHash("sha256").update(text).digest("hex").slice(0, LENGTH);
}
