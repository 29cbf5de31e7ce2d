/** Reports the history of a session that an editor loads, as it was reported when it happened. */

import { presentationOf } from "../shared/tool-presentation.ts";
import { unreachable } from "../shared/unreachable.ts";
import { type CallRow, type Row, rowsOf } from "../shared/view/reducer.ts";
import { noticeText } from "../shared/words/notice-words.ts";
import type { AcpParts } from "./acp-parts.ts";
import type { EditorProject } from "./project/open-editor-project.ts";
import { type Diff, recordedDiffs } from "./recorded-diffs.ts";
import { comparedText, hasChanges, planReport, saidText, severityOf } from "./report-texts.ts";
import type { Report } from "./reports.ts";
import { callReport, isSaid } from "./session-call.ts";

export interface ReplayDeps {
  editorProject: Pick<EditorProject, "view" | "host">;
  parts: Pick<AcpParts, "t" | "errorText">;
  report(report: Report): void;
  asks: boolean;
  /** Called when the rows to replay have been read. What happens afterwards is not replayed. */
  onSnapshot(): void;
}

export async function replay(deps: ReplayDeps): Promise<void> {
  const { editorProject, report, onSnapshot } = deps;
  const { view } = editorProject;
  await view.active.showEarlier({ all: true });
  const rows = rowsOf(view.active.chatView);
  const { todo } = view.active.chatView;
  onSnapshot();
  for (const row of rows) await replayRow(row, deps);
  if (todo !== "") report(planReport(todo));
}

async function replayRow(row: Row, deps: ReplayDeps): Promise<void> {
  const { report, parts, editorProject } = deps;
  const { t } = parts;
  switch (row.kind) {
    case "user":
      if (row.text !== "") report({ type: "said", by: "user", message: row.id, text: row.text });
      for (let index = 0; index < (row.images ?? 0); index++) {
        const image = editorProject.view.active.texts.sentImage(row.id, index);
        if (image) report({ type: "picture", message: row.id, ...image });
      }
      return;
    case "text":
      return report({ type: "said", by: "agent", message: row.id, text: row.text });
    case "reasoning":
      return report({ type: "said", by: "thought", message: row.id, text: row.text });
    case "call":
      return replayCall(row, deps);
    case "comparison":
      row.answers.forEach((answer, index) => {
        const text = comparedText(t, answer);
        report({ type: "said", by: "agent", message: `${row.id}:${index}`, text });
      });
      return;
    case "notice":
      return report({
        type: "notice",
        severity: severityOf(row.code, row.values),
        text: noticeText(t, row.code, row.values),
      });
    case "error":
      return report({ type: "notice", severity: "error", text: parts.errorText(row.error) });
    case "checkpoint":
      // The changes are part of the call that made them.
      return;
    default:
      unreachable(row);
  }
}

async function replayCall(row: CallRow, { editorProject, parts, report, asks }: ReplayDeps): Promise<void> {
  const { view, host } = editorProject;
  const { faces } = view.active.chatView;
  if (isSaid(presentationOf(faces, row.tool))) {
    const text = saidText(row, asks);
    if (text !== "") report({ type: "said", by: "agent", message: row.id, text });
    return;
  }
  const diffs: Diff[] = hasChanges(row)
    ? await recordedDiffs(view.active.checkpoints, row.id, host.encodings)
    : [];
  report({
    type: "call",
    call: callReport(row, { faces, root: host.workspace.root ?? "", t: parts.t, diffs }),
  });
}
