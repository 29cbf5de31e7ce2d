/** Escape stops the agent when it is pressed twice. */
import { type KeyboardEvent, useEffect, useRef } from "react";
import { usePanel, useView } from "../panel.ts";
import { isClaimedKey } from "./claimed-key.ts";

/** Elements that Escape closes instead of stopping the agent. */
const MENUS = '[role="menu"], [role="listbox"], [role="dialog"], dialog[open]';

/** Listeners for the element that contains the conversation. Any other key or press forgets the first Escape. */
export function useEscape(): { onKeyDown(event: KeyboardEvent): void; onPointerDown(): void } {
  const { actions, store } = usePanel();
  const busy = useView(({ status }) => status !== "idle" && status !== "stopping");
  const armed = useRef(false);
  const arm = (next: boolean) => {
    if (armed.current === next) return;
    armed.current = next;
    store.stopNext(next);
  };
  useEffect(() => {
    if (!busy) {
      armed.current = false;
      store.stopNext(false);
    }
  }, [busy, store]);
  return {
    onKeyDown(event) {
      // Keys that a menu or an input method uses are not meant for the agent.
      if (isClaimedKey(event)) return;
      const { ctrlKey, metaKey, altKey, shiftKey, key } = event;
      if (key !== "Escape" || ctrlKey || metaKey || altKey || shiftKey) return arm(false);
      if (!busy || event.repeat || document.querySelector(MENUS) !== null) return;
      event.preventDefault();
      if (armed.current) actions.run("chat/stop", {});
      arm(!armed.current);
    },
    onPointerDown: () => arm(false),
  };
}
