/** Changes to a list in which sessions contain child sessions. */
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
