/** Which sessions this process works on, so that two never write one. */
import type { Hold, Storage } from "../ports/storage.ts";

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
  readonly #holds = new Map<string, Hold>();

  constructor(storage: Storage) {
    this.#storage = storage;
  }

  /** False: another process has it. */
  async take(sessionId: string, takeOver: boolean): Promise<boolean> {
    const known = this.#holds.get(sessionId);
    if (known && (await known.isMine())) return true;
    const hold = await this.#storage.hold(`${folder}/${fileName(sessionId)}`, takeOver);
    if (!hold) return false;
    this.#holds.set(sessionId, hold);
    return true;
  }

  /** Throws SessionTakenOver when this process had it and no longer does. */
  async check(sessionId: string): Promise<void> {
    const hold = this.#holds.get(sessionId);
    if (hold && !(await hold.isMine())) throw new SessionTakenOver(sessionId);
  }

  async release(sessionId: string): Promise<void> {
    const hold = this.#holds.get(sessionId);
    this.#holds.delete(sessionId);
    await hold?.release();
  }

  async releaseAll(): Promise<void> {
    await Promise.all([...this.#holds.keys()].map((id) => this.release(id)));
  }

  async elsewhere(): Promise<ReadonlySet<string>> {
    const names = await this.#storage.heldElsewhere(folder);
    const ids = names.map(decodeURIComponent);
    const mine = await Promise.all(ids.map(async (id) => (await this.#holds.get(id)?.isMine()) === true));
    return new Set(ids.filter((_, index) => !mine[index]));
  }
}

/** Ids are ours and plain; whatever a store that came from elsewhere holds must not become a path. */
function fileName(sessionId: string): string {
  return encodeURIComponent(sessionId).replaceAll(".", "%2E");
}
