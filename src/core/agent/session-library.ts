/** What a person does with their sessions without working on them: find, name, keep, delete, take out and take in. */
import type { ExportFormat, HistoryQuery } from "../../shared/protocol.ts";
import type { Translate } from "../../shared/words/task-words.ts";
import type { Checkpoints } from "../checkpoints/checkpoints.ts";
import { messageOf } from "../errors.ts";
import type { Disposable } from "../lifecycle.ts";
import type { Host } from "../ports/host.ts";
import { readImport, toJson, toMarkdown } from "../sessions/exchange.ts";
import { mergedSessions, type OtherProjects, type OtherSession } from "../sessions/other-projects.ts";
import type { HistoryPage } from "../sessions/search/session-list.ts";
import type { SessionStore, StoredSession } from "../sessions/session-store.ts";

/** Milliseconds in which a deletion can be undone. */
export const undoMs = 30_000;

/** Milliseconds in which it can be undone where the process that deleted has ended. */
const putAwayMs = 24 * 60 * 60 * 1000;

export interface LibraryDeps {
  host: Host;
  store: SessionStore;
  /** Without them no change can be taken back. */
  checkpoints?: Checkpoints;
  /** Without them the history is this project's alone. */
  otherProjects?: OtherProjects;
}

export class Library {
  readonly #host: Host;
  readonly #store: SessionStore;
  readonly #checkpoints: Checkpoints | undefined;
  readonly #others: OtherProjects | undefined;
  /** Sessions that are removed for good when their time is over. */
  readonly #leaving = new Map<string, Disposable>();

  constructor({ host, store, checkpoints, otherProjects }: LibraryDeps) {
    this.#host = host;
    this.#store = store;
    this.#checkpoints = checkpoints;
    this.#others = otherProjects;
  }

  /** Searches find more than before. */
  get onIndexing(): SessionStore["onIndexing"] {
    return this.#store.onIndexing;
  }

  async find(query: HistoryQuery): Promise<HistoryPage> {
    if (!query.allProjects || !this.#others) return this.#store.find(query);
    const { offset, limit, sort } = query;
    const end = offset + limit;
    const [here, others] = await Promise.all([
      this.#store.find({ ...query, offset: 0, limit: end + 1 }),
      this.#others.find(query, end + 1),
    ]);
    const all = mergedSessions(here.sessions, others, sort);
    const { indexing } = here;
    return { sessions: all.slice(offset, end), more: all.length > end, ...(indexing ? { indexing } : {}) };
  }

  /** A session of another project, to be read; without `project` of whichever has it. */
  async other(id: string, project?: string): Promise<OtherSession | undefined> {
    return this.#others?.load(id, project);
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

  /**
   * Deletes it for a process that ends at once: for a day it can be brought back. False: another process works on the
   * session, and it stays.
   */
  async putAway(id: string): Promise<boolean> {
    if (!(await this.#store.claim(id))) return false;
    await this.#store.update(id, { deletedAt: this.#host.clock.now().toISOString() });
    await this.#store.release(id);
    return true;
  }

  /** Rejects when there is no such session; one that was deleted and can be brought back is one. */
  async expect(id: string): Promise<void> {
    await this.#load(id, undefined);
  }

  async undelete(id: string): Promise<void> {
    this.#leaving.get(id)?.dispose();
    this.#leaving.delete(id);
    await this.#store.update(id, { deletedAt: null });
    await this.#store.release(id);
  }

  /** The session as a file: a name for it, and its content. `project`: of which other project it is. */
  async export(
    id: string,
    format: ExportFormat,
    t: Translate,
    project?: string,
  ): Promise<{ name: string; text: string }> {
    const session = await this.#load(id, project);
    const text = format === "json" ? toJson(session) : toMarkdown(session, t);
    return { name: `${fileName(session.summary.title) || id}.${format}`, text };
  }

  /** A copy of another project's session in this one; the new session's id. */
  async copy(id: string, project: string): Promise<string> {
    return this.import(new TextEncoder().encode(toJson(await this.#load(id, project))));
  }

  async #load(id: string, project: string | undefined): Promise<StoredSession> {
    const session =
      project === undefined ? await this.#store.load(id) : (await this.other(id, project))?.session;
    if (!session) throw new Error(`there is no session ${id}`);
    return session;
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
      if (age > putAwayMs && !elsewhere.has(id) && !this.#leaving.has(id)) await this.#remove(id);
    }
  }

  /** Frees what processes that died have left. Nobody waits for it; never rejects. */
  async tidy(): Promise<void> {
    try {
      const files = await this.#store.sweep();
      if (files > 0) this.#host.log.info(`sessions: ${files} files that nothing needs were removed`);
    } catch (error) {
      // Another time.
      this.#host.log.info(`sessions: nothing was tidied up: ${messageOf(error)}`);
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
      await this.#checkpoints?.forget([id]);
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
