/** Builds the views of checkpoints for the panel. */
import type { CheckpointView } from "../../shared/event.ts";
import {
  type Change,
  type CheckpointHistory,
  type NetChange,
  netChanges,
  withoutFolders,
} from "./changes.ts";

/** Converts a path for display. */
type NameOf = (path: string) => string;

/** Maximum number of changed files that a row names. */
const MAX_NAMES = 3;

/** Returns all views, in order. */
export function allViews(history: CheckpointHistory, nameOf: NameOf): CheckpointView[] {
  return history.steps.flatMap((step) =>
    step.t === "mark" ? markView(history, step.id) : changeView(history, step.change, nameOf),
  );
}

/** Returns the views that changed because that change ended. */
export function viewsAfter(history: CheckpointHistory, changeId: string, nameOf: NameOf): CheckpointView[] {
  const change = history.change(changeId);
  const isRestore = change?.kind === "restore" || change?.kind === "undo";
  const last = history.lastMark;
  const all = history.steps.flatMap((step) => (step.t === "mark" ? [step.id] : []));
  // A restore can undo, or reapply, the changes of any turn.
  const marks = isRestore ? all : last === undefined ? [] : [last];
  return [
    ...(change ? changeView(history, change, nameOf) : []),
    ...history.affectedBy(changeId).flatMap((other) => changeView(history, other, nameOf)),
    ...marks.flatMap((mark) => markView(history, mark)),
  ];
}

/** Returns no view if nothing changed. Changes by a background command have no row of their own. */
export function changeView(history: CheckpointHistory, change: Change, nameOf: NameOf): CheckpointView[] {
  const net = netChanges([change]);
  const files = countOf(net);
  const isRestore = change.kind === "restore" || change.kind === "undo";
  if (change.kind === "background" || (files === 0 && change.left === 0 && !change.kept)) return [];
  return [
    {
      id: change.id,
      kind: isRestore ? "restore" : "call",
      at: change.place,
      files,
      ...(files > 0 && withoutFolders(net).length === 0 ? { folders: true } : {}),
      ...(change.left > 0 ? { left: change.left } : {}),
      ...(history.isReverted(change.id) ? { undone: true } : {}),
      ...(change.finished ? {} : { unfinished: true }),
      ...keptOf(change, net, nameOf),
    },
  ];
}

/** Counts folders only if no file changed. */
function countOf(net: readonly NetChange[]): number {
  const files = withoutFolders(net).length;
  return files > 0 ? files : net.length;
}

function keptOf({ kept }: Change, net: readonly NetChange[], nameOf: NameOf): Partial<CheckpointView> {
  if (!kept) return {};
  const { manifest: _, ...view } = kept;
  const files = withoutFolders(net);
  const gone = files.filter(({ after }) => after.every((state) => state === null));
  const named = [...new Set([...gone, ...files])].slice(0, MAX_NAMES).map(({ path }) => nameOf(path));
  return { kept: view, ...(named.length > 0 ? { names: named } : {}) };
}

/** Returns no view before the first change after the message: there is nothing to restore. */
export function markView(history: CheckpointHistory, mark: string): CheckpointView[] {
  const turn = history.turn(mark);
  const files = countOf(netChanges(turn));
  const left = turn.reduce((total, change) => total + change.left, 0);
  const uncovered = turn.find((change) => change.uncovered)?.uncovered;
  const undone = history.isTurnUndone(mark) ? { undone: true } : {};
  if (
    turn.length === 0 ||
    (files === 0 && left === 0 && !uncovered && turn.every(({ finished }) => finished))
  ) {
    return turn.some(({ kind }) => kind === "restore" || kind === "undo")
      ? [{ id: mark, kind: "message", at: mark, files: 0, ...undone }]
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
      ...(history.isKept(mark) ? { isKept: true } : {}),
      ...undone,
    },
  ];
}
