/** Opening a stored session where the disk may take nothing: it can be read all the same. */
import type { Log } from "../ports/system.ts";
import type { SessionStore } from "./session-store.ts";

/** Whether this window works on the session now. Where nothing can be written nobody does, so nothing is taken from anybody. */
export async function claimed(
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

/** Marks the session as open. Writing a message to it reports the failure that this one only logs. */
export async function reopened(store: SessionStore, log: Log, id: string): Promise<void> {
  try {
    await store.update(id, { endedAt: null });
  } catch (error) {
    log.error("the session could not be marked as open", error);
  }
}
