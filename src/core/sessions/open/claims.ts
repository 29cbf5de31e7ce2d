/** Tracks which sessions this process works on, so that two processes never write to the same session. */
import type { ProcessLock, Storage } from "../../ports/storage.ts";
import type { Log } from "../../ports/system.ts";
import type { SessionStore } from "../session-store.ts";

const FOLDER = "open";

/** Another process took the session over. This process no longer changes it. */
export class SessionTakenOver extends Error {
  override name = "SessionTakenOver";
  constructor(sessionId: string) {
    super(`session ${sessionId} was taken over by another window`);
  }
}

export class Claims {
  readonly #storage: Storage;
  readonly #locks = new Map<string, ProcessLock>();

  constructor(storage: Storage) {
    this.#storage = storage;
  }

  /** Returns false if another process has the session. */
  async take(sessionId: string, takeOver: boolean): Promise<boolean> {
    const known = this.#locks.get(sessionId);
    if (known && (await known.isMine())) return true;
    const lock = await this.#storage.takeLock(`${FOLDER}/${fileName(sessionId)}`, takeOver);
    if (!lock) return false;
    this.#locks.set(sessionId, lock);
    return true;
  }

  /** Throws SessionTakenOver if this process claimed the session and no longer has it. */
  async check(sessionId: string): Promise<void> {
    const lock = this.#locks.get(sessionId);
    if (lock && !(await lock.isMine())) throw new SessionTakenOver(sessionId);
  }

  async release(sessionId: string): Promise<void> {
    const lock = this.#locks.get(sessionId);
    this.#locks.delete(sessionId);
    await lock?.release();
  }

  async releaseAll(): Promise<void> {
    await Promise.all([...this.#locks.keys()].map((id) => this.release(id)));
  }

  async elsewhere(): Promise<ReadonlySet<string>> {
    const names = await this.#storage.lockedElsewhere(FOLDER);
    const ids = names.map(decodeURIComponent);
    const mine = await Promise.all(ids.map(async (id) => (await this.#locks.get(id)?.isMine()) === true));
    return new Set(ids.filter((_, index) => !mine[index]));
  }
}

/** Our ids are plain, but an id in a store that came from elsewhere must not become a path. */
function fileName(sessionId: string): string {
  return encodeURIComponent(sessionId).replaceAll(".", "%2E");
}

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
