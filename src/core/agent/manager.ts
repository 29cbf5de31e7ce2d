/**
 * The agent's API for hosts: a seat, which shows one session of the project, and what the user can do with that session. Any
 * number of seats share a project, and sessions work on when no seat shows them. Nothing here decides for the user: a message
 * never approves a call, and nothing runs by itself after a restart.
 */
import type { TaskEvent } from "../../shared/event.ts";
import type { Mode } from "../../shared/message.ts";
import type { CheckReport } from "../../shared/models/check.ts";
import { modelNamed } from "../../shared/models/connection.ts";
import type { Forecast } from "../../shared/models/forecast.ts";
import type { WindowContents } from "../../shared/models/window-contents.ts";
import type { AllowScope } from "../../shared/permission/allowed.ts";
import type {
  Attachment,
  Commit,
  MentionSymbol,
  SessionSummary,
  SlashCommand,
} from "../../shared/protocol.ts";
import type { MentionResource } from "../../shared/server-list.ts";
import type { ChatView } from "../../shared/view/reducer.ts";
import type { SessionCheckpoints } from "../checkpoints/checkpoints.ts";
import { cleanTodo } from "../context/focus-chain.ts";
import { commitsToMention, symbolsToMention } from "../context/mention-choices.ts";
import { resourcesToMention, unlistedServers } from "../context/server-resources.ts";
import { listSlashCommands } from "../context/slash-commands.ts";
import type { Disposable } from "../lifecycle.ts";
import type { Allowances } from "../loop/calls/allowances.ts";
import type { Approvals } from "../loop/calls/approvals.ts";
import type { BackgroundCommands, ForegroundCalls } from "../loop/calls/background-list.ts";
import type { ServerForms } from "../loop/calls/server-forms.ts";
import type { RunEnd } from "../loop/loop.ts";
import type { UserContent } from "../loop/turn.ts";
import type { ModelCatalog } from "../provider/catalog/model-catalog.ts";
import { checkModel } from "../provider/check/check-model.ts";
import { chooseModel } from "./choose-model.ts";
import { SessionPermissions } from "./permissions.ts";
import type { QueuedMessages } from "./queue/queued-messages.ts";
import { sentImageOf } from "./result-pictures.ts";
import type { Images, Session } from "./session.ts";
import { SessionTexts } from "./session-find.ts";
import type { Library } from "./session-library.ts";
import { type Beginning, type Leaving, SessionSwitcher } from "./session-switcher.ts";
import type { CommitMessages } from "./side/commit-messages.ts";
import { StoreNotices } from "./store-notices.ts";
import { shareBackground } from "./together/background-share.ts";
import type { OpenSessions } from "./together/open-sessions.ts";
import { SeatWorktrees } from "./together/seat-worktrees.ts";
import { Workbench, type WorkbenchDeps } from "./together/workbench.ts";

import { titleOf } from "./user-input.ts";

export type ManagerDeps = WorkbenchDeps;

export class TaskManager {
  readonly #deps: ManagerDeps;
  readonly #bench: Workbench;
  /** The seat that opened the project; it closes it. */
  readonly #isFirst: boolean;
  readonly #switcher: SessionSwitcher;
  readonly #notices: StoreNotices;
  readonly #listening: readonly Disposable[];
  /** The commands that calls moved to the background. */
  readonly background: BackgroundCommands;
  /** Reads the active session as rows show it: searches, and answers as plain text. */
  readonly texts: SessionTexts;
  /** Events of all open sessions, of all seats; each names its session. */
  readonly onEvent: (listener: (event: TaskEvent) => void) => Disposable;
  /** The active session is another one, which was open already: its view is whole, and no events repeat it. */
  readonly onSwitched: (listener: () => void) => Disposable;
  /** Sessions other than the active one. */
  readonly library: Library;
  readonly permissions: SessionPermissions;
  /** The models that can be chosen, and what is known about them. */
  readonly models: ModelCatalog;
  readonly worktrees: SeatWorktrees;

