/**
 * What the page shows for a range of rows: the rows that no closed fold hides, the lines of folds, and strips of changed
 * files.
 */
import { presentationOf, type ToolPresentation } from "../../src/shared/tool-presentation.ts";
import type { ChatView, Row } from "../../src/shared/view/reducer.ts";
import { layoutOf, type Turn, turnAt, type WorkFold } from "./layout.ts";

export type Item =
  | {
      kind: "row";
      id: string;
      row: Row;
      /** For a call, the presentation of its tool. */
      presentation: ToolPresentation | undefined;
      /** The row ends a turn. */
      ends: boolean;
      /** The row ends the conversation so far. */
      isLast: boolean;
      /** The user undid all that its turn changed. */
      isUndone: boolean;
      /** The row is part of open work, and in how many folds. */
      depth: number;
    }
  | { kind: "fold"; id: string; fold: WorkFold; open: boolean; depth: number }
  | { kind: "strip"; id: string; turn: Turn; isLast: boolean };

/** The items of rows `from` to before `to`. */
export function itemsOf(view: ChatView, open: ReadonlySet<string>, from: number, to: number): Item[] {
  const layout = layoutOf(view);
  const { settled, live, faces } = view;
  const total = settled.length + live.length;
  const idle = view.status === "idle";
  const items: Item[] = [];
  const at = (index: number) => settled[index] ?? live[index - settled.length];
  let turn: Turn | undefined;
  for (let index = Math.max(0, from); index < Math.min(to, total); index++) {
    const row = at(index);
    if (turn === undefined || index >= turn.to) turn = turnAt(layout, index);
    if (!row || !turn) continue;
    const around = folds(turn, index);
    const hidden = around.findIndex(({ id }) => !open.has(id));
    const shown = hidden < 0 ? around : around.slice(0, hidden + 1);
    shown.forEach((fold, depth) => {
      if (fold.from === index)
        items.push({ kind: "fold", id: fold.id, fold, open: open.has(fold.id), depth });
    });
    if (hidden < 0 && !isInStrip(turn, row)) {
      const next = at(index + 1);
      const isLast = next === undefined && idle;
      const presentation = row.kind === "call" ? presentationOf(faces, row.tool) : undefined;
      const ends = isLast || next?.kind === "user";
      const isUndone = turn.isUndone ?? false;
      items.push({
        kind: "row",
        id: row.id,
        row,
        presentation: presentation,
        ends,
        isLast,
        isUndone,
        depth: around.length,
      });
    }
    if (index === turn.to - 1 && turn.changed)
      items.push({ kind: "strip", id: `strip:${turn.id}`, turn, isLast: turn.to === total });
  }
  return items;
}

function folds({ work, groups }: Turn, index: number): WorkFold[] {
  const around: WorkFold[] = [];
  if (work && work.from <= index && index < work.to) around.push(work);
  const group = groups.find(({ from, to }) => from <= index && index < to);
  if (group) around.push(group);
  return around;
}

/** The turn's checkpoint is part of the strip at its end. */
function isInStrip({ changed }: Turn, row: Row): boolean {
  return changed !== undefined && row.kind === "checkpoint" && row.checkpoint.id === changed.id;
}

/** Selects the items of a range; returns the same array while they stay the same. */
export function itemSelector(
  open: ReadonlySet<string>,
  rangeOf: (view: ChatView) => [from: number, to: number],
): (view: ChatView) => readonly Item[] {
  let last: { view: ChatView; items: readonly Item[] } | undefined;
  return (view) => {
    if (last && isSame(last.view, view, rangeOf)) {
      last.view = view;
      return last.items;
    }
    const [from, to] = rangeOf(view);
    const items = itemsOf(view, open, from, to);
    const known = last?.items;
    const isUnchanged = known?.length === items.length && items.every((item, at) => isEqual(item, known[at]));
    last = { view, items: isUnchanged && known ? known : items };
    return last.items;
  };
}

/** A quick test that does not look at the rows, because a delta changes only live rows. */
function isSame(
  before: ChatView,
  now: ChatView,
  rangeOf: (view: ChatView) => [from: number, to: number],
): boolean {
  if (before.settled !== now.settled || before.faces !== now.faces || before.prepended !== now.prepended)
    return false;
  if ((before.status === "idle") !== (now.status === "idle")) return false;
  const [, to] = rangeOf(now);
  return before.live === now.live || to < now.settled.length;
}

function isEqual(item: Item, other: Item | undefined): boolean {
  if (other === undefined || item.kind !== other.kind || item.id !== other.id) return false;
  if (item.kind === "row" && other.kind === "row") {
    const { row, presentation, ends, isLast, isUndone, depth } = other;
    return (
      item.row === row &&
      item.presentation === presentation &&
      item.ends === ends &&
      item.isLast === isLast &&
      item.isUndone === isUndone &&
      item.depth === depth
    );
  }
  if (item.kind === "fold" && other.kind === "fold")
    return item.fold === other.fold && item.open === other.open && item.depth === other.depth;
  return (
    item.kind === "strip" &&
    other.kind === "strip" &&
    item.turn.changed === other.turn.changed &&
    item.isLast === other.isLast
  );
}
