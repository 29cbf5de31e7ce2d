import type { KeyboardEvent } from "react";

/** True for a key press that an input method consumes to end or control a composition. */
export function isComposing(event: KeyboardEvent): boolean {
  return event.nativeEvent.isComposing || event.keyCode === 229;
}
