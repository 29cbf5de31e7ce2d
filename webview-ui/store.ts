/**
 * The panel's state: the host's view, built from its events by the reducer that the host also uses. State is replaced,
 * never mutated, so that a component can subscribe to a slice and compare by identity.
 */
import { useSyncExternalStore } from "react";
import type { Draft, IndexProgress, Notification, Result, Setup } from "../src/shared/protocol.ts";
import type { CurrentFile } from "../src/shared/view/current-file.ts";
import { applyEvent, type ChatView, emptyView } from "../src/shared/view/reducer.ts";
import type { SessionItem } from "../src/shared/view/session-item.ts";
import type { RememberedScreen } from "./remembered-screen.ts";

/** A row of a session, and how many of its pixels are above the edge. */
export interface ScrollPosition {
  session: string;
  row: string;
  offset: number;
}

/** A row to show on the page. The folds that contain it open. `inside`: its own folds open too. */
export interface RevealedRow {
  row: string;
  inside: boolean;
}

/** A picture of a call's row, by its index in the row. */
export interface PicturePlace {
  callId: string;
  index: number;
}

/** A message that the user sent and the host has not accepted yet. */
export interface Sending {
  text: string;
  /** The number of attached images. */
  images: number;
  /** Id of the user's last message when it was sent; "" when there was none. */
  after: string;
}

export type ScreenName =
  | "chat"
  | "history"
  | "rules"
  | "servers"
  | "hooks"
  | "plugins"
  | "memory"
  | "tools"
  | "health"
  | "connections"
  | "help";

export interface PanelState {
  /** False until the host answers for the first time. */
  opened: boolean;
  /** `view` and `setup` are what the page before this one showed; false once the host has answered. */
  remembered: boolean;
  view: ChatView;
  setup: Setup | null;
  /** The draft that the host had stored when the page opened; null: none. */
  draft: Draft | null;
  /** The panel is hidden, and VS Code keeps its page. */
  hidden: boolean;
  /** The tasks that are working, waiting, or ended without the user seeing it; may include that of the active session. */
  sessions: readonly SessionItem[];
  /** The file that the user looks at in the editor; null: none that can be named. */
  current: CurrentFile | null;
  /** Messages that the host has not accepted yet, in order. */
  sending: readonly Sending[];
  screen: ScreenName;
  /** The user pressed Escape once while the agent works; the next press stops it. */
  stopsNext: boolean;
  /** The host's progress in indexing for searches; null: none reported. */
  indexed: IndexProgress | null;
  /** How often the user jumped to a place in the conversation, for example from a search. */
  jumps: number;
  /** How often the user asked to find a text since the field opened; 0: it is closed. */
  finding: number;
  /** The row that was last brought onto the page; another object each time. */
  revealed: RevealedRow | null;
  /** The host's message about a failed request of the panel; null when there is none or the user dismissed it. */
  problem: string | null;
  /** The id of the call whose approval card is in view. */
  sighted: string | null;
  /** The picture that covers the panel, if the user enlarged one. */
  enlarged: PicturePlace | null;
}

const initial: PanelState = {
  opened: false,
  remembered: false,
  view: emptyView,
  setup: null,
  hidden: false,
  draft: null,
  sessions: [],
  current: null,
  sending: [],
  stopsNext: false,
  screen: "chat",
  indexed: null,
  jumps: 0,
  finding: 0,
  revealed: null,
  problem: null,
  enlarged: null,
  sighted: null,
};

export class PanelStore {
  #state: PanelState = initial;
  /** Number of the next event; undefined until the host has sent a state. */
  #next: number | undefined;
  /** Events that arrive while an answer to `chat/open` is pending; null when none is pending. */
  #delayed: (() => void)[] | null = null;
  #target: ScrollPosition | null = null;
  readonly #listeners = new Set<() => void>();
  readonly #requestState: () => void;

  /**
   * `requestState` is called when an event was missed; it should send `chat/open` and pass its answer to `open`. `screen` is shown
   * until the host answers.
   */
  constructor(requestState: () => void, screen: RememberedScreen | null = null) {
    this.#requestState = requestState;
    if (screen) this.#state = { ...initial, ...screen, remembered: true };
  }

