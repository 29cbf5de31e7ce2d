/** Updates rows of a view: replaces each row in place, and leaves an array untouched if its rows do not change. */

import type { CallOutcome } from "../message.ts";
import type { CallRow, ChatView, Row } from "./chat-view.ts";

export function settle(view: ChatView): ChatView {
  if (view.live.length === 0) return view;
  return { ...view, settled: [...view.settled, ...view.live], live: [] };
}

export function pushLive(view: ChatView, row: Row): ChatView {
  return { ...view, live: [...view.live, row] };
}

export function replaceAt(rows: readonly Row[], index: number, row: Row): readonly Row[] {
  const next = rows.slice();
  next[index] = row;
  return next;
}

/** Replaces the row with that id wherever it is, or appends it to the live rows. */
export function upsert(view: ChatView, row: Row): ChatView {
  const live = view.live.findIndex((other) => other.id === row.id);
  if (live >= 0) return { ...view, live: replaceAt(view.live, live, row) };
  const settled = view.settled.findLastIndex((other) => other.id === row.id);
  if (settled >= 0) return { ...view, settled: replaceAt(view.settled, settled, row) };
  return pushLive(view, row);
}

export function withoutRow(view: ChatView, id: string): ChatView {
  const live = view.live.filter((row) => row.id !== id);
  if (live.length < view.live.length) return { ...view, live };
  const settled = view.settled.filter((row) => row.id !== id);
  return settled.length < view.settled.length ? { ...view, settled } : view;
}

export function findCall(view: ChatView, callId: string): CallRow | undefined {
  const row =
    view.live.find((other) => other.id === callId) ?? view.settled.findLast((other) => other.id === callId);
  return row?.kind === "call" ? row : undefined;
}

export function upsertCall(view: ChatView, callId: string, change: (row: CallRow) => CallRow): ChatView {
  const row = findCall(view, callId);
  return upsert(
    view,
    change(row ?? { kind: "call", id: callId, tool: "", subject: "", state: "streaming", text: "" }),
  );
}

export function finishCall(row: CallRow, outcome: CallOutcome, shown?: CallRow["shown"]): CallRow {
  const { approval: _, form: __, prepared: ___, waits: ____, ...rest } = row;
  const { task: _____, sandbox: ______, hidden: _______, outside: ________, ...done } = rest;
  return {
    ...done,
    ...(rest.task && !shown?.task ? { task: rest.task } : {}),
    state: outcome,
    ...(shown ? { shown } : {}),
  };
}
