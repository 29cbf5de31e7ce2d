import { useLayoutEffect, useState } from "react";
import type { PersistedPanel } from "../host.ts";
import { usePanel, usePanelState } from "../panel.ts";
import type { RevealedRow } from "../store.ts";

/** Number of folds that are remembered. */
const MOST_REMEMBERED = 300;

/** The reveal that last opened each fold, so that the same reveal does not open it again when its row returns to the page. */
const openedFor = new Map<string, RevealedRow>();

/**
 * Whether a fold of a row is open, and the function that sets it. What the user opened and closed is remembered, because rows out
 * of view are unmounted, and the page is hidden and reloaded. `id` is the id of the row or, if the row has several folds, begins
 * with it and a space. The fold opens when the inside of the row is revealed.
 */
export function useFold(id: string, initial: boolean): [open: boolean, set: (open: boolean) => void] {
  const { kept: persisted } = usePanel();
  const [open, setOpen] = useState(() => remembered(persisted, id) ?? initial);
  const revealed = usePanelState(({ revealed: last }) =>
    last?.inside && (id === last.row || id.startsWith(`${last.row} `)) ? last : null,
  );
  useLayoutEffect(() => {
    if (!revealed || openedFor.get(id) === revealed) return;
    openedFor.set(id, revealed);
    remember(persisted, id, true);
    setOpen(true);
  }, [id, revealed, persisted]);
  return [
    open,
    (next) => {
      // An element also reports the state with which it appears.
      if (next !== open) remember(persisted, id, next);
      setOpen(next);
    },
  ];
}

function remembered({ value: { rowFolds } }: PersistedPanel, id: string): boolean | undefined {
  return Object.hasOwn(rowFolds, id) ? rowFolds[id] : undefined;
}

function remember(persisted: PersistedPanel, id: string, open: boolean): void {
  const others = Object.entries(persisted.value.rowFolds).filter(([other]) => other !== id);
  persisted.update({ rowFolds: Object.fromEntries([...others.slice(1 - MOST_REMEMBERED), [id, open]]) });
}
