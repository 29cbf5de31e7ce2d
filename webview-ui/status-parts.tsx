/** Parts of the line that says what the agent is doing. */
import { type ReactNode, useEffect, useState } from "react";
import { ProgressRing } from "./toolkit/progress-ring.tsx";

export function Line({ text, children }: { text: string; children?: ReactNode }) {
  return (
    <div className="status">
      <ProgressRing />
      <span className="status-text">{text}</span>
      {children}
    </div>
  );
}

/** Milliseconds since 1970, updated once a second while mounted. */
export function useNow(): number {
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 1_000);
    return () => clearInterval(timer);
  }, []);
  return now;
}
