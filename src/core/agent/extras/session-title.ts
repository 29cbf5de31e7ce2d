/**
 * Names a new session after its first turn, if the user allows the extra request: one small request to the session's model,
 * which is not part of the conversation but whose cost counts. A title that the user wrote stays.
 */
import type { TaskEvent } from "../../../shared/event.ts";
import type { Disposable } from "../../lifecycle.ts";
import type { RunEnd } from "../../loop/loop.ts";
import type { Transcript } from "../../loop/transcript.ts";
import type { SessionStore } from "../../sessions/session-store.ts";
import {
  type ExtraQuestion,
  type ExtraRequestDeps,
  ExtraRequests,
  withoutThinking,
} from "./extra-request.ts";

/** Characters of a title. */
const TITLE_LENGTH = 60;
/** Characters of the user's message that the request contains. */
const MESSAGE_LENGTH = 2_000;

const NO_ANSWER: readonly RunEnd["type"][] = ["stopped", "failed", "limit", "handed-over"];

export interface SessionTitleDeps extends ExtraRequestDeps {
  conversation: Transcript;
  store: SessionStore;
  session: ExtraRequestDeps["session"] & {
    readonly onEvent: (listener: (event: TaskEvent) => void) => Disposable;
  };
}

export class SessionTitle {
  readonly #deps: SessionTitleDeps;
  readonly #requests: ExtraRequests;
  readonly #closing = new AbortController();
  /** The title with which the session began; undefined: it began earlier, or was named. */
  #first: string | undefined;
  #done: Promise<void> = Promise.resolve();

  constructor(deps: SessionTitleDeps) {
    this.#deps = deps;
    this.#requests = new ExtraRequests(deps);
    const { conversation, session } = deps;
    session.onEvent((event) => {
      // A loaded session and a branch have messages when they are shown.
      if (event.type === "session" && event.id !== "" && conversation.messages.length === 0)
        this.#first = event.title;
    });
  }

  /** Requests a title if this was the first turn with an answer. Does not delay the session. */
  turnEnded({ type }: RunEnd): void {
    const first = this.#first;
    if (first === undefined || NO_ANSWER.includes(type)) return;
    this.#first = undefined;
    const { host, settings } = this.#deps;
    if (!settings().titles.fromModel) return;
    this.#done = this.#name(first).catch((error: unknown) => {
      if (!this.#closing.signal.aborted) host.log.error("the model gave the task no title", error);
    });
  }

  /** Cancels the request; resolves when nothing more is written. */
  async close(): Promise<void> {
    this.#closing.abort();
    await this.#done;
  }

  async #name(first: string): Promise<void> {
    const { conversation } = this.#deps;
    const userText =
      conversation.messages.find(({ display }) => display !== undefined)?.display?.trim() ?? "";
    if (userText === "" || conversation.title !== first || (await this.#requests.isLimitReached())) return;
    const question = this.#question(userText.slice(0, MESSAGE_LENGTH));
    const answer = await this.#requests.ask(question, this.#closing.signal);
    const title = titleFrom(answer.text);
    try {
      if (title !== "") await this.#rename(first, title);
    } finally {
      await this.#requests.count(question, answer);
    }
    if (title === "") throw new Error("the answer was empty");
  }

  #question(userText: string): ExtraQuestion {
    const { preferredLanguage } = this.#deps.settings();
    const language = preferredLanguage === "" ? "the language of the message" : preferredLanguage;
    return {
      purpose: "title",
      system: `Write a title for the task that the user's message describes. Do not carry out the task. Answer with the title alone: one line of at most ${TITLE_LENGTH} characters in ${language}, without quotation marks and without Markdown.`,
      text: `<message>\n${userText}\n</message>`,
    };
  }

  /** Stores the title unless the user wrote one meanwhile, which another window may have stored. */
  async #rename(first: string, title: string): Promise<void> {
    const { conversation, store } = this.#deps;
    const stored = await store.load(conversation.id, { skip: 0, count: 1 });
    if (conversation.closed || conversation.title !== first || stored?.summary.title !== first) return;
    await store.update(conversation.id, { title });
    conversation.renamed(title);
  }
}

/** A title of one line from a model's answer; "" if there is none. */
export function titleFrom(answer: string): string {
  const line =
    withoutThinking(answer)
      .split("\n")
      .find((each) => /[\p{L}\p{N}]/u.test(each)) ?? "";
  const bare = line.replace(/\s+/g, " ").replace(/^[\s#*_"'`“”‘’「『]+|[\s*_"'`“”‘’」』]+$/gu, "");
  const characters = [...bare];
  return characters.length > TITLE_LENGTH ? `${characters.slice(0, TITLE_LENGTH - 1).join("")}…` : bare;
}
