/**
 * The events on their way to the panel: gathered for a moment, merged where one continues another, numbered.
 * A hidden panel is sent nothing; when it returns it is sent the whole state once.
 */
import type { Clock } from "../../core/ports/system.ts";
import type { TaskEvent } from "../../shared/event.ts";
import type { Notification } from "../../shared/protocol.ts";
import { type ChatView, outputTail, shownPart } from "../../shared/view/reducer.ts";

/**
 * Milliseconds that events are gathered for: two frames of a screen. Text that streams looks no smoother with more, and
 * each message costs the window a layout and a frame.
 */
const frame = 33;

/** What the stream sends, and where it reads the state that its snapshots hold. */
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
  /** The number of the next event that is sent. */
  #seq = 0;
  #visible = true;
  /** Events were left out since the panel last had the whole state. */
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
    this.#timer ??= this.#ends.clock.after(frame, () => this.flush());
  }

  /** Sends what is gathered now. */
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

  /** The whole state and the number of the event that follows it; what is gathered is part of it. */
  snapshot(): Notification<"chat/snapshot"> {
    this.#drop();
    this.#behind = false;
    return { seq: this.#seq, view: this.#ends.view() };
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

/** One event that folds to the same state as the two in turn; undefined where there is none. */
export function mergeEvents(first: TaskEvent, second: TaskEvent): TaskEvent | undefined {
  if (first.session !== second.session) return undefined;
  if (first.type === "delta" && second.type === "delta") {
    return first.messageId === second.messageId && first.block === second.block && first.kind === second.kind
      ? { ...first, delta: first.delta + second.delta }
      : undefined;
  }
  if (first.type === "call-text" && second.type === "call-text") {
    return first.callId === second.callId ? { ...first, delta: first.delta + second.delta } : undefined;
  }
  if (first.type === "output" && second.type === "output") {
    // A row keeps no more than its tail, so no more needs to travel.
    return first.callId === second.callId
      ? { ...first, delta: (first.delta + second.delta).slice(-outputTail) }
      : undefined;
  }
  return undefined;
}
