/** The current activity, in one line. Its seconds are only for display; nothing waits for them. */
import { useEffect, useState } from "react";
import { faceOf } from "../src/shared/tool-face.ts";
import { callPhrase, retryText } from "../src/shared/words/task-words.ts";
import { usePanel, useView } from "./panel.ts";
import { runningCall } from "./rows/open-end.ts";
import { Button } from "./toolkit/button.tsx";
import { ProgressRing } from "./toolkit/progress-ring.tsx";

export function StatusLine() {
  const { t } = usePanel();
  const status = useView((view) => view.status);
  const running = useView(runningCall);
  const face = useView((view) => running && faceOf(view.faces, running.tool));
  switch (status) {
    case "idle":
    case "approval":
      return null;
    case "waiting":
      return <Waiting />;
    case "retrying":
      return <Retrying />;
    case "streaming":
      return <Line text={t("Responding…")} />;
    case "stopping":
      return <Line text={t("Stopping…")} />;
    case "running":
      return <Line text={running ? callPhrase(t, face, running) : t("Working…")} />;
  }
}

function Line({ text, children }: { text: string; children?: React.ReactNode }) {
  return (
    <div className="status">
      <ProgressRing />
      <span className="status-text">{text}</span>
      {children}
    </div>
  );
}

/** Milliseconds since 1970, updated once a second while mounted. */
function useNow(): number {
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 1_000);
    return () => clearInterval(timer);
  }, []);
  return now;
}

function Waiting() {
  const { t } = usePanel();
  const [since] = useState(() => Date.now());
  const seconds = Math.floor((useNow() - since) / 1_000);
  // A quick answer should not flash a timer.
  return seconds < 1 ? (
    <div className="status" />
  ) : (
    <Line text={t("Waiting for the model… {0} s", seconds)} />
  );
}

function Retrying() {
  const { t, actions } = usePanel();
  const retry = useView((view) => view.retry);
  const now = useNow();
  if (!retry) return null;
  const left = Math.ceil((Date.parse(retry.at) - now) / 1_000);
  return (
    <Line text={retryText(t, retry, left)}>
      <Button onPress={() => actions.run("chat/stop", {})}>{t("Cancel")}</Button>
    </Line>
  );
}
