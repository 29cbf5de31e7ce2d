/** What happens beside a session's conversation: requests to its model that are not part of it. */
import type { RunEnd } from "../../loop/loop.ts";
import { CommitMessages, type CommitMessagesDeps } from "./commit-messages.ts";
import { SessionTitle, type SessionTitleDeps } from "./session-title.ts";

export class SessionExtras {
  readonly commitMessages: CommitMessages;
  readonly #title: SessionTitle;

  constructor(deps: SessionTitleDeps & CommitMessagesDeps) {
    this.commitMessages = new CommitMessages(deps);
    this.#title = new SessionTitle(deps);
  }

  turnEnded(end: RunEnd): void {
    this.#title.turnEnded(end);
  }

  /** Cancels the requests; resolves when nothing more is written. */
  async close(): Promise<void> {
    await Promise.all([this.commitMessages.close(), this.#title.close()]);
  }
}
