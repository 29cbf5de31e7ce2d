/**
 * What the panel knows: the host's view, folded from its events by the reducer that the host uses too. State is
 * replaced, never mutated, so that a component can subscribe to a slice and compare by identity.
 */
import { useSyncExternalStore } from "react";
import type { Draft, IndexProgress, Notification, Result, Setup } from "../src/shared/protocol.ts";
import { applyEvent, type ChatView, emptyView } from "../src/shared/view/reducer.ts";

/** A row of a session, and the pixels of it that are above the edge. */
export interface Place {
  session: string;
  row: string;
  offset: number;
}

export type Screen = "chat" | "history" | "rules";

export interface PanelState {
  /** False until the host has answered for the first time. */
  opened: boolean;
  view: ChatView;
  setup: Setup | null;
  /** What the host kept of the composer, as it was when the page was opened; null: nothing. */
  draft: Draft | null;
  screen: Screen;
  /** How far the host is with what searches need; null: nothing was said of it. */
  indexed: IndexProgress | null;
  /** How often the person went to a place in the conversation, as from a search. */
  jumps: number;
  /** A request of the panel's own that failed, in the host's words; null when none, or dismissed. */
  problem: string | null;
}

const initial: PanelState = {
  opened: false,
  view: emptyView,
  setup: null,
  draft: null,
  screen: "chat",
  indexed: null,
  jumps: 0,
  problem: null,
};

export class Store {
  #state: PanelState = initial;
  /** Number of the next event; undefined while no state has come from the host. */
  #next: number | undefined;
  /** What arrives while an answer to `chat/open` is on its way; null when none is. */
  #held: (() => void)[] | null = null;
  #target: Place | null = null;
  readonly #listeners = new Set<() => void>();
  readonly #askAgain: () => void;

  /** `askAgain` is called when an event was missed; it should send `chat/open` and hand its answer to `open`. */
  constructor(askAgain: () => void) {
    this.#askAgain = askAgain;
  }

  get state(): PanelState {
    return this.#state;
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  /** From now until `open` or `openFailed`, events are held back. */
  opening(): void {
    this.#held ??= [];
  }

  open({ seq, view, setup, draft }: Result<"chat/open">): void {
    this.#restart(seq, { view, setup, draft: draft ?? null, opened: true });
  }

  openFailed(problem: string): void {
    this.#held = null;
    this.#next = undefined;
    this.#set({ problem });
  }

  snapshot(snapshot: Notification<"chat/snapshot">): void {
    if (this.#held) {
      this.#held.push(() => this.snapshot(snapshot));
      return;
    }
    // One that was held back may be older than the answer it waited for.
    if (this.#next === undefined || snapshot.seq >= this.#next) {
      this.#restart(snapshot.seq, { view: snapshot.view, opened: true });
    }
  }

  events(batch: Notification<"chat/events">): void {
    if (this.#held || this.#next === undefined || batch.seq > this.#next) {
      const asked = this.#held !== null;
      this.opening();
      this.#held?.push(() => this.events(batch));
      if (!asked) this.#askAgain();
      return;
    }
    const fresh = batch.events.slice(this.#next - batch.seq);
    if (fresh.length === 0) return;
    this.#next += fresh.length;
    this.#set({ view: fresh.reduce(applyEvent, this.#state.view) });
  }

  setup(setup: Setup): void {
    this.#set({ setup });
  }

  show(screen: Screen): void {
    this.#set({ screen });
  }

  indexed(indexed: IndexProgress): void {
    this.#set({ indexed });
  }

  /** The conversation is to show that place, now or when the session comes on show. */
  jump(target: Place): void {
    this.#target = target;
    this.#set({ jumps: this.#state.jumps + 1 });
  }

  /** Where the person went to in that session and has not arrived yet. */
  targetIn(session: string): Place | null {
    return this.#target?.session === session ? this.#target : null;
  }

  arrived(target: Place | null): void {
    if (this.#target === target) this.#target = null;
  }

  report(problem: string | null): void {
    this.#set({ problem });
  }

  #restart(seq: number, change: Partial<PanelState>): void {
    const held = this.#held ?? [];
    this.#held = null;
    this.#next = seq;
    this.#set(change);
    for (const arrive of held) arrive();
  }

  #set(change: Partial<PanelState>): void {
    this.#state = { ...this.#state, ...change };
    for (const listener of this.#listeners) listener();
  }
}

/** The slice that `select` picks; it must return the same value while nothing it reads has changed. */
export function useStore<T>(store: Store, select: (state: PanelState) => T): T {
  return useSyncExternalStore(store.subscribe, () => select(store.state));
}
