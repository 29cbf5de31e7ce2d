/**
 * Notifications that wait until the page can receive them. A later notification replaces one of the same name, so that the number
 * of messages does not grow while the panel is hidden. Texts for the composer are never replaced, because the user asked for each.
 */
import type { Notification, NotificationName } from "../../../shared/protocol.ts";

/** Notifications whose content a page also receives with the whole state, or requests when it loads. */
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

  /** Drops the updates that the whole state includes, because the page is receiving that state. */
  stateSent(): void {
    for (const name of UPDATES) this.drop(name);
  }

  /** Sends everything that waits, in order. */
  send(): void {
    for (const { send } of this.#waiting.splice(0)) send();
  }
}
