/** Lists of sessions: changes to one in which sessions contain others, and the projects whose folders were moved. */
import type { SessionSummary } from "./history-protocol.ts";

type Patch = Partial<Omit<SessionSummary, "children">>;

/** Returns the list with the change that `patchOf` returns for each session, including child sessions; undefined: no change. */
export function patchSessions(
  sessions: readonly SessionSummary[],
  patchOf: (session: SessionSummary) => Patch | undefined,
): SessionSummary[] {
  return sessions.map((session) => {
    const { children } = session;
    const patched = { ...session, ...patchOf(session) };
    return children ? { ...patched, children: patchSessions(children, patchOf) } : patched;
  });
}

/** Returns the list without a session, also if it is a child session. */
export function withoutSession(sessions: readonly SessionSummary[], id: string): SessionSummary[] {
  return sessions.flatMap((session) => {
    if (session.id === id) return [];
    const { children } = session;
    return [children ? { ...session, children: withoutSession(children, id) } : session];
  });
}

/** Maximum number of projects that are offered, and of sessions that are searched for them. */
const MOST_PROJECTS = 3;
export const MOST_SEARCHED = 200;

export type MovedSession = SessionSummary & { project: NonNullable<SessionSummary["project"]> };

/**
 * The newest session of each project whose folder no longer exists. A project without sessions may be one of these, whose folder
 * was renamed or moved. `sessions`: those of all projects, the newest first.
 */
export function movedProjects(sessions: readonly SessionSummary[]): MovedSession[] {
  const latest = new Map<string, MovedSession>();
  for (const session of sessions) {
    const { project, parent } = session;
    if (!project || project.folder !== undefined || parent) continue;
    if (!latest.has(project.key)) latest.set(project.key, { ...session, project });
  }
  return [...latest.values()].slice(0, MOST_PROJECTS);
}
