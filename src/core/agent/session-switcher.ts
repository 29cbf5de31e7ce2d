/**
 * The open sessions and the active one, which is new, loaded from the store, restored after a restart, or a branch of the
 * previous active one.
 */
import type { TaskEvent } from "../../shared/event.ts";
import { handedOver } from "../context/focus-chain.ts";
import { type Disposable, Emitter } from "../lifecycle.ts";
import type { TranscriptStart } from "../loop/transcript-start.ts";
import type { UserContent } from "../loop/turn.ts";
import type { Host } from "../ports/host.ts";
import { SerialQueue } from "../serial-queue.ts";
import type { SessionStore } from "../sessions/session-store.ts";
import type { Session } from "./session.ts";
import type { Library } from "./session-library.ts";
import type { StoreNotices } from "./store-notices.ts";

export interface SwitcherDeps {
  host: Host;
  store: SessionStore;
  library: Library;
  notices: StoreNotices;
  create(start: TranscriptStart): Session;
}

export class SessionSwitcher {
  readonly #deps: SwitcherDeps;
  readonly #events = new Emitter<TaskEvent>();
  readonly #held = new Map<Session, Disposable>();
  /** Serializes switches, because leaving a session is asynchronous. */
  readonly #switches = new SerialQueue();
  #active: Session;

  /** Events of all open sessions; each names its session. */
  readonly onEvent = this.#events.on;

  constructor(deps: SwitcherDeps) {
    this.#deps = deps;
    this.#active = this.#create({ mode: "act" });
    this.#follow(this.#active);
  }

  get active(): Session {
    return this.#active;
  }

  get sessions(): readonly Session[] {
    return [...this.#held.keys()];
  }

  /** The active session after all pending switches: what the user does meanwhile applies to the next session. */
  async settled(): Promise<Session> {
    while (this.#switches.over) await this.#switches.over;
    return this.#active;
  }

  newTask(): Promise<void> {
    return this.#switches.run(() => this.#leave());
  }

  /** `elsewhere`: another process works on the session, and `takeOver` is not set. */
  open(id: string, { takeOver = false }: { takeOver?: boolean }): Promise<{ elsewhere?: boolean }> {
    return this.#switches.run(async () => {
      const { store } = this.#deps;
      if (this.#active.transcript.isStored && id === this.#active.id && !takeOver) return {};
      if (!takeOver && (await store.elsewhere()).has(id)) return { elsewhere: true };
      await this.#active.stop();
      const result = await this.#load(id, takeOver);
      if (result === "missing") throw new Error(`there is no session ${id}`);
      return result === "elsewhere" ? { elsewhere: true } : {};
    });
  }

  /** Reopens the last open session after a restart of the host. A call that waited for approval asks again. */
  restore(): Promise<void> {
    return this.#switches.run(async () => {
      const { library, store, notices } = this.#deps;
      await library.sweep();
      const id = await store.active();
      if (id === undefined || (await this.#load(id, false)) !== "opened") notices.report();
    });
  }

  /** Branches before a user message; the original session does not change. */
  fork(messageId: string, title?: string): Promise<UserContent> {
    return this.#switches.run(async () => {
      const from = this.#active;
      const { id, messages, mode } = from.transcript;
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
        await from.close({ ended: true });
        this.#activate(this.#create({ mode, permission, forkOf }));
        this.#active.transcript.emitState();
      } else {
        const branch = this.#create({ mode, permission });
        await disposedOnFailure(branch, () =>
          branch.transcript.forkFrom(forkOf, shared, title ?? from.transcript.title),
        );
        await from.close({ ended: true });
        this.#activate(branch);
        await branch.showBranch(forkOf);
      }
      const images = message.blocks.flatMap((block) =>
        block.type === "image" && !block.supplied ? [{ mimeType: block.mimeType, data: block.data }] : [],
      );
      return { text: message.display, images };
    });
  }

  /** Starts the new task that the user accepted, with its context, the todo list and the mode. */
  async handOver(from: Session, context: string): Promise<void> {
    const { mode, todo } = from.transcript;
    // Messages queued meanwhile apply to the new task.
    const queued = from.queue.take();
    await this.#leave();
    const next = this.#active;
    await next.transcript.setMode(mode);
    await next.transcript.setTodo(handedOver(context, todo));
    await next.startTurn({ text: context, images: [], byModel: true });
    next.queue.putBack(queued);
  }

  async dispose(): Promise<void> {
    await Promise.all(this.sessions.map((session) => session.dispose()));
    const { store } = this.#deps;
    for (const { id, transcript } of this.sessions) if (transcript.isStored) await store.release(id);
  }

  async #leave(): Promise<void> {
    const { mode } = this.#active.transcript;
    await this.#active.stop();
    await this.#active.close({ ended: true });
    this.#activate(this.#create({ mode }));
    this.#active.transcript.emitState();
  }

  /** Activates a stored session. If that is not possible, nothing changes. */
  async #load(id: string, takeOver: boolean): Promise<"opened" | "missing" | "elsewhere"> {
    const before = this.#active;
    const next = this.#deps.create({ id, mode: before.transcript.mode });
    const result = await this.#deps.notices.after(async () => {
      const loaded = await disposedOnFailure(next, () => next.transcript.load(takeOver));
      if (loaded !== "opened") {
        await next.dispose();
        return loaded;
      }
      // A session taken over from another process is reopened; if it is the active one, it is not closed.
      if (before.id === id) await before.dispose();
      else await before.close({ ended: false });
      this.#activate(next);
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

  #activate(session: Session): void {
    this.#held.get(this.#active)?.dispose();
    this.#held.delete(this.#active);
    this.#active = session;
    this.#follow(session);
  }

  #follow(session: Session): void {
    this.#held.set(
      session,
      session.onEvent((event) => this.#events.emit(event)),
    );
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
