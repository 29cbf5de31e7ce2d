/**
 * The sessions that this process has loaded: those that a seat shows, and those that work on after the user left them. A session
 * that is neither shown nor working is closed, so that it takes neither memory nor time.
 */
import type { TaskEvent } from "../../../shared/event.ts";
import { type Disposable, Emitter } from "../../lifecycle.ts";
import type { UserContent } from "../../loop/turn.ts";
import type { Log } from "../../ports/system.ts";
import type { Session } from "../session.ts";
import { Overview } from "./overview.ts";

export interface OpenSessionsDeps {
  log: Log;
  /** Stores that a session which is not open is over. */
  markEnded(id: string): Promise<void>;
}

interface Entry {
  events: Disposable;
  /** How many seats show it. */
  seats: number;
  /** A task of another session runs in it, which shows it and closes it. */
  isChild: boolean;
  /** It is being closed, and can no longer be shown. */
  closing?: Promise<void>;
}

export class OpenSessions {
  /** The tasks that work, wait, or ended unseen. */
  readonly overview = new Overview((id) => {
    const session = this.find(id);
    const isListed = session && !this.#entries.get(session)?.isChild;
    return isListed ? { view: session.view, seats: this.seatsOf(session) } : undefined;
  });
  readonly #deps: OpenSessionsDeps;
  readonly #entries = new Map<Session, Entry>();
  readonly #events = new Emitter<TaskEvent>();
  readonly #all = new Emitter<TaskEvent>();
  /** Sessions that are being closed because their work is over. */
  readonly #closing = new Set<Promise<void>>();
  #disposed = false;

  /** Events of all open sessions but those that run for another one and that no seat shows; each names its session. */
  readonly onEvent = this.#events.on;
  /** Events of all open sessions. */
  readonly onAnyEvent = this.#all.on;

  constructor(deps: OpenSessionsDeps) {
    this.#deps = deps;
    this.onEvent((event) => this.overview.fold(event));
  }

  get all(): readonly Session[] {
    return [...this.#entries.keys()];
  }

  find(id: string): Session | undefined {
    return this.all.find((session) => session.id === id);
  }

  /**
   * Shows an open session, so that it stays open; undefined: it has to be loaded. Waits for one that is being closed. Nothing may
   * come between finding and showing it.
   */
  async showOpen(id: string): Promise<Session | undefined> {
    const session = this.find(id);
    const closing = session && this.#entries.get(session)?.closing;
    if (closing) await closing;
    else if (session) this.show(session);
    return closing ? undefined : session;
  }

  /** How many seats show the session. */
  seatsOf(session: Session): number {
    return this.#entries.get(session)?.seats ?? 0;
  }

  /** A seat shows the session from now on. Its events are reported as long as it is open. */
  show(session: Session): void {
    this.#entry(session).seats++;
    this.overview.shown(session.id);
  }

  /** A session runs for another one, which releases it. */
  adopt(session: Session): void {
    this.#entry(session).isChild = true;
  }

  /** The work of a session that was adopted is over: it is closed, unless a seat shows it. `ended`: see `Session.close`. */
  async release(session: Session, how: { ended: boolean }): Promise<void> {
    const entry = this.#entries.get(session);
    if (!entry) return;
    entry.isChild = false;
    if (this.#disposed) return;
    if (entry.seats === 0) await this.#close(session, how);
  }

  #entry(session: Session): Entry {
    const known = this.#entries.get(session);
    if (known) return known;
    const entry: Entry = {
      events: session.onEvent((event) => {
        this.#all.emit(event);
        if (!entry.isChild || entry.seats > 0) this.#events.emit(event);
      }),
      seats: 0,
      isChild: false,
    };
    this.#entries.set(session, entry);
    return entry;
  }

  /**
   * A seat no longer shows the session. One that works goes on, and is closed when its work is over, unless messages that were
   * not sent are left in its queue; any other is closed now, unless another seat shows it. `ended`: see `Session.close`.
   */
  async leave(session: Session, how: { ended: boolean }): Promise<void> {
    const entry = this.#entries.get(session);
    if (!entry) return;
    entry.seats--;
    if (entry.seats > 0 || entry.isChild) return;
    if (!session.busy) {
      await this.#close(session, how);
      return;
    }
    const closing = this.#closeAfterwards(session)
      .catch((error: unknown) => this.#deps.log.error(`session ${session.id} was not closed`, error))
      .finally(() => this.#closing.delete(closing));
    this.#closing.add(closing);
  }

  /** Decides on a call that waits in an open session. False: it does not wait there. */
  decide(id: string, callId: string, approved: boolean): boolean {
    return this.find(id)?.approvals.decide(callId, { approved, comment: undefined }) ?? false;
  }

  /** Stops a session that works in the background. */
  async stop(id: string): Promise<void> {
    await this.find(id)?.stop();
  }

  /**
   * Takes a session that does not work out of the overview, and returns the messages that were left in its queue. One that
   * works is not affected.
   */
  async dismiss(id: string): Promise<readonly UserContent[]> {
    const session = this.find(id);
    if (!this.overview.has(id) || session?.busy) return [];
    this.overview.forget(id);
    const entry = session && this.#entries.get(session);
    if (session && entry && entry.seats > 0) return [];
    if (session && entry && !entry.closing) {
      const left = session.queue.take();
      await this.#close(session, { ended: true });
      return left;
    }
    await entry?.closing;
    await this.#deps.markEnded(id);
    return [];
  }

  /** The user gave the session another title, which is stored already. */
  renamed(id: string, title: string): void {
    this.find(id)?.transcript.renamed(title);
    this.overview.renamed(id, title);
  }

  /** Ends a session that no seat shows, for good. */
  async end(id: string): Promise<void> {
    const session = this.find(id);
    if (session && this.#entries.get(session)?.isChild) await session.stop();
    else if (session && this.seatsOf(session) === 0) {
      await session.stop();
      await this.#close(session, { ended: true });
    }
    this.overview.forget(id);
  }

  /** Loads a session that was not over when the program ended. A call that waited for approval asks again. */
  async reopen(session: Session): Promise<void> {
    const loaded = await session.transcript.load(false).catch(async (error: unknown) => {
      await session.dispose();
      throw error;
    });
    if (loaded !== "opened") return session.dispose();
    this.show(session);
    try {
      await session.show();
      await session.pickUp();
      this.overview.found(session.id);
    } finally {
      await this.leave(session, { ended: false });
    }
  }

  /** Forgets a session that was disposed, and whose events nobody needs any more. */
  drop(session: Session): void {
    this.#entries.get(session)?.events.dispose();
    this.#entries.delete(session);
  }

  /** Ends all work; calls that wait for approval stay open and ask again later. */
  async dispose(): Promise<void> {
    this.#disposed = true;
    await Promise.all(this.all.map((session) => session.dispose()));
    await Promise.all(this.#closing);
  }

  async #closeAfterwards(session: Session): Promise<void> {
    // A turn may be followed by one with the messages that were queued.
    while (session.busy) await session.idle;
    if (this.#disposed || this.seatsOf(session) > 0 || !session.queue.isEmpty) return;
    await this.#close(session, { ended: true });
  }

  /** Its events are reported up to the end. One that the overview lists is not over for the user. */
  async #close(session: Session, how: { ended: boolean }): Promise<void> {
    const entry = this.#entries.get(session);
    if (!entry) return;
    entry.closing ??= session.close({ ended: how.ended && !this.overview.has(session.id) });
    try {
      await entry.closing;
    } finally {
      this.drop(session);
    }
  }
}
