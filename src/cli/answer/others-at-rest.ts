/** Waits for other subtasks when one of them asks a question that nobody can answer. */
import type { Project } from "../../core/agent/project.ts";
import { faceOf } from "../../shared/tool-face.ts";
import { waitsForUser } from "../../shared/view/child-task.ts";
import { type ChatView, rowsOf } from "../../shared/view/reducer.ts";

/**
 * Resolves when no subtask can continue by itself. If a request were cut off, it would be sent and paid for again when the
 * session continues.
 */
export async function othersAtRest(project: Project): Promise<void> {
  const { view } = project;
  if (!someGoOn(view.active.chatView)) return;
  await new Promise<void>((resolve) => {
    const listening = project.onEvent(() => {
      if (someGoOn(view.active.chatView)) return;
      listening.dispose();
      resolve();
    });
  });
}

function someGoOn(view: ChatView): boolean {
  return rowsOf(view).some((row) => {
    if (row.kind !== "call" || row.state !== "running" || faceOf(view.faces, row.tool)?.work !== "task")
      return false;
    // A call without a task has only just begun.
    return !row.task || !waitsForUser(row.task);
  });
}
