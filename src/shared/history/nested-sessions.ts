/** Changes to a list in which sessions have others under them. */
import type { SessionSummary } from "./history-protocol.ts";

type Patch = Partial<Omit<SessionSummary, "children">>;

/** Returns the list with what `patchOf` changes in each session, also in those under others; undefined: nothing. */
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

/** Returns the list without a session, wherever in it that is. */
export function withoutSession(sessions: readonly SessionSummary[], id: string): SessionSummary[] {
  return sessions.flatMap((session) => {
    if (session.id === id) return [];
    const { children } = session;
    return [children ? { ...session, children: withoutSession(children, id) } : session];
  });
}
