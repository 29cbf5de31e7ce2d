/** The tasks that a task started, where one of them asks what nobody can answer. */
import type { TaskManager } from "../../core/agent/manager.ts";
import { faceOf } from "../../shared/tool-face.ts";
import { waitsForUser } from "../../shared/view/child-task.ts";
import { rowsOf } from "../../shared/view/reducer.ts";

/**
 * Resolves when no started task can go on by itself: a request that is cut off would be sent, and paid for, once more when the
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
    // One without a task is only beginning.
    return !row.task || !waitsForUser(row.task);
  });
}
