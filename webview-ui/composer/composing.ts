import type { KeyboardEvent } from "react";

/** True for a key press that belongs to an input method: it ends or steers a composition, and nothing else. */
export function isComposing(event: KeyboardEvent): boolean {
  return event.nativeEvent.isComposing || event.keyCode === 229;
}
