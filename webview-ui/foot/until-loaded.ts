/**
 * Handlers of a button that opens something whose chunk may not be loaded yet. Until it is loaded, Escape or moving the focus
 * elsewhere keeps it from opening. After that, it has the focus and handles its own keys.
 */
import type { FocusEvent, KeyboardEvent } from "react";

/** `close`: `toButton` returns the focus to the button. */
export function untilLoaded(open: boolean, close: (toButton: boolean) => void) {
  return {
    onKeyDown(event: KeyboardEvent): void {
      if (!open || event.key !== "Escape") return;
      event.preventDefault();
      event.stopPropagation();
      close(true);
    },
    onBlur({ relatedTarget }: FocusEvent): void {
      if (open && relatedTarget?.closest(".picker") == null) close(false);
    },
  };
}
