/**
 * The way back: the bytes before and after each change that the agent makes, so that files can be put back to any
 * message or change of the session, and forth again. What the person changed since is never overwritten unasked.
 */
import type { CheckpointView } from "../../shared/event.ts";
import { Emitter } from "../lifecycle.ts";
import type { Destruction } from "../ports/file-trees.ts";
import { Background } from "./background.ts";
import { netChanges, withoutFolders } from "./changes.ts";
import { CheckpointStore } from "./checkpoint-store.ts";
import {
  type ChangedContent,
  type ChangingCall,
  type CheckpointDeps,
  CheckpointError,
  type PlannedFile,
  type RestorePlan,
  type RestoreResult,
} from "./checkpoint-types.ts";
import type { Foreseen } from "./keeping.ts";
import { type Ended, Recording } from "./recording.ts";
import { Restoring } from "./restore-files.ts";
import { CheckpointSession } from "./session-changes.ts";
import { allViews, changeView, markView, viewsAfter } from "./views.ts";

export type {
  ChangedContent,
  ChangingCall,
  CheckpointDeps,
  PlannedFile,
  RestorePlan,
  RestoreResult,
} from "./checkpoint-types.ts";
export { CheckpointError } from "./checkpoint-types.ts";

export class Checkpoints {
  readonly #d: CheckpointDeps;
  readonly #store: CheckpointStore;
  readonly #recording: Recording;
  readonly #restoring: Restoring;
  readonly #views = new Emitter<CheckpointView>();
  #session: CheckpointSession | undefined;
  /** Calls that change files at this moment. */
  #running = 0;
  /** What the last call changed is still being looked at: the next change waits for it. */
  #pending: Promise<unknown> = Promise.resolve();
  #warm = false;
  readonly #name = (path: string): string => this.#recording.keeping?.name(path) ?? path;
  readonly #background: Background;
  #bounding: Promise<unknown> = Promise.resolve();
  /** Says under which row a restore is shown. */
  place: () => string = () => "";
  #opening: Promise<unknown> = Promise.resolve();

  /** A checkpoint of the session on show is new, or more is known of it. */
  readonly onView = this.#views.on;

  constructor(deps: CheckpointDeps) {
    this.#d = deps;
    this.#store = new CheckpointStore(deps.storage, deps.log);
    this.#recording = new Recording(deps, this.#store);
    this.#restoring = new Restoring(deps, this.#store);
    this.#background = new Background(deps, this.#recording);
  }

