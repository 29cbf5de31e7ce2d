/** Ties the checkpoints to the conversation: the session on show is theirs too, and what they know becomes rows. */
import type { Message } from "../../shared/message.ts";
import { rowsOf } from "../../shared/view/reducer.ts";
import type { Checkpoints } from "../checkpoints/checkpoints.ts";
import { type Disposable, DisposableStore } from "../lifecycle.ts";
import type { Conversation } from "../loop/conversation.ts";
import type { Log } from "../ports/system.ts";

export class CheckpointLink implements Disposable {
  readonly #conversation: Conversation;
  readonly #checkpoints: Checkpoints;
  readonly #log: Log;
  readonly #store = new DisposableStore();
  /** The session whose checkpoints are known. */
  #opened: string | undefined;

  constructor(conversation: Conversation, checkpoints: Checkpoints, log: Log) {
    this.#conversation = conversation;
    this.#checkpoints = checkpoints;
    this.#log = log;
    this.#store.add(
      conversation.onEvent((event) => {
        if (event.type === "session") this.#open();
        // Whoever else hears of this event has to hear of it first.
        if (event.type === "earlier") queueMicrotask(() => this.#tell());
      }),
    );
    this.#store.add(conversation.onAppended((message) => this.#said(message)));
    this.#store.add(
      checkpoints.onView((checkpoint) => conversation.emit({ type: "checkpoint", checkpoint })),
    );
    checkpoints.place = () => this.#lastRow();
  }

  /** The session on show began with what came before a message of another one. */
  async forked(from: string, messageId: string): Promise<void> {
    const to = this.#conversation.sessionId;
    if (to === undefined) return;
    await this.#checkpoints.fork(from, to, messageId);
    this.#open();
  }

  dispose(): void {
    this.#store.dispose();
  }

  #open(): void {
    // The session event comes before the conversation's own state is set.
    const id = this.#conversation.view.session?.id;
    this.#opened = undefined;
    this.#checkpoints
      .open(id)
      .then(() => {
        if (id !== this.#conversation.view.session?.id) return;
        this.#opened = id;
        this.#tell();
      })
      .catch((error: unknown) => this.#log.error("the checkpoints of the session cannot be read", error));
  }

  /** Those of rows that are on show and do not show them yet. */
  #tell(): void {
    if (this.#opened === undefined || this.#opened !== this.#conversation.view.session?.id) return;
    const known = new Set<string>();
    const ids = new Set<string>();
    for (const row of rowsOf(this.#conversation.view)) {
      ids.add(row.id);
      const shown = row.kind === "call" || row.kind === "checkpoint" ? row.checkpoint : undefined;
      if (shown) known.add(shown.id);
    }
    const isWhole = this.#conversation.view.earlier === 0;
    for (const checkpoint of this.#checkpoints.views()) {
      if (known.has(checkpoint.id) || !(isWhole || ids.has(checkpoint.at))) continue;
      this.#conversation.emit({ type: "checkpoint", checkpoint });
    }
  }

  #said(message: Message): void {
    if (message.display !== undefined) this.#checkpoints.mark(message.id);
  }

  /** The row under which a restore is shown, also when the session is opened again. */
  #lastRow(): string {
    const lasting = rowsOf(this.#conversation.view).findLast(
      ({ kind }) => kind !== "notice" && kind !== "error" && kind !== "checkpoint",
    );
    return lasting?.id ?? "";
  }
}
