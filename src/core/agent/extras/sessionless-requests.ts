/** Requests that belong to no session: the model for Act answers, and what they cost counts for the day. */
import { modelFor } from "../../../shared/models/connection.ts";
import { emptyTotals } from "../../../shared/totals.ts";
import type { DailySpending } from "../daily-spending.ts";
import type { SessionParts } from "../session-parts.ts";
import type { ExtraRequestDeps } from "./extra-request.ts";

export interface SessionlessDeps
  extends Pick<SessionParts, "host" | "settings" | "apiKey" | "profiles" | "keys"> {
  /** What requests cost today on this machine. Default: not counted. */
  spending?: Pick<DailySpending, "today" | "add">;
}

export function countedForDay(deps: SessionlessDeps): SessionlessDeps & ExtraRequestDeps {
  return {
    ...deps,
    conversation: {
      modelChoice: (settings) => modelFor(settings, "act"),
      totals: emptyTotals,
      addUsage: async (spent) => {
        for (const { cost = 0, requests } of spent) deps.spending?.add({ cost, requests });
      },
    },
    session: { busy: false, idle: Promise.resolve() },
  };
}
