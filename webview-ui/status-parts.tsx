/** Parts of the line that says what the agent is doing. */
import { type ReactNode, useEffect, useState } from "react";
import { usePanelState } from "./panel.ts";
import { ProgressRing } from "./toolkit/progress-ring.tsx";

export function StatusText({ text, children }: { text: string; children?: ReactNode }) {
  return (
    <div className="status">
      <ProgressRing />
      <span className="status-text">{text}</span>
      {children}
    </div>
  );
}

/** Milliseconds since 1970, updated once a second while mounted and visible. */
export function useNow(): number {
  const [now, setNow] = useState(() => Date.now());
  const hidden = usePanelState((state) => state.hidden);
  useEffect(() => {
    if (hidden) return;
    const tick = () => setNow(Date.now());
    tick();
    const timer = setInterval(tick, 1_000);
    return () => clearInterval(timer);
  }, [hidden]);
  return now;
}
