/**
 * One session's conversation: an append-only list of messages, each on disk before anybody hears of it, and the state
 * that is stored with them (mode, todo list, totals). It knows nothing of how a session is shown. Everything that a
 * task reports goes through `emit`, which adds whose it is.
 */
import type { EventBody, TaskEvent, Totals } from "../../shared/event.ts";
import { type Message, type Mode, toolCalls, unansweredCalls } from "../../shared/message.ts";
import { emptyView } from "../../shared/view/reducer.ts";
import { progressParam } from "../assistant/progress-param.ts";
import { cleanTodo } from "../context/focus-chain.ts";
import type { KeyMask } from "../key-mask.ts";
import { Emitter } from "../lifecycle.ts";
import type { Host } from "../ports/host.ts";
import { SessionTakenOver } from "../sessions/claims.ts";
import { claimed, reopened } from "../sessions/reopen.ts";
import type { NewSession, SessionStore } from "../sessions/session-store.ts";
import type { ToolSet } from "../tools/set/tool-set.ts";
import { withoutRemoved } from "./results.ts";
import { type Cost, totalsWith } from "./totals.ts";

/** The session and message before which a branch begins. */
export interface ForkPoint {
  from: string;
  messageId: string;
}

export interface TranscriptDeps {
  host: Host;
  store: SessionStore;
  registry: ToolSet;
  keys: KeyMask;
  /** Gets every event, first of all listeners. */
  publish(event: TaskEvent): void;
}

/** What is known of a session before it has a message of its own. */
export interface TranscriptStart {
  id: string;
  mode: Mode;
  /** It is a branch whose first message replaces that one. */
  forkOf?: ForkPoint;
}

/** Messages that are read before anything is shown, and then at a time. */
const firstPart = 240;
const nextPart = 600;

export class Transcript {
  readonly id: string;
  readonly keys: KeyMask;
  readonly #deps: TranscriptDeps;
  readonly #appended = new Emitter<Message>();
  readonly #forkOf: ForkPoint | undefined;
  #messages: Message[] = [];
  /** It is on disk. */
  #begun = false;
  #closed = false;
  #title = "";
  #model: string | undefined;
  #mode: Mode;
  #todo = "";
  #totals: Totals = emptyView.totals;
  /** Messages of the session, from its first one on, that are not in `#messages` yet. */
  #unread = 0;
  #todoEdited = false;
  #enteredAct = false;

  /** A message was appended now, not read back. */
  readonly onAppended = this.#appended.on;

  constructor(deps: TranscriptDeps, { id, mode, forkOf }: TranscriptStart) {
    this.id = id;
    this.keys = deps.keys;
    this.#deps = deps;
    this.#mode = mode;
    this.#forkOf = forkOf;
  }

  /** Its first message is on disk. */
  get begun(): boolean {
    return this.#begun;
  }

  get closed(): boolean {
    return this.#closed;
  }

  get messages(): readonly Message[] {
    return this.#messages;
  }

  /** Messages that come before `messages` and are still being read. */
  get unread(): number {
    return this.#unread;
  }

  get title(): string {
    return this.#title;
  }

  get mode(): Mode {
    return this.#mode;
  }

  get totals(): Totals {
    return this.#totals;
  }

  get todo(): string {
    return this.#todo;
  }

  readonly emit = (body: EventBody): void => {
    this.#deps.publish({ session: this.id, ...body });
  };

  /** The first message begins the session under this title, and is on disk together with it or not at all. */
  announce(title: string, model: string): void {
    this.#title = title;
    this.#model = model;
  }

