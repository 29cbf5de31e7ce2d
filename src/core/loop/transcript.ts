/**
 * The conversation of one session: an append-only list of messages, and the state that is stored with them (mode,
 * todo list, totals). A message is on disk before any listener learns of it. All events of a session go through
 * `emit`, which adds the session's id.
 */

import type { EventBody, TaskEvent } from "../../shared/event.ts";
import type { Worktree } from "../../shared/history/worktree.ts";
import { type Message, type Mode, toolCalls, unansweredCalls } from "../../shared/message.ts";
import {
  type ChosenModels,
  type ModelChoice,
  type ModelSettings,
  modelFor,
  modelNamed,
} from "../../shared/models/connection.ts";
import {
  changedPermission,
  NO_PERMISSION,
  type PermissionChange,
  type SessionPermission,
} from "../../shared/permission/session-permission.ts";
import type { SessionAgent } from "../../shared/session-agent.ts";
import type { Totals } from "../../shared/totals.ts";
import { giveWay } from "../async.ts";
import type { KeyMask } from "../key-mask.ts";
import { Emitter } from "../lifecycle.ts";
import type { Host } from "../ports/host.ts";
import type { Clock } from "../ports/system.ts";
import type { SessionPatch } from "../sessions/journal/records.ts";
import { SessionTakenOver, tryMarkOpen } from "../sessions/open/claims.ts";
import { SessionClaim } from "../sessions/open/session-claim.ts";
import type { WorktreeUse } from "../sessions/open/worktree-use.ts";
import type { NewSession, SessionStore, StoredSession } from "../sessions/session-store.ts";
import type { ToolSet } from "../tools/set/tool-set.ts";
import { type Cost, SessionTotals } from "./limits/usage-totals.ts";
import { withoutStoredContents } from "./results.ts";

/** Where a branch begins: before this message of the session `from`; absent: after all its messages. */
export interface ForkPoint {
  from: string;
  messageId?: string;
}

interface TranscriptDeps {
  host: Host;
  store: SessionStore;
  registry: ToolSet;
  keys: KeyMask;
  /** The project's folder, if the session works in another one. Default: that of the host. */
  projectPath?: string | undefined;
  /** Which sessions are open in which worktree. Default: none is shared. */
  worktreeUse?: WorktreeUse | undefined;
  /** Counts what requests cost. */
  spending?: { add(spent: { cost: number; requests: number }): void } | undefined;
  /** Receives every event. */
  publish(event: TaskEvent): void;
}

/** The state of a new session, before its first message. */
export interface TranscriptStart {
  id: string;
  mode: Mode;
  /** The worktree that the session works in. Default: it works in the project's folder. */
  worktree?: Worktree | "unreadable";
  /** The session whose task started this one. Default: the user started it. */
  parent?: string;
  /** Default: the settings alone decide. */
  permission?: SessionPermission;
  /** The agent that the user or the parent task chose. Default: none. */
  agent?: SessionAgent | undefined;
  /** Set for a branch whose first message replaces that message. */
  forkOf?: ForkPoint;
  /** The mode of the parent session. While it is plan mode, this session is in plan mode too. */
  parentMode?(): Mode;
  /** The transcript begins with these messages and is never stored. Set for an answer that may not become part of a session. */
  scratch?: readonly Message[];
}

export class Transcript {
  readonly id: string;
  readonly worktree: TranscriptStart["worktree"];
  readonly keys: KeyMask;
  readonly permission: UserPermission;
  readonly #deps: TranscriptDeps;
  readonly #claim: SessionClaim;
  readonly #start: TranscriptStart;
  readonly #appended = new Emitter<Message>();
  #messages: Message[] = [];
  /** The session is on disk, because it has its first message or is a branch. */
  #isStored = false;
  #wasOpen = false;
  #closed = false;
  #origin: StoredSession["origin"];
  #title = "";
  #model: string | undefined;
  #mode: Mode;
  #todo = "";
  readonly #totals = new SessionTotals();
  /** The number of messages on disk that come before `#messages` and are not loaded yet. */
  #unloadedCount = 0;
  #todoEdited = false;
  #enteredAct = false;
  #chosen: ChosenModels = {};
  #answerer: string | undefined;
  #agent: SessionAgent | undefined;

