/**
 * Sends events to the panel: collects them briefly, merges consecutive ones, and numbers them. The beginning of a session that
 * is being opened is sent immediately, because the user waits for it. A hidden panel receives nothing. When it becomes visible
 * again, it receives the whole state once.
 */
import type { Clock } from "../../../core/ports/system.ts";
import type { TaskEvent } from "../../../shared/event.ts";
import type { Notification } from "../../../shared/protocol.ts";
import { type ChatView, OUTPUT_TAIL, shownPart } from "../../../shared/view/reducer.ts";

/**
 * Milliseconds for which events are collected: two screen frames. More frequent messages would not make streaming text
 * look smoother, and each message costs the window a layout and a frame.
 */
const FRAME = 33;

/** Sends the stream's output and provides the state for its snapshots. */
export interface StreamEnds {
  clock: Pick<Clock, "after">;
  view(): ChatView;
  sendEvents(params: Notification<"chat/events">): void;
  sendSnapshot(params: Notification<"chat/snapshot">): void;
}

export class EventStream {
  readonly #ends: StreamEnds;
  #pending: TaskEvent[] = [];
  #timer: { dispose(): void } | undefined;
  /** The number of the next event to send. */
  #seq = 0;
  #visible = true;
  /** Events were dropped since the panel last received the whole state. */
  #behind = false;

  constructor(ends: StreamEnds) {
    this.#ends = ends;
  }

  push(whole: TaskEvent): void {
    const event =
      whole.type === "message"
        ? { ...whole, message: shownPart(whole.message, this.#ends.view().faces) }
        : whole;
    if (!this.#visible) {
      this.#behind = true;
      return;
    }
    const last = this.#pending.at(-1);
    const merged = last && mergeEvents(last, event);
    if (merged) this.#pending[this.#pending.length - 1] = merged;
    else this.#pending.push(event);
    // Does not wait for the timer, which would fire late: the host is busy with the rest of the session after this event.
    if (event.type === "earlier" && this.#pending.some(({ type }) => type === "session")) this.flush();
    else this.#timer ??= this.#ends.clock.after(FRAME, () => this.flush());
  }

  /** Sends the collected events now. */
  flush(): void {
    this.#timer?.dispose();
    this.#timer = undefined;
    if (this.#pending.length === 0) return;
    const events = this.#pending;
    this.#pending = [];
    const seq = this.#seq;
    this.#seq += events.length;
    this.#ends.sendEvents({ seq, events });
  }

  /** The whole state and the number of the next event; the state includes the collected events, which are dropped. */
  snapshot(): Notification<"chat/snapshot"> {
    this.#drop();
    this.#behind = false;
    return { seq: this.#seq, view: this.#ends.view() };
  }

  /** Another session has become active. */
  replaced(): void {
    if (this.#visible) this.#ends.sendSnapshot(this.snapshot());
    else this.#behind = true;
  }

  setVisible(visible: boolean): void {
    if (visible === this.#visible) return;
    this.#visible = visible;
    if (visible) {
      if (this.#behind) this.#ends.sendSnapshot(this.snapshot());
    } else if (this.#pending.length > 0) {
      this.#drop();
      this.#behind = true;
    }
  }

  dispose(): void {
    this.#drop();
    this.#visible = false;
  }

  #drop(): void {
    this.#timer?.dispose();
    this.#timer = undefined;
    this.#pending = [];
  }
}

/** One event with the same effect as the two in sequence; undefined: no single event has that effect. */
export function mergeEvents(first: TaskEvent, second: TaskEvent): TaskEvent | undefined {
  if (first.session !== second.session) return undefined;
  if (first.type === "delta" && second.type === "delta") {
    return first.messageId === second.messageId && first.block === second.block && first.kind === second.kind
      ? { ...first, delta: first.delta + second.delta }
      : undefined;
  }
  if (first.type === "comparison-delta" && second.type === "comparison-delta") {
    return first.id === second.id && first.index === second.index
      ? { ...first, delta: first.delta + second.delta }
      : undefined;
  }
  if (first.type === "call-text" && second.type === "call-text") {
    return first.callId === second.callId ? { ...first, delta: first.delta + second.delta } : undefined;
  }
  if (first.type === "output" && second.type === "output") {
    // A row keeps only the tail, so only the tail is sent.
    return first.callId === second.callId
      ? { ...first, delta: (first.delta + second.delta).slice(-OUTPUT_TAIL) }
      : undefined;
  }
  return undefined;
}
