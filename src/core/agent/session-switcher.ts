/**
 * The active session of one seat: new, loaded from the store, restored after a restart, taken from those that work in the
 * background, or a branch of the previous active one.
 */
import type { Worktree } from "../../shared/history/worktree.ts";
import type { Mode } from "../../shared/message.ts";
import { handedOver } from "../context/focus-chain.ts";
import { Emitter } from "../lifecycle.ts";
import type { TranscriptStart } from "../loop/transcript-start.ts";
import type { UserContent } from "../loop/turn.ts";
import type { Host } from "../ports/host.ts";
import type { NewlyCreated } from "../ports/worktrees.ts";
import { SerialQueue } from "../serial-queue.ts";
import type { SessionStore } from "../sessions/session-store.ts";
import type { Session } from "./session.ts";
import type { Library } from "./session-library.ts";
import type { StoreNotices } from "./store-notices.ts";
import { FoundTasks } from "./together/found-tasks.ts";
import type { KeptWork, OpenSessions } from "./together/open-sessions.ts";

/** The number of tasks of the last window that are found again, besides the one that was shown. */
const MOST_FOUND = 20;

/** `keep`: a session that works goes on without a seat. Default: it is stopped. */
export interface Leaving {
  keep?: boolean;
}

/** `worktree`: where the new session works. Default: in the project's folder. */
export interface Beginning extends Leaving {
  worktree?: Worktree;
}

export interface BegunWorktree {
  created: NewlyCreated;
  session: Session;
  /** To be called when the first message was sent, or could not be. */
  sent(): Promise<void>;
}

export interface SwitcherDeps {
  host: Host;
  store: SessionStore;
  library: Library;
  sessions: OpenSessions;
  /** All seats of the project, this one included. */
  seats: Set<SessionSwitcher>;
  notices: StoreNotices;
  create(start: TranscriptStart): Session;
  /** How a stored session is created again. */
  stored(id: string, mode: Mode): Promise<TranscriptStart>;
}

export class SessionSwitcher {
  readonly #deps: SwitcherDeps;
  readonly #switched = new Emitter<void>();
  /** Serializes switches, because leaving a session is asynchronous. */
  readonly #switches = new SerialQueue();
  #active: Session;
  #creating: { session: Session; controller: AbortController; done: Promise<BegunWorktree> } | undefined;
  readonly #found: FoundTasks;
  #isVisible = true;

  /** The active session is now one that was open already: no event repeats what its view has. */
  readonly onSwitched = this.#switched.on;

  constructor(deps: SwitcherDeps) {
    this.#deps = deps;
    this.#found = new FoundTasks(deps);
    this.#active = this.#create({ mode: "act" });
    deps.sessions.show(this.#active);
    deps.seats.add(this);
  }

  get active(): Session {
    return this.#active;
  }

  /** The active session after all pending switches: what the user does meanwhile applies to the next session. */
  async settled(): Promise<Session> {
    while (this.#switches.over) await this.#switches.over;
    return this.#active;
  }

  /** Whether the user sees the active session. */
  setVisible(visible: boolean): void {
    this.#isVisible = visible;
    if (visible) this.#deps.sessions.overview.shown(this.#active.id);
  }

  /** The seat shows the session where the user does not see it. */
  hides(session: Session): boolean {
    return !this.#isVisible && this.#active === session;
  }

  newTask(how: Beginning = {}): Promise<void> {
    return this.#switches.run(() => this.#leave(how));
  }

  /** `elsewhere`: another process works on the session, and `takeOver` is not set. */
  open(
    id: string,
    { takeOver = false, keep = false }: { takeOver?: boolean } & Leaving,
  ): Promise<{ elsewhere?: boolean }> {
    const { store, sessions } = this.#deps;
    const change = async () => {
      if (this.#active.transcript.isStored && id === this.#active.id && !takeOver) return {};
      const open = takeOver ? undefined : await sessions.showOpen(id);
      if (open) {
        await this.#switchTo(open, keep);
        return {};
      }
      if (!takeOver && (await store.elsewhere()).has(id)) return { elsewhere: true };
      if (!keep) await this.#stop();
      const result = await this.#load(id, takeOver);
      if (result === "missing") throw new Error(`there is no session ${id}`);
      return result === "elsewhere" ? { elsewhere: true } : {};
    };
    return this.#switches.run(() => sessions.opening.run(change));
  }

  /**
   * Makes a session in a worktree of the active one, which has no message yet, with what the user chose in it, and shows it in its
   * place unless the user has switched to another one. Rejects as `create` does, and then nothing changes. undefined: the active
   * session is in a worktree already.
   */
  async inWorktree(
    create: (signal: AbortSignal) => Promise<NewlyCreated>,
  ): Promise<BegunWorktree | undefined> {
    const from = await this.settled();
    const { worktree, isStored } = from.transcript;
    if (worktree !== undefined) return undefined;
    if (isStored) throw new Error("the task has begun in the project's folder");
    const pending = this.#creating;
    if (pending?.session === from) {
      // A further message follows the one that is being sent.
      await pending.done.catch(() => undefined);
      return this.inWorktree(create);
    }
    const controller = new AbortController();
    const done = this.#beginFrom(from, () => create(controller.signal));
    this.#creating = { session: from, controller, done };
    from.emit({ type: "status", status: "running" });
    try {
      return await done;
    } finally {
      this.#creating = undefined;
      from.emit({ type: "status", status: "idle" });
    }
  }

  async #beginFrom(from: Session, create: () => Promise<NewlyCreated>): Promise<BegunWorktree> {
    const created = await create();
    return this.#switches.run(async () => {
      const { mode, permission } = from.transcript;
      const session = this.#create({ mode, permission: permission.current, worktree: created.worktree });
      const isShown = from === this.#active;
      if (isShown) await this.#activate(session, { ended: true });
      else this.#deps.sessions.show(session);
      session.transcript.emitState();
      for (const each of ["act", "plan"] as const) {
        const name = from.view.chosen[each];
        if (name !== undefined) session.transcript.chooseModel(each, name);
      }
      const leave = () => this.#deps.sessions.leave(session, { ended: true });
      // It works in the background, as a session does that the user left.
      return { created, session, sent: async () => (isShown ? undefined : leave()) };
    });
  }

