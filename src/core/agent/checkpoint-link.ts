/** Ties the checkpoints to the active session: it is theirs too, and what they know becomes its rows. */
import type { Message } from "../../shared/message.ts";
import { emptyView, rowsOf } from "../../shared/view/reducer.ts";
import type { Checkpoints } from "../checkpoints/checkpoints.ts";
import { type Disposable, DisposableStore } from "../lifecycle.ts";
import type { Log } from "../ports/system.ts";
import type { Session } from "./session.ts";

export class CheckpointLink implements Disposable {
  readonly #checkpoints: Checkpoints;
  readonly #log: Log;
  #store = new DisposableStore();
  #session: Session | undefined;
  /** The session whose checkpoints are known. */
  #opened: string | undefined;

  constructor(checkpoints: Checkpoints, log: Log) {
    this.#checkpoints = checkpoints;
    this.#log = log;
    checkpoints.place = () => this.#lastRow();
  }

  /** From now on the checkpoints are those of `session`. */
  follow(session: Session): void {
    this.#store.dispose();
    this.#store = new DisposableStore();
    this.#session = session;
    this.#store.add(
      session.onEvent((event) => {
        if (event.type === "session") this.#open();
        // Whoever else hears of this event has to hear of it first.
        if (event.type === "earlier") queueMicrotask(() => this.#report());
      }),
    );
    this.#store.add(session.transcript.onAppended((message) => this.#mark(message)));
    this.#store.add(
      this.#checkpoints.onView((checkpoint) => session.emit({ type: "checkpoint", checkpoint })),
    );
  }

  /** The active session began with what came before a message of another one. */
  async forked(from: string, messageId: string): Promise<void> {
    const to = this.#stored;
    if (to === undefined) return;
    await this.#checkpoints.fork(from, to, messageId);
    this.#open();
  }

  dispose(): void {
    this.#store.dispose();
  }

  /** The session's id, once it is on disk. */
  get #stored(): string | undefined {
    return this.#session?.transcript.begun ? this.#session.id : undefined;
  }

  #open(): void {
    const id = this.#stored;
    this.#opened = undefined;
    this.#checkpoints
      .open(id)
      .then(() => {
        if (id !== this.#stored) return;
        this.#opened = id;
        this.#report();
      })
      .catch((error: unknown) => this.#log.error("the checkpoints of the session cannot be read", error));
  }

  /** Those of rows that the view holds and that do not have them yet. */
  #report(): void {
    const session = this.#session;
    if (!session || this.#opened === undefined || this.#opened !== this.#stored) return;
    const known = new Set<string>();
    const ids = new Set<string>();
    for (const row of rowsOf(session.view)) {
      ids.add(row.id);
      const shown = row.kind === "call" || row.kind === "checkpoint" ? row.checkpoint : undefined;
      if (shown) known.add(shown.id);
    }
    const isWhole = session.view.earlier === 0;
    for (const checkpoint of this.#checkpoints.views()) {
      if (known.has(checkpoint.id) || !(isWhole || ids.has(checkpoint.at))) continue;
      session.emit({ type: "checkpoint", checkpoint });
    }
  }

  #mark(message: Message): void {
    if (message.display !== undefined) this.#checkpoints.mark(message.id);
  }

  /** The row under which a restore is shown, also when the session is opened again. */
  #lastRow(): string {
    const lasting = rowsOf(this.#session?.view ?? emptyView).findLast(
      ({ kind }) => kind !== "notice" && kind !== "error" && kind !== "checkpoint",
    );
    return lasting?.id ?? "";
  }
}
