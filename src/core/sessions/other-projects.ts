/** What a host knows of the person's other projects on this machine: their sessions, to be read. */
import type { HistoryQuery, SessionSummary } from "../../shared/protocol.ts";
import type { StoredSession } from "./session-store.ts";

export interface OtherProjects {
  /** Of each project the first `limit` sessions of that order, with their project. Leaves no trace in any of them. */
  find(query: HistoryQuery, limit: number): Promise<SessionSummary[]>;
  /** `project` is the key in a summary's `project`; left out: whichever has that session. */
  load(id: string, project?: string): Promise<OtherSession | undefined>;
}

export interface OtherSession {
  session: StoredSession;
  project: NonNullable<SessionSummary["project"]>;
}

/**
 * One list of several in the order asked for. Each is in that order already; a match in this project counts more than
 * one elsewhere.
 */
export function mergedSessions(
  here: readonly SessionSummary[],
  others: readonly SessionSummary[],
  sort: HistoryQuery["sort"],
): SessionSummary[] {
  if (sort === "relevance") return [...here, ...others.toSorted(orders.newest)];
  return [...here, ...others].sort(orders[sort]);
}

type Order = (a: SessionSummary, b: SessionSummary) => number;

const newest: Order = (a, b) => compare(b.updatedAt, a.updatedAt);
const orders: Record<Exclude<HistoryQuery["sort"], "relevance">, Order> = {
  newest,
  oldest: (a, b) => compare(a.startedAt, b.startedAt),
  cost: (a, b) => b.cost - a.cost || newest(a, b),
  tokens: (a, b) => b.tokens - a.tokens || newest(a, b),
};

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
