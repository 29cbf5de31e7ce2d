/** Which sessions this process works on, so that two never write one. */
import type { ProcessLock, Storage } from "../ports/storage.ts";

const folder = "open";

/** Another process took the session over; this one changes it no more. */
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

  /** False: another process has it. */
  async take(sessionId: string, takeOver: boolean): Promise<boolean> {
    const known = this.#locks.get(sessionId);
    if (known && (await known.isMine())) return true;
    const lock = await this.#storage.takeLock(`${folder}/${fileName(sessionId)}`, takeOver);
    if (!lock) return false;
    this.#locks.set(sessionId, lock);
    return true;
  }

  /** Throws SessionTakenOver when this process had it and no longer does. */
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
    const names = await this.#storage.lockedElsewhere(folder);
    const ids = names.map(decodeURIComponent);
    const mine = await Promise.all(ids.map(async (id) => (await this.#locks.get(id)?.isMine()) === true));
    return new Set(ids.filter((_, index) => !mine[index]));
  }
}

/** Ids are ours and plain; whatever a store that came from elsewhere holds must not become a path. */
function fileName(sessionId: string): string {
  return encodeURIComponent(sessionId).replaceAll(".", "%2E");
}
