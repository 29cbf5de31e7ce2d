/** What the user can do, as requests to the host. A failed request is reported in the panel, never swallowed. */
import { messageOf } from "../src/shared/message-of.ts";
import type { AllowScope } from "../src/shared/permission/levels.ts";
import type { PreparedAnswer } from "../src/shared/permission/prepared-answer.ts";
import type {
  Commit,
  Draft,
  FileHit,
  MentionSymbol,
  Params,
  RequestName,
  Result,
} from "../src/shared/protocol.ts";
import type { Client } from "../src/shared/rpc.ts";
import type { MentionResource } from "../src/shared/server-protocol.ts";
import type { DraftAttachment, PersistedPanel } from "./host.ts";
import type { PanelStore } from "./store.ts";

export class Actions {
  readonly #client: Client;
  readonly #store: PanelStore;
  readonly #persisted: Pick<PersistedPanel, "remembered">;
  /** The draft that the host last received. */
  #lastSent: Draft | undefined;

  constructor(client: Client, store: PanelStore, persisted: Pick<PersistedPanel, "remembered">) {
    this.#client = client;
    this.#store = store;
    this.#persisted = persisted;
  }

  /** Requests the whole state: at load, and after a missed event. */
  async open(): Promise<void> {
    this.#store.opening();
    try {
      this.#store.open(await this.#client.call("chat/open", { draft: this.#persisted.remembered }));
    } catch (error) {
      this.#store.openFailed(messageOf(error));
    }
  }

  /** Rejects when the host did not accept the message, so that the composer can restore the text. */
  async send(text: string, images: readonly DraftAttachment[] = []): Promise<void> {
    this.#store.report(null);
    try {
      await this.#client.call("chat/send", images.length > 0 ? { text, images: [...images] } : { text });
    } catch (error) {
      this.#store.report(messageOf(error));
      throw error;
    }
  }

  /**
   * Answers one pending call. `allow` also allows similar calls, in that scope; `left` contains the indexes of the excluded
   * hunks. Resolves to false when the call no longer waits, or when the host did not accept the answer.
   */
  async answer(
    verdict: "approve" | "reject",
    callId: string,
    comment: string,
    { allow, left }: { allow?: AllowScope | undefined; left?: number[] } = {},
  ): Promise<boolean> {
    const text = comment.trim();
    const params = text === "" ? { callId } : { callId, comment: text };
    const result =
      verdict === "approve"
        ? await this.#try("chat/approve", {
            ...params,
            ...(allow === undefined ? {} : { allow }),
            ...(left === undefined ? {} : { left }),
          })
        : await this.#try("chat/reject", params);
    return result?.accepted ?? false;
  }

  /**
   * Sends the answer that the user prepares for a call, which applies however the user then answers: in the card, by a key or in
   * a diff. Resolves to whether the host received it.
   */
  async prepareAnswer(callId: string, answer: PreparedAnswer): Promise<boolean> {
    return (await this.#try("chat/prepare-answer", { callId, ...answer })) !== undefined;
  }

  /** Sends the composer's draft to the host if it changed. A failure loses nothing: the page keeps the draft too. */
  keepDraft(draft: Draft): void {
    const before = this.#lastSent;
    const sameImages = sameList(draft.images, before?.images ?? []);
    if (before && sameImages && draft.text === before.text && draft.after === before.after) return;
    this.#lastSent = draft;
    const { text, after, at } = draft;
    this.#client
      .call("chat/draft", sameImages ? { text, after, at } : draft)
      .catch((error: unknown) => console.warn(`draft: ${messageOf(error)}`));
  }

  /** Records that another view of the session sent this draft to the host. */
  draftShared({ text, after }: Pick<Draft, "text" | "after">): void {
    this.#lastSent = { text, after, at: Date.now(), images: this.#lastSent?.images ?? [] };
  }

  /** Sends a request whose result is not needed; a failure is reported. */
  run<N extends RequestName>(name: N, params: Params<N>): void {
    void this.#try(name, params);
  }

  async findCommits(query: string): Promise<readonly Commit[]> {
    return (await this.#client.call("git/commits", { query })).commits;
  }

  slashCommands(): Promise<Result<"slash/list">> {
    return this.#client.call("slash/list", {});
  }

  async findSymbols(query: string, starts?: boolean): Promise<readonly MentionSymbol[]> {
    return (await this.#client.call("symbols/find", { query, limit: 20, starts })).symbols;
  }

  async findResources(query: string): Promise<readonly MentionResource[]> {
    return (await this.#client.call("resources/find", { query, limit: 20 })).resources;
  }

  /** The connections to models. Rejects when the host does not answer, as does `offered`. */
  models(): Promise<Result<"models/list">> {
    return this.#client.call("models/list", {});
  }

  offered(connection: string): Promise<Result<"models/offered">> {
    return this.#client.call("models/offered", { connection });
  }

  async findFiles(query: string, kind?: FileHit["kind"]): Promise<readonly FileHit[]> {
    const params = { query, limit: 20 };
    return (await this.#client.call("files/find", kind ? { ...params, kind } : params)).hits;
  }

  /** Rejects when the host does not answer. */
  findSessions(query: Params<"history/list">): Promise<Result<"history/list">> {
    return this.#client.call("history/list", query);
  }

  /** Resolves with the answer. A failure is reported and resolves to undefined. */
  ask<N extends RequestName>(name: N, params: Params<N>): Promise<Result<N> | undefined> {
    return this.#try(name, params);
  }

  /** Like `ask`, for what the user did not ask for: a failure is only logged. */
  async quietly<N extends RequestName>(name: N, params: Params<N>): Promise<Result<N> | undefined> {
    try {
      return await this.#client.call(name, params);
    } catch (error) {
      console.warn(`${name}: ${messageOf(error)}`);
      return undefined;
    }
  }

  /**
   * Like `ask`, for requests that open one of the editor's own dialogs. Restores the focus in the panel afterwards:
   * dialogs take the focus out of the frame, and the browser then forgets where it was.
   */
  async askAway<N extends RequestName>(name: N, params: Params<N>): Promise<Result<N> | undefined> {
    const before = document.activeElement;
    const result = await this.#try(name, params);
    if (before instanceof HTMLElement && !hasFocusedElement()) before.focus();
    return result;
  }

  async #try<N extends RequestName>(name: N, params: Params<N>): Promise<Result<N> | undefined> {
    try {
      return await this.#client.call(name, params);
    } catch (error) {
      this.#store.report(messageOf(error));
      return undefined;
    }
  }
}

export const sameList = <T>(a: readonly T[], b: readonly T[]): boolean =>
  a.length === b.length && a.every((item, index) => item === b[index]);

function hasFocusedElement(): boolean {
  const { activeElement } = document;
  return activeElement !== null && activeElement !== document.body;
}
