/** What a person does with their sessions without working on them: find, name, keep, delete, take out and take in. */
import type { ExportFormat, HistoryQuery } from "../../shared/protocol.ts";
import type { Translate } from "../../shared/texts.ts";
import type { Disposable } from "../lifecycle.ts";
import type { Host } from "../ports.ts";
import { readImport, toJson, toMarkdown } from "../sessions/exchange.ts";
import type { HistoryPage } from "../sessions/history.ts";
import type { SessionStore } from "../sessions/sessions.ts";

/** Milliseconds in which a deletion can be undone. */
export const undoMs = 30_000;

export class Library {
  readonly #host: Host;
  readonly #store: SessionStore;
  readonly #forget: (id: string) => Promise<void>;
  /** Sessions that are removed for good when their time is over. */
  readonly #leaving = new Map<string, Disposable>();

  /** `forget` frees what is kept for a session elsewhere, once it is gone for good. */
  constructor(host: Host, store: SessionStore, forget: (id: string) => Promise<void> = async () => {}) {
    this.#host = host;
    this.#store = store;
    this.#forget = forget;
  }

  /** Searches find more than before. */
  get onIndexing(): SessionStore["onIndexing"] {
    return this.#store.onIndexing;
  }

  find(query: HistoryQuery): Promise<HistoryPage> {
    return this.#store.find(query);
  }

  rename(id: string, title: string): Promise<void> {
    return this.#store.update(id, { title: title.replace(/\s+/g, " ").trim() });
  }

  setFavourite(id: string, favourite: boolean): Promise<void> {
    return this.#store.update(id, { favourite });
  }

  /** How long it can be undone; 0: another process works on the session, and it stays. */
  async delete(id: string): Promise<number> {
    if (!(await this.#store.claim(id))) return 0;
    await this.#store.update(id, { deletedAt: this.#host.clock.now().toISOString() });
    this.#leaving.set(
      id,
      this.#host.clock.after(undoMs, () => void this.#remove(id)),
    );
    return undoMs;
  }

  async undelete(id: string): Promise<void> {
    this.#leaving.get(id)?.dispose();
    this.#leaving.delete(id);
    await this.#store.update(id, { deletedAt: null });
    await this.#store.release(id);
  }

  /** The session as a file: a name for it, and its content. */
  async export(id: string, format: ExportFormat, t: Translate): Promise<{ name: string; text: string }> {
    const session = await this.#store.load(id);
    if (!session) throw new Error(`there is no session ${id}`);
    const text = format === "json" ? toJson(session) : toMarkdown(session, t);
    return { name: `${fileName(session.summary.title) || id}.${format}`, text };
  }

  /** Takes in what `export` gave as JSON; the new session's id. Throws ImportRefused. */
  async import(bytes: Uint8Array): Promise<string> {
    const host = this.#host;
    const { session, messages, patch } = readImport(bytes, {
      projectPath: host.workspace.root ?? "",
      newId: () => host.newId(),
      now: host.clock.now().toISOString(),
    });
    await this.#store.import(session, messages, patch);
    return session.id;
  }

  /** Removes what was deleted before the last process ended and could not be brought back since. */
  async sweep(): Promise<void> {
    if (this.#store.readOnly) return;
    const now = this.#host.clock.now().getTime();
    const elsewhere = await this.#store.elsewhere();
    for (const { id, deletedAt } of await this.#store.deleted()) {
      const age = Math.abs(now - Date.parse(deletedAt));
      if (age > undoMs && !elsewhere.has(id) && !this.#leaving.has(id)) await this.#remove(id);
    }
  }

  /** The time for undoing ends with the process. */
  async close(): Promise<void> {
    for (const [id, timer] of [...this.#leaving]) {
      timer.dispose();
      await this.#remove(id);
    }
  }

  async #remove(id: string): Promise<void> {
    this.#leaving.delete(id);
    try {
      await this.#store.remove(id);
      await this.#forget(id);
      await this.#store.release(id);
    } catch (error) {
      // It stays a deleted one: the next start removes it.
      this.#host.log.error(`session ${id} was not removed`, error);
    }
  }
}

/** A title as the name of a file on every system. */
function fileName(title: string): string {
  return title
    .replace(/[^\p{Letter}\p{Mark}\p{Number} _-]+/gu, " ")
    .replace(/\s+/g, " ")
    .trim()
    .slice(0, 60)
    .trim();
}
