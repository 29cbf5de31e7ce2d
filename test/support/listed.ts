/** The overview of a project's tasks, as lines of text. */
import type { Project } from "../../src/core/agent/project.ts";

/** Title and state of each task in the overview. */
export function listedIn({ overview }: Project): string[] {
  return overview.all.map(({ title, state }) => `${title}: ${state}`);
}

/** Resolves when the overview reads so. */
export async function untilListed(project: Project, ...expected: string[]): Promise<void> {
  while (JSON.stringify(listedIn(project)) !== JSON.stringify(expected))
    await new Promise<void>((resolve) => {
      const listening = project.overview.onChange(() => {
        listening.dispose();
        resolve();
      });
    });
}
