/** Reports problems that the session store recovered from as rows of the active session. */
import type { Disposable } from "../lifecycle.ts";
import type { Host } from "../ports/host.ts";
import type { StoreProblem } from "../sessions/problems.ts";
import type { SessionStore } from "../sessions/session-store.ts";
import type { Session } from "./session.ts";

export interface StoreNoticesDeps {
  host: Host;
  store: SessionStore;
  active(): Session;
}

export class StoreNotices implements Disposable {
  readonly #deps: StoreNoticesDeps;
  readonly #watching: Disposable;
  readonly #unreported: StoreProblem[];
  #paused = false;

  constructor(deps: StoreNoticesDeps) {
    this.#deps = deps;
    this.#unreported = [...deps.store.problems];
    this.#watching = deps.store.onProblem((problem) => {
      this.#unreported.push(problem);
      if (!this.#paused) this.report();
    });
  }

  /** Delays notices until `work` has shown a session, which removes earlier rows. */
  async after<T>(work: () => Promise<T>): Promise<T> {
    this.#paused = true;
    try {
      return await work();
    } finally {
      this.#paused = false;
      this.report();
    }
  }

  report(): void {
    const { host, active } = this.#deps;
    for (const { code, detail } of this.#unreported.splice(0))
      active().emit({ type: "notice", id: host.newId(), code: "store-problem", values: [code, detail] });
  }

  dispose(): void {
    this.#watching.dispose();
  }
}
