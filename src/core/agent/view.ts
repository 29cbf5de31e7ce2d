/**
 * What one panel or editor tab shows: the active session, and whether the user sees it. The active session is new, loaded from the
 * store, restored after a restart, one of those that work in the background, or a branch of the previous active one. Any number
 * of views share a project, and sessions work on when no view shows them. Nothing here decides for the user: a message never
 * approves a call, and nothing runs by itself after a restart.
 */
import type { TaskEvent } from "../../shared/event.ts";
import type { Worktree } from "../../shared/history/worktree.ts";
import type { Message, Mode } from "../../shared/message.ts";
import { type PlanStart, planStartIn } from "../../shared/plan-document.ts";
import { SerialQueue } from "../async.ts";
import { type Disposable, Emitter } from "../lifecycle.ts";
import type { BackgroundCommands } from "../loop/calls/background-list.ts";
import type { SessionPlan } from "../loop/plan/session-plan.ts";
import type { ForkPoint, TranscriptStart } from "../loop/transcript.ts";
import type { UserContent } from "../loop/turn.ts";
import type { Host } from "../ports/host.ts";
import type { NewlyCreated } from "../ports/worktrees.ts";
import type { SessionStore } from "../sessions/session-store.ts";
import type { Overview } from "./project/overview.ts";
import { begunValues, type ProjectWorktrees } from "./project/project-worktrees.ts";
import { type Images, type Session, titleOf } from "./session.ts";
import type { StoreNotices } from "./store-notices.ts";

/** `keep`: a session that works continues in the background, and is closed when its work is over. Default: it is stopped. */
export interface LeaveOptions {
  keep?: boolean;
}

/** `worktree`: where the new session works. Default: in the project's folder. */
export interface NewTaskOptions extends LeaveOptions {
  worktree?: Worktree;
}

/** How a session is closed once no view shows it. */
export interface CloseOptions {
  /** See `Session.close`. */
  ended: boolean;
  /** A session with messages in its queue stays open. */
  keepQueue?: boolean;
}

/** What a view needs of its project. */
export interface ViewProject {
  readonly host: Host;
  readonly store: SessionStore;
  readonly notices: StoreNotices;
  readonly overview: Pick<Overview, "shown" | "forget">;
  readonly background: Pick<BackgroundCommands, "all" | "onChange">;
  readonly worktrees: Pick<ProjectWorktrees, "create" | "remove">;
  /** Two views that open a session at the same time must get the same one. */
  readonly opening: SerialQueue;
  /** Events of all sessions that a view can show; each names its session. */
  readonly onEvent: (listener: (event: TaskEvent) => void) => Disposable;
  create(start: TranscriptStart): Session;
  /** See `chooseAgent`. */
  chooseAgent(session: Session, name: string): Promise<void>;
  /** What is needed to open a stored session again. */
  stored(id: string, mode: Mode): Promise<TranscriptStart>;
  /** How many views show the session. */
  viewsOf(session: Session): number;
  /** One more view shows the session. */
  show(session: Session): void;
  /** The same for the session with this id, if it is open. */
  showOpen(id: string): Promise<Session | undefined>;
  /** One view fewer shows the session. */
  leave(session: Session, how: CloseOptions): Promise<void>;
  /** Another open object of the same session, which is to be replaced; undefined: there is none. */
  staleOf(session: Session): Session | undefined;
  /** Closes such an object, for example because its session was taken over from another process and loaded again. */
  retire(stale: Session): Promise<void>;
  /** Call when `session` has replaced `stale`. The views that show `stale` then show `session`. */
  replaced(stale: Session, session: Session): void;
  /** False: the view is closed already. */
  viewClosed(view: View): boolean;
}

/** A session that begins in a worktree of its own. */
interface WorktreeStart {
  created: NewlyCreated;
  session: Session;
  /** To be called when the first message was sent, or could not be. */
  sent(): Promise<void>;
}