  get state(): PanelState {
    return this.#state;
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  /** Holds back events until `open` or `openFailed`. */
  opening(): void {
    this.#delayed ??= [];
  }

  open({ seq, view, setup, draft, current, sessions }: Result<"chat/open">): void {
    this.#restart(seq, {
      view,
      setup,
      sessions: sessions ?? [],
      draft: draft ?? null,
      current: current ?? null,
      opened: true,
      remembered: false,
    });
  }

  openFailed(problem: string): void {
    this.#delayed = null;
    this.#next = undefined;
    this.#set({ problem });
  }

  snapshot(snapshot: Notification<"chat/snapshot">): void {
    if (this.#delayed) {
      this.#delayed.push(() => this.snapshot(snapshot));
      return;
    }
    // A delayed snapshot may be older than the answer that it waited for.
    if (this.#next === undefined || snapshot.seq >= this.#next) {
      this.#restart(snapshot.seq, { view: snapshot.view, opened: true, remembered: false });
    }
  }

  events(batch: Notification<"chat/events">): void {
    if (this.#delayed || this.#next === undefined || batch.seq > this.#next) {
      const wasOpening = this.#delayed !== null;
      this.opening();
      this.#delayed?.push(() => this.events(batch));
      if (!wasOpening) this.#requestState();
      return;
    }
    const fresh = batch.events.slice(this.#next - batch.seq);
    if (fresh.length === 0) return;
    this.#next += fresh.length;
    this.#set({ view: fresh.reduce(applyEvent, this.#state.view) });
  }

  stopNext(stopsNext: boolean): void {
    if (stopsNext !== this.#state.stopsNext) this.#set({ stopsNext });
  }

  /** Shows a message as sent until the returned function is called. */
  sending(message: Sending): () => void {
    this.#set({ sending: [...this.#state.sending, message] });
    return () => this.#set({ sending: this.#state.sending.filter((other) => other !== message) });
  }

  sighted(callId: string | null): void {
    if (callId !== this.#state.sighted) this.#set({ sighted: callId });
  }

  enlarge(enlarged: PicturePlace | null): void {
    this.#set({ enlarged });
  }

  setup(setup: Setup): void {
    this.#set({ setup });
  }

  visible(visible: boolean): void {
    this.#set({ hidden: !visible });
  }

  listed(sessions: readonly SessionItem[]): void {
    this.#set({ sessions });
  }

  current(current: CurrentFile | null): void {
    this.#set({ current });
  }

  show(screen: ScreenName): void {
    this.#set({ screen });
  }

  indexed(indexed: IndexProgress): void {
    this.#set({ indexed });
  }

  /** Scrolls the conversation to that place, now or when the session is the active one. */
  jump(target: ScrollPosition): void {
    this.#target = target;
    this.#set({ jumps: this.#state.jumps + 1 });
  }

  /** The place that the user jumped to in that session and has not reached yet. */
  targetIn(session: string): ScrollPosition | null {
    return this.#target?.session === session ? this.#target : null;
  }

  /** Opens the field that finds a text in the conversation, or moves the focus to it. */
  find(): void {
    this.#set({ screen: "chat", finding: this.#state.finding + 1 });
  }

  closeFind(): void {
    if (this.#state.finding > 0) this.#set({ finding: 0 });
  }

  reveal(revealed: RevealedRow): void {
    this.#set({ revealed });
  }

  arrived(target: ScrollPosition | null): void {
    if (this.#target === target) this.#target = null;
  }

  report(problem: string | null): void {
    this.#set({ problem });
  }

  #restart(seq: number, change: Partial<PanelState>): void {
    const delayed = this.#delayed ?? [];
    this.#delayed = null;
    this.#next = seq;
    this.#set(change);
    for (const arrive of delayed) arrive();
  }

  #set(change: Partial<PanelState>): void {
    this.#state = { ...this.#state, ...change };
    for (const listener of this.#listeners) listener();
  }
}

/** The slice that `select` returns, which must be the same value as long as the state it reads is unchanged. */
export function useStore<T>(store: PanelStore, select: (state: PanelState) => T): T {
  return useSyncExternalStore(store.subscribe, () => select(store.state));
}
