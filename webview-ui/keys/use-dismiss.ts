import { type RefObject, useEffect } from "react";

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
