/**
 * Notifications that wait until the page can receive them. A later one replaces those of the same name, so that however long the panel
 * is hidden, it gets no more messages than there are names; only texts for the composer, each of which the user asked for, all stay.
 */
import type { Notification, NotificationName } from "../../../shared/protocol.ts";

/** What a page also gets with the whole state, or requests when it loads. */
const UPDATES = [
  "host/setup",
  "sessions/changed",
  "current/changed",
  "servers/changed",
  "rules/changed",
  "history/indexing",
] as const;
export type Updated = (typeof UPDATES)[number];

type Send = <N extends NotificationName>(name: N, params: Notification<N>) => void;

export class Outbox {
  readonly #send: Send;
  #waiting: { name: NotificationName; send: () => void }[] = [];

  constructor(send: Send) {
    this.#send = send;
  }

  get isEmpty(): boolean {
    return this.#waiting.length === 0;
  }

  hold<N extends NotificationName>(name: N, params: Notification<N>): void {
    if (name !== "composer/insert") this.drop(name);
    this.#waiting.push({ name, send: () => this.#send(name, params) });
  }

  drop(name: NotificationName): void {
    this.#waiting = this.#waiting.filter((each) => each.name !== name);
  }

  /** The page receives the whole state now. */
  stateSent(): void {
    for (const name of UPDATES) this.drop(name);
  }

  /** Sends what waits, in order. */
  send(): void {
    for (const { send } of this.#waiting.splice(0)) send();
  }
}
