/** Finds the sessions of other agents on this machine. Their files are only read, and never those with keys. */
import type { AgentProduct } from "../../shared/history/session-origin.ts";
import { findClaude } from "./find-claude.ts";
import { findCodex } from "./find-codex.ts";
import { findOpencode } from "./find-opencode.ts";
import { findCline, findKilo, findRoo, findZoo } from "./find-tasks.ts";
import type { FindOptions, FoundProduct } from "./found-session.ts";

const FINDERS: Readonly<Record<AgentProduct, (options: FindOptions) => Promise<FoundProduct>>> = {
  cline: findCline,
  roo: findRoo,
  zoo: findZoo,
  kilo: findKilo,
  claude: findClaude,
  codex: findCodex,
  opencode: findOpencode,
};

/** The products in the order of `products` that have sessions or problems; sessions are listed the newest first. */
export async function findSessions(
  products: readonly AgentProduct[],
  options: FindOptions,
): Promise<FoundProduct[]> {
  const found: FoundProduct[] = [];
  for (const product of products) {
    const one = await FINDERS[product](options);
    if (one.sessions.length === 0 && one.problems.length === 0) continue;
    one.sessions.sort((a, b) => (a.updatedAt < b.updatedAt ? 1 : -1));
    found.push(one);
  }
  return found;
}
