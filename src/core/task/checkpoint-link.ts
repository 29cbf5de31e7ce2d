/** Ties the checkpoints to the conversation: the session on show is theirs too, and what they know becomes rows. */
import type { Message } from "../../shared/message.ts";
import { rowsOf } from "../../shared/view.ts";
import { type Disposable, DisposableStore } from "../lifecycle.ts";
import type { Log } from "../ports.ts";
import type { Checkpoints } from "../sessions/checkpoints.ts";
import type { Conversation } from "./conversation.ts";

export class CheckpointLink implements Disposable {
  readonly #conversation: Conversation;
  readonly #checkpoints: Checkpoints;
  readonly #log: Log;
  readonly #store = new DisposableStore();

  constructor(conversation: Conversation, checkpoints: Checkpoints, log: Log) {
    this.#conversation = conversation;
    this.#checkpoints = checkpoints;
    this.#log = log;
    this.#store.add(
      conversation.onEvent((event) => {
        if (event.type === "session") this.#open();
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
    this.#checkpoints
      .open(id)
      .then(() => {
        if (id !== this.#conversation.view.session?.id) return;
        for (const checkpoint of this.#checkpoints.views()) {
          this.#conversation.emit({ type: "checkpoint", checkpoint });
        }
      })
      .catch((error: unknown) => this.#log.error("the checkpoints of the session cannot be read", error));
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