  /** Fires after a message was appended. Does not fire for messages that are loaded from disk. */
  readonly onAppended = this.#appended.on;

  constructor(deps: TranscriptDeps, start: TranscriptStart) {
    const { id, mode, scratch, permission, agent } = start;
    this.id = id;
    this.#start = start;
    this.worktree = start.worktree;
    this.#claim = new SessionClaim(deps, start);
    this.keys = deps.keys;
    this.#deps = deps;
    this.#mode = mode;
    this.#agent = agent;
    const save = (changed: SessionPermission) => this.#update({ permission: changed });
    this.permission = new UserPermission({ save, emit: (event) => this.emit(event) }, permission);
    this.#messages = [...(scratch ?? [])];
  }

  /** Whether the session is on disk. A new session is stored with its first message. */
  get isStored(): boolean {
    return this.#isStored;
  }

  /** Set for an imported session, which is read-only. */
  get origin(): StoredSession["origin"] {
    return this.#origin;
  }

  get closed(): boolean {
    return this.#closed;
  }

  get messages(): readonly Message[] {
    return this.#messages;
  }

  /** The number of stored messages before `messages` that are not loaded yet. */
  get unloadedCount(): number {
    return this.#unloadedCount;
  }

  get title(): string {
    return this.#title;
  }

  get mode(): Mode {
    const isPlanning = this.#start.parentMode?.() === "plan" || this.#agent?.mode === "plan";
    return isPlanning ? "plan" : this.#mode;
  }

  /** Another task started the session, which alone sends messages to it. */
  get isSubtask(): boolean {
    return this.#start.parent !== undefined;
  }

  /** The agent that the user chose last. It works from the next turn on. */
  get agent(): SessionAgent | undefined {
    return this.#agent;
  }

  /** Chooses an agent, as it is now; undefined: none. Rejects, and changes nothing, if that cannot be stored. */
  async setAgent(agent: SessionAgent | undefined): Promise<void> {
    await this.#update({ agent: agent ?? null });
    this.#agent = agent;
    this.#emitMode();
  }

