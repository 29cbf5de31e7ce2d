/**
 * The checkpoints of one session: the bytes before and after each change that it makes, so that files can be restored
 * to any message or change of the session, and back. Plans name the files that someone else changed since (`changedSince`), and a host
 * restores these only if the user confirms it.
 */
import type { CheckpointView } from "../../shared/event.ts";
import { Emitter } from "../lifecycle.ts";
import type { Destruction } from "../ports/file-trees.ts";
import { Background } from "./background.ts";
import type { BackupPreview } from "./backups.ts";
import type { ChangeOwners } from "./change-owners.ts";
import type { FileChange } from "./change-records.ts";
import { netChanges, partUndo, turnChange, turnUndo, withoutFolders } from "./changes.ts";
import { CheckpointJournal, type CheckpointStore } from "./checkpoint-store.ts";
import {
  type ChangedContent,
  type ChangingCall,
  type CheckpointDeps,
  CheckpointError,
  type PlannedFile,
  type RestorePlan,
  type RestoreResult,
} from "./checkpoint-types.ts";
import type { CallRecording, RecordedCall } from "./recording.ts";
import type { FileRestorer } from "./restore-files.ts";
import { allViews, changeView, markView, viewsAfter } from "./views.ts";

/** What the sessions of a project share. */
export interface SharedParts {
  deps: CheckpointDeps;
  store: CheckpointStore;
  owners: ChangeOwners;
  recording: CallRecording;
  restoring: FileRestorer;
  /** Takes the first snapshot, which reads many files, while the user is asked or the model writes. */
  warm(): void;
  /** Frees space if more is used than the settings allow. Callers do not wait for it. */
  bound(): void;
}

export interface SessionOptions {
  id: string;
  /** Returns the row under which a restore is shown. */
  place?(): string;
  /** Must settle before the session is read. */
  after?: Promise<void> | undefined;
}

export class SessionCheckpoints {
  readonly id: string;
  readonly #parts: SharedParts;
  readonly #deps: CheckpointDeps;
  readonly #place: () => string;
  readonly #views = new Emitter<CheckpointView>();
  readonly #commands = new Emitter<readonly string[]>();
  readonly #background: Background;
  /** undefined: the session is not on disk, or has not been read yet. */
  #journal: CheckpointJournal | undefined;
  /** Number of calls of this session that are currently changing files. */
  #running = 0;
  /** Determining what the last call changed is still in progress: the next change waits for it. */
  #pending: Promise<unknown> = Promise.resolve();
  #opening: Promise<unknown>;

  /** Fires when a checkpoint is new or has new data. */
  readonly onView = this.#views.on;
  /** Fires with the absolute paths that a command of the session turned out to have changed. */
  readonly onCommandChanged = this.#commands.on;

  constructor(parts: SharedParts, { id, place = () => "", after = Promise.resolve() }: SessionOptions) {
    this.#parts = parts;
    this.#deps = parts.deps;
    this.id = id;
    this.#place = place;
    this.#opening = after;
    this.#background = new Background(parts.deps, parts.recording);
  }

