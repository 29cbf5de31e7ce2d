/**
 * Which folds the user opened; all others are closed. Rows out of view are unmounted and would lose this state. The page keeps
 * it while it is hidden or reloaded.
 */
import { useSyncExternalStore } from "react";
import { type ChatView, rowsOf } from "../../src/shared/view/reducer.ts";
import type { PersistedPanel } from "../host.ts";
import { foldsAround, layoutOf } from "./layout.ts";

/** Number of open folds that outlive the page. */
const MOST_REMEMBERED = 200;

class OpenFolds {
  #persisted: Pick<PersistedPanel, "value" | "update"> | undefined;
  #open: ReadonlySet<string> = new Set();
  readonly #listeners = new Set<() => void>();

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  /** Restores the folds that were open on the previous page. Only the first call has an effect. */
  restore(persisted: Pick<PersistedPanel, "value" | "update">): void {
    if (this.#persisted) return;
    this.#persisted = persisted;
    this.#open = new Set([...persisted.value.openFolds, ...this.#open]);
  }

  /** The ids of the open folds; a new set after each change. */
  get current(): ReadonlySet<string> {
    return this.#open;
  }

  set(ids: readonly string[], open: boolean): void {
    if (ids.every((id) => this.#open.has(id) === open)) return;
    const next = new Set(this.#open);
    for (const id of ids) {
      if (open) next.add(id);
      else next.delete(id);
    }
    this.#open = next;
    this.#persisted?.update({ openFolds: [...next].slice(-MOST_REMEMBERED) });
    for (const listener of this.#listeners) listener();
  }
}

export const openFolds = new OpenFolds();

export function useOpenFolds(): ReadonlySet<string> {
  return useSyncExternalStore(openFolds.subscribe, () => openFolds.current);
}

/** Opens the folds that the row is in, so that it is on the page. */
export function reveal(view: ChatView, rowId: string): void {
  const index = rowsOf(view).findLastIndex(({ id }) => id === rowId);
  if (index < 0) return;
  openFolds.set(
    foldsAround(layoutOf(view), index).map(({ id }) => id),
    true,
  );
}

/**
 * Keeps the rows that the user reads on the page when the turn ends: the work of the running turn does not fold if the user has
 * scrolled away from the end of the conversation.
 */
export function keepUnfolded(view: ChatView, reading: boolean): void {
  const turn = layoutOf(view).turns.at(-1);
  if (turn && view.status !== "idle") openFolds.set([`turn:${turn.id}`], reading);
}
