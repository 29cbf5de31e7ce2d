/** Files beside the database that nothing refers to: of sessions that are gone, and of processes that died. */
import * as z from "zod";
import type { PayloadStore } from "./db/payloads.ts";
import type { Replica } from "./journal/replica.ts";

const payloadSchema = z.object({ payload: z.string() });

/** Files looked at in one turn: who has something to write waits for no more. */
const inOneTurn = 500;

/** Milliseconds to wait for the lock: what is not freed now is freed another time. */
const sweepWaitMs = 200;

/** Of these, the payloads that a session needs, as all processes left it. */
async function usedOf(replica: Replica, payloads: readonly string[]): Promise<ReadonlySet<string>> {
  await replica.refresh();
  const sql = "SELECT payload FROM payload_uses WHERE payload = ? LIMIT 1";
  return new Set(payloads.filter((payload) => replica.db.first(payloadSchema, sql, [payload])));
}

/** A row that does not say which file is needed: any file could be meant. */
function hasUnfitUses({ db, problems }: Replica): boolean {
  const unfit = db.first(
    z.object({ count: z.number() }),
    `SELECT count(*) AS count FROM payload_uses
     WHERE typeof(payload) <> 'text' OR typeof(session_id) <> 'text' OR length(payload) <> 64 OR payload GLOB '*[^0-9a-f]*'`,
  );
  if (!unfit?.count) return false;
  problems.add("rows-unreadable", `payload_uses: ${unfit.count}`);
  return true;
}

/** The payloads that this session needs, perhaps with others. */
export function payloadsOf(replica: Replica, session: string): string[] {
  const sql = "SELECT payload FROM payload_uses WHERE session_id = ?";
  return replica.db.all(payloadSchema, sql, [session]).map((row) => row.payload);
}

/** Removes those that no session needs; how many. Under the store's lock. */
export async function releaseUnused(
  replica: Replica,
  payloads: PayloadStore,
  some: readonly string[],
): Promise<number> {
  const used = await usedOf(replica, some);
  const unused = some.filter((payload) => !used.has(payload));
  await payloads.contents.release(unused, () => usedOf(replica, unused));
  return unused.length;
}

/**
 * Removes what processes that died have left: written, and named by no record. Not where something was damaged: what was
 * recovered may name less than there was. `inTurn` lets the store's other work come in between. How many were removed.
 */
export async function sweepPayloads(
  replica: Replica,
  payloads: PayloadStore,
  inTurn: <T>(work: () => Promise<T>) => Promise<T>,
): Promise<number> {
  if (!replica.writable || (await replica.hasDamage()) || hasUnfitUses(replica)) return 0;
  const cutOff = await payloads.contents.leaving();
  const bringBack = () => replica.withLock(() => payloads.contents.bringBack(cutOff), sweepWaitMs);
  if (cutOff.length > 0) await inTurn(bringBack);
  const names = await payloads.contents.hashes();
  let removed = 0;
  for (let at = 0; at < names.length; at += inOneTurn) {
    const some = names.slice(at, at + inOneTurn);
    removed += await inTurn(async () => {
      const used = await usedOf(replica, some);
      const unused = some.filter((payload) => !used.has(payload));
      if (unused.length === 0) return 0;
      return replica.withLock(() => releaseUnused(replica, payloads, unused), sweepWaitMs);
    });
  }
  return removed;
}
