/**
 * The way back: the bytes before and after each change that the agent makes, so that files can be put back to any
 * message or change of the session, and forth again. What the person changed since is never overwritten unasked.
 */
import type { CheckpointView } from "../../shared/event.ts";
import { Emitter } from "../lifecycle.ts";
import type { Clock, FileContent, FileStates, Log, Snapshots, Storage } from "../ports.ts";
import { type Change, CheckpointHistory, netChanges } from "./checkpoints-history.ts";
import type { CheckpointRecord, FileChange, FileState, Uncovered } from "./checkpoints-records.ts";
import { sameState } from "./checkpoints-records.ts";
import { CheckpointStore, type Found, inParallel } from "./checkpoints-store.ts";

export interface CheckpointDeps {
  storage: Storage;
  files: FileStates;
  /** Left out where there is nothing that could take them. */
  snapshots?: Snapshots;
  clock: Pick<Clock, "now">;
  log: Log;
  /** `maxSize`: megabytes. */
  settings(): { enabled: boolean; maxSize: number };
  newId(): string;
}

/** One call that may change something. */
export interface ChangingCall {
  callId: string;
  /** Absolute paths of the files that it writes. */
  paths: readonly string[];
  /** It may change anything, as a command does. */
  anything: boolean;
}

/** A file from a checkpoint until now. `content` undefined: it is not kept any more, or never was. */
export interface ChangedContent {
  path: string;
  before: FileContent | null | undefined;
  /** Of one change; left out where the file as it is now is meant. */
  after?: FileContent | null | undefined;
}

export interface PlannedFile {
  path: string;
  /** What it will be. */
  target: FileState;
  /** What it is. */
  current: FileState;
  /** The person, or somebody else, changed it since the agent did. */
  changedSince: boolean;
  /** What it was is not kept: it cannot be put back. */
  lost: boolean;
}

export interface RestorePlan {
  id: string;
  files: PlannedFile[];
  undoes?: string;
}

export interface RestoreResult {
  restored: string[];
  failed: { path: string; reason: string }[];
  /** Of the change that the restore is, by which it can be undone; undefined: nothing was to be done. */
  id?: string;
}

/** busy: a call is changing files right now. unknown: there is no such checkpoint in the session on show. */
export class CheckpointError extends Error {
  readonly code: "busy" | "unknown";

  constructor(code: CheckpointError["code"]) {
    super(code === "busy" ? "a call is changing files right now" : "there is no such checkpoint");
    this.code = code;
  }
}

/** Bytes of one file; a larger one is not kept. */
const fileLimit = 50_000_000;
/** Bytes of all contents that one command's changes may keep. */
const commandLimit = 500_000_000;

export class Checkpoints {
  readonly #d: CheckpointDeps;
  readonly #store: CheckpointStore;
  readonly #views = new Emitter<CheckpointView>();
  #session: { id: string; history: CheckpointHistory } | undefined;
  /** Calls that change files at this moment. */
  #running = 0;
  /** What a command changed is still being looked at: the next change waits for it. */
  #pending: Promise<unknown> = Promise.resolve();
  #last: Promise<unknown> = Promise.resolve();
  #warm = false;
  #bounding: Promise<unknown> = Promise.resolve();
  /** Says under which row a restore is shown. */
  place: () => string = () => "";
  #opening: Promise<unknown> = Promise.resolve();

  /** A checkpoint of the session on show is new, or more is known of it. */
  readonly onView = this.#views.on;

  constructor(deps: CheckpointDeps) {
    this.#d = deps;
    this.#store = new CheckpointStore(deps.storage, deps.log);
  }

  /** The session on show from now on; undefined: none. Whatever is asked meanwhile waits. */
  open(sessionId: string | undefined): Promise<void> {
    const before = this.settled();
    const opening = before.then(async () => {
      this.#session = undefined;
      if (sessionId === undefined) return;
      this.#session = { id: sessionId, history: CheckpointHistory.of(await this.#store.load(sessionId)) };
    });
    this.#opening = opening.catch(() => {});
    return opening;
  }

