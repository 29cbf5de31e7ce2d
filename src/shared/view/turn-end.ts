/** How the last turn of a task ended, derived from its view. */
import type { NoticeCode } from "../event.ts";
import { presentationOf } from "../tool-presentation.ts";
import { type ChatView, rowsOf } from "./reducer.ts";

/** question: with a question or a plan, which the user answers. failed: it cannot continue without the user. */
export type TurnOutcome = "question" | "done" | "failed";

/** Notices of limits, past which a task continues only if the user agrees. */
export const LIMIT_NOTICES: readonly NoticeCode[] = [
  "request-limit",
  "cost-limit",
  "day-cost-limit",
  "day-request-limit",
  "cost-ahead",
  "mistake-limit",
  "repeat-limit",
];

/** Notices after which a task continues only if the user acts. */
const NEEDS_USER: ReadonlySet<NoticeCode> = new Set<NoticeCode>([
  ...LIMIT_NOTICES,
  "managed-cost-limit",
  "managed-day-cost-limit",
  "no-workspace",
  "condense-failed",
  "taken-over",
  "worktree-gone",
  "worktree-in-use",
]);

/** How the last turn ended; undefined: the user stopped it. */
export function endOf(view: ChatView): TurnOutcome | undefined {
  const last = rowsOf(view).findLast(({ kind }) => kind !== "checkpoint");
  if (last?.kind === "error") return "failed";
  if (last?.kind === "notice" && last.code === "stopped") return undefined;
  if (last?.kind === "notice" && NEEDS_USER.has(last.code)) return "failed";
  if (last?.kind !== "call") return "done";
  const row = presentationOf(view.faces, last.tool)?.row;
  return row === "question" || row === "plan" ? "question" : "done";
}
