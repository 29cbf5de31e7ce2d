/** The overview of a project's tasks, as lines of text. */
import type { TaskManager } from "../../src/core/agent/manager.ts";

/** Title and state of each task in the overview. */
export function listedIn({ together }: TaskManager): string[] {
  return together.overview.all.map(({ title, state }) => `${title}: ${state}`);
}

/** Resolves when the overview reads so. */
export async function untilListed(manager: TaskManager, ...expected: string[]): Promise<void> {
  while (JSON.stringify(listedIn(manager)) !== JSON.stringify(expected))
    await new Promise<void>((resolve) => {
      const listening = manager.together.overview.onChange(() => {
        listening.dispose();
        resolve();
      });
    });
}
