/** Manages stored sessions: find, rename, pin, delete, export and import. */
import { type ForeignRequest, foreignRequestSchema } from "../../shared/history/found-list.ts";
import {
  type ExportFormat,
  type HistoryQuery,
  historyQuerySchema,
  type TaskHere,
} from "../../shared/history/history-protocol.ts";
import { toolCalls } from "../../shared/message.ts";
import type { SettingList } from "../../shared/setting-proposals.ts";
import type { Translate } from "../../shared/words/task-words.ts";
import type { Checkpoints } from "../checkpoints/checkpoints.ts";
import { messageOf } from "../errors.ts";
import type { ForeignSettings } from "../foreign-settings/foreign-settings.ts";
import type { KeyMask } from "../key-mask.ts";
import type { Disposable } from "../lifecycle.ts";
import { PolicyError } from "../policy/admin-policy.ts";
import type { Host } from "../ports/host.ts";
import { withoutKnownSecrets } from "../secrets.ts";
import { readImport, toJson } from "../sessions/exchange.ts";
import { type ExportedSession, exportSession } from "../sessions/export/export-session.ts";
import type { ForeignImports } from "../sessions/import/foreign-imports.ts";
import { mergeSessions, type OtherProjects, type OtherSession } from "../sessions/other-projects.ts";
import type { PlanDocuments } from "../sessions/plan-documents.ts";
import type { HistoryPage } from "../sessions/search/session-list.ts";
import type { SessionStore, StoredSession } from "../sessions/session-store.ts";

/** How long a deletion can be undone, in milliseconds. */
const UNDO_MS = 30_000;

/** The same, after the process that deleted has ended. */
const PUT_AWAY_MS = 24 * 60 * 60 * 1000;

export interface LibraryDeps {
  host: Host;
  store: SessionStore;
  /** Default: changes cannot be undone. */
  checkpoints?: Checkpoints;
  plans?: PlanDocuments;
  /** Default: the history contains only this project. */
  otherProjects?: OtherProjects;
  /** Masks the user's keys in exports for others. Default: only what has the form of a secret is masked. */
  keys?: Pick<KeyMask, "current">;
  /** Default: sessions of other agents cannot be imported. */
  foreignImports?: ForeignImports;
  /** Default: settings of other agents cannot be taken over. */
  foreignSettings?: ForeignSettings;
  /** Nekode's version, for exports that name it. */
  version?: string;
}

/** Sessions that are copied at once. */
const MOST_ADOPTED = 1_000;

export class Library {
  readonly #host: Host;
  readonly #store: SessionStore;
  readonly #checkpoints: Checkpoints | undefined;
  readonly #plans: PlanDocuments | undefined;
  readonly #others: OtherProjects | undefined;
  readonly #keys: LibraryDeps["keys"];
  readonly #foreign: ForeignImports | undefined;
  readonly #settings: ForeignSettings | undefined;
  readonly #version: string;
  /** Deleted sessions, with the timers that remove them permanently. */
  readonly #leaving = new Map<string, Disposable>();

  constructor({
    foreignImports,
    foreignSettings,
    host,
    store,
    checkpoints,
    plans,
    otherProjects,
    keys,
    version = "unknown",
  }: LibraryDeps) {
    this.#foreign = foreignImports;
    this.#settings = foreignSettings;
    this.#host = host;
    this.#store = store;
    this.#checkpoints = checkpoints;
    this.#plans = plans;
    this.#others = otherProjects;
    this.#keys = keys;
    this.#version = version;
  }