  /** The session on show from now on; undefined: none. Whatever is asked meanwhile waits. */
  open(sessionId: string | undefined): Promise<void> {
    const before = this.settled();
    const opening = before.then(async () => {
      this.#session = undefined;
      this.#background.forget();
      if (sessionId === undefined) return;
      const session = await CheckpointSession.load(this.#store, sessionId);
      this.#session = session;
      for (const path of session.history.cutOff) await this.#d.files.tidy(path);
      await this.#recover(session);
    });
    this.#opening = opening.catch(() => {});
    return opening;
  }

  /** Looks at what commands did that a crash interrupted. */
  async #recover(session: CheckpointSession): Promise<void> {
    for (const { id, at, kept } of session.history.interrupted) {
      try {
        const ended = await this.#recording.cutOff(kept, at);
        if (ended)
          await session.write({ t: "end", id, at: this.#now(), files: ended.files, ...leftOf(ended) });
      } catch (error) {
        this.#d.log.error("what an interrupted command changed is not known", error);
      }
    }
  }

  /** What would not be kept of it, by names and sizes; undefined: commands are not protected. */
  async foresee(destruction: Destruction): Promise<Foreseen | undefined> {
    return this.#d.settings().enabled ? this.#recording.keeping?.foresee(destruction) : undefined;
  }

  /** Resolves when all that was changed is written down. */
  async settled(): Promise<void> {
    await this.#opening;
    await this.#pending;
    await this.#session?.written();
  }

  /** A message of the person's is a place to go back to. Never rejects; costs the caller nothing. */
  mark(messageId: string): void {
    if (!this.#d.settings().enabled) return;
    const marking = this.#opening.then(async () => {
      await this.#lookBehind();
      await this.#session?.write({ t: "mark", id: messageId, at: this.#now() });
    });
    this.#opening = marking.catch((error: unknown) =>
      this.#d.log.error("the checkpoint was not written", error),
    );
    if (this.#warm || !this.#d.snapshots) return;
    // The first one reads much; it is made beside the model's first answer.
    this.#warm = true;
    void this.#d.snapshots.take();
  }

  /**
   * Before a change: what is there is on the disk when it resolves. The caller says when the change is over; until what
   * it changed is known, only the next change waits.
   */
  async begin(call: ChangingCall): Promise<{ end(): void }> {
    await this.#opening;
    if (call.anything) await this.#lookBehind();
    await this.#pending;
    const session = this.#session;
    if (!session || !this.#d.settings().enabled || (call.paths.length === 0 && !call.anything)) {
      return { end: () => undefined };
    }
    this.#running += 1;
    try {
      const { callId, paths, anything, destroys } = call;
      const look = anything
        ? await this.#recording.command(session, call, (keeping) =>
            this.#views.emit({ id: callId, kind: "call", at: callId, files: 0, keeping }),
          )
        : await this.#recording.edit(session, callId, paths);
      // What is kept, and what is not, is said before the command runs.
      if (session === this.#session && destroys) {
        const change = session.history.change(callId);
        for (const view of change ? changeView(session.history, change, this.#name) : [])
          this.#views.emit(view);
      }
      return {
        end: () => {
          this.#running -= 1;
          // Looking at what was done takes a moment, which the next request need not wait for.
          this.#pending = look()
            .then(async (what) => {
              await this.#end(session, callId, what);
              if (what.after && session === this.#session)
                this.#background.began(session, callId, what.after);
            })
            .catch((error: unknown) => this.#d.log.error("the change was not written down", error));
        },
      };
    } catch (error) {
      this.#running -= 1;
      throw error;
    }
  }

  async #end(session: CheckpointSession, id: string, { files, left, uncovered }: Ended): Promise<void> {
    await session.write({
      t: "end",
      id,
      at: this.#now(),
      files,
      ...leftOf({ left }),
      ...(uncovered ? { uncovered } : {}),
    });
    if (session === this.#session) {
      for (const view of viewsAfter(session.history, id, this.#name)) this.#views.emit(view);
    }
    // What is kept stays within its bound; nobody waits for that.
    this.#bounding = this.#store
      .bound(this.#d.settings().maxSize * 1_000_000)
      .catch((error: unknown) => this.#d.log.error("checkpoints: no space was freed", error));
  }

  /** Writes down what commands that go on in the background changed since it was last looked at. Never rejects. */
  async #lookBehind(): Promise<void> {
    await this.#pending;
    const session = this.#session;
    if (!session) return;
    const mark = session.history.lastMark;
    if ((await this.#background.look(session)) && mark !== undefined)
      for (const view of markView(session.history, mark)) this.#views.emit(view);
  }

  /** The files that changed since the checkpoint; of a call, with `only`, those of that call. */
  async changes(id: string, only: boolean): Promise<ChangedContent[]> {
    await this.settled();
    await this.#lookBehind();
    const { history } = this.#current();
    if (only) {
      const change = history.change(id);
      if (!change) throw new CheckpointError("unknown");
      const files = withoutFolders(netChanges([change]));
      return Promise.all(
        files.map(async ({ path, before, after }) => ({
          path,
          before: await this.#store.content(before),
          ...(after.at(-1) === undefined ? {} : { after: await this.#store.content(after.at(-1) ?? null) }),
        })),
      );
    }
    const since = history.since(id);
    if (!since) throw new CheckpointError("unknown");
    return Promise.all(
      withoutFolders(netChanges(since)).map(async ({ path, before }) => ({
        path,
        before: await this.#store.content(before),
      })),
    );
  }

  /** What a restore to the checkpoint would do. Changes nothing. */
  async plan(id: string): Promise<RestorePlan> {
    await this.settled();
    await this.#lookBehind();
    const since = this.#current().history.since(id);
    if (!since) throw new CheckpointError("unknown");
    return { id, files: await this.#restoring.plan(since) };
  }

  /** What taking back one change would do. Changes nothing. */
  async planUndo(callId: string): Promise<RestorePlan> {
    await this.settled();
    const change = this.#current().history.change(callId);
    if (!change) throw new CheckpointError("unknown");
    return { id: callId, files: await this.#restoring.planUndo(change), undoes: callId };
  }

  /**
   * Does what was planned, file by file, each all at once; a file that is no longer what the plan says is left alone.
   * First keeps what it replaces: a restore is a change like any other and can be undone.
   */
  async restore(plan: RestorePlan, files: readonly PlannedFile[] = plan.files): Promise<RestoreResult> {
    await this.settled();
    const session = this.#current();
    if (this.#running > 0) throw new CheckpointError("busy");
    this.#running += 1;
    try {
      return await this.#restoring.run(session, plan, files, this.place(), (id, changed) =>
        this.#end(session, id, { files: changed }),
      );
    } finally {
      this.#running -= 1;
    }
  }

  /** What to show of the session's checkpoints, in order. */
  views(): CheckpointView[] {
    return this.#session ? allViews(this.#session.history, this.#name) : [];
  }

  /** Resolves when no space is being freed. */
  async bounded(): Promise<void> {
    await this.#bounding;
  }

  /** A session that begins with what came before a message of another one has that part's checkpoints too. */
  async fork(from: string, to: string, beforeMessageId: string): Promise<void> {
    await this.settled();
    await this.#store.copy(from, to, beforeMessageId);
  }

  /** Sessions are gone for good: so is what was kept for them. */
  async forget(sessionIds: readonly string[]): Promise<void> {
    await this.settled();
    await this.#store.forget(sessionIds);
  }

  async dispose(): Promise<void> {
    await this.settled();
    await this.#bounding;
    await this.#d.snapshots?.dispose();
  }

  #current(): CheckpointSession {
    if (!this.#session) throw new CheckpointError("unknown");
    return this.#session;
  }

  #now(): string {
    return this.#d.clock.now().toISOString();
  }
}

function leftOf({ left }: { left?: number | undefined }): { left?: number } {
  return left ? { left } : {};
}
