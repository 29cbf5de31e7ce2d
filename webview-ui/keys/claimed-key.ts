import type { KeyboardEvent } from "react";

/** True for a key press that the panel must not handle: an input method consumes it, or it ends a chord of VS Code. */
export function isClaimedKey(event: KeyboardEvent): boolean {
  return event.nativeEvent.isComposing || event.keyCode === 229 || event.defaultPrevented;
}
