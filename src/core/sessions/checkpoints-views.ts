/** What to show of checkpoints. */
import type { CheckpointView } from "../../shared/event.ts";
import { type Change, type CheckpointHistory, netChanges } from "./checkpoints-history.ts";

/** All of them, in order. */
export function allViews(history: CheckpointHistory): CheckpointView[] {
  return history.steps.flatMap((step) =>
    step.t === "mark" ? markView(history, step.id) : changeView(history, step.change),
  );
}

/** Those of which more is known since that change ended. */
export function viewsAfter(history: CheckpointHistory, changeId: string): CheckpointView[] {
  const change = history.change(changeId);
  const mark = history.lastMark;
  return [
    ...(change ? changeView(history, change) : []),
    ...history.affectedBy(changeId).flatMap((other) => changeView(history, other)),
    ...(mark === undefined ? [] : markView(history, mark)),
  ];
}

/** Nothing where nothing changed; what a command did in the background belongs to no row of its own. */
export function changeView(history: CheckpointHistory, change: Change): CheckpointView[] {
  const files = netChanges([change]).length;
  const isRestore = change.kind === "restore" || change.kind === "undo";
  if (change.kind === "background" || (files === 0 && change.left === 0)) return [];
  return [
    {
      id: change.id,
      kind: isRestore ? "restore" : "call",
      at: change.place,
      files,
      ...(change.left > 0 ? { left: change.left } : {}),
      ...(history.isTakenBack(change.id) ? { undone: true } : {}),
      ...(change.finished ? {} : { unfinished: true }),
    },
  ];
}

/** Nothing before the first change after it: there is nothing to go back from. */
export function markView(history: CheckpointHistory, mark: string): CheckpointView[] {
  const turn = history.turn(mark);
  const files = netChanges(turn).length;
  const left = turn.reduce((total, change) => total + change.left, 0);
  const uncovered = turn.find((change) => change.uncovered)?.uncovered;
  if (
    turn.length === 0 ||
    (files === 0 && left === 0 && !uncovered && turn.every(({ finished }) => finished))
  ) {
    return turn.some(({ kind }) => kind === "restore" || kind === "undo")
      ? [{ id: mark, kind: "message", at: mark, files: 0 }]
      : [];
  }
  return [
    {
      id: mark,
      kind: "message",
      at: mark,
      files,
      ...(left > 0 ? { left } : {}),
      ...(uncovered ? { uncovered } : {}),
    },
  ];
}