  #emitMode(): void {
    const { mode } = this;
    this.emit({ type: "mode", mode, ...(this.#agent ? { agent: this.#agent.name } : {}) });
  }

  /** The model that answers in the current mode. */
  modelChoice(settings: ModelSettings): ModelChoice {
    const once = this.#answerer;
    return once === undefined ? modelFor(settings, this.mode, this.#chosen) : modelNamed(once, settings);
  }

  /** Lets another model answer until the next call of this method; undefined: the chosen model again. */
  answerBy(name: string | undefined): void {
    this.#answerer = name;
  }

  /** Chooses the model of a mode for this conversation, from the next request on. "": that of the settings. */
  chooseModel(mode: Mode, name: string): void {
    this.#chosen = { ...this.#chosen, [mode]: name };
    this.emit({ type: "model", chosen: this.#chosen });
  }

  get totals(): Totals {
    return this.#totals.stored;
  }

  get todo(): string {
    return this.#todo;
  }

  readonly emit = (body: EventBody): void => {
    this.#deps.publish({ session: this.id, ...body });
  };

  /** Sets the title and the model with which a new session is stored. Call before its first message is appended. */
  describe(title: string, model: string): void {
    this.#title = title;
    this.#model = model;
  }

  /** Shows the new title, which is stored already. */
  renamed(title: string): void {
    this.#title = title;
    this.emit({ type: "title", title });
  }

  #emitSession(): void {
    const [id, title] = this.#isStored ? [this.id, this.#title] : ["", ""];
    const { isSubtask } = this;
    this.emit({ type: "session", id, title, ...this.#claim.place, ...(isSubtask ? { isSubtask } : {}) });
  }

  /** Emits events from which an empty view gets the current state. */
  emitState(): void {
    this.#emitSession();
    this.emit({ type: "model", chosen: this.#chosen });
    this.permission.emit();
    if (!this.#isStored) return;
    this.#emitMode();
    if (this.#todo !== "") this.emit({ type: "todo", markdown: this.#todo });
    this.emit({ type: "totals", totals: this.totals });
  }

  /**
   * Claims a stored session and loads its newest messages, without emitting events. "elsewhere": another process works
   * on the session, and `takeOver` is not set.
   */
  async load(takeOver: boolean): Promise<"opened" | "missing" | "elsewhere"> {
    const { store } = this.#deps;
    if (!(await this.#claim.tryTake(takeOver))) return "elsewhere";
    const session = await store.load(this.id, { skip: 0, count: FIRST_PAGE_SIZE });
    if (!session) {
      await this.#claim.release();
      return "missing";
    }
    this.#unloadedCount = Math.max(0, session.summary.messageCount - session.messages.length);
    this.#messages = session.messages.slice();
    this.#isStored = true;
    this.#wasOpen = session.endedAt === null;
    this.#origin = session.origin;
    this.#title = session.summary.title;
    this.#mode = session.mode;
    this.permission.loaded(session.permission);
    this.#agent = session.agent === "unreadable" ? UNREADABLE_AGENT : session.agent;
    this.#todo = session.todo;
    this.#totals.load(session.totals);
    return "opened";
  }

  /**
   * Loads the messages before the newest ones, in several loads so that other work is not blocked. Must resolve before
   * a message is appended.
   */
  async loadEarlier(): Promise<void> {
    if (this.#unloadedCount === 0 && this.#messages.length < FIRST_PAGE_SIZE) return;
    try {
      for await (const page of earlierPages(this.#deps.store, this.id, this.#deps.host.clock)) {
        this.#messages = [...page, ...this.#messages];
        this.#unloadedCount = Math.max(0, this.#unloadedCount - page.length);
      }
    } finally {
      this.#unloadedCount = 0;
    }
  }

  /** Marks a loaded session as open, so that it is restored after a restart, unless the store is read-only. */
  async markOpen(): Promise<void> {
    // Marking counts as a change of the session, and a session that is only restored does not change.
    if (!this.#wasOpen && this.#origin === undefined) await tryMarkOpen(this.#deps, this.id);
  }

  /**
   * Stores this new session as a branch of another one. `shared`: the messages before the branch point, at least one.
   * A branch without any is created with `forkOf` instead, and stored with its first message.
   */
  async forkFrom({ from, messageId }: ForkPoint, shared: readonly Message[], title: string): Promise<void> {
    const { store } = this.#deps;
    const model = shared.findLast((message) => message.model !== undefined)?.model ?? "";
    await store.fork(from, messageId, this.#newSession(title, model));
    await this.#claim.take();
    this.#isStored = true;
    this.#title = title;
    this.#messages = [...shared];
  }

  #newSession(title: string, model: string): NewSession {
    const { projectPath = this.#deps.host.workspace.root ?? "" } = this.#deps;
    const agent = this.#agent;
    const state = {
      ...{ title, mode: this.#mode, permission: this.permission.current },
      ...(agent ? { agent } : {}),
    };
    const from = { ...this.#claim.place, parent: this.#start.parent };
    return { id: this.id, projectPath, model, ...state, ...from, startedAt: this.#now() };
  }

  /** Stores the session and its first message atomically, then emits its state. */
  async #createWith(first: Message): Promise<void> {
    const { store } = this.#deps;
    if (this.#model === undefined) throw new Error("no session is open");
    const session = this.#newSession(this.#title, this.#model);
    await this.#claim.take();
    try {
      const { forkOf } = this.#start;
      if (forkOf) await store.fork(forkOf.from, forkOf.messageId, session, first);
      else await store.create(session, first);
    } catch (error) {
      await this.#claim.release();
      throw error;
    }
    this.#isStored = true;
    // The user may have changed the mode or the permission during the write, and a handed-over task already has a todo list.
    if (this.#mode !== session.mode) await store.update(this.id, { mode: this.#mode });
    const permission = this.permission.current;
    if (permission !== session.permission) await store.update(this.id, { permission });
    if (this.#agent !== session.agent) await store.update(this.id, { agent: this.#agent ?? null });
    if (this.#todo !== "") await store.update(this.id, { todo: this.#todo });
    this.#emitSession();
    if (this.#todo !== "") this.emit({ type: "todo", markdown: this.#todo });
  }

  /** Releases the claim on the session. `ended`: it is not restored after a restart, because the user closed it. */
  async close({ ended }: { ended: boolean }): Promise<void> {
    this.#closed = true;
    if (!this.#isStored) return;
    const { store } = this.#deps;
    try {
      if (ended && !store.readOnly && this.#origin === undefined)
        await store.update(this.id, { endedAt: this.#now() });
    } catch (error) {
      // Whether the session ends is now up to the process that took it over.
      if (!(error instanceof SessionTakenOver)) throw error;
    }
    await this.#claim.release();
  }

  /**
   * Stores a message with its usage, or with what other sessions spent for it, then emits it. Masks API keys. `isCounted`: what today
   * has cost already includes it.
   */
  async append(unmasked: Message, cost?: Cost | readonly Totals[], isCounted = false): Promise<void> {
    if (this.#origin !== undefined) throw new Error("an imported session is read-only");
    const message = await this.keys.message(unmasked);
    const totals = cost && this.#totals.with(cost);
    if (this.#isStored) await this.#deps.store.append(this.id, message, totals && { totals });
    else if (!this.#start.scratch) await this.#createWith(message);
    // If a message of the user were lost, they would have to write it again.
    if (message.display !== undefined) await this.sync();
    this.#messages.push(message);
    const { registry } = this.#deps;
    const subjects = Object.fromEntries(toolCalls(message).map((call) => [call.id, registry.subject(call)]));
    this.emit({ type: "message", message: withoutStoredContents(message), subjects });
    if (totals) this.#setTotals(totals, isCounted);
    this.#appended.emit(message);
  }

  /** Calls of the last assistant message that have no result yet. */
  unansweredCalls(): ReturnType<typeof unansweredCalls> {
    return unansweredCalls(this.#messages);
  }

  usedCallIds(): ReadonlySet<string> {
    return new Set(this.#messages.flatMap((message) => toolCalls(message).map((call) => call.id)));
  }

  /** Records on disk that a call starts. After a restart, a started call without a result counts as interrupted. */
  async markStarted(callId: string): Promise<void> {
    if (this.#isStored) await this.#deps.store.markCall(this.id, callId, "started");
  }

  /** Resolves when all changes so far survive a power failure. Never rejects. */
  async sync(): Promise<void> {
    if (this.#isStored) await this.#deps.store.sync();
  }

  /** Ids of the calls that `markStarted` recorded. */
  async startedCalls(): Promise<ReadonlySet<string>> {
    return this.#isStored ? this.#deps.store.startedCalls(this.id) : new Set();
  }

  async setMode(mode: Mode): Promise<void> {
    await this.#update({ mode });
    this.#enteredAct = mode === "act" && this.#mode !== "act";
    this.#mode = mode;
    this.#emitMode();
  }

  /** Whether the mode was switched to act since the last call. The next message then asks for a todo list. */
  takeEnteredAct(): boolean {
    const entered = this.#enteredAct;
    this.#enteredAct = false;
    return entered;
  }

  /** Replaces the todo list, unless `markdown` is empty. */
  async setTodo(markdown: string): Promise<void> {
    if (markdown === "" || markdown === this.#todo) return;
    await this.#storeTodo(markdown);
  }

  /** Replaces the todo list with the user's version, which may be empty. The model receives it with the next message. */
  async editTodo(markdown: string): Promise<void> {
    if (!this.#isStored || markdown === this.#todo) return;
    await this.#storeTodo(markdown);
    this.#todoEdited = true;
  }

  async #storeTodo(markdown: string): Promise<void> {
    await this.#update({ todo: markdown });
    this.#todo = markdown;
    this.emit({ type: "todo", markdown });
  }

  /** Whether the user edited the todo list since the last call of this method. */
  takeTodoEdit(): boolean {
    const edited = this.#todoEdited;
    this.#todoEdited = false;
    return edited;
  }

  async addUsage(cost: Cost | readonly Totals[]): Promise<void> {
    const totals = this.#totals.with(cost);
    await this.#update({ totals });
    this.#setTotals(totals);
  }

  #setTotals(totals: Totals, isCounted = false): void {
    const spent = this.#totals.store(totals);
    if (!isCounted) this.#deps.spending?.add(spent);
    this.emit({ type: "totals", totals });
  }

  /** Does nothing for a session that is not on disk yet, or is read-only. */
  async #update(patch: SessionPatch): Promise<void> {
    if (this.#isStored && this.#origin === undefined) await this.#deps.store.update(this.id, patch);
  }

  #now(): string {
    return this.#deps.host.clock.now().toISOString();
  }
}

/** In place of an agent whose limits are not known: it has no tools. */
const UNREADABLE_AGENT: SessionAgent = {
  name: "?",
  file: "",
  instructions: "",
  tools: [],
  denied: [],
  handoffs: [],
};

/**
 * The number of messages that are loaded before a session is shown, and then at a time. Each later load takes about 25 ms, and also
 * reads the messages that it skips.
 */
export const FIRST_PAGE_SIZE = 240;
const NEXT_PAGE_SIZE = 1_200;

/**
 * Reads the messages before the newest `FIRST_PAGE_SIZE` messages, the later parts first. Other due work runs before each part,
 * because VS Code sends to the panel in a timer, which reading the next part would delay.
 */
export async function* earlierPages(
  store: Pick<SessionStore, "load">,
  id: string,
  clock: Clock,
): AsyncGenerator<readonly Message[]> {
  for (let skip = FIRST_PAGE_SIZE; ; skip += NEXT_PAGE_SIZE) {
    await giveWay(clock);
    const page = await store.load(id, { skip, count: NEXT_PAGE_SIZE });
    if (!page) throw new Error(`session ${id} is gone`);
    if (page.messages.length === 0 && skip >= page.summary.messageCount) return;
    yield page.messages;
  }
}

interface PermissionDeps {
  /** Stores it with the session; does nothing for a session that is not on disk yet. */
  save(permission: SessionPermission): Promise<void>;
  emit(event: EventBody): void;
}

/** What the user lets run without asking in one session. Only the user's own request changes it. */
class UserPermission {
  readonly #deps: PermissionDeps;
  #current: SessionPermission;

  constructor(deps: PermissionDeps, start: SessionPermission = NO_PERMISSION) {
    this.#deps = deps;
    this.#current = start;
  }

  get current(): SessionPermission {
    return this.#current;
  }

  /** Takes over the permission of the stored session. */
  loaded(permission: SessionPermission): void {
    this.#current = permission;
  }

  /** Applies from the next call on. Rejects, and changes nothing, if it cannot be stored. */
  async change(change: PermissionChange): Promise<void> {
    const permission = changedPermission(this.#current, change);
    await this.#deps.save(permission);
    this.#current = permission;
    this.emit();
  }

  emit(): void {
    this.#deps.emit({ type: "permission", permission: this.#current });
  }
}