export class View {
  readonly #project: ViewProject;
  readonly #switched = new Emitter<void>();
  /** Serializes switches, because leaving a session is asynchronous. */
  readonly #switches = new SerialQueue();
  readonly #listening: readonly Disposable[];
  #active: Session;
  #creating: { session: Session; controller: AbortController; done: Promise<WorktreeStart> } | undefined;
  #isVisible = true;

  /** Fires when a session that was already open becomes the active one. Its view is complete, and no events repeat what it shows. */
  readonly onSwitched = this.#switched.on;

  constructor(project: ViewProject) {
    this.#project = project;
    this.#active = this.#create({ mode: "act" });
    project.show(this.#active);
    this.#listening = this.#shareBackground();
  }

  /** The session that the view shows. It is on disk once it has a message. */
  get active(): Session {
    return this.#active;
  }

  /** The active session after all pending switches: what the user does meanwhile applies to the next session. */
  async settled(): Promise<Session> {
    while (this.#switches.over) await this.#switches.over;
    return this.#active;
  }

  /** Events of the active session. */
  onEvent(listener: (event: TaskEvent) => void): Disposable {
    return this.#project.onEvent((event) => {
      if (event.session === this.#active.id) listener(event);
    });
  }

  /** Whether the user sees the active session. Default: they do. */
  setVisible(visible: boolean): void {
    this.#isVisible = visible;
    if (visible) this.#project.overview.shown(this.#active.id);
  }

  /** Whether the view shows the session but the user does not see it. */
  hides(session: Session): boolean {
    return !this.#isVisible && this.#active === session;
  }

  /**
   * Sends a message to the active session, as `Session.send` does. The first message of a session that begins in a worktree is sent
   * as `sendInWorktree` does.
   */
  async send(text: string, images: Images = []): Promise<{ queued: boolean }> {
    const start = images.length === 0 ? planStartIn(text) : undefined;
    const plan = start && (await this.settled()).plans.find();
    if (plan) {
      await this.#startPlan(start, plan);
      return { queued: false };
    }
    const session = await this.#writable();
    const begins = session.chatView.beginsInWorktree === true && !session.transcript.isStored;
    return begins ? this.sendInWorktree(text, images) : session.send(text, images);
  }

  /** Carries out a plan of the active session, there or in a new one. Rejects as `sendInWorktree` does. */
  async #startPlan({ place, agent, model }: PlanStart, found: SessionPlan): Promise<void> {
    const from = await this.settled();
    const plan = await from.plans.handedOver(found);
    const begin = async (session: Session, isOwn: boolean) => {
      // A plan that cannot start chooses nothing for the work that goes on.
      session.requireIdleForPlan();
      if (agent !== undefined) await this.#project.chooseAgent(session, agent);
      if (model !== undefined) await session.chooseModel("act", model);
      await session.startPlan(plan, isOwn);
    };
    if (place === "here") return begin(await this.#writable(), true);
    const { worktree } = from.transcript;
    const own = worktree === undefined || worktree === "unreadable" ? {} : { worktree };
    await this.newTask({ keep: true, ...own });
    try {
      if (place === "new") return await begin(await this.settled(), false);
      await this.#beginPlanInWorktree(plan.title, (session) => begin(session, false));
    } catch (error) {
      // The new session is empty, so the user sees the plan again.
      if (!this.#active.transcript.isStored) await this.open(from.id, { keep: true });
      throw error;
    }
  }

  async #beginPlanInWorktree(title: string, begin: (session: Session) => Promise<void>): Promise<void> {
    const start = await this.#beginInWorktree((signal) => this.#project.worktrees.create(title, signal));
    if (!start) return begin(await this.settled());
    try {
      await begin(start.session);
      start.session.notice("worktree-begun", begunValues(start.created));
    } finally {
      await start.sent();
    }
  }

  /** The active session; if it was imported, a copy of it, which is then active. */
  async #writable(): Promise<Session> {
    if ((await this.settled()).transcript.origin === undefined) return this.#active;
    return this.#switches.run(async () => {
      const { agent, id, messages, mode, title, origin } = this.#active.transcript;
      if (origin !== undefined) await this.#branch({ from: id }, messages, { mode, agent }, title);
      return this.#active;
    });
  }

  /**
   * Sends the first message of a task in a worktree of its own, which is named after it. Rejects with WorktreeNotCreated, or as
   * `Session.send` does; the message was then not sent.
   */
  async sendInWorktree(text: string, images: Images = []): Promise<{ queued: boolean }> {
    const start = await this.#beginInWorktree((signal) =>
      this.#project.worktrees.create(titleOf(text), signal),
    );
    if (!start) return (await this.settled()).send(text, images);
    const { session, created } = start;
    try {
      const sent = await session.send(text, images);
      session.notice("worktree-begun", begunValues(created));
      return sent;
    } finally {
      await start.sent();
    }
  }

  /** Decides whether the active session begins in a worktree, while it has no message. */
  async setBeginsInWorktree(on: boolean): Promise<void> {
    const session = await this.settled();
    if (!session.transcript.isStored && session.transcript.worktree === undefined)
      session.emit({ type: "begins-in-worktree", on });
  }

  /** See `ProjectWorktrees.remove`. If the active session worked there, the view shows it again, or a new one. */
  async removeWorktree(
    worktree: Worktree,
    how: { losing: readonly string[]; branch: "keep" | "delete" },
    signal: AbortSignal,
  ): Promise<readonly string[]> {
    const lost = await this.#project.worktrees.remove(worktree, how, signal);
    const { transcript, id } = this.#active;
    const { worktree: own, isStored } = transcript;
    const wasHere = own !== undefined && own !== "unreadable" && own.path === worktree.path;
    if (lost.length > 0 || !wasHere) return lost;
    // A session without a message is replaced; any other continues in the project's folder.
    await (isStored ? this.open(id, { takeOver: true }) : this.newTask());
    return lost;
  }

  /** Stops all work of the active session; resolves when it is idle, within two seconds. */
  async stop(): Promise<void> {
    if (!this.#stopCreating()) await this.#active.stop();
  }

  /** Shows a new session. */
  newTask(how: NewTaskOptions = {}): Promise<void> {
    return this.#switches.run(() => this.begin(how));
  }

  /** `elsewhere`: not opened, because another process works on it; `takeOver` opens it anyway. */
  open(
    id: string,
    { takeOver = false, keep = false }: { takeOver?: boolean } & LeaveOptions = {},
  ): Promise<{ elsewhere?: boolean }> {
    const { opening } = this.#project;
    return this.#switches.run(() => opening.run(() => this.#open(id, takeOver, keep)));
  }

  async #open(id: string, takeOver: boolean, keep: boolean): Promise<{ elsewhere?: boolean }> {
    if (this.#active.transcript.isStored && id === this.#active.id && !takeOver) return {};
    const open = takeOver ? undefined : await this.#project.showOpen(id);
    if (open) {
      await this.switchTo(open, { keep });
      return {};
    }
    if (!takeOver && (await this.#project.store.elsewhere()).has(id)) return { elsewhere: true };
    if (!keep) await this.#stop();
    const result = await this.#load(id, takeOver);
    if (result === "missing") throw new Error(`there is no session ${id}`);
    return result === "elsewhere" ? { elsewhere: true } : {};
  }

  /** Loads and shows the session that `choose` names, after a restart of the host. Returns false if it shows no stored session. */
  reopen(choose: () => Promise<string | undefined>): Promise<boolean> {
    return this.#switches.run(async () => {
      const id = await choose();
      return id !== undefined && (await this.#load(id, false)) === "opened";
    });
  }

  /** Branches before a user message, activates the branch and returns the message's content. The original session does not change. */
  fork(messageId: string, title?: string): Promise<UserContent> {
    return this.#switches.run(async () => {
      const from = this.#active;
      const { agent, id, messages, mode, worktree } = from.transcript;
      const permission = from.transcript.permission.current;
      const start = { agent, mode, permission, ...(worktree === undefined ? {} : { worktree }) };
      const index = messages.findIndex((message) => message.id === messageId);
      const message = messages[index];
      if (message?.display === undefined)
        throw new Error("there is no such message of yours in this session");
      await from.stop();
      const shared = messages.slice(0, index);
      const forkOf = { from: id, messageId };
      if (shared.length === 0) {
        // The branch is stored with the message that replaces its first one.
        await this.#activate(this.#create({ ...start, forkOf }), { ended: true });
        this.#active.transcript.emitState();
      } else {
        await this.#branch(forkOf, shared, start, title ?? from.transcript.title);
      }
      // The branch replaces the session, which therefore is not listed any more.
      this.#project.overview.forget(id);
      return { text: message.display, images: attachedImages(message) };
    });
  }

  /** Stores a branch and activates it. `shared`: the messages before the branch point, at least one. */
  async #branch(
    forkOf: ForkPoint,
    shared: readonly Message[],
    start: Omit<TranscriptStart, "id">,
    title: string,
  ): Promise<void> {
    const branch = this.#create(start);
    await disposedOnFailure(branch, () => branch.transcript.forkFrom(forkOf, shared, title));
    await this.#activate(branch, { ended: true });
    await branch.showBranch(forkOf);
  }

  /**
   * Replaces a user message, keeping its images. Requests no longer contain the old one and everything after it. Rejects if it was
   * not sent; `unsent` is called with the message if the branch before it is active nevertheless.
   */
  async editAndResend(
    messageId: string,
    text: string,
    added: Images = [],
    unsent: (message: UserContent) => void = () => {},
  ): Promise<void> {
    if (text.trim() === "") return;
    const isFirst = this.#active.transcript.messages[0]?.id === messageId;
    const fork = await this.fork(messageId, isFirst ? titleOf(text) : undefined);
    const images = [...fork.images, ...added];
    try {
      await this.send(text, images);
    } catch (error) {
      unsent({ text, images });
      throw error;
    }
  }

  /**
   * Leaves the active session for a new one at once, without waiting for pending switches. Only for the project: a task hands
   * over to a new one also while the user switches.
   */
  async begin({ keep = false, worktree }: NewTaskOptions = {}): Promise<void> {
    const { agent, mode } = this.#active.transcript;
    if (!keep) await this.#stop();
    const start = worktree === undefined ? { agent, mode } : { agent, mode, worktree };
    await this.#activate(this.#create(start), { ended: true });
    this.#active.transcript.emitState();
  }

  /**
   * Shows an open session, which already counts as shown, without waiting for pending switches. Only for the project, like
   * `begin`.
   */
  async switchTo(session: Session, { keep = false }: LeaveOptions = {}): Promise<void> {
    if (!keep) await this.#stop();
    await this.#replace(session, { ended: true });
    this.#switched.emit();
  }

  /** Shows `session` if the view shows `stale`, another object of the same session, which is closed. */
  sessionReplaced(stale: Session, session: Session): void {
    if (this.#active !== stale) return;
    this.#project.show(session);
    this.#active = session;
    this.#switched.emit();
  }

  /** Stops the creation of a worktree; resolves when none is being created. */
  async endCreating(): Promise<void> {
    this.#creating?.controller.abort();
    await this.#creating?.done.catch(() => undefined);
  }

  /** Closes the view. Its session is stopped unless `keep` is set, and closed unless another view shows it. */
  async dispose({ keep = false }: LeaveOptions = {}): Promise<void> {
    this.endListening();
    await this.#switches.run(async () => {
      if (!this.#project.viewClosed(this)) return;
      if (!keep) await this.#stop();
      await this.#project.leave(this.#active, { ended: true, keepQueue: keep });
    });
  }

  /** The view no longer shows changes of the commands in the background. */
  endListening(): void {
    for (const each of this.#listening) each.dispose();
  }

  /** Shows the commands in the background, of all sessions, in the active session. */
  #shareBackground(): Disposable[] {
    const { background } = this.#project;
    const share = () => this.#active.emit({ type: "background", commands: [...background.all] });
    return [
      background.onChange(share),
      this.onSwitched(share),
      this.onEvent(({ type }) => {
        if (type === "session" && background.all.length > 0) share();
      }),
    ];
  }

  /**
   * Replaces the active session, which has no message yet, with one in a new worktree, where the user's choices apply too. If the user
   * has switched to another session meanwhile, that one stays active. Rejects as `create` does, and then nothing changes. undefined:
   * the active session is in a worktree already.
   */
  async #beginInWorktree(
    create: (signal: AbortSignal) => Promise<NewlyCreated>,
  ): Promise<WorktreeStart | undefined> {
    const from = await this.settled();
    const { worktree, isStored } = from.transcript;
    if (worktree !== undefined) return undefined;
    if (isStored) throw new Error("the task has begun in the project's folder");
    const pending = this.#creating;
    if (pending?.session === from) {
      // A further message follows the one that is being sent.
      await pending.done.catch(() => undefined);
      return this.#beginInWorktree(create);
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

  async #beginFrom(from: Session, create: () => Promise<NewlyCreated>): Promise<WorktreeStart> {
    const created = await create();
    return this.#switches.run(async () => {
      const { agent, mode, permission } = from.transcript;
      const session = this.#create({
        ...{ agent, mode },
        permission: permission.current,
        worktree: created.worktree,
      });
      const isShown = from === this.#active;
      if (isShown) await this.#activate(session, { ended: true });
      else this.#project.show(session);
      session.transcript.emitState();
      for (const each of ["act", "plan"] as const) {
        const name = from.chatView.chosen[each];
        if (name !== undefined) session.transcript.chooseModel(each, name);
      }
      const leave = () => this.#project.leave(session, { ended: true });
      // If the user has switched to another session, this one works in the background.
      return { created, session, sent: async () => (isShown ? undefined : leave()) };
    });
  }

  /** Stops the creation of the worktree of the active session. False: none is being created. */
  #stopCreating(): boolean {
    if (this.#creating?.session !== this.#active) return false;
    this.#creating.controller.abort();
    return true;
  }

  /** Stops the active session, unless another view shows it too. */
  async #stop(): Promise<void> {
    if (this.#project.viewsOf(this.#active) < 2) await this.#active.stop();
  }

  /** Activates a stored session. If that is not possible, nothing changes. */
  async #load(id: string, takeOver: boolean): Promise<"opened" | "missing" | "elsewhere"> {
    const before = this.#active;
    const next = this.#project.create(await this.#project.stored(id, before.transcript.mode));
    const result = await this.#project.notices.after(async () => {
      const loaded = await disposedOnFailure(next, () => next.transcript.load(takeOver));
      if (loaded !== "opened") {
        await next.dispose();
        return loaded;
      }
      await this.#activate(next, { ended: false });
      try {
        await next.show();
      } catch (error) {
        await this.begin();
        throw error;
      }
      return loaded;
    });
    if (result === "opened") await next.pickUp();
    return result;
  }

  #create(start: Omit<TranscriptStart, "id">): Session {
    const { host } = this.#project;
    return this.#project.create({ id: host.newId(), ...start });
  }

  /** Shows the session instead of the active one, to which `how` applies. */
  async #activate(session: Session, how: { ended: boolean }): Promise<void> {
    this.#project.show(session);
    await this.#replace(session, how);
  }

  async #replace(session: Session, how: { ended: boolean }): Promise<void> {
    const before = this.#active;
    const stale = this.#project.staleOf(session);
    if (before !== stale) await this.#project.leave(before, how);
    if (stale) await this.#project.retire(stale);
    this.#active = session;
    if (stale) this.#project.replaced(stale, session);
  }
}

/** The images that the user attached to a message, without those of mentions. */
function attachedImages({ blocks }: Message): Images {
  return blocks.flatMap((block) =>
    block.type === "image" && !block.supplied ? [{ mimeType: block.mimeType, data: block.data }] : [],
  );
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
