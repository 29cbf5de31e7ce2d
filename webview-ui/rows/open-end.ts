/** Determines whether a row still waits for the user: its actions are available until something follows it. */
import type { ChatView, Row } from "../../src/shared/view/reducer.ts";

/** The rows from last to first. */
function* backward(view: ChatView): Generator<Row> {
  for (let i = view.live.length - 1; i >= 0; i--) {
    const row = view.live[i];
    if (row) yield row;
  }
  for (let i = view.settled.length - 1; i >= 0; i--) {
    const row = view.settled[i];
    if (row) yield row;
  }
}

/** Whether no message of the user's follows the row. */
export function isUnanswered(view: ChatView, id: string): boolean {
  for (const row of backward(view)) {
    if (row.id === id) return true;
    if (row.kind === "user") return false;
  }
  return false;
}

/** Whether the task is idle and this row, which says why, is the last one. */
export function isOpenEnd(view: ChatView, id: string): boolean {
  if (view.status !== "idle") return false;
  for (const row of backward(view)) return row.id === id;
  return false;
}

/** The running call, for the row of the progress. */
export function runningCall(view: ChatView): Extract<Row, { kind: "call" }> | undefined {
  const row = view.live.findLast((other) => other.kind === "call" && other.state === "running");
  return row?.kind === "call" ? row : undefined;
}
