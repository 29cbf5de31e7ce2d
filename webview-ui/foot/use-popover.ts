import { type RefObject, useLayoutEffect, useRef } from "react";
import { useDismiss } from "../keys/use-dismiss.ts";

export interface PopoverProps {
  /** The button that opened it. */
  button: RefObject<HTMLButtonElement | null>;
  close(toButton: boolean): void;
}

/**
 * Moves the focus to the element of the popover that `first` returns, and closes the popover when the user leaves it and its
 * button. `first` must always be the same function. Returns the ref of the popover.
 */
export function usePopover(
  { button, close }: PopoverProps,
  first: (popover: HTMLElement) => HTMLElement | null,
): RefObject<HTMLDivElement | null> {
  const root = useRef<HTMLDivElement>(null);
  // Sets the focus in the frame that draws the popover. Later, it would take the focus from wherever a quick key press has
  // moved it.
  useLayoutEffect(() => {
    if (root.current) first(root.current)?.focus();
  }, [first]);
  useDismiss(root, button, close);
  return root;
}
