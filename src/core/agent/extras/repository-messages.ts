/**
 * Writes commit messages for the state of a repository, whichever task or person made the changes. The request belongs to no session: what
 * it costs counts for the day.
 */
import { changesToCommit } from "../../context/git-changes.ts";
import { Judge } from "../../loop/calls/permission.ts";
import { withoutKnownSecrets } from "../../secrets.ts";
import type { SessionParts } from "../session-parts.ts";
import {
  type CommitMaterial,
  CommitMessageFailure,
  CommitMessageRequests,
  type MessageListener,
  type WrittenMessage,
} from "./commit-message-request.ts";
import { countedForDay, type SessionlessDeps } from "./sessionless-requests.ts";

/** Commits whose subjects the request contains, as examples of the style. */
const EXAMPLES = 20;
/** Characters of the text that the user has already typed. */
const HINT_LENGTH = 2_000;
/** Characters of what git lists about commits. */
const LIST_LIMIT = 100_000;
/** Subjects that git and its hosts write say nothing about how people write theirs. */
const WRITTEN_BY_GIT = /^Merge (?:branch|branches|pull request|remote-tracking branch|tag|commit) /;

export interface RepositoryState {
  /** The top folder of the repository. Absolute. */
  root: string;
  /** What the user has already typed as the message. */
  hint: string;
}

export class RepositoryMessages {
  readonly #parts: Pick<SessionParts, "host" | "settings">;
  readonly #judge: Judge;
  readonly #requests: CommitMessageRequests;

  constructor(parts: SessionlessDeps) {
    this.#parts = parts;
    this.#judge = new Judge(parts.host, parts.settings);
    this.#requests = new CommitMessageRequests(countedForDay(parts));
  }

  /** Resolves with a message for what the next commit contains. See `CommitMessageRequests`. */
  write(state: RepositoryState, listener: MessageListener): Promise<WrittenMessage> {
    return this.#requests.write((signal) => this.#material(state, signal), listener);
  }

  /** Cancels the requests; resolves when nothing more is written. */
  async close(): Promise<void> {
    await this.#requests.close();
  }

  async #material({ root, hint }: RepositoryState, signal: AbortSignal): Promise<CommitMaterial> {
    const { host } = this.#parts;
    const { git, workspace } = host;
    if (!git || !workspace.trusted) throw new CommitMessageFailure("nothing-to-commit");
    const unreadable = (path: string) => this.#judge.unreadable(path);
    const [changes, commits] = await Promise.all([
      changesToCommit(root, { host, unreadable }, signal),
      git.commits(root, "", { limit: LIST_LIMIT, signal }),
    ]);
    if (changes.length === 0) throw new CommitMessageFailure("nothing-to-commit");
    const subjects = commits.flatMap(({ subject }) => (WRITTEN_BY_GIT.test(subject) ? [] : [subject]));
    return {
      sections: [
        ["draft", hint.trim().slice(0, HINT_LENGTH)],
        ["recent_subjects", subjects.slice(0, EXAMPLES).join("\n")],
      ],
      changes: changes.map(withoutKnownSecrets),
    };
  }
}