  /** Fires when more sessions are indexed for search. */
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
    const all = mergeSessions(here.sessions, others, sort);
    const { indexing } = here;
    return { sessions: all.slice(offset, end), more: all.length > end, ...(indexing ? { indexing } : {}) };
  }

  /** Compiles and checks what the first `find` needs, so that it answers sooner. */
  async prepare(): Promise<void> {
    // A query from the start would also begin to index messages, which a user who never searches does not need.
    await this.#store.find(historyQuerySchema.parse({ grouped: true, offset: 1, limit: 50 }));
  }

  /** A session of another project, for reading; without `project`, of any project that has it. */
  async other(id: string, project?: string): Promise<OtherSession | undefined> {
    return this.#others?.load(id, project);
  }

  /** The task of another project in whose worktree this project's folder is. Never rejects. */
  async taskHere(): Promise<TaskHere | undefined> {
    return this.#others?.taskHere();
  }

  /** Resolves to the title as it is stored, in one line. */
  async rename(id: string, title: string): Promise<string> {
    const clean = title.replace(/\s+/g, " ").trim();
    await this.#store.update(id, { title: clean });
    return clean;
  }

  setFavorite(id: string, favorite: boolean): Promise<void> {
    return this.#store.update(id, { favourite: favorite });
  }

  /** Returns how many milliseconds the deletion can be undone for; 0: not deleted, because another process works on it. */
  async delete(id: string): Promise<number> {
    if (!(await this.#store.claim(id))) return 0;
    await this.#store.update(id, { deletedAt: this.#host.clock.now().toISOString() });
    this.#leaving.set(
      id,
      this.#host.clock.after(UNDO_MS, () => void this.#remove(id)),
    );
    return UNDO_MS;
  }

  /**
   * Deletes a session in a process that ends right after; it can be restored for a day. False: not deleted, because another
   * process works on it.
   */
  async putAway(id: string): Promise<boolean> {
    if (!(await this.#store.claim(id))) return false;
    await this.#store.update(id, { deletedAt: this.#host.clock.now().toISOString() });
    await this.#store.release(id);
    return true;
  }

  /** Rejects if the session does not exist; a deleted session that can be restored exists. */
  async expect(id: string): Promise<void> {
    await this.#load(id, undefined);
  }

  async undelete(id: string): Promise<void> {
    this.#leaving.get(id)?.dispose();
    this.#leaving.delete(id);
    await this.#store.update(id, { deletedAt: null });
    await this.#store.release(id);
  }

  /** The session as a file, and the files beside it. Rejects with PolicyError if the administrator does not allow it. `project`: the other project that it belongs to. */
  async export(id: string, format: ExportFormat, t: Translate, project?: string): Promise<ExportedSession> {
    const { policy } = this.#host;
    if (policy?.export === "off") throw new PolicyError({ code: "export-off", managedBy: policy.managedBy });
    const session = await this.#load(id, project);
    const ownKeys = await this.#keys?.current();
    return exportSession(session, format, {
      t,
      version: this.#version,
      mask: (text) => withoutKnownSecrets(ownKeys?.(text) ?? text),
      children: format === "atif" && project === undefined ? await this.#children(id) : [],
    });
  }

  /** The sessions that the session's task started, the first one first. */
  async #children(id: string): Promise<StoredSession[]> {
    const all = await this.#store.list();
    const started = all
      .filter(({ parent }) => parent?.id === id)
      .sort((a, b) => (a.startedAt < b.startedAt ? -1 : 1));
    const children: StoredSession[] = [];
    for (const child of started) children.push(await this.#load(child.id, undefined));
    return children;
  }

  /** A stored session with all its messages. Rejects if it does not exist. */
  whole(id: string): Promise<StoredSession> {
    return this.#load(id, undefined);
  }

  /** The contents of files after the session's calls, as far as checkpoints have them; see `Checkpoints.left`. */
  async leftFiles({ summary, messages }: StoredSession): ReturnType<Checkpoints["left"]> {
    const calls = messages.flatMap(toolCalls).map(({ id }) => id);
    return (await this.#checkpoints?.left(summary.id, calls)) ?? new Map();
  }

  /** Copies another project's session to this project; returns the new id. */
  async copy(id: string, project: string): Promise<string> {
    return this.import(new TextEncoder().encode(toJson(await this.#load(id, project))));
  }

  /**
   * Copies all sessions of a project whose folder no longer exists to this project, the oldest first; returns their number. Those that
   * a task started are not copied. Rejects if the folder exists.
   */
  async adopt(project: string): Promise<number> {
    const query = historyQuerySchema.parse({ allProjects: true, sort: "oldest" });
    const all = (await this.#others?.find(query, MOST_ADOPTED)) ?? [];
    const own = all.filter((session) => session.project?.key === project && session.parent === undefined);
    if (own.some((session) => session.project?.folder !== undefined))
      throw new Error("the folder of that project exists");
    for (const { id } of own) await this.copy(id, project);
    return own.length;
  }

  async #load(id: string, project: string | undefined): Promise<StoredSession> {
    const session =
      project === undefined ? await this.#store.load(id) : (await this.other(id, project))?.session;
    if (!session) throw new Error(`there is no session ${id}`);
    return session;
  }

  /** Imports a JSON export; returns the new id. Throws ImportRefused. */
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

  /** See `history/foreign`. */
  async foreign(asked: unknown): Promise<unknown> {
    const { keys, dry = false, settings } = foreignRequestSchema.parse(asked);
    if (settings) return this.#foreignSettings(settings);
    const foreign = this.#foreign;
    if (!foreign) throw new Error("this host cannot import sessions of other agents");
    if (keys === undefined) return foreign.list();
    if (keys.length === 0) return foreign.close();
    const mask = this.#keys ?? { current: async () => (text: string) => text };
    return foreign.import(keys, { store: this.#store, mask, isDryRun: dry });
  }

  async #foreignSettings(asked: NonNullable<ForeignRequest["settings"]>): Promise<SettingList> {
    // A host without a data folder has none to take over.
    if (!this.#settings) return { proposals: [], left: [], problems: [] };
    const request = { mask: (await this.#keys?.current()) ?? ((text: string) => text) };
    if (asked.action === "take") return this.#settings.take(asked, request);
    return asked.action === "undo" ? this.#settings.undo(asked.key, request) : this.#settings.list(request);
  }

  /** Permanently removes deleted sessions whose time to undo has passed. */
  async sweep(): Promise<void> {
    if (this.#store.readOnly) return;
    const now = this.#host.clock.now().getTime();
    const elsewhere = await this.#store.elsewhere();
    for (const { id, deletedAt } of await this.#store.deleted()) {
      const age = Math.abs(now - Date.parse(deletedAt));
      if (age > PUT_AWAY_MS && !elsewhere.has(id) && !this.#leaving.has(id)) await this.#remove(id);
    }
  }

  /** Does what `sweep` and `tidy` do. Never rejects: what is left over is removed next time. */
  async cleanUp(): Promise<void> {
    try {
      await this.sweep();
    } catch (error) {
      this.#host.log.info(`sessions: those that were deleted stay: ${messageOf(error)}`);
    }
    await this.tidy();
  }

  /** Cleans up after processes that died. Never rejects. */
  async tidy(): Promise<void> {
    try {
      const files = await this.#store.sweep();
      if (files > 0) this.#host.log.info(`sessions: ${files} files that nothing needs were removed`);
      await this.#host.attachedContents?.removeOld();
    } catch (error) {
      // The next start tries again.
      this.#host.log.info(`sessions: nothing was tidied up: ${messageOf(error)}`);
    }
  }

  /** Ends the time to undo deletions. */
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
      await this.#plans?.forget(id);
      await this.#host.attachedContents?.forget(id);
      await this.#store.release(id);
    } catch (error) {
      // The session stays marked as deleted, and the next start removes it.
      this.#host.log.error(`session ${id} was not removed`, error);
    }
  }
}