  /** Reports the session as it is, for a view that holds nothing of it. */
  report(): void {
    if (!this.#begun) {
      this.emit({ type: "session", id: "", title: "" });
      return;
    }
    this.emit({ type: "session", id: this.id, title: this.#title });
    this.emit({ type: "mode", mode: this.#mode });
    if (this.#todo !== "") this.emit({ type: "todo", markdown: this.#todo });
    this.emit({ type: "totals", totals: this.#totals });
  }

  /**
   * Claims a stored session and reads its newest part; nothing is reported yet. "elsewhere": another process works on
   * it, and `takeOver` is not set.
   */
  async load(takeOver: boolean): Promise<"opened" | "missing" | "elsewhere"> {
    const { host, store } = this.#deps;
    if (!store.readOnly && !(await claimed(store, host.log, this.id, takeOver))) return "elsewhere";
    const session = await store.load(this.id, { skip: 0, count: firstPart });
    if (!session) {
      await store.release(this.id);
      return "missing";
    }
    this.#unread = Math.max(0, session.summary.messageCount - session.messages.length);
    this.#messages = session.messages.slice();
    this.#begun = true;
    this.#title = session.summary.title;
    this.#mode = session.mode;
    this.#todo = session.todo;
    this.#totals = session.totals;
    return "opened";
  }

  /**
   * Reads the rest of a session whose newest part is loaded, a part at a time, so that nothing waits for it. Nothing is
   * appended before all of it is known.
   */
  async readOn(): Promise<void> {
    const { store } = this.#deps;
    try {
      let isMore = this.#unread > 0 || this.#messages.length >= firstPart;
      for (let skip = firstPart; isMore; skip += nextPart) {
        const part = await store.load(this.id, { skip, count: nextPart });
        if (!part) throw new Error(`session ${this.id} is gone`);
        this.#messages = [...part.messages, ...this.#messages];
        this.#unread = Math.max(0, this.#unread - nextPart);
        isMore = this.#unread > 0 || part.messages.length > 0;
      }
    } catch (error) {
      this.#unread = 0;
      throw error;
    }
  }

  /** Marks a loaded session as open, where something can be written. */
  async reopen(): Promise<void> {
    const { host, store } = this.#deps;
    if (!store.readOnly) await reopened(store, host.log, this.id);
  }

  /**
   * Stores this new session as a branch of another one, with that session's messages before a message of it. Without
   * any, the branch is stored together with its first message.
   */
  async forkFrom({ from, messageId }: ForkPoint, shared: readonly Message[], title: string): Promise<void> {
    const { store } = this.#deps;
    const model = shared.findLast((message) => message.model !== undefined)?.model ?? "";
    await store.fork(from, messageId, this.#stored(title, model));
    await store.claim(this.id);
    this.#begun = true;
    this.#title = title;
    this.#messages = [...shared];
  }

  #stored(title: string, model: string): NewSession {
    const { host } = this.#deps;
    const projectPath = host.workspace.root ?? "";
    return { id: this.id, projectPath, model, title, mode: this.#mode, startedAt: this.#now() };
  }

  /** Writes the session that `announce` described together with its first message, and only then reports it. */
  async #beginWith(first: Message): Promise<void> {
    const { store } = this.#deps;
    if (this.#model === undefined) throw new Error("no session is open");
    const session = this.#stored(this.#title, this.#model);
    await store.claim(this.id);
    try {
      if (this.#forkOf) await store.fork(this.#forkOf.from, this.#forkOf.messageId, session, first);
      else await store.create(session, first);
    } catch (error) {
      await store.release(this.id);
      throw error;
    }
    this.#begun = true;
    // The user may have switched the mode while it was written; a task that was handed over has its list before.
    if (this.#mode !== session.mode) await store.update(this.id, { mode: this.#mode });
    if (this.#todo !== "") await store.update(this.id, { todo: this.#todo });
    this.emit({ type: "session", id: this.id, title: this.#title });
    if (this.#todo !== "") this.emit({ type: "todo", markdown: this.#todo });
  }

  /** The session as it is on disk is nobody's any more. `ended`: the user left it for good. */
  async close({ ended }: { ended: boolean }): Promise<void> {
    this.#closed = true;
    if (!this.#begun) return;
    const { store } = this.#deps;
    try {
      if (ended && !store.readOnly) await store.update(this.id, { endedAt: this.#now() });
    } catch (error) {
      // Whoever took it over ends it.
      if (!(error instanceof SessionTakenOver)) throw error;
    }
    await store.release(this.id);
  }

  /** On disk when it resolves, with what it cost, and only then reported. */
  async append(said: Message, cost?: Cost): Promise<void> {
    const message = await this.keys.message(said);
    const totals = cost && totalsWith(this.#totals, cost);
    if (this.#begun) await this.#deps.store.append(this.id, message, totals && { totals });
    else await this.#beginWith(message);
    this.#messages.push(message);
    const { registry } = this.#deps;
    const subjects = Object.fromEntries(toolCalls(message).map((call) => [call.id, registry.subject(call)]));
    this.emit({ type: "message", message: withoutRemoved(message), subjects });
    if (totals) this.#setTotals(totals);
    this.#appended.emit(message);
  }

  /** Calls of the last assistant message that have no result yet. */
  unanswered(): ReturnType<typeof unansweredCalls> {
    return unansweredCalls(this.#messages);
  }

  usedCallIds(): ReadonlySet<string> {
    return new Set(this.#messages.flatMap((message) => toolCalls(message).map((call) => call.id)));
  }

  /** On disk before the call runs: a call that began and has no result was interrupted. */
  async markStarted(callId: string): Promise<void> {
    if (this.#begun) await this.#deps.store.markCall(this.id, callId, "started");
  }

  async started(): Promise<ReadonlySet<string>> {
    return this.#begun ? this.#deps.store.startedCalls(this.id) : new Set();
  }

  async setMode(mode: Mode): Promise<void> {
    if (this.#begun) await this.#deps.store.update(this.id, { mode });
    this.#enteredAct = mode === "act" && this.#mode !== "act";
    this.#mode = mode;
    this.emit({ type: "mode", mode });
  }

  /** Whether the mode became act since this was last asked: the next message then asks for a todo list. */
  takeEnteredAct(): boolean {
    const entered = this.#enteredAct;
    this.#enteredAct = false;
    return entered;
  }

  async setTodo(markdown: string): Promise<void> {
    if (markdown === "" || markdown === this.#todo) return;
    await this.#storeTodo(markdown);
  }

  /** The list as the user wants it, "" for none. The model is told with the next message. */
  async editTodo(markdown: string): Promise<void> {
    if (!this.#begun || markdown === this.#todo) return;
    await this.#storeTodo(markdown);
    this.#todoEdited = true;
  }

  async #storeTodo(markdown: string): Promise<void> {
    if (this.#begun) await this.#deps.store.update(this.id, { todo: markdown });
    this.#todo = markdown;
    this.emit({ type: "todo", markdown });
  }

  /** Whether the user changed the list since this was last asked. */
  takeTodoEdit(): boolean {
    const edited = this.#todoEdited;
    this.#todoEdited = false;
    return edited;
  }

  async addUsage(cost: Cost): Promise<void> {
    const totals = totalsWith(this.#totals, cost);
    if (this.#begun) await this.#deps.store.update(this.id, { totals });
    this.#setTotals(totals);
  }

  #setTotals(totals: Totals): void {
    this.#totals = totals;
    this.emit({ type: "totals", totals });
  }

  #now(): string {
    return this.#deps.host.clock.now().toISOString();
  }
}

/** The todo list as the calls of these messages left it. */
export function todoOf(messages: readonly Message[]): string {
  const calls = messages.flatMap(toolCalls);
  const said = calls.map((call) => call.params[progressParam]).filter((value) => typeof value === "string");
  return cleanTodo(said.at(-1) ?? "");
}
