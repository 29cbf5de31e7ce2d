/** Finds the sessions of Claude Code: one file each, in a folder for each project. */
import path from "node:path";
import { claudeReader } from "../../core/sessions/import/claude-code.ts";
import { fileStats, filesIn, foldersIn } from "./folder-entries.ts";
import type { FindOptions, FoundProduct } from "./found-session.ts";
import { lineSession } from "./line-session.ts";

export async function findClaude({ environment, home }: FindOptions): Promise<FoundProduct> {
  const { CLAUDE_CONFIG_DIR } = environment;
  const projects = path.join(CLAUDE_CONFIG_DIR || path.join(home, ".claude"), "projects");
  const found: FoundProduct = { product: "claude", places: [], sessions: [], problems: [] };
  const { sessions, problems } = found;
  for (const project of await foldersIn(projects, problems)) {
    const folder = path.join(projects, project);
    for (const name of await filesIn(folder, problems)) {
      // Files of subagents belong to another session.
      if (!name.endsWith(".jsonl") || name.startsWith("agent-")) continue;
      const file = path.join(folder, name);
      const stats = await fileStats(file);
      const id = name.slice(0, -".jsonl".length);
      if (!stats || stats.size === 0) continue;
      const session = await lineSession({
        product: "claude",
        id,
        file,
        stats,
        reader: () => claudeReader(id),
      });
      if (session) sessions.push(session);
    }
  }
  if (sessions.length > 0 || problems.length > 0) found.places.push(projects);
  return found;
}
