/**
 * Tells a screen reader what matters, once: the transcript itself is silent, or every token of a stream would be read.
 */
import { useEffect, useState } from "react";
import { announcement } from "./announcement.ts";
import { usePanel } from "./panel.ts";

export function Announcer() {
  const { t, store } = usePanel();
  const [text, setText] = useState("");
  useEffect(() => {
    let before = store.state.view;
    return store.subscribe(() => {
      const after = store.state.view;
      const said = announcement(t, before, after);
      before = after;
      if (said !== "") setText(said);
    });
  }, [t, store]);
  return (
    <div className="only-heard" role="status" aria-live="polite">
      {text}
    </div>
  );
}
