import { useLayoutEffect, useState } from "react";
import type { PersistedPanel } from "../host.ts";
import { usePanel, usePanelState } from "../panel.ts";
import type { RevealedRow } from "../store.ts";

/** Number of folds that are remembered. */
const MOST_REMEMBERED = 300;

/** What each fold was last opened for, so that it is not opened again when its row returns to the page. */
const openedFor = new Map<string, RevealedRow>();

/**
 * Whether a fold of a row is open, and the function that sets it. Rows out of view are unmounted, and the page is hidden and
 * reloaded: what the user opened and closed is kept. `id` begins with the id of the row, and a space if it has several folds. They open
 * when the row's inside is revealed.
 */
export function useFold(id: string, initial: boolean): [open: boolean, set: (open: boolean) => void] {
  const { kept } = usePanel();
  const [open, setOpen] = useState(() => remembered(kept, id) ?? initial);
  const revealed = usePanelState(({ revealed: last }) =>
    last?.inside && (id === last.row || id.startsWith(`${last.row} `)) ? last : null,
  );
  useLayoutEffect(() => {
    if (!revealed || openedFor.get(id) === revealed) return;
    openedFor.set(id, revealed);
    remember(kept, id, true);
    setOpen(true);
  }, [id, revealed, kept]);
  return [
    open,
    (next) => {
      // An element also reports the state with which it appears.
      if (next !== open) remember(kept, id, next);
      setOpen(next);
    },
  ];
}

function remembered({ value: { rowFolds } }: PersistedPanel, id: string): boolean | undefined {
  return Object.hasOwn(rowFolds, id) ? rowFolds[id] : undefined;
}

function remember(kept: PersistedPanel, id: string, open: boolean): void {
  const others = Object.entries(kept.value.rowFolds).filter(([other]) => other !== id);
  kept.update({ rowFolds: Object.fromEntries([...others.slice(1 - MOST_REMEMBERED), [id, open]]) });
}
