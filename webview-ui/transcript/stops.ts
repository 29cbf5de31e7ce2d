/** The rows between which Alt+Up and Alt+Down move: messages of the user and the agent, not each step of work. */
import { faceOf, type ToolFaces } from "../../src/shared/tool-face.ts";
import { type ChatView, type Row, rowsOf } from "../../src/shared/view/reducer.ts";
import { foldsAround, layoutOf } from "../turns/layout.ts";
import { openFolds } from "../turns/open-folds.ts";

const SAID = new Set(["question", "proposal", "plan", "result"]);

function isMessage(row: Row, faces: ToolFaces): boolean {
  switch (row.kind) {
    case "user":
    case "text":
    case "error":
    case "comparison":
      return true;
    case "call":
      return row.state === "approval" || SAID.has(faceOf(faces, row.tool)?.row ?? "");
    case "reasoning":
    case "checkpoint":
    case "notice":
      return false;
  }
}

/**
 * The id of the message on the page before or after the row `from`; null for `from` means the end of the conversation. undefined:
 * there is none among the loaded rows.
 */
export function messageNextTo(view: ChatView, from: string | null, step: 1 | -1): string | undefined {
  const rows = rowsOf(view);
  const layout = layoutOf(view);
  const start = from === null ? rows.length : rows.findLastIndex(({ id }) => id === from);
  for (let at = start + step; at >= 0 && at < rows.length; at += step) {
    const row = rows[at];
    if (!row || !isMessage(row, view.faces)) continue;
    if (foldsAround(layout, at).every(({ id }) => openFolds.current.has(id))) return row.id;
  }
  return undefined;
}