  /** Call when the session is on disk: its changes are recorded from now on. Other calls wait meanwhile. */
  open(): Promise<void> {
    return this.#whenSettled(async () => {
      if (!this.#journal) await this.#load();
    });
  }

  /** Reads the records again after someone else wrote them. */
  reload(): Promise<void> {
    return this.#whenSettled(() => this.#load());
  }

  #whenSettled(work: () => Promise<void>): Promise<void> {
    const opening = this.settled().then(work);
    this.#opening = opening.catch(() => {});
    return opening;
  }

  async #load(): Promise<void> {
    const journal = await CheckpointJournal.load(this.#parts.store, this.id);
    this.#journal = journal;
    for (const path of journal.history.interruptedWrites) await this.#deps.files.tidy(path);
    await this.#recover(journal);
  }

  /** Determines what commands did that a crash interrupted. */
  async #recover(journal: CheckpointJournal): Promise<void> {
    for (const { id, at, kept } of journal.history.interrupted) {
      try {
        const ended = await this.#parts.recording.interrupted(kept, at);
        if (ended)
          await journal.write({ t: "end", id, at: this.#now(), files: ended.files, ...leftOf(ended) });
      } catch (error) {
        this.#deps.log.error("what an interrupted command changed is not known", error);
      }
    }
  }

  /** Returns what would not be backed up, judged by names and sizes; undefined: commands are not protected. */
  async previewBackup(destruction: Destruction): Promise<BackupPreview | undefined> {
    return this.#deps.settings().enabled
      ? this.#parts.recording.backups?.previewBackup(destruction)
      : undefined;
  }

  /** Returns what a command whose changes are not known may change, for `begin`; undefined: commands are not protected. */
  async possible(): Promise<Destruction | undefined> {
    const { backups } = this.#parts.recording;
    if (!backups || !this.#deps.settings().enabled) return undefined;
    const ignored = await this.#deps.snapshots?.ignored?.();
    return ignored && backups.possible(ignored);
  }

  /** Resolves when all changes are recorded. */
  async settled(): Promise<void> {
    await this.#opening;
    await this.#pending;
    await this.#journal?.written();
  }

  /** Marks a user message as a state to restore. Never rejects, and does not delay the caller. */
  mark(messageId: string): void {
    if (!this.#deps.settings().enabled) return;
    const marking = this.#opening.then(async () => {
      await this.#recordBackgroundChanges();
      await this.#journal?.write({ t: "mark", id: messageId, at: this.#now() });
    });
    this.#opening = marking.catch((error: unknown) =>
      this.#deps.log.error("the checkpoint was not written", error),
    );
  }

  /** Calls may change files soon, and nothing else is done meanwhile. Does not delay the caller. */
  expectChanges(): void {
    if (this.#deps.settings().enabled) this.#parts.warm();
  }

  /**
   * Begins a change: the previous contents are on disk when it resolves. The caller reports when the change ends; until
   * its changes are determined, only the session's next change waits.
   */
  async begin(call: ChangingCall): Promise<{ end(): void }> {
    await this.#opening;
    if (call.anything) await this.#recordBackgroundChanges();
    await this.#pending;
    const journal = this.#journal;
    if (!journal || !this.#deps.settings().enabled || (call.paths.length === 0 && !call.anything)) {
      return { end: () => undefined };
    }
    this.#running += 1;
    try {
      const { callId, paths, anything, destroys } = call;
      const { recording } = this.#parts;
      const findChanges = anything
        ? await recording.command(journal, call, (progress) =>
            this.#views.emit({ id: callId, kind: "call", at: callId, files: 0, keeping: progress }),
          )
        : await recording.edit(journal, callId, paths);
      // Reports what is backed up and what is not, before the command runs.
      if (destroys) {
        const change = journal.history.change(callId);
        this.#emit(change ? changeView(journal.history, change, this.#name) : []);
      }
      return {
        end: () => {
          this.#running -= 1;
          // Determining the changes takes a moment, which the next request does not have to wait for.
          this.#pending = findChanges()
            .then(async (recorded) => {
              await this.#end(journal, callId, recorded);
              if (anything) this.#commands.emit(recorded.files.map(({ path }) => path));
              if (recorded.after) this.#background.began(journal, callId, recorded.after);
            })
            .catch((error: unknown) => this.#deps.log.error("the change was not written down", error));
        },
      };
    } catch (error) {
      this.#running -= 1;
      throw error;
    }
  }

  async #end(
    journal: CheckpointJournal,
    id: string,
    { files, left, uncovered }: RecordedCall,
  ): Promise<void> {
    await journal.write({
      t: "end",
      id,
      at: this.#now(),
      files,
      ...leftOf({ left }),
      ...(uncovered ? { uncovered } : {}),
    });
    this.#emit(viewsAfter(journal.history, id, this.#name));
    this.#parts.bound();
  }

  /** Records what background commands changed since the last check. Never rejects. */
  async #recordBackgroundChanges(): Promise<void> {
    await this.#pending;
    const journal = this.#journal;
    if (!journal) return;
    const mark = journal.history.lastMark;
    if ((await this.#background.recordChanges(journal)) && mark !== undefined)
      this.#emit(markView(journal.history, mark));
  }

  /** Returns the files that changed since the checkpoint; for a call, with `only`, those of that call. */
  async changes(id: string, only: boolean): Promise<ChangedContent[]> {
    await this.settled();
    await this.#recordBackgroundChanges();
    const { store } = this.#parts;
    const { history } = this.#opened();
    const change = only ? history.change(id) : undefined;
    const selected = only ? change && [change] : history.since(id);
    if (!selected) throw new CheckpointError("unknown");
    return Promise.all(
      withoutFolders(netChanges(selected)).map(async ({ path, before, after }) => {
        // Changes since a checkpoint are compared with the files as they are now.
        const last = only ? after.at(-1) : undefined;
        return {
          path,
          before: await store.content(before),
          ...(last === undefined ? {} : { after: await store.content(last) }),
        };
      }),
    );
  }

  /** The absolute paths of the files that differ from their state at the checkpoint; undefined: that is not known. */
  async changedSince(id: string): Promise<string[] | undefined> {
    await this.settled();
    await this.#recordBackgroundChanges();
    const since = this.#journal?.history.since(id);
    return since && withoutFolders(netChanges(since)).map(({ path }) => path);
  }

  /** Returns the files that the turn of that user message changed, and which of them are in their earlier state again. */
  async turn(mark: string): Promise<(ChangedContent & { undone: boolean })[]> {
    await this.settled();
    await this.#recordBackgroundChanges();
    const turn = turnChange(this.#opened().history, mark);
    const { store, restoring } = this.#parts;
    const planned = new Set((await restoring.plan([turn])).map(({ path }) => path));
    return Promise.all(
      withoutFolders(netChanges([turn])).map(async ({ path, before, after }) => {
        const last = after.at(-1);
        return {
          path,
          before: await store.content(before),
          ...(last === undefined ? {} : { after: await store.content(last) }),
          undone: !planned.has(path),
        };
      }),
    );
  }

  /** The last user message; undefined: there is none, or the session has not been read yet. */
  get lastMark(): string | undefined {
    return this.#journal?.history.lastMark;
  }

  /**
   * The absolute paths of the files that the turn of that user message changed, each with a text that is another one when the turn's
   * change of it is. Reads no file.
   */
  async turnPaths(mark: string): Promise<{ path: string; state: string }[]> {
    await this.settled();
    return withoutFolders(netChanges([turnChange(this.#opened().history, mark)])).map(
      ({ path, before, after }) => ({ path, state: JSON.stringify([before, after]) }),
    );
  }

  /** What the turn of that user message changed in one file: its contents before and after; undefined: nothing. */
  async turnFile(mark: string, path: string): Promise<Required<ChangedContent> | undefined> {
    await this.settled();
    const net = netChanges([turnChange(this.#opened().history, mark)]).find((file) => file.path === path);
    if (!net) return undefined;
    const { store } = this.#parts;
    const after = net.after.at(-1);
    return {
      path,
      before: await store.content(net.before),
      after: after === undefined ? undefined : await store.content(after),
    };
  }

  /**
   * Undoes a part of what the turn of that user message changed in one file: `write` writes the file, and the change is recorded like
   * any other. `rest`: the bytes that the turn would have left without this part and those undone before. Rejects as `write` does.
   */
  async undoPart(
    mark: string,
    { path, rest }: { path: string; rest: Uint8Array },
    write: () => Promise<void>,
  ): Promise<void> {
    await this.settled();
    const journal = this.#opened();
    if (this.#running > 0) throw new CheckpointError("busy");
    const after = turnChange(journal.history, mark).files.find((file) => file.path === path)?.after;
    if (typeof after !== "object" || after === null) throw new CheckpointError("unknown");
    this.#running += 1;
    try {
      const id = this.#deps.newId();
      const begin = { kind: "undo" as const, id, place: this.#place(), undoes: partUndo(mark) };
      const { recording, store } = this.#parts;
      const kept = await store.keep({ kind: after.kind, bytes: rest });
      const findChanges = await recording.change(journal, begin, [path]);
      let isDone = false;
      try {
        await write();
        isDone = true;
      } finally {
        const { files } = await findChanges();
        // What a failed write left may be the user's own.
        const outcome = isDone ? { rest: kept } : { mixed: true };
        await this.#end(journal, id, {
          files: files.map((file) => (file.path === path ? { ...file, ...outcome } : file)),
        });
      }
    } finally {
      this.#running -= 1;
    }
  }

  /** Plans the undo of what the turn of that user message changed, in these files or in all. Changes nothing. */
  async planUndoTurn(mark: string, paths?: readonly string[]): Promise<RestorePlan> {
    await this.settled();
    await this.#recordBackgroundChanges();
    const { files, ...turn } = turnChange(this.#opened().history, mark);
    const chosen = paths ? files.filter(({ path }) => paths.includes(path)) : files;
    const planned = await this.#parts.restoring.planUndo({ ...turn, files: chosen });
    return { id: mark, files: planned, undoes: turnUndo(mark) };
  }

  /** Records that the user keeps what the turn of that user message changed. */
  async keepTurn(mark: string): Promise<void> {
    await this.settled();
    const journal = this.#opened();
    if (journal.history.isKept(mark)) return;
    await journal.write({ t: "keep", id: mark, at: this.#now() });
    this.#emit(markView(journal.history, mark));
  }

  /** Plans a restore to the checkpoint. Changes nothing. */
  async plan(id: string): Promise<RestorePlan> {
    await this.settled();
    await this.#recordBackgroundChanges();
    const since = this.#opened().history.since(id);
    if (!since) throw new CheckpointError("unknown");
    return { id, files: await this.#parts.restoring.plan(since) };
  }

  /** Plans the undo of a single change. Changes nothing. */
  async planUndo(callId: string): Promise<RestorePlan> {
    await this.settled();
    const change = this.#opened().history.change(callId);
    if (!change) throw new CheckpointError("unknown");
    return { id: callId, files: await this.#parts.restoring.planUndo(change), undoes: callId };
  }

  /**
   * Carries out a plan, file by file, each atomically. A file that no longer matches the plan is not changed. Stores
   * what it replaces first: a restore is a change like any other and can be undone.
   */
  async restore(plan: RestorePlan, files: readonly PlannedFile[] = plan.files): Promise<RestoreResult> {
    await this.settled();
    const journal = this.#opened();
    if (this.#running > 0) throw new CheckpointError("busy");
    this.#running += 1;
    const { owners, restoring } = this.#parts;
    const ownership = owners.begin(
      this.id,
      files.map(({ path }) => path),
    );
    let changed: readonly FileChange[] = [];
    try {
      return await restoring.run(journal, plan, files, this.#place(), (id, done) => {
        changed = done;
        return this.#end(journal, id, { files: done });
      });
    } finally {
      ownership.end(changed);
      this.#running -= 1;
    }
  }

  /** Returns the views of the session's checkpoints, in order. */
  views(): CheckpointView[] {
    return this.#journal ? allViews(this.#journal.history, this.#name) : [];
  }

  #emit(views: readonly CheckpointView[]): void {
    for (const view of views) this.#views.emit(view);
  }

  readonly #name = (path: string): string => this.#parts.recording.backups?.name(path) ?? path;

  #opened(): CheckpointJournal {
    if (!this.#journal) throw new CheckpointError("unknown");
    return this.#journal;
  }

  #now(): string {
    return this.#deps.clock.now().toISOString();
  }
}

function leftOf({ left }: { left?: number | undefined }): { left?: number } {
  return left ? { left } : {};
}
