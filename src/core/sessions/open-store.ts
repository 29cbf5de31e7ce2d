/** Opens the session store of a project. */
import type { Storage } from "../ports/storage.ts";
import type { Assets, Clock, Log } from "../ports/system.ts";
import { Claims } from "./claims.ts";
import { PACK_ABOVE } from "./db/packs.ts";
import { PayloadStore } from "./db/payloads.ts";
import { Replica } from "./journal/replica.ts";
import { withSaveErrors } from "./problems.ts";
import type { SessionStore } from "./session-store.ts";
import { PASSING_WAIT_MS, Store } from "./store.ts";

/**
 * Writes nothing unless the database needs a repair or a migration; with `readOnly`, not even then. The other options
 * are for tests: `migrations` of a later version, and `packAbove`, the size of a database in bytes above which older
 * messages are packed.
 */
export async function openSessionStore(
  storage: Storage,
  assets: Assets,
  clock: Clock,
  log: Log,
  options: { migrations?: readonly string[]; packAbove?: number; readOnly?: boolean } = {},
): Promise<SessionStore> {
  const disk = withSaveErrors(storage);
  const replica = new Replica(disk, assets, log, options.migrations, options.readOnly);
  await replica.refresh();
  const store = new Store(
    replica,
    new PayloadStore(disk, log),
    new Claims(storage),
    clock,
    options.packAbove ?? PACK_ABOVE,
  );
  if (replica.mustCheckpoint) await store.tryCheckpoint(PASSING_WAIT_MS);
  return store;
}
