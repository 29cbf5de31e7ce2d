/** Which session is on show: one from the store, the one of before a restart, or a branch of the one that is. */

import type { Conversation } from "../loop/conversation.ts";
import type { Said } from "../loop/turn.ts";
import type { Host } from "../ports/host.ts";
import type { SessionStore } from "../sessions/session-store.ts";
import { isWindowStep } from "../window/window.ts";
import type { CheckpointLink } from "./checkpoint-link.ts";
import type { OpenCalls } from "./open-calls.ts";
import type { Library } from "./session-library.ts";
import type { StoreNotices } from "./store-notices.ts";

export interface StageParts {
  host: Host;
  store: SessionStore;
  conversation: Conversation;
  open: OpenCalls;
  library: Library;
  notices: StoreNotices;
  link?: CheckpointLink;
  /** Ends what is under way; resolves when the agent is idle and remembers nothing. */
  clear(): Promise<void>;
  /** Runs the loop for calls that wait for a yes or no. */
  askAgain(): Promise<void>;
}

export class Stage {
  readonly #parts: StageParts;

  constructor(parts: StageParts) {
    this.#parts = parts;
  }

  async open(id: string, { takeOver = false }: { takeOver?: boolean }): Promise<{ elsewhere?: boolean }> {
    const { conversation, store, clear } = this.#parts;
    if (id === conversation.sessionId && !takeOver) return {};
    if (!takeOver && (await store.elsewhere()).has(id)) return { elsewhere: true };
    await clear();
    const result = await this.#show(id, takeOver);
    if (result === "missing") throw new Error(`there is no session ${id}`);
    if (result === "opened") await this.#pickUp();
    return result === "elsewhere" ? { elsewhere: true } : {};
  }

  async restore(): Promise<void> {
    const { library, store, notices } = this.#parts;
    await library.sweep();
    const id = await store.active();
    if (id !== undefined && (await this.#show(id, false)) === "opened") await this.#pickUp();
    else notices.tell();
  }

  /** The session that the branch came from stays as it is. */
  async fork(messageId: string, title?: string): Promise<Said> {
    const { conversation, clear, link } = this.#parts;
    const message = conversation.messages.find(({ id }) => id === messageId);
    if (message?.display === undefined) throw new Error("there is no such message of yours in this session");
    await clear();
    const from = conversation.sessionId;
    await conversation.fork(messageId, title ?? conversation.view.session?.title ?? "");
    if (from !== undefined) await link?.forked(from, messageId);
    const images = message.blocks.flatMap((block) =>
      block.type === "image" ? [{ mimeType: block.mimeType, data: block.data }] : [],
    );
    return { text: message.display, images };
  }

  #show(id: string, takeOver: boolean): Promise<"opened" | "missing" | "elsewhere"> {
    const { notices, conversation } = this.#parts;
    return notices.after(() => conversation.open(id, takeOver));
  }

  /** An opened session stands where it stood: a waiting call asks again, an interrupted one is told as such. */
  async #pickUp(): Promise<void> {
    const { host, conversation, open, askAgain } = this.#parts;
    const waits = await open.pickUp();
    if (waits === "words") return;
    if (waits === "ask") return askAgain();
    const last = conversation.messages.at(-1);
    // Condensing on request leaves nothing under way.
    if (last && isWindowStep(last) && last.display !== undefined) return;
    if (last && (last.role !== "assistant" || last.interrupted)) {
      conversation.emit({ type: "notice", id: host.newId(), code: "interrupted" });
    }
  }
}
