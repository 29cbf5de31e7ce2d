import { useState } from "react";

/** Which folds the user opened and closed, by row; rows out of view are unmounted and would lose this state. */
const folds = new Map<string, boolean>();

export function useFold(id: string, initial: boolean): [open: boolean, set: (open: boolean) => void] {
  const [open, setOpen] = useState(() => folds.get(id) ?? initial);
  return [
    open,
    (next) => {
      folds.set(id, next);
      setOpen(next);
    },
  ];
}
