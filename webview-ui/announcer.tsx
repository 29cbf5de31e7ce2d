/**
 * Announces important changes to a screen reader, once. The transcript itself is silent, or a screen reader would read
 * every token of a stream.
 */
import { useEffect, useState } from "react";
import { emptyView } from "../src/shared/view/reducer.ts";
import { usePanel } from "./panel.ts";

export function Announcer() {
  const { t, store } = usePanel();
  const [message, setMessage] = useState({ text: "", turn: 0 });
  useEffect(() => {
    const viewNow = () => (store.state.opened ? store.state.view : emptyView);
    let before = viewNow();
    let unsubscribe: (() => void) | undefined;
    let isOver = false;
    // The texts load after the panel. Changes made in the meantime are announced once they have loaded.
    void import("./announcement.ts").then(({ announcement }) => {
      if (isOver) return;
      const announce = () => {
        const after = viewNow();
        const text = announcement(t, before, after);
        const isOther = before.session?.id !== after.session?.id;
        before = after;
        // An announcement about another session would sound as if it were about this one.
        if (text !== "" || isOther) setMessage(({ turn }) => ({ text, turn: turn + 1 }));
      };
      unsubscribe = store.subscribe(announce);
      announce();
    });
    return () => {
      isOver = true;
      unsubscribe?.();
    };
  }, [t, store]);
  return (
    <div className="only-heard announcer" role="status" aria-live="polite">
      {/* A new element each time: words that are repeated are announced again. */}
      <span key={message.turn}>{message.text}</span>
    </div>
  );
}
