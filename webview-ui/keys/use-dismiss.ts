import { type RefObject, useEffect } from "react";

/**
 * Closes what a button opened: by Escape, wherever the focus is, and by a press or a focus elsewhere. What had the focus in it may be
 * gone, so its own handlers of keys are not enough. `close`: `toButton` returns the focus to the button.
 */
export function useDismiss(
  root: RefObject<HTMLElement | null>,
  button: RefObject<HTMLElement | null>,
  close: (toButton: boolean) => void,
): void {
  useEffect(() => {
    const isInside = (target: EventTarget | null) =>
      target instanceof Node && (root.current?.contains(target) || button.current?.contains(target));
    const left = ({ target }: Event) => {
      if (target instanceof Node && !isInside(target)) close(false);
    };
    const pressed = (event: KeyboardEvent) => {
      if (event.key !== "Escape" || event.isComposing || event.defaultPrevented) return;
      event.preventDefault();
      const { activeElement } = document;
      close(activeElement === document.body || Boolean(isInside(activeElement)));
    };
    document.addEventListener("mousedown", left);
    document.addEventListener("focusin", left);
    window.addEventListener("keydown", pressed);
    return () => {
      document.removeEventListener("mousedown", left);
      document.removeEventListener("focusin", left);
      window.removeEventListener("keydown", pressed);
    };
  }, [root, button, close]);
}
