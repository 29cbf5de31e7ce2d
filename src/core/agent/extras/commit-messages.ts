/** Writes commit messages for what a turn of the conversation changed. */
import { commitsToMention } from "../../context/mention-choices.ts";
import { unifiedDiff } from "../../edits/regions.ts";
import type { Transcript } from "../../loop/transcript.ts";
import {
  type CommitMaterial,
  CommitMessageFailure,
  CommitMessageRequests,
  type MessageListener,
} from "./commit-message-request.ts";
import type { ExtraRequestDeps } from "./extra-request.ts";

/** Characters of the user's message that the request contains. */
const MESSAGE_LENGTH = 1_000;
/** Commits whose subjects the request contains, as examples of the style. */
const EXAMPLES = 8;

/** A file of the turn. Texts are null where there is no such file, and undefined where it is not text or is not stored. */
export interface ChangedText {
  /** Absolute. */
  path: string;
  /** The path that the user sees. */
  name: string;
  before: string | null | undefined;
  after: string | null | undefined;
}

export interface CommitMessagesDeps extends ExtraRequestDeps {
  conversation: ExtraRequestDeps["conversation"] & Pick<Transcript, "messages" | "keys">;
  /** Why the model may not read a file; undefined: it may. */
  unreadable(path: string): Promise<string | undefined>;
}

export class CommitMessages {
  readonly #deps: CommitMessagesDeps;
  readonly #requests: CommitMessageRequests;

  constructor(deps: CommitMessagesDeps) {
    this.#deps = deps;
    this.#requests = new CommitMessageRequests({ ...deps, keys: deps.conversation.keys });
  }

  /** Resolves with the message for what the turn of that user message changed. See `CommitMessageRequests`. */
  async write(turn: string, files: readonly ChangedText[], listener: MessageListener): Promise<string> {
    if (files.length === 0) throw new CommitMessageFailure("no-changes");
    const { message } = await this.#requests.write(() => this.#material(turn, files), listener);
    return message;
  }

  /** Cancels the requests; resolves when nothing more is written. */
  async close(): Promise<void> {
    await this.#requests.close();
  }

  async #material(turn: string, files: readonly ChangedText[]): Promise<CommitMaterial> {
    const { conversation, host } = this.#deps;
    const userText = conversation.messages.find(({ id }) => id === turn)?.display?.trim() ?? "";
    const commits = (await commitsToMention(host, "")).slice(0, EXAMPLES);
    return {
      sections: [
        ["request", userText.slice(0, MESSAGE_LENGTH)],
        ["recent_subjects", commits.map(({ subject }) => subject).join("\n")],
      ],
      changes: await Promise.all(files.map((file) => this.#changes(file))),
    };
  }

  async #changes({ path, name, before, after }: ChangedText): Promise<string> {
    const kind = before === null ? "new file" : after === null ? "deleted" : "changed";
    const head = `--- ${name} (${kind})`;
    if (before === undefined || after === undefined) return `${head}\n(not text, or not kept)`;
    if ((await this.#deps.unreadable(path)) !== undefined) return `${head}\n(its content is private)`;
    // The deleted text says little about the reason.
    if (after === null) return head;
    return `${head}\n${unifiedDiff(before ?? "", after, { context: 2 })}`;
  }
}