  /** Stops the creation of the worktree of the active session. False: none is being created. */
  stopCreating(): boolean {
    if (this.#creating?.session !== this.#active) return false;
    this.#creating.controller.abort();
    return true;
  }

  /**
   * Reopens a session after a restart of the host, and finds the others that were not over. Calls that waited for approval ask
   * again. `shown`: the id of the session to reopen, "" for none; absent: that which changed last. `kept`: what the host kept of
   * another one. Returns the ids of the others, which are loaded after that.
   */
  async restore(shown?: string, kept: (id: string) => KeptWork = () => ({})): Promise<readonly string[]> {
    const { library, store, notices } = this.#deps;
    const ids = await this.#switches.run(async () => {
      await library.sweep();
      const unfinished = await store.unfinished();
      const first = shown === undefined ? unfinished[0] : unfinished.find((id) => id === shown);
      if (first === undefined || (await this.#load(first, false)) !== "opened") notices.report();
      return unfinished.filter((id) => id !== first).slice(0, MOST_FOUND);
    });
    this.#found.open(ids, kept);
    return ids;
  }

  /** Branches before a user message; the original session does not change. */
  fork(messageId: string, title?: string): Promise<UserContent> {
    return this.#switches.run(async () => {
      const from = this.#active;
      const { id, messages, mode, worktree } = from.transcript;
      const place = worktree === undefined ? {} : { worktree };
      const permission = from.transcript.permission.current;
      const index = messages.findIndex((message) => message.id === messageId);
      const message = messages[index];
      if (message?.display === undefined)
        throw new Error("there is no such message of yours in this session");
      await from.stop();
      const shared = messages.slice(0, index);
      const forkOf = { from: id, messageId };
      if (shared.length === 0) {
        // The branch is stored with the message that replaces its first one.
        await this.#activate(this.#create({ mode, permission, forkOf, ...place }), { ended: true });
        this.#active.transcript.emitState();
      } else {
        const branch = this.#create({ mode, permission, ...place });
        await disposedOnFailure(branch, () =>
          branch.transcript.forkFrom(forkOf, shared, title ?? from.transcript.title),
        );
        await this.#activate(branch, { ended: true });
        await branch.showBranch(forkOf);
      }
      // The branch takes its place.
      this.#deps.sessions.overview.forget(id);
      const images = message.blocks.flatMap((block) =>
        block.type === "image" && !block.supplied ? [{ mimeType: block.mimeType, data: block.data }] : [],
      );
      return { text: message.display, images };
    });
  }

  /** Starts the new task that the user accepted, with its context, the todo list and the mode. */
  async handOver(from: Session, context: string): Promise<void> {
    const { sessions, seats } = this.#deps;
    const { mode, todo, worktree } = from.transcript;
    const place = worktree === undefined || worktree === "unreadable" ? {} : { worktree };
    // Messages queued meanwhile apply to the new task.
    const queued = from.queue.take();
    // The seat that created the session may have left it, and others may show it.
    const [first, ...others] = [...seats].filter((seat) => seat.#active === from);
    if (first) await first.#leave(place);
    const next = first ? first.#active : this.#create({ mode, ...place });
    if (!first) sessions.show(next);
    for (const other of others) {
      sessions.show(next);
      await other.#switchTo(next, true);
    }
    await next.transcript.setMode(mode);
    await next.transcript.setTodo(handedOver(context, todo));
    await next.startTurn({ text: context, images: [], byModel: true });
    next.queue.putBack(queued);
    sessions.overview.forget(from.id);
    // It works on in the background, as the one before it did.
    if (!first) await sessions.leave(next, { ended: true });
  }

  /** No more sessions are reopened; resolves when none is. */
  async endFinding(): Promise<void> {
    this.#creating?.controller.abort();
    await this.#creating?.done.catch(() => undefined);
    await this.#found.end();
  }

  /** Ends the seat: its session is stopped, unless it is to be kept, and closed, unless another seat shows it. */
  async dispose({ keep = false }: Leaving = {}): Promise<void> {
    await this.#switches.run(async () => {
      if (!this.#deps.seats.delete(this)) return;
      if (!keep) await this.#stop();
      await this.#deps.sessions.leave(this.#active, { ended: true, keepQueue: keep });
    });
  }

  async #leave({ keep = false, worktree }: Beginning = {}): Promise<void> {
    const { mode } = this.#active.transcript;
    if (!keep) await this.#stop();
    const start = worktree === undefined ? { mode } : { mode, worktree };
    await this.#activate(this.#create(start), { ended: true });
    this.#active.transcript.emitState();
  }

  /** Stops the active session, unless another seat shows it too. */
  async #stop(): Promise<void> {
    if (this.#deps.sessions.seatsOf(this.#active) < 2) await this.#active.stop();
  }

  /** Activates a session that is open already, and that counts as shown. */
  async #switchTo(session: Session, keep: boolean): Promise<void> {
    if (!keep) await this.#stop();
    await this.#replace(session, { ended: true });
    this.#switched.emit();
  }

  /** Activates a stored session. If that is not possible, nothing changes. */
  async #load(id: string, takeOver: boolean): Promise<"opened" | "missing" | "elsewhere"> {
    const before = this.#active;
    const next = this.#deps.create(await this.#deps.stored(id, before.transcript.mode));
    const result = await this.#deps.notices.after(async () => {
      const loaded = await disposedOnFailure(next, () => next.transcript.load(takeOver));
      if (loaded !== "opened") {
        await next.dispose();
        return loaded;
      }
      await this.#activate(next, { ended: false });
      try {
        await next.show();
      } catch (error) {
        await this.#leave();
        throw error;
      }
      return loaded;
    });
    if (result === "opened") await next.pickUp();
    return result;
  }

  #create(start: Omit<TranscriptStart, "id">): Session {
    const { create, host } = this.#deps;
    return create({ id: host.newId(), ...start });
  }

  /** Shows the session in place of the active one, which is left. `ended`: of that one, see `Session.close`. */
  async #activate(session: Session, how: { ended: boolean }): Promise<void> {
    this.#deps.sessions.show(session);
    await this.#replace(session, how);
  }

  async #replace(session: Session, how: { ended: boolean }): Promise<void> {
    const { sessions, seats } = this.#deps;
    const before = this.#active;
    const stale = sessions.all.find((other) => other.id === session.id && other !== session);
    if (before !== stale) await sessions.leave(before, how);
    // Taken over from another process: reopened, not closed.
    await stale?.dispose();
    if (stale) sessions.drop(stale);
    this.#active = session;
    for (const seat of seats) {
      if (seat.#active !== stale) continue;
      sessions.show(session);
      seat.#active = session;
      seat.#switched.emit();
    }
  }
}

/** Disposes a session that never becomes active, because `work` failed. */
async function disposedOnFailure<T>(session: Session, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    await session.dispose();
    throw error;
  }
}