  /** `shared`: what another seat of the project has opened. */
  constructor(deps: ManagerDeps, shared?: { bench: Workbench; notices: StoreNotices }) {
    this.#deps = deps;
    this.#isFirst = shared === undefined;
    this.#bench = shared?.bench ?? new Workbench(deps);
    const { host, store } = deps;
    const { sessions, seats, parts, background, library, models } = this.#bench;
    this.background = background;
    this.library = library;
    this.models = models;
    this.texts = new SessionTexts({ facts: parts.registry, clock: host.clock, active: () => this.#active });
    this.#notices = shared?.notices ?? new StoreNotices({ host, store, active: () => this.#active });
    this.#switcher = new SessionSwitcher({
      ...{ host, store, library, sessions, seats, notices: this.#notices },
      stored: (id, mode) => this.#bench.stored(id, mode),
      create: (start) => this.#bench.create(start, (from, context) => this.#switcher.handOver(from, context)),
    });
    this.worktrees = new SeatWorktrees(this.#bench.worktrees, this.#switcher);
    this.permissions = new SessionPermissions(parts, this.#switcher);
    this.onEvent = sessions.onEvent;
    this.onSwitched = this.#switcher.onSwitched;
    this.#listening = shareBackground(background, this.#switcher, this.onEvent);
  }

  /** Another seat on the same project, with a new session. Disposing it ends that seat alone. */
  another(): TaskManager {
    return new TaskManager(this.#deps, { bench: this.#bench, notices: this.#notices });
  }

  /** The open sessions of all seats, and those that work in the background. */
  get together(): Pick<OpenSessions, "all" | "find" | "isSeen" | "overview" | "decide" | "stop" | "dismiss"> {
    return this.#bench.sessions;
  }

  get #active(): Session {
    return this.#switcher.active;
  }

  /** The id of the active session, which is on disk once it has a message. */
  get sessionId(): string {
    return this.#active.id;
  }

  get view(): ChatView {
    return this.#active.view;
  }

  /** The checkpoints of the active session. Throws if none are kept. */
  get checkpoints(): SessionCheckpoints {
    const { checkpoints } = this.#active;
    if (!checkpoints) throw new Error("this task keeps no checkpoints");
    return checkpoints;
  }

  /** Resolves when the agent is idle, with how its last turn ended; undefined if it was already idle. */
  get idle(): Promise<RunEnd["type"] | undefined> {
    return this.#active.idle.then((end) => end?.type);
  }

  /** Writes commit messages for what turns of the active session changed. */
  get commitMessages(): Pick<CommitMessages, "write"> {
    return this.#active.side.commitMessages;
  }

  /** Starts a task, answers the agent's question, or queues the message while the agent works. Rejects if it was not accepted. */
  async send(text: string, images: Images = []): Promise<{ queued: boolean }> {
    return this.worktrees.deliver(text, images);
  }

  /** `allow`: the scope in which what the call offers as `always` no longer asks. `left`: indexes of hunks to leave out. */
  approve(
    callId: string,
    comment?: string,
    { left, ...options }: { allow?: AllowScope; left?: readonly number[] } = {},
  ): boolean {
    const decision = {
      approved: true,
      comment: comment?.trim() || undefined,
      ...(left ? { excludedHunks: left } : {}),
    };
    return this.#active.approvals.decide(callId, decision, options);
  }

  reject(callId: string, comment?: string): boolean {
    return this.#active.approvals.decide(callId, { approved: false, comment: comment?.trim() || undefined });
  }

  /** What a message with this text would send, and about what that costs. */
  forecast(text: string): Forecast {
    return this.#active.requests.forecast(text);
  }

  /** What the context window of the active session holds. */
  windowContents(): WindowContents {
    return this.#active.requests.contents();
  }

  /** Bytes that the active session's requests sent for each turn; undefined: none could be counted. */
  get sentPerTurn(): number | undefined {
    return this.#active.requests.sentPerTurn;
  }

  /** Continues with one of the answers of several models. False: it is no longer possible. */
  async chooseAnswer(comparison: string, index: number): Promise<boolean> {
    return (await this.#switcher.settled()).comparisons.choose(comparison, index);
  }

  /** What the user allowed on approvals. */
  get allowances(): Pick<Allowances, "list" | "remove"> {
    return this.#active.approvals.allowances;
  }

  /** The calls that wait for a decision, if any. */
  get waitingCalls(): Pick<Approvals, "first" | "why" | "paths" | "prepare" | "prepared"> {
    return this.#active.approvals;
  }

  /** The questions of MCP servers that wait for the user's answer, if any. */
  get serverForms(): ServerForms {
    return this.#active.serverForms;
  }

  /** Running calls that can be moved to the background. */
  get foregroundCalls(): ForegroundCalls {
    return this.#active.foregroundCalls;
  }

  /** Stops all work; resolves when the agent is idle, within two seconds. */
  async stop(): Promise<void> {
    if (!this.#switcher.stopCreating()) await this.#active.stop();
  }

  /** Ends all work for good and leaves a call that waits for approval open: it asks again when the session is opened again. */
  pause(): Promise<void> {
    return this.#active.dispose();
  }

  /**
   * `keep`: a session that works goes on in the background, and is closed when its work is over. Default: it is stopped.
   * `worktree`: where the new session works. Default: in the project's folder.
   */
  newTask(how: Beginning = {}): Promise<void> {
    return this.#switcher.newTask(how);
  }

  /** Continues the task after an error, a limit, a Stop or a restart. */
  async retry(): Promise<void> {
    return (await this.#switcher.settled()).retry();
  }

  async setMode(mode: Mode): Promise<void> {
    return (await this.#switcher.settled()).setMode(mode);
  }

  /**
   * Chooses the model of a mode for the active session, also while the agent works. `name`: `connection/id`; "": that of the
   * settings.
   */
  async chooseModel(mode: Mode, name: string): Promise<void> {
    const { transcript } = await this.#switcher.settled();
    chooseModel(transcript, { mode, name }, this.#deps);
  }

  /** Checks what a model can do, without measuring its window, and uses the findings from then on. */
  checkModel(name: string, signal: AbortSignal): Promise<CheckReport> {
    return checkModel(modelNamed(name, this.#deps.settings()), this.#deps, { windowTokens: 0 }, signal);
  }

  /** Replaces the todo list with the user's version; a text without items removes it. */
  async setTodo(markdown: string): Promise<void> {
    await this.#active.transcript.editTodo(cleanTodo(markdown));
  }

  /** The available slash commands. */
  slashCommands(): Promise<SlashCommand[]> {
    return listSlashCommands(this.#deps.host, this.#deps.servers);
  }

  /** MCP servers whose prompts and resources are not known. */
  get unlistedServers(): readonly string[] {
    return unlistedServers(this.#deps.servers);
  }

  /** Commits whose message matches `query`, to mention. */
  commits(query: string): Promise<Commit[]> {
    return commitsToMention(this.#deps.host, query);
  }

  /** Symbols that match `query`, to mention. */
  symbols(query: string, limit: number): Promise<MentionSymbol[]> {
    return symbolsToMention(this.#deps.host, query, limit);
  }

  /** Resources of MCP servers that match `query`, to mention. */
  resources(query: string, limit: number): Promise<MentionResource[]> {
    return resourcesToMention(this.#deps.servers, query, limit);
  }

  /** The queued messages, with their images, which the view does not have. */
  get queued(): readonly UserContent[] {
    return this.#active.queue.waiting;
  }

  /** What the user does with queued messages. */
  get queueActions(): Pick<QueuedMessages, "edit" | "move" | "remove" | "sendNow"> {
    return this.#active.queued;
  }

  history(): Promise<SessionSummary[]> {
    return this.#deps.store.list();
  }

  /** `elsewhere`: not opened, because another process works on it; `takeOver` opens it anyway. `keep`: as for `newTask`. */
  open(id: string, options: { takeOver?: boolean } & Leaving = {}): Promise<{ elsewhere?: boolean }> {
    return this.#switcher.open(id, options);
  }

  /** Reopens what was open before a restart of the host. */
  restore(...how: Parameters<SessionSwitcher["restore"]>): Promise<readonly string[]> {
    return this.#switcher.restore(...how);
  }

  /** Shows earlier messages of the active session; they arrive as events. */
  async showEarlier(how: { until?: string; all?: boolean }): Promise<void> {
    return (await this.#switcher.settled()).showEarlier(how);
  }

  /** Branches before a user message, activates the branch and returns the message's content. */
  fork(messageId: string, title?: string): Promise<UserContent> {
    return this.#switcher.fork(messageId, title);
  }

  /**
   * Replaces a user message, keeping its images. Requests no longer contain the old one and everything after it. Rejects if it was
   * not sent; `unsent` gets the message if the branch before it is active nevertheless.
   */
  async editAndResend(
    messageId: string,
    text: string,
    added: Images = [],
    unsent: (message: UserContent) => void = () => {},
  ): Promise<void> {
    if (text.trim() === "") return;
    const isFirst = this.#active.transcript.messages[0]?.id === messageId;
    const fork = await this.fork(messageId, isFirst ? titleOf(text) : undefined);
    const images = [...fork.images, ...added];
    try {
      await this.send(text, images);
    } catch (error) {
      unsent({ text, images });
      throw error;
    }
  }

  /** An image that the user attached to a message. */
  sentImage(messageId: string, index: number): Attachment | undefined {
    return sentImageOf(this.#active.transcript.messages, messageId, index);
  }

  async rename(id: string, title: string): Promise<void> {
    this.#bench.sessions.renamed(id, await this.library.rename(id, title));
  }

  /** Deletes a session. Returns how many milliseconds that can be undone for; 0: another process works on it. */
  async deleteSession(id: string): Promise<number> {
    for (const seat of this.#bench.seats) if (seat.active.id === id) await seat.newTask();
    await this.#bench.sessions.end(id);
    return this.library.delete(id);
  }

  /** Whether the user sees what the seat shows. Default: they do. */
  setVisible(visible: boolean): void {
    this.#switcher.setVisible(visible);
  }

  /** Ends this seat (`keep`: as for `newTask`); that which opened the project ends all sessions and the project. */
  async dispose(how: Leaving = {}): Promise<void> {
    for (const each of this.#listening) each.dispose();
    if (!this.#isFirst) return this.#switcher.dispose(how);
    await this.#switcher.endFinding();
    this.#notices.dispose();
    await this.#bench.dispose();
  }
}