  /** Resolves when all that commands changed is written down. */
  async settled(): Promise<void> {
    await this.#opening;
    await this.#pending;
    await this.#last;
  }

  /** A message of the person's is a place to go back to. Never rejects; costs the caller nothing. */
  mark(messageId: string): void {
    if (!this.#d.settings().enabled) return;
    const marking = this.#opening.then(async () => {
      if (this.#session) await this.#write(this.#session, { t: "mark", id: messageId, at: this.#now() });
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
   * a command changed is known, only the next change waits.
   */
  async begin(call: ChangingCall): Promise<{ end(): Promise<void> }> {
    await this.#opening;
    await this.#pending;
    const session = this.#session;
    if (!session || !this.#d.settings().enabled || (call.paths.length === 0 && !call.anything)) {
      return { end: async () => undefined };
    }
    this.#running += 1;
    try {
      const end = call.anything
        ? await this.#beginCommand(session, call)
        : await this.#beginEdit(session, call);
      return {
        end: async () => {
          this.#running -= 1;
          await end().catch((error: unknown) => this.#d.log.error("the change was not written down", error));
        },
      };
    } catch (error) {
      this.#running -= 1;
      throw error;
    }
  }

  async #beginEdit(session: Session, { callId, paths }: ChangingCall): Promise<() => Promise<void>> {
    const { files } = this.#d;
    const places = new Set<string>();
    for (const path of paths) {
      places.add(await files.locate(path, false));
      places.add(await files.locate(path, true));
    }
    const before = new Map<string, Found>();
    for (const path of places) before.set(path, await files.read(path, fileLimit));
    const changes: FileChange[] = [];
    for (const [path, found] of before) changes.push({ path, before: await this.#store.keep(found) });
    await this.#write(session, {
      t: "begin",
      id: callId,
      at: this.#now(),
      kind: "edit",
      place: callId,
      files: changes,
    });
    await this.#store.ensure([...before.values()]);
    return async () => {
      const ended: FileChange[] = [];
      for (const change of changes) {
        const after = await this.#store.keep(await files.read(change.path, fileLimit));
        if (!sameState(change.before, after)) ended.push({ ...change, after });
      }
      await this.#end(session, callId, ended, {});
    };
  }

  async #beginCommand(session: Session, { callId }: ChangingCall): Promise<() => Promise<void>> {
    const before = (await this.#d.snapshots?.take()) ?? { unavailable: "no-repository" as const };
    await this.#write(session, {
      t: "begin",
      id: callId,
      at: this.#now(),
      kind: "command",
      place: callId,
      files: [],
    });
    if ("unavailable" in before) {
      const { unavailable: uncovered } = before;
      return () => this.#end(session, callId, [], { uncovered });
    }
    return async () => {
      this.#pending = this.#commandEnded(session, callId, before).catch((error: unknown) =>
        this.#d.log.error("the command's changes were not written down", error),
      );
    };
  }

