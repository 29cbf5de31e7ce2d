/** Projects whose folders no longer exist. If a project has no sessions, its folder may be one of them, renamed or moved. */
import type { SessionSummary } from "./history-protocol.ts";

/** Projects that are offered, and sessions in which they are looked for. */
const MOST_PROJECTS = 3;
export const MOST_SEARCHED = 200;

export type MovedSession = SessionSummary & { project: NonNullable<SessionSummary["project"]> };

/** The newest session of each such project. `sessions`: of all projects, the newest first. */
export function movedProjects(sessions: readonly SessionSummary[]): MovedSession[] {
  const latest = new Map<string, MovedSession>();
  for (const session of sessions) {
    const { project, parent } = session;
    if (!project || project.folder !== undefined || parent) continue;
    if (!latest.has(project.key)) latest.set(project.key, { ...session, project });
  }
  return [...latest.values()].slice(0, MOST_PROJECTS);
}
