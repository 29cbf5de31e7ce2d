/** Removes payload files that nothing refers to: those of removed sessions and of processes that died. */
import * as z from "../../shared/zod.ts";
import type { PayloadStore } from "./db/payloads.ts";
import type { Replica } from "./journal/replica.ts";

const payloadSchema = z.object({ payload: z.string() });

/** Files checked per queued step, so that other writes do not wait longer. */
const BATCH_SIZE = 500;

/** Milliseconds to wait for the lock. Files that cannot be removed now are removed by a later sweep. */
const SWEEP_WAIT_MS = 200;

/** Returns those of the payloads that a session needs, including sessions of other processes. */
async function usedOf(replica: Replica, payloads: readonly string[]): Promise<ReadonlySet<string>> {
  await replica.refresh();
  const sql = "SELECT payload FROM payload_uses WHERE payload = ? LIMIT 1";
  return new Set(payloads.filter((payload) => replica.db.first(payloadSchema, sql, [payload])));
}

/** True if a row does not identify the file that it needs: any file could be needed. */
function hasInvalidUses({ db, problems }: Replica): boolean {
  const invalid = db.first(
    z.object({ count: z.number() }),
    `SELECT count(*) AS count FROM payload_uses
     WHERE typeof(payload) <> 'text' OR typeof(session_id) <> 'text' OR length(payload) <> 64 OR payload GLOB '*[^0-9a-f]*'`,
  );
  if (!invalid?.count) return false;
  problems.add("rows-unreadable", `payload_uses: ${invalid.count}`);
  return true;
}

/** Returns the payloads that this session needs. Other sessions may need them too. */
export function payloadsOf(replica: Replica, session: string): string[] {
  const sql = "SELECT payload FROM payload_uses WHERE session_id = ?";
  return replica.db.all(payloadSchema, sql, [session]).map((row) => row.payload);
}

/** Removes those of the payloads that no session needs, and returns how many. Requires the store's lock. */
export async function releaseUnused(
  replica: Replica,
  payloads: PayloadStore,
  candidates: readonly string[],
): Promise<number> {
  const used = await usedOf(replica, candidates);
  const unused = candidates.filter((payload) => !used.has(payload));
  await payloads.contents.release(unused, () => usedOf(replica, unused));
  return unused.length;
}

/**
 * Removes payloads that no record refers to, left by processes that died, and returns how many. Does nothing if
 * anything was damaged, because the recovered data may refer to fewer payloads than the original. `enqueue` lets other
 * work of the store run in between.
 */
export async function sweepPayloads(
  replica: Replica,
  payloads: PayloadStore,
  enqueue: <T>(work: () => Promise<T>) => Promise<T>,
): Promise<number> {
  await enqueue(() => replica.read());
  if (!replica.writable || (await replica.hasDamage()) || hasInvalidUses(replica)) return 0;
  const interrupted = await payloads.contents.pendingRemovals();
  const cancelRemovals = () =>
    replica.withLock(() => payloads.contents.cancelRemoval(interrupted), SWEEP_WAIT_MS);
  if (interrupted.length > 0) await enqueue(cancelRemovals);
  const names = await payloads.contents.hashes();
  let removed = 0;
  for (let at = 0; at < names.length; at += BATCH_SIZE) {
    const candidates = names.slice(at, at + BATCH_SIZE);
    removed += await enqueue(async () => {
      const used = await usedOf(replica, candidates);
      const unused = candidates.filter((payload) => !used.has(payload));
      if (unused.length === 0) return 0;
      return replica.withLock(() => releaseUnused(replica, payloads, unused), SWEEP_WAIT_MS);
    });
  }
  return removed;
}
