/** The current activity, in one line. Its seconds are only for display; nothing waits for them. */
import { useState } from "react";
import { presentationOf, type ToolPresentation } from "../src/shared/tool-presentation.ts";
import type { CallRow } from "../src/shared/view/reducer.ts";
import { callPhrase, type Translate } from "../src/shared/words/task-words.ts";
import { onDemand } from "./on-demand.tsx";
import { usePanel, usePanelState, useView } from "./panel.ts";
import { runningCall } from "./rows/open-end.ts";
import { StatusText, useNow } from "./status-parts.tsx";

const Retrying = onDemand(() => import("./retrying.tsx"));

export function StatusLine() {
  const { t } = usePanel();
  const status = useView((view) => view.status);
  const stopsNext = usePanelState((state) => state.stopsNext);
  const running = useView(runningCall);
  const presentation = useView((view) => running && presentationOf(view.faces, running.tool));
  if (stopsNext && status !== "idle" && status !== "stopping") {
    return (
      <div role="status">
        <StatusText text={t("Press Esc again to stop")} />
      </div>
    );
  }
  switch (status) {
    case "idle":
    case "approval":
      return null;
    case "queued":
      return <StatusText text={t("Waiting until another task is done…")} />;
    case "waiting":
      return <Waiting />;
    case "retrying":
      return <Retrying fallback={<div className="status" />} />;
    case "streaming":
      return <StatusText text={t("Responding…")} />;
    case "stopping":
      return <StatusText text={t("Stopping…")} />;
    case "running":
      return <StatusText text={runningText(t, presentation, running)} />;
  }
}

function runningText(
  t: Translate,
  presentation: ToolPresentation | undefined,
  running: CallRow | undefined,
): string {
  if (running === undefined) return t("Working…");
  return running.waits ? t("Waiting for input") : callPhrase(t, presentation, running);
}

function Waiting() {
  const { t } = usePanel();
  const [since] = useState(() => Date.now());
  const seconds = Math.floor((useNow() - since) / 1_000);
  // A quick answer should not flash a timer.
  return seconds < 1 ? (
    <div className="status" />
  ) : (
    <StatusText text={t("Waiting for the model… {0} s", seconds)} />
  );
}
