/**
 * The session on show: its messages, its view, and the rule that nothing is published before it is on disk. Everything
 * a task says goes through here.
 */
import type { TaskEvent, Totals } from "../../shared/event.ts";
import { type Message, type Mode, toolCalls, unansweredCalls } from "../../shared/message.ts";
import { applyEvent, type ChatView, emptyView } from "../../shared/view/reducer.ts";
import { progressParam } from "../assistant/progress-param.ts";
import { cleanTodo } from "../context/focus-chain.ts";
import { KeyMask } from "../key-mask.ts";
import { Emitter } from "../lifecycle.ts";
import type { Host } from "../ports/host.ts";
import { SessionTakenOver } from "../sessions/claims.ts";
import { claimed, reopened } from "../sessions/reopen.ts";
import type { NewSession, SessionStore } from "../sessions/session-store.ts";
import type { ToolRegistry } from "../tools/registry.ts";
import { messageOfRow, pageBefore } from "./earlier.ts";
import { withoutRemoved } from "./results.ts";
import { type Cost, totalsWith } from "./totals.ts";

interface Beginning {
  title?: string;
  model?: string;
  /** It is a branch, of before that message of the session `from`. */
  forkOf?: { from: string; messageId: string };
}

/** Messages that are read before anything is shown, and then at a time. */
const firstPart = 240;
const nextPart = 600;

export class Conversation {
  readonly #host: Host;
  readonly #store: SessionStore;
  readonly #registry: ToolRegistry;
  readonly keys: KeyMask;
  readonly #events = new Emitter<TaskEvent>();
  readonly #appended = new Emitter<Message>();
  #view: ChatView = emptyView;
  #messages: Message[] = [];
  #sessionId: string | undefined;
  /** What the session is to be that the next message begins; undefined: none was announced. */
  #beginning: Beginning | undefined;
  /** Messages of the session, from its first one on, that are not in `#messages` yet. */
  #unread = 0;
  /** Id of the first message that the view knows of. */
  #shownFrom: string | undefined;
  /** The session in which the person changed the todo list since the model last heard of it. */
  #todoEditedIn: string | undefined;

  readonly onEvent = this.#events.on;
  /** A message was said now, not read back. */
  readonly onAppended = this.#appended.on;

  constructor(host: Host, store: SessionStore, registry: ToolRegistry, keys = new KeyMask()) {
    this.keys = keys;
    this.#host = host;
    this.#store = store;
    this.#registry = registry;
  }

  get view(): ChatView {
    return this.#view;
  }

  get messages(): readonly Message[] {
    return this.#messages;
  }

  get sessionId(): string | undefined {
    return this.#sessionId;
  }

  get mode(): Mode {
    return this.#view.mode;
  }

  get totals(): Totals {
    return this.#view.totals;
  }

  get todo(): string {
    return this.#view.todo;
  }

  readonly emit = (event: TaskEvent): void => {
    this.#view = applyEvent(this.#view, event);
    this.#events.emit(event);
  };

  /** The next message that is appended begins a session, and is on disk together with it or not at all. */
  begin(title: string, model: string): void {
    this.#beginning = { ...this.#beginning, title, model };
  }

  /** Leaves the session as it is on disk; the next message begins another. */
  async leave(): Promise<void> {
    await this.#end();
    this.#showNone();
  }

  /**
   * Goes on in a new session with what came before a message; the one on show stays as it is. Where nothing came before
   * it, the new session begins with its first message.
   */
  async fork(messageId: string, title: string): Promise<void> {
    const from = this.#sessionId;
    const index = this.#messages.findIndex((message) => message.id === messageId);
    if (from === undefined || index < 0) throw new Error(`there is no message ${messageId} in this session`);
    const shared = this.#messages.slice(0, index);
    if (shared.length === 0) {
      await this.leave();
      this.#beginning = { forkOf: { from, messageId } };
      return;
    }
    const model = shared.findLast((message) => message.model !== undefined)?.model ?? "";
    const session = this.#newSession(title, model);
    await this.#store.fork(from, messageId, session);
    await this.#store.claim(session.id);
    await this.#end();
    this.#show(session, shared);
    this.#showPage(this.#messages.length);
    await this.setTodo(todoOf(shared));
  }

