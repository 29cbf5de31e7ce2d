/** Read-only access to the sessions of the user's other projects on this machine. */
import type { TaskHere } from "../../shared/history/history-protocol.ts";
import type { HistoryQuery, SessionSummary } from "../../shared/protocol.ts";
import type { StoredSession } from "./session-store.ts";

export interface OtherProjects {
  /**
   * Returns the first `limit` sessions of each project in the query's order, with their project. Changes nothing in
   * these projects.
   */
  find(query: HistoryQuery, limit: number): Promise<SessionSummary[]>;
  /** `project` is the key from a summary's `project`; if omitted, all projects are searched for the session. */
  load(id: string, project?: string): Promise<OtherSession | undefined>;
  /** The task in whose worktree this project's folder is; undefined: none is known. Never rejects. */
  taskHere(): Promise<TaskHere | undefined>;
}

export interface OtherSession {
  session: StoredSession;
  project: NonNullable<SessionSummary["project"]>;
}

/**
 * Merges several lists, each already in the requested order. By relevance, matches in this project precede matches in
 * others.
 */
export function mergeSessions(
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
