/** The checkpoints of a project: what its sessions share, and each session's own. */
import type { FileContent } from "../ports/file-states.ts";
import { ChangeOwners } from "./change-owners.ts";
import { netChanges, withoutFolders } from "./changes.ts";
import { CheckpointJournal, CheckpointStore } from "./checkpoint-store.ts";
import type { CheckpointDeps } from "./checkpoint-types.ts";
import { CallRecording } from "./recording.ts";
import { FileRestorer } from "./restore-files.ts";
import { SessionCheckpoints, type SharedParts } from "./session-checkpoints.ts";

export type {
  ChangedContent,
  ChangingCall,
  CheckpointDeps,
  PlannedFile,
  RestorePlan,
  RestoreResult,
} from "./checkpoint-types.ts";
export { CheckpointError, ifKept } from "./checkpoint-types.ts";
export type { SessionCheckpoints } from "./session-checkpoints.ts";

export class Checkpoints {
  readonly #deps: CheckpointDeps;
  readonly #store: CheckpointStore;
  readonly #parts: SharedParts;
  /** The sessions whose changes may not all be recorded yet. Two have the same id while a session is reopened. */
  readonly #sessions = new Set<SessionCheckpoints>();
  #bounding: Promise<unknown> = Promise.resolve();
  #hasFirstSnapshot = false;

  constructor(deps: CheckpointDeps) {
    const store = new CheckpointStore(deps);
    const owners = new ChangeOwners();
    this.#deps = deps;
    this.#store = store;
    this.#parts = {
      deps,
      store,
      owners,
      recording: new CallRecording(deps, store, owners),
      restoring: new FileRestorer(deps, store),
      warm: () => this.#makeFirstSnapshot(),
      bound: () => this.#bound(),
    };
  }

  /**
   * Returns the checkpoints of one session; nothing is recorded before they are opened. `place` returns the row under
   * which a restore is shown.
   */
  session(id: string, place?: () => string): SessionCheckpoints {
    const after = this.#settled(this.#of(id));
    const session = new SessionCheckpoints(this.#parts, { id, after, ...(place ? { place } : {}) });
    this.#sessions.add(session);
    return session;
  }

  /** Called when nobody works on the session anymore: releases it once all its changes are recorded. */
  async release(session: SessionCheckpoints): Promise<void> {
    await session.settled();
    this.#sessions.delete(session);
  }

  /** Copies checkpoints to a session that begins with the messages before a message of another one. */
  async fork(from: string, to: string, beforeMessageId: string): Promise<void> {
    await this.#settled([...this.#of(from), ...this.#of(to)]);
    await this.#store.copy(from, to, beforeMessageId);
    for (const branch of this.#of(to)) await branch.reload();
  }

  /**
   * The contents of files after the last change by these calls of a session, by path; null: there is no file; undefined: the
   * content is no longer stored. Changes nothing, so the session may be open elsewhere.
   */
  async left(
    sessionId: string,
    callIds: readonly string[],
  ): Promise<Map<string, FileContent | null | undefined>> {
    const { history } = await CheckpointJournal.load(this.#store, sessionId);
    const contents = new Map<string, FileContent | null | undefined>();
    for (const id of callIds) {
      const change = history.change(id);
      if (!change) continue;
      for (const { path, after } of withoutFolders(netChanges([change]))) {
        const last = after.at(-1);
        contents.set(path, last === undefined ? undefined : await this.#store.content(last));
      }
    }
    return contents;
  }

  /** Removes the checkpoints of sessions that were permanently removed. */
  async forget(sessionIds: readonly string[]): Promise<void> {
    await this.settled();
    await this.#store.forget(sessionIds);
  }

  /** Resolves when the changes of all sessions are recorded. */
  settled(): Promise<void> {
    return this.#settled([...this.#sessions]);
  }

  /** Resolves when no space is being freed. */
  async bounded(): Promise<void> {
    await this.#bounding;
  }

  /** Waits for changes that are being recorded, but not for a snapshot that nobody needs. */
  async dispose(): Promise<void> {
    await this.settled();
    await this.#bounding;
    await this.#deps.snapshots?.dispose();
  }

  #of(id: string): SessionCheckpoints[] {
    return [...this.#sessions].filter((session) => session.id === id);
  }

  async #settled(sessions: readonly SessionCheckpoints[]): Promise<void> {
    await Promise.all(sessions.map((session) => session.settled()));
  }

  #makeFirstSnapshot(): void {
    if (this.#hasFirstSnapshot || !this.#deps.snapshots) return;
    this.#hasFirstSnapshot = true;
    void this.#deps.snapshots.take();
  }

  #bound(): void {
    const limit = this.#deps.settings().maxSize * 1_000_000;
    this.#bounding = this.#bounding
      .then(() => this.#store.bound(limit))
      .catch((error: unknown) => this.#deps.log.error("checkpoints: no space was freed", error));
  }
}
