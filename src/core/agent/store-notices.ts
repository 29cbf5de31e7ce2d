/** What the session store found and got over, as rows of the conversation on show. */
import type { Disposable } from "../lifecycle.ts";
import type { Conversation } from "../loop/conversation.ts";
import type { Host } from "../ports/host.ts";
import type { StoreProblem } from "../sessions/problems.ts";
import type { SessionStore } from "../sessions/session-store.ts";

export class StoreNotices implements Disposable {
  readonly #host: Host;
  readonly #conversation: Conversation;
  readonly #watching: Disposable;
  readonly #untold: StoreProblem[];
  #held = false;

  constructor(host: Host, store: SessionStore, conversation: Conversation) {
    this.#host = host;
    this.#conversation = conversation;
    this.#untold = [...store.problems];
    this.#watching = store.onProblem((problem) => {
      this.#untold.push(problem);
      if (!this.#held) this.tell();
    });
  }

  /** Holds them back while a session is on its way to the view, which would take earlier rows away. */
  async after<T>(work: () => Promise<T>): Promise<T> {
    this.#held = true;
    try {
      return await work();
    } finally {
      this.#held = false;
      this.tell();
    }
  }

  tell(): void {
    for (const { code, detail } of this.#untold.splice(0)) {
      const id = this.#host.newId();
      this.#conversation.emit({ type: "notice", id, code: "store-problem", values: [code, detail] });
    }
  }

  dispose(): void {
    this.#watching.dispose();
  }
}
