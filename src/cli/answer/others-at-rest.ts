/** Waits for other subtasks when one of them asks a question that nobody can answer. */
import type { TaskManager } from "../../core/agent/manager.ts";
import { faceOf } from "../../shared/tool-face.ts";
import { waitsForUser } from "../../shared/view/child-task.ts";
import { rowsOf } from "../../shared/view/reducer.ts";

/**
 * Resolves when no subtask can continue by itself. If a request were cut off, it would be sent and paid for again when the
 * session continues.
 */
export async function othersAtRest(manager: Pick<TaskManager, "view" | "onEvent">): Promise<void> {
  if (!someGoOn(manager)) return;
  await new Promise<void>((resolve) => {
    const listening = manager.onEvent(() => {
      if (someGoOn(manager)) return;
      listening.dispose();
      resolve();
    });
  });
}

function someGoOn({ view }: Pick<TaskManager, "view">): boolean {
  return rowsOf(view).some((row) => {
    if (row.kind !== "call" || row.state !== "running" || faceOf(view.faces, row.tool)?.work !== "task")
      return false;
    // A call without a task has only just begun.
    return !row.task || !waitsForUser(row.task);
  });
}
