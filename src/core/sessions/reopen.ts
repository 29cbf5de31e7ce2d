/** Opens a stored session even if the disk is not writable, so that it can still be read. */
import type { Log } from "../ports/system.ts";
import type { SessionStore } from "./session-store.ts";

/**
 * Returns whether this window may work on the session. If nothing can be written, no process can claim it, so the
 * answer is true.
 */
export async function tryClaim(
  store: SessionStore,
  log: Log,
  id: string,
  takeOver: boolean,
): Promise<boolean> {
  try {
    return await store.claim(id, takeOver);
  } catch (error) {
    log.error("this window cannot say that it works on the session", error);
    return true;
  }
}

/**
 * Marks the session as open, unless the store is read-only. A failure is only logged here; the next write of a message
 * reports it.
 */
export async function tryMarkOpen(
  { store, host }: { store: SessionStore; host: { log: Log } },
  id: string,
): Promise<void> {
  if (store.readOnly) return;
  try {
    await store.update(id, { endedAt: null });
  } catch (error) {
    host.log.error("the session could not be marked as open", error);
  }
}
