/** A hint for a project that has no sessions because its folder was renamed or moved. */
import type { Library } from "../../core/agent/session-library.ts";
import { MOST_SEARCHED, movedProjects } from "../../shared/history/session-lists.ts";
import { historyQuerySchema } from "../../shared/protocol.ts";
import type { Translate } from "../../shared/words/task-words.ts";
import { oneLine } from "../screen.ts";

/** The command that copies a session of another project into this one. */
export function copyCommand(id: string): string {
  return `nekode --export ${id} --all-projects --format json > task.json && nekode --import task.json`;
}

/** Names the last session of each project whose folder no longer exists, and how to continue it here; "": there is none. */
export async function movedSessionsText(library: Library, t: Translate): Promise<string> {
  const asked = {
    text: "",
    sort: "newest",
    allProjects: true,
    offset: 0,
    limit: MOST_SEARCHED,
    grouped: true,
  };
  const { sessions } = await library.find(historyQuerySchema.parse(asked));
  const shown = movedProjects(sessions);
  if (shown.length === 0) return "";
  const lines = shown.flatMap(({ id, title, project }) => [
    `  ${oneLine(project.name)}: ${oneLine(title)}`,
    `    ${copyCommand(id)}`,
  ]);
  const found = t(
    "These projects have sessions, but their folders no longer exist. If this folder is one of them and was renamed or moved, copy a session into it:",
  );
  return `${found}\n${lines.join("\n")}\n`;
}
