import { type RefObject, useEffect, useLayoutEffect, useRef } from "react";

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

/**
 * Closes what a button opened: when the user presses Escape, wherever the focus is, and when the user clicks or moves the focus
 * elsewhere. Key handlers of the opened element are not enough, because the element that had the focus may have been removed.
 * `close`: `toButton` returns the focus to the button.
 */
export function useDismiss(
  root: RefObject<HTMLElement | null>,
  button: RefObject<HTMLElement | null>,
  close: (toButton: boolean) => void,
): void {
  useEffect(() => {
    const isInside = (target: EventTarget | null) =>
      target instanceof Node && (root.current?.contains(target) || button.current?.contains(target));
    const onOutside = ({ target }: Event) => {
      if (target instanceof Node && !isInside(target)) close(false);
    };
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.key !== "Escape" || event.isComposing || event.defaultPrevented) return;
      event.preventDefault();
      const { activeElement } = document;
      close(activeElement === document.body || Boolean(isInside(activeElement)));
    };
    document.addEventListener("mousedown", onOutside);
    document.addEventListener("focusin", onOutside);
    window.addEventListener("keydown", onKeyDown);
    return () => {
      document.removeEventListener("mousedown", onOutside);
      document.removeEventListener("focusin", onOutside);
      window.removeEventListener("keydown", onKeyDown);
    };
  }, [root, button, close]);
}
