/**
 * Announces important changes to a screen reader, once. The transcript itself is silent, or a screen reader would read
 * every token of a stream.
 */
import { useEffect, useState } from "react";
import { usePanel } from "./panel.ts";

export function Announcer() {
  const { t, store } = usePanel();
  const [text, setText] = useState("");
  useEffect(() => {
    let before = store.state.view;
    let unsubscribe: (() => void) | undefined;
    let isOver = false;
    // The texts load after the panel does; changes made in the meantime are announced then.
    void import("./announcement.ts").then(({ announcement }) => {
      if (isOver) return;
      const announce = () => {
        const after = store.state.view;
        const said = announcement(t, before, after);
        before = after;
        if (said !== "") setText(said);
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
    <div className="only-heard" role="status" aria-live="polite">
      {text}
    </div>
  );
}
