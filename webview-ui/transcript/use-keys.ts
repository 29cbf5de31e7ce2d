/**
 * Keys of the conversation, from anywhere in the chat: Alt+Up and Alt+Down move the focus from message to message, after
 * the last one to the input; Ctrl+F finds a text; Alt+F2 opens an answer as plain text.
 */
import { type RefObject, useEffect } from "react";
import { usePanel } from "../panel.ts";
import type { ScrollNavigator } from "./scroll-navigator.ts";

const isMac = /Mac/.test(navigator.userAgent);

type Command = "up" | "down" | "find" | "plain";

function commandOf({ key, altKey, ctrlKey, metaKey, shiftKey }: KeyboardEvent): Command | undefined {
  if (shiftKey) return undefined;
  if (altKey && !ctrlKey && !metaKey) {
    if (key === "ArrowUp") return "up";
    if (key === "ArrowDown") return "down";
    return key === "F2" ? "plain" : undefined;
  }
  const isFind = key.toLowerCase() === "f" && !altKey && (isMac ? metaKey && !ctrlKey : ctrlKey && !metaKey);
  return isFind ? "find" : undefined;
}

export function useConversationKeys(scrollNavigator: RefObject<ScrollNavigator | null>): void {
  const { store, composer, actions } = usePanel();
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      const command = commandOf(event);
      if (!command || event.defaultPrevented || store.state.screen !== "chat") return;
      event.preventDefault();
      // VS Code, whose listener is on the window, would search in the editor beside the panel too.
      event.stopPropagation();
      if (command === "find") store.find();
      else if (command === "plain") {
        const row = scrollNavigator.current?.focused;
        actions.run("host/show-answer", row === undefined ? {} : { row });
      } else {
        void scrollNavigator.current?.step(command === "up" ? -1 : 1).then((moved) => {
          if (!moved) composer.focus();
        });
      }
    };
    document.addEventListener("keydown", onKeyDown);
    return () => document.removeEventListener("keydown", onKeyDown);
  }, [scrollNavigator, store, composer, actions]);
}
