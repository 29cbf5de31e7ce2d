import { type RefObject, useEffect } from "react";

/** Calls `leave` when the user presses outside of the element and of the button that opened it. */
export function useOutside(
  root: RefObject<HTMLElement | null>,
  button: RefObject<HTMLElement | null>,
  leave: () => void,
): void {
  useEffect(() => {
    const pressed = ({ target }: MouseEvent) => {
      if (!(target instanceof Node)) return;
      if (!root.current?.contains(target) && !button.current?.contains(target)) leave();
    };
    document.addEventListener("mousedown", pressed);
    return () => document.removeEventListener("mousedown", pressed);
  }, [root, button, leave]);
}