  async #commandEnded(
    session: Session,
    callId: string,
    before: { tree: string; left: string[] },
  ): Promise<void> {
    const { snapshots } = this.#d;
    const after = await snapshots?.take();
    if (!snapshots || !after || "unavailable" in after) {
      const uncovered = after && "unavailable" in after ? after.unavailable : "failed";
      await this.#end(session, callId, [], { uncovered });
      return;
    }
    const leftOut = new Set([...before.left, ...after.left]);
    const all = await snapshots.changes(before.tree, after.tree);
    const changes = all.filter(({ path }) => !leftOut.has(path));
    const ids = changes
      .flatMap((change) => [change.before, change.after])
      .flatMap((side) => (side ? [side.id] : []));
    const contents = await snapshots.read(ids, fileLimit, commandLimit);
    const files: FileChange[] = [];
    const kept: Found[] = [];
    const stateOf = async (side: (typeof changes)[number]["before"]): Promise<FileState> => {
      if (!side) return null;
      const bytes = contents.get(side.id);
      if (!bytes) return "large";
      kept.push({ kind: side.kind, bytes });
      return this.#store.keep({ kind: side.kind, bytes });
    };
    await inParallel(changes, async (change) => {
      const [from, to] = [await stateOf(change.before), await stateOf(change.after)];
      files.push({ path: change.path, before: from, after: to });
    });
    files.sort((a, b) => (a.path < b.path ? -1 : 1));
    await this.#end(session, callId, files, { left: all.length - changes.length });
    await this.#store.ensure(kept);
  }

  async #end(
    session: Session,
    id: string,
    files: FileChange[],
    { left, uncovered }: { left?: number; uncovered?: Uncovered },
  ): Promise<void> {
    await this.#write(session, {
      t: "end",
      id,
      at: this.#now(),
      files,
      ...(left ? { left } : {}),
      ...(uncovered ? { uncovered } : {}),
    });
    this.#publish(session, id);
    // What is kept stays within its bound; nobody waits for that.
    this.#bounding = this.#store
      .bound(this.#d.settings().maxSize * 1_000_000)
      .catch((error: unknown) => this.#d.log.error("checkpoints: no space was freed", error));
  }

  /** The files that changed since the checkpoint; of a call, with `only`, those of that call. */
  async changes(id: string, only: boolean): Promise<ChangedContent[]> {
    await this.settled();
    const { history } = this.#current();
    if (only) {
      const change = history.change(id);
      if (!change) throw new CheckpointError("unknown");
      const files = netChanges([change]);
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
      netChanges(since).map(async ({ path, before }) => ({
        path,
        before: await this.#store.content(before),
      })),
    );
  }

  /** What a restore to the checkpoint would do. Changes nothing. */
  async plan(id: string): Promise<RestorePlan> {
    await this.settled();
    const since = this.#current().history.since(id);
    if (!since) throw new CheckpointError("unknown");
    return { id, files: await this.#planned(since) };
  }

  /** What taking back one change would do. Changes nothing. */
  async planUndo(callId: string): Promise<RestorePlan> {
    await this.settled();
    const change = this.#current().history.change(callId);
    if (!change) throw new CheckpointError("unknown");
    return { id: callId, files: await this.#planned([change]), undoes: callId };
  }

  async #planned(changes: readonly Change[]): Promise<PlannedFile[]> {
    const planned: PlannedFile[] = [];
    await inParallel(netChanges(changes), async ({ path, before, after }) => {
      const current = await this.#store.describe(await this.#d.files.read(path, fileLimit));
      if (sameState(current, before)) return;
      const changedSince = !after.some((state) => sameState(state, current));
      planned.push({ path, target: before, current, changedSince, lost: !(await this.#store.has(before)) });
    });
    return planned.sort((a, b) => (a.path < b.path ? -1 : 1));
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
      return await this.#restore(session, plan, files);
    } finally {
      this.#running -= 1;
    }
  }

  async #restore(session: Session, plan: RestorePlan, files: readonly PlannedFile[]): Promise<RestoreResult> {
    const result: RestoreResult = { restored: [], failed: [] };
    const wanted: PlannedFile[] = [];
    await inParallel(files, async (file) => {
      const now = await this.#d.files.read(file.path, fileLimit);
      const current = await this.#store.keep(now);
      if (file.lost) result.failed.push({ path: file.path, reason: "its content is not kept" });
      else if (!sameState(current, file.current))
        result.failed.push({ path: file.path, reason: "it changed" });
      else wanted.push(file);
    });
    if (wanted.length === 0) return result;
    const id = this.#d.newId();
    const changes = wanted.map(({ path, current, target }) => ({ path, before: current, after: target }));
    await this.#write(session, {
      t: "begin",
      id,
      at: this.#now(),
      kind: plan.undoes === undefined ? "restore" : "undo",
      place: this.place(),
      files: changes,
      ...(plan.undoes === undefined ? { to: plan.id } : { undoes: plan.undoes }),
    });
    await inParallel(wanted, async ({ path, current, target }) => {
      try {
        if (!(await this.#store.has(current)))
          await this.#store.keep(await this.#d.files.read(path, fileLimit));
        const content = await this.#store.content(target);
        if (content === undefined) throw new Error("its content is not kept");
        await this.#d.files.put(path, content, async (found) =>
          sameState(await this.#store.describe(found), current),
        );
        result.restored.push(path);
      } catch (error) {
        result.failed.push({ path, reason: error instanceof Error ? error.message : String(error) });
      }
    });
    const done = new Set(result.restored);
    await this.#end(
      session,
      id,
      changes.filter(({ path }) => done.has(path)),
      {},
    );
    return { ...result, id };
  }

  /** What to show of the session's checkpoints, in order. */
  views(): CheckpointView[] {
    const session = this.#session;
    if (!session) return [];
    return session.history.steps.flatMap((step) =>
      step.t === "mark" ? this.#markView(session, step.id) : this.#changeView(session, step.change),
    );
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

  #publish(session: Session, id: string): void {
    if (session !== this.#session) return;
    const change = session.history.change(id);
    const mark = session.history.lastMark;
    const views = [
      ...(change ? this.#changeView(session, change) : []),
      ...this.#affected(session, change),
      ...(mark === undefined ? [] : this.#markView(session, mark)),
    ];
    for (const view of views) this.#views.emit(view);
  }

  /** The changes that a restore or an undo takes back, or brings again. */
  #affected(session: Session, change: Change | undefined): CheckpointView[] {
    const { undoes, to, id } = change ?? {};
    const since = undoes ?? to;
    if (since === undefined) return [];
    const changes = session.history.since(since) ?? [];
    const earlier = session.history.change(session.history.change(since)?.undoes ?? "");
    return [...changes.filter((other) => other.id !== id), ...(earlier ? [earlier] : [])].flatMap((other) =>
      this.#changeView(session, other),
    );
  }

  #changeView({ history }: Session, change: Change): CheckpointView[] {
    const files = netChanges([change]).length;
    const isRestore = change.kind === "restore" || change.kind === "undo";
    if (files === 0 && change.left === 0) return [];
    return [
      {
        id: change.id,
        kind: isRestore ? "restore" : "call",
        at: change.place,
        files,
        ...(change.left > 0 ? { left: change.left } : {}),
        ...(history.isTakenBack(change.id) ? { undone: true } : {}),
        ...(change.finished ? {} : { unfinished: true }),
      },
    ];
  }

  #markView({ history }: Session, mark: string): CheckpointView[] {
    const turn = history.turn(mark);
    const files = netChanges(turn).length;
    const left = turn.reduce((total, change) => total + change.left, 0);
    const uncovered = turn.find((change) => change.uncovered)?.uncovered;
    // Before the first change there is nothing to go back from.
    if (
      turn.length === 0 ||
      (files === 0 && left === 0 && !uncovered && turn.every(({ finished }) => finished))
    ) {
      return turn.some(({ kind }) => kind === "restore" || kind === "undo")
        ? [{ id: mark, kind: "message", at: mark, files: 0 }]
        : [];
    }
    return [
      {
        id: mark,
        kind: "message",
        at: mark,
        files,
        ...(left > 0 ? { left } : {}),
        ...(uncovered ? { uncovered } : {}),
      },
    ];
  }

  #current(): Session {
    if (!this.#session) throw new CheckpointError("unknown");
    return this.#session;
  }

  /** On disk when it resolves, in the order of the calls. */
  #write(session: Session, record: CheckpointRecord): Promise<void> {
    const turn = this.#last.then(async () => {
      await this.#store.append(session.id, record);
      session.history.add(record);
    });
    this.#last = turn.catch(() => {});
    return turn;
  }

  #now(): string {
    return this.#d.clock.now().toISOString();
  }
}

interface Session {
  id: string;
  history: CheckpointHistory;
}
