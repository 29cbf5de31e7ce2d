/**
 * The last row of a conversation while the agent works: what it is doing, unless the row before it says that. Its seconds are
 * only for display; nothing waits for them.
 */
import { useState } from "react";
import { speaksToUser } from "../../src/shared/speaks-to-user.ts";
import { presentationOf, type ToolPresentation } from "../../src/shared/tool-presentation.ts";
import type { CallRow, ChatView } from "../../src/shared/view/reducer.ts";
import { callPhrase, type Translate } from "../../src/shared/words/task-words.ts";
import { onDemand } from "../on-demand.tsx";
import { usePanel, useView } from "../panel.ts";
import { runningCall } from "../rows/open-end.ts";
import { StatusText, useNow } from "../status-parts.tsx";

const Retrying = onDemand(() => import("../retrying.tsx"));

export function ProgressRow() {
  const { t } = usePanel();
  const status = useView((view) => view.status);
  const isShown = useView(showsProgress);
  const running = useView(runningCall);
  const presentation = useView((view) => running && presentationOf(view.faces, running.tool));
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
      return isShown ? null : <StatusText text={t("Responding…")} />;
    case "stopping":
      return <StatusText text={t("Stopping…")} />;
    case "running":
      return isShown ? null : <StatusText text={runningText(t, presentation, running)} />;
  }
}

/** Whether the last row has a ring at its end. An answer has it above its words, which may fill the page. */
function showsProgress({ live, settled, faces }: ChatView): boolean {
  const last = live.at(-1) ?? settled.at(-1);
  if (last?.kind === "reasoning") return last.streaming;
  if (last?.kind !== "call" || speaksToUser(faces, last.tool)) return false;
  return last.state === "running" || last.state === "streaming";
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
