import { useState } from "react";

/** What the person folded and unfolded, by row; rows out of sight are not on the page and would forget it. */
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
