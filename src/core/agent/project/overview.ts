/**
 * The tasks of a project that the user should know of: those that work or wait, and those that ended while no view showed them,
 * until the user has seen them. Derived from the events of the open sessions; a closed session keeps its last state.
 */
import type { TaskEvent } from "../../../shared/event.ts";
import { presentationOf } from "../../../shared/tool-presentation.ts";
import { pendingCall } from "../../../shared/view/chat-view.ts";
import { type ChatView, rowsOf } from "../../../shared/view/reducer.ts";
import { byState, type SessionItem, type SessionState } from "../../../shared/view/session-item.ts";
import { endOf } from "../../../shared/view/turn-end.ts";
import { Emitter } from "../../lifecycle.ts";

/** A session as the overview knows it. */
export interface Listed {
  readonly chatView: ChatView;
  /** How many views show it where the user sees it. */
  readonly views: number;
}

/** The events that can change an item. Others, such as the many deltas, are ignored. */
const CHANGING: ReadonlySet<TaskEvent["type"]> = new Set<TaskEvent["type"]>([
  "status",
  "approval",
  "title",
  "queue",
]);

/** A state that the user has seen once a view shows the session. A question remains until it is answered. */
const SEEN_BY_SHOWING: ReadonlySet<SessionState> = new Set<SessionState>(["failed", "interrupted", "done"]);

export class Overview {
  readonly #find: (id: string) => Listed | undefined;
  readonly #items = new Map<string, SessionItem>();
  readonly #changes = new Emitter<void>();

  readonly onChange = this.#changes.on;

  /** `find`: an open session. */
  constructor(find: (id: string) => Listed | undefined) {
    this.#find = find;
  }

  /** What waits for the user first; tasks in the same state in the order in which they came into it. */
  get all(): readonly SessionItem[] {
    return [...this.#items.values()].sort(byState);
  }

  has(id: string): boolean {
    return this.#items.has(id);
  }

  /** Called for each event of an open session, after its view has folded it. */
  fold({ type, session: id }: TaskEvent): void {
    const session = CHANGING.has(type) ? this.#find(id) : undefined;
    if (session) this.#set(id, this.#itemOf(session, this.#items.get(id)));
  }

  /**
   * Lists an idle session in which messages wait, or that was unfinished when the program ended. `seen`: the user has seen its end, so
   * the end alone does not list it.
   */
  unfinished(id: string, seen = false): void {
    const session = this.#find(id);
    if (session?.chatView.status !== "idle") return;
    const state = endState(session);
    if (seen && session.chatView.queue.length === 0 && (state === undefined || state === "done")) return;
    this.#set(id, itemIn(session.chatView, state ?? "interrupted"));
  }

  /** Call when a view shows the session. */
  shown(id: string): void {
    const item = this.#items.get(id);
    if (item && SEEN_BY_SHOWING.has(item.state)) this.forget(id);
  }

  /** Also for a closed session, which reports no events. */
  renamed(id: string, title: string): void {
    const item = this.#items.get(id);
    if (item) this.#set(id, { ...item, title });
  }

  /** Removes a session that the user dismissed or continued elsewhere, or that no longer exists. */
  forget(id: string): void {
    this.#set(id, undefined);
  }

  #itemOf(session: Listed, before: SessionItem | undefined): SessionItem | undefined {
    const { status } = session.chatView;
    if (status === "approval") return itemIn(session.chatView, "approval");
    if (status !== "idle") return itemIn(session.chatView, status === "queued" ? "queued" : "working");
    // A session that was only opened to be read is not listed.
    if (!before) return undefined;
    const state = endState(session);
    const isSeen = session.views > 0 && (state === undefined || SEEN_BY_SHOWING.has(state));
    return state === undefined || isSeen ? undefined : itemIn(session.chatView, state);
  }

  #set(id: string, item: SessionItem | undefined): void {
    const before = this.#items.get(id);
    if (JSON.stringify(before) === JSON.stringify(item)) return;
    // The map keeps the order of insertion.
    if (before?.state !== item?.state) this.#items.delete(id);
    if (item) this.#items.set(id, item);
    this.#changes.emit();
  }
}

/** undefined: there is nothing to report, because the user stopped the session. */
function endState({ chatView, views }: Listed): SessionState | undefined {
  const last = rowsOf(chatView).at(-1);
  if (last?.kind === "notice" && last.code === "interrupted") return "interrupted";
  const end = endOf(chatView);
  // Its messages wait for the user to send them.
  return end ?? (chatView.queue.length > 0 && views === 0 ? "interrupted" : undefined);
}

/** undefined: the session has no message yet. */
function itemIn(view: ChatView, state: SessionState): SessionItem | undefined {
  const { session, faces } = view;
  if (!session) return undefined;
  const call = state === "approval" ? pendingCall(view) : undefined;
  if (!call) return { ...session, state };
  const presentation = presentationOf(faces, call.tool);
  return {
    ...session,
    state,
    call: { tool: call.tool, subject: call.subject, ...(presentation ? { face: presentation } : {}) },
  };
}