  #newSession(title: string, model: string): NewSession {
    const projectPath = this.#host.workspace.root ?? "";
    return { id: this.#host.newId(), projectPath, model, title, mode: this.mode, startedAt: this.#now() };
  }

  #show({ id, title }: Pick<NewSession, "id" | "title">, messages: Message[]): void {
    this.#beginning = undefined;
    this.#sessionId = id;
    this.#messages = messages;
    this.emit({ type: "session", id, title });
  }

  #showNone(): void {
    this.#beginning = undefined;
    this.#sessionId = undefined;
    this.#messages = [];
    this.emit({ type: "session", id: "", title: "" });
  }

  /** Writes the session that `begin` announced together with its first message, and only then shows it. */
  async #beginWith(first: Message): Promise<void> {
    const { title = "", model = "", forkOf } = this.#beginning ?? {};
    if (!this.#beginning) throw new Error("no session is open");
    const session = this.#newSession(title, model);
    await this.#store.claim(session.id);
    try {
      if (forkOf) await this.#store.fork(forkOf.from, forkOf.messageId, session, first);
      else await this.#store.create(session, first);
    } catch (error) {
      await this.#store.release(session.id);
      throw error;
    }
    // The user may have switched the mode, queued a message or pressed Stop while it was written.
    // A task that was handed over has its list before its first message.
    const { mode, queue, status, todo } = this.#view;
    this.#show(session, []);
    if (mode !== session.mode) await this.#store.update(session.id, { mode });
    if (todo !== "") {
      await this.#store.update(session.id, { todo });
      this.emit({ type: "todo", markdown: todo });
    }
    if (queue.length > 0) this.emit({ type: "queue", items: [...queue] });
    if (status !== this.#view.status) this.emit({ type: "status", status });
  }

  /** The session on show is nobody's any more. */
  async #end(): Promise<void> {
    const id = this.#sessionId;
    if (id === undefined) return;
    try {
      if (!this.#store.readOnly) await this.#store.update(id, { endedAt: this.#now() });
    } catch (error) {
      // Whoever took it over ends it.
      if (!(error instanceof SessionTakenOver)) throw error;
    }
    await this.#store.release(id);
  }

  /** Shows a stored session, unless there is none of that id, or another process works on it. */
  async open(id: string, takeOver = false): Promise<"opened" | "missing" | "elsewhere"> {
    const { readOnly } = this.#store;
    if (!readOnly && !(await claimed(this.#store, this.#host.log, id, takeOver))) return "elsewhere";
    const session = await this.#store.load(id, { skip: 0, count: firstPart });
    if (!session) {
      await this.#store.release(id);
      return "missing";
    }
    if (this.#sessionId !== undefined && this.#sessionId !== id) await this.#store.release(this.#sessionId);
    this.#unread = Math.max(0, session.summary.messageCount - session.messages.length);
    this.#show(session.summary, session.messages.slice());
    this.emit({ type: "mode", mode: session.mode });
    if (session.todo !== "") this.emit({ type: "todo", markdown: session.todo });
    if (session.totals) this.emit({ type: "totals", totals: session.totals });
    this.#showPage(this.#messages.length);
    await this.#readOn(id);
    if (!readOnly) await reopened(this.#store, this.#host.log, id);
    return "opened";
  }

  /**
   * The rest of a session of which the newest part is on show already, a part at a time, so that nothing waits for it.
   * Nothing is said in it before all of it is known.
   */
  async #readOn(id: string): Promise<void> {
    try {
      let isMore = this.#unread > 0 || this.#messages.length >= firstPart;
      for (let skip = firstPart; isMore; skip += nextPart) {
        const part = await this.#store.load(id, { skip, count: nextPart });
        if (!part) throw new Error(`session ${id} is gone`);
        this.#messages = [...part.messages, ...this.#messages];
        this.#unread = Math.max(0, this.#unread - nextPart);
        isMore = this.#unread > 0 || part.messages.length > 0;
      }
    } catch (error) {
      this.#unread = 0;
      await this.leave();
      throw error;
    }
    // Messages that cannot be read are counted, but not there.
    const first = this.#shownFrom;
    const left = this.#messages.findIndex((message) => message.id === first);
    if (left >= 0 && left !== this.#view.earlier)
      this.emit({ type: "earlier", messages: [], subjects: {}, left });
    else if (left < 0) this.#showPage(this.#messages.length);
  }

  /** On disk when it resolves, with what it cost, and only then shown. */
  async append(said: Message, cost?: Cost): Promise<void> {
    const message = await this.keys.message(said);
    const totals = cost && totalsWith(this.totals, cost);
    if (this.#sessionId === undefined) await this.#beginWith(message);
    else await this.#store.append(this.#sessionId, message, totals && { totals });
    this.#messages.push(message);
    this.#publish(message);
    if (totals) this.emit({ type: "totals", totals });
    this.#appended.emit(message);
  }

  /** A page of the messages before `end`; pages that make no row are passed over. */
  #showPage(end: number): void {
    const rows = () => this.#view.settled.length + this.#view.live.length;
    const before = rows();
    for (let from = end; from > 0 && rows() === before; ) {
      const page = pageBefore(this.#messages, from, (call) => this.#registry.subject(call));
      from = page.left;
      this.#shownFrom = page.messages[0]?.id;
      this.emit({ ...page, left: page.left + this.#unread });
    }
  }

  /** More of what was said before all that is on show: a page, or as much as it takes for a row, or all of it. */
  async showEarlier({ until, all = false }: { until?: string; all?: boolean } = {}): Promise<void> {
    const id = this.#sessionId;
    const index = until === undefined ? this.#view.earlier - 1 : messageOfRow(this.#messages, until);
    const wanted = all ? 0 : index;
    if (wanted < 0) return;
    while (this.#sessionId === id && this.#view.earlier > wanted) {
      this.#showPage(this.#view.earlier);
      // Whatever else there is to do has its turn between two pages.
      if (this.#view.earlier > wanted)
        await new Promise<void>((resolve) => this.#host.clock.after(0, resolve));
    }
  }

  #publish(message: Message): void {
    const subjects = Object.fromEntries(
      toolCalls(message).map((call) => [call.id, this.#registry.subject(call)]),
    );
    this.emit({ type: "message", message: withoutRemoved(message), subjects });
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
    if (this.#sessionId !== undefined) await this.#store.markCall(this.#sessionId, callId, "started");
  }

  async started(): Promise<ReadonlySet<string>> {
    return this.#sessionId === undefined ? new Set() : this.#store.startedCalls(this.#sessionId);
  }

  async setMode(mode: Mode): Promise<void> {
    if (this.#sessionId !== undefined) await this.#store.update(this.#sessionId, { mode });
    this.emit({ type: "mode", mode });
  }

  async setTodo(markdown: string): Promise<void> {
    if (markdown === "" || markdown === this.todo) return;
    if (this.#sessionId !== undefined) await this.#store.update(this.#sessionId, { todo: markdown });
    this.emit({ type: "todo", markdown });
  }

  /** The list as the person wants it, "" for none. The model hears of it with the next message. */
  async editTodo(markdown: string): Promise<void> {
    if (this.#sessionId === undefined || markdown === this.todo) return;
    await this.#store.update(this.#sessionId, { todo: markdown });
    this.#todoEditedIn = this.#sessionId;
    this.emit({ type: "todo", markdown });
  }

  /** Whether the person changed the list since this was last asked. */
  takeTodoEdit(): boolean {
    const edited = this.#todoEditedIn !== undefined && this.#todoEditedIn === this.#sessionId;
    this.#todoEditedIn = undefined;
    return edited;
  }

  async addUsage(cost: Cost): Promise<void> {
    const totals = totalsWith(this.totals, cost);
    if (this.#sessionId !== undefined) await this.#store.update(this.#sessionId, { totals });
    this.emit({ type: "totals", totals });
  }

  #now(): string {
    return this.#host.clock.now().toISOString();
  }
}

/** The todo list as the calls of these messages left it. */
function todoOf(messages: readonly Message[]): string {
  const calls = messages.flatMap(toolCalls);
  const said = calls.map((call) => call.params[progressParam]).filter((value) => typeof value === "string");
  return cleanTodo(said.at(-1) ?? "");
}
