/**
 * A workspace with everything that belongs to it: its sessions, open and stored, its worktrees, and the views that show a session
 * each. Sessions are open while a view shows them, and while they work after the user left them; a session that is neither shown nor
 * working is closed, so that it takes neither memory nor time. With `View` and `Session`, this is the agent's API for hosts.
 */
import type { AgentItem } from "../../shared/agent-list.ts";
import type { TaskEvent } from "../../shared/event.ts";
import type { Mode } from "../../shared/message.ts";
import type { CheckReport } from "../../shared/models/check.ts";
import { modelNamed } from "../../shared/models/connection.ts";
import type { Commit, MentionSymbol, Result, SessionSummary, SlashCommand } from "../../shared/protocol.ts";
import type { ReviewProgress, ReviewReport, ReviewScope } from "../../shared/review.ts";
import type { MentionResource } from "../../shared/server-protocol.ts";
import type { ToolList, ToolSwitchAction } from "../../shared/tool-list.ts";
import { SerialQueue } from "../async.ts";
import type { Checkpoints } from "../checkpoints/checkpoints.ts";
import { handedOver } from "../context/focus-chain.ts";
import { commitsToMention, symbolsToMention } from "../context/mention-choices.ts";
import { resourcesToMention, unlistedServers } from "../context/server-resources.ts";
import { listSlashCommands } from "../context/slash-commands.ts";
import { KeyMask } from "../key-mask.ts";
import { type Disposable, Emitter } from "../lifecycle.ts";
import { BackgroundCommands } from "../loop/calls/background-list.ts";
import type { TranscriptStart } from "../loop/transcript.ts";
import type { UserContent } from "../loop/turn.ts";
import type { FileStates } from "../ports/file-states.ts";
import type { Host } from "../ports/host.ts";
import type { SearchProviders } from "../ports/web.ts";
import { ModelCatalog } from "../provider/catalog/model-catalog.ts";
import { checkModel } from "../provider/check/check-model.ts";
import { WorktreeUse } from "../sessions/open/worktree-use.ts";
import type { SessionStore } from "../sessions/session-store.ts";
import { FileWriters } from "../tools/editing/file-writers.ts";
import { permissionItems, ToolRegistry, toolsFor } from "../tools/registry.ts";
import { followServers } from "../tools/servers/server-tools.ts";
import type { ToolRecords } from "../tools/switches/tool-records.ts";
import { ToolSwitches } from "../tools/switches/tool-switches.ts";
import { followSearch } from "../tools/web-search.ts";
import { chooseAgent, listAgents } from "./agent-choice.ts";
import { EditsAtCursor } from "./extras/edit-at-cursor.ts";
import { RepositoryMessages } from "./extras/repository-messages.ts";
import { listTools, switchTool, type ToolListDeps } from "./project/all-tools.ts";
import { Overview } from "./project/overview.ts";
import { ProjectWorktrees } from "./project/project-worktrees.ts";
import { TurnSlots } from "./project/turn-slots.ts";
import { REVIEW_CORE } from "./review/review-core.ts";
import { Session } from "./session.ts";
import { Library, type LibraryDeps } from "./session-library.ts";
import type { SessionParts, SubtaskParent } from "./session-parts.ts";
import { StoreNotices } from "./store-notices.ts";
import { type ChildParts, Subtasks } from "./subtasks/subtasks.ts";
import { type CloseOptions, View } from "./view.ts";

/** The number of sessions of the last window that are restored, besides the one that was shown. */
const MOST_RESTORED = 20;

export interface ProjectDeps
  extends Omit<LibraryDeps, "keys">,
    Omit<SessionParts, "registry" | "keys" | "slots" | "writers" | "subtasks" | "terms" | "reviewed"> {
  /** Tools may be added and removed at any time. Default: only the built-in tools. */
  registry?: ToolRegistry;
  /** Stores what the user chooses about tools. Default: nothing can be switched. */
  toolRecords?: ToolRecords;
  /** The checkpoints of a folder other than the workspace's. Default: changes there cannot be undone. */
  checkpointsIn?(folder: string): Checkpoints;
  /** Default: the web cannot be searched. */
  searchProviders?: SearchProviders;
  /** Writes what tasks changed in worktrees. Default: no task can start one that changes files. */
  fileStates?: FileStates;
  /** Keys for other services than the model's endpoint, to mask. */
  otherKeys?(): Promise<readonly string[]>;
}

/** What the host saved of an open session before it ended, in addition to the stored session. */
export interface SavedSessionState {
  /** The messages that were waiting in its queue. */
  queued?: readonly UserContent[];
  /** A view will show it again, and the user saw its end there. */
  seen?: boolean;
}

/** What is known of an open session. */
interface OpenSession {
  events: Disposable;
  /** How many views show it. */
  views: number;
  /** True while the session runs a subtask for a parent session, which shows and closes it. */
  isChild: boolean;
  /** It is being closed, and can no longer be shown. */
  closing?: Promise<void>;
}

export class Project {
  readonly #deps: ProjectDeps;
  readonly host: Host;
  readonly store: SessionStore;
  /** The view that exists as long as the project does. */
  readonly view: View;
  readonly #views = new Set<View>();
  readonly #open = new Map<Session, OpenSession>();
  readonly #events = new Emitter<TaskEvent>();
  readonly #allEvents = new Emitter<TaskEvent>();
  /** Sessions that are being closed because their work is over. */
  readonly #closing = new Set<Promise<void>>();
  #restoring: Promise<void> | undefined;
  #endsRestoring = false;
  #disposed = false;
  /** Two views that open a session at the same time must get the same one. */
  readonly opening = new SerialQueue();

  /** Events of all open sessions; each names its session. Those of subtasks are reported only while a view shows them. */
  readonly onEvent = this.#events.on;
  /** The same, with those of all subtasks. */
  readonly onAnyEvent = this.#allEvents.on;
  /** The tasks that work, wait, or ended unseen. */
  readonly overview: Overview;
  /** The user's keys, which are masked in what is stored. */
  readonly keys: KeyMask;
  /** Stored sessions. */
  readonly library: Library;
  /** The models that can be chosen, and what is known about them. */
  readonly models: ModelCatalog;
  /** The commands that calls moved to the background. */
  readonly background: BackgroundCommands;
  /** The worktrees of tasks. */
  readonly worktrees: ProjectWorktrees;
  /** Commit messages for the state of a repository. */
  readonly repositoryMessages: RepositoryMessages;
  /** Changes where the cursor is. */
  readonly editsAtCursor: EditsAtCursor;
  readonly #reviewed = new Emitter<{
    session: string;
    report: ReviewReport;
    fileOf: (path: string) => string;
  }>();
  /** Fires when a review in a session has ended. */
  readonly onReviewed = this.#reviewed.on;
  /** Problems of the store, for the user. */
  readonly notices: StoreNotices;
  readonly #parts: SessionParts;
  readonly #slots: TurnSlots;
  readonly #writers = new FileWriters();
  readonly #worktreeUse: WorktreeUse;
  /** What sessions in worktrees need, by folder. */
  readonly #elsewhere = new Map<string, SessionParts>();
  readonly #following: (Disposable | undefined)[];

  constructor(deps: ProjectDeps) {
    const { host, store, registry = new ToolRegistry(toolsFor(host)) } = deps;
    this.#deps = deps;
    this.host = host;
    this.store = store;
    this.overview = new Overview((id) => {
      const session = this.find(id);
      const isListed = session && !this.#open.get(session)?.isChild;
      return isListed
        ? { chatView: session.chatView, views: this.viewsOf(session) - this.#hiddenViews(session) }
        : undefined;
    });
    this.onEvent((event) => this.overview.fold(event));
    const keys = new KeyMask(deps);
    this.keys = keys;
    this.library = new Library({ ...deps, keys });
    this.models = new ModelCatalog(deps);
    this.background = new BackgroundCommands(host);
    this.#slots = new TurnSlots(() => deps.settings().tasks.maxRunning);
    this.#allEvents.on((event) => this.#slots.fold(event));
    this.#worktreeUse = new WorktreeUse(store, host.log);
    this.worktrees = new ProjectWorktrees({
      host,
      store,
      settings: deps.settings,
      use: this.#worktreeUse,
      all: () => this.sessions,
    });
    const { toolRecords: records } = deps;
    const port = host.editorTools;
    this.#parts = {
      ...deps,
      registry,
      ...(records
        ? { toolSwitches: new ToolSwitches({ records, registry, log: host.log, ...(port ? { port } : {}) }) }
        : {}),
      keys,
      background: this.background,
      slots: this.#slots,
      writers: this.#writers,
      worktreeUse: this.#worktreeUse,
      reviewed: (session, report, fileOf) => this.#reviewed.emit({ session, report, fileOf }),
    };
    this.repositoryMessages = new RepositoryMessages(this.#parts);
    this.editsAtCursor = new EditsAtCursor(this.#parts);
    this.#following = [
      deps.servers && followServers(registry, deps.servers, host.log),
      deps.searchProviders && followSearch(registry, deps.searchProviders, host.log),
    ];
    this.background.onOutput(({ session, callId, text }) => {
      // A session that is opened again has another object than the one that ran the call.
      this.find(session)?.emit({ type: "output", callId, delta: text });
    });
    this.notices = new StoreNotices({ host, store, active: () => this.view.active });
    this.view = this.newView();
  }

  /** Another view, with a new session. It is closed by disposing it. */
  newView(): View {
    const view = new View(this);
    this.#views.add(view);
    return view;
  }

  /** The open sessions. */
  get sessions(): readonly Session[] {
    return [...this.#open.keys()];
  }

  /** An open session. */
  find(id: string): Session | undefined {
    return this.sessions.find((session) => session.id === id);
  }

  /** A view shows the session where the user sees it. */
  isSeen(id: string): boolean {
    const session = this.find(id);
    return session !== undefined && this.viewsOf(session) > this.#hiddenViews(session);
  }

  /** Decides on a call that waits in an open session. False: it does not wait there. */
  decide(id: string, callId: string, approved: boolean): boolean {
    return this.find(id)?.approvals.decide(callId, { approved, comment: undefined }) ?? false;
  }

  /** Stops a session, also one that works in the background. */
  async stop(id: string): Promise<void> {
    await this.find(id)?.stop();
  }

  /** Removes an idle session from the overview, and returns the messages in its queue. Does nothing if the session works. */
  async dismiss(id: string): Promise<readonly UserContent[]> {
    const session = this.find(id);
    if (!this.overview.has(id) || session?.busy) return [];
    this.overview.forget(id);
    const entry = session && this.#open.get(session);
    if (session && entry && entry.views > 0) return [];
    if (session && entry && !entry.closing) {
      const queued = session.queue.take();
      await this.#close(session, { ended: true });
      return queued;
    }
    await entry?.closing;
    await this.store.update(id, { endedAt: this.host.clock.now().toISOString() });
    return [];
  }

  history(): Promise<SessionSummary[]> {
    return this.store.list();
  }

  async rename(id: string, title: string): Promise<void> {
    const stored = await this.library.rename(id, title);
    this.find(id)?.transcript.renamed(stored);
    this.overview.renamed(id, stored);
  }

  /** Deletes a session. Returns how many milliseconds that can be undone for; 0: another process works on it. */
  async deleteSession(id: string): Promise<number> {
    for (const view of this.#views) if (view.active.id === id) await view.newTask();
    await this.#end(id);
    return this.library.delete(id);
  }

  /** The tools and servers for which there can be exceptions from what runs without asking. */
  get permissionItems(): Result<"permission/items"> {
    return permissionItems(this.#parts.registry, this.#deps.servers);
  }

  /** All tools, with what each adds to a request. Starts no server. */
  async tools(): Promise<ToolList> {
    await this.#deps.servers?.tryLoad();
    return listTools(this.#toolListDeps);
  }

  /** Takes effect when a turn begins. Rejects with ToolError if the tool cannot be switched. */
  async switchTool(action: ToolSwitchAction): Promise<void> {
    await this.#deps.servers?.tryLoad();
    await switchTool(action, this.#toolListDeps);
  }

  get #toolListDeps(): ToolListDeps {
    const { servers, toolRecords } = this.#deps;
    const { registry } = this.#parts;
    return {
      builtIn: registry.tools.filter(({ server, offered }) => server === undefined && offered === undefined),
      servers: (servers?.all ?? []).map(({ server, choices }) => ({
        name: server.name,
        tools: server.offer?.tools ?? [],
        choices,
        setChoices: async (changed) => servers?.setChoices(server.name, changed),
      })),
      port: this.host.editorTools,
      records: toolRecords,
      log: this.host.log,
    };
  }

  /** Checks what a model can do, without measuring its window, and uses the findings from then on. */
  checkModel(name: string, signal: AbortSignal): Promise<CheckReport> {
    return checkModel(modelNamed(name, this.#deps.settings()), this.#deps, { windowTokens: 0 }, signal);
  }

  /** Reviews changes of the project's folder, in no session; what it costs counts for the day. Rejects as `ReviewRun.run` does. */
  async review(
    scope: ReviewScope,
    listener: { signal: AbortSignal; onProgress(progress: ReviewProgress): void },
  ): Promise<ReviewReport> {
    const { reviewProject } = await import("./review/reviews.ts");
    return reviewProject(REVIEW_CORE, this.#parts, scope, listener);
  }

  /** The agents that can be chosen for a session; see `chooseAgent` for the names of the modes. */
  agents(): Promise<AgentItem[]> {
    return listAgents(this.#deps);
  }

  /** See `chooseAgent`. */
  chooseAgent(session: Session, name: string): Promise<void> {
    return chooseAgent(session, name, this.#deps);
  }

  /** The available slash commands. */
  slashCommands(): Promise<SlashCommand[]> {
    return listSlashCommands(this.host, this.#deps.settings().context, this.#deps.servers);
  }

  /** MCP servers whose prompts and resources are not known. */
  get unlistedServers(): readonly string[] {
    return unlistedServers(this.#deps.servers);
  }

  /** Commits whose message matches `query`, to mention. */
  commits(query: string): Promise<Commit[]> {
    return commitsToMention(this.host, query);
  }

  /** Symbols that match `query`, to mention. `starts`: as in `Surroundings.findSymbols`. */
  symbols(query: string, limit: number, starts = false): Promise<MentionSymbol[]> {
    return symbolsToMention(this.host, query, limit, starts);
  }

  /** Resources of MCP servers that match `query`, to mention. */
  resources(query: string, limit: number): Promise<MentionResource[]> {
    return resourcesToMention(this.#deps.servers, query, limit);
  }

  /**
   * Reopens what was open before a restart of the host: first one session in `view`, then the other unfinished ones. Calls that waited
   * for approval ask again. `shown`: the id of the first session, "" for none; absent: the one that changed last. `savedState`: what
   * the host saved of another session. Returns the ids of the others, which are loaded afterwards.
   */
  async restore(
    shown?: string,
    savedState: (id: string) => SavedSessionState = () => ({}),
  ): Promise<readonly string[]> {
    let others: readonly string[] = [];
    const isShown = await this.view.reopen(async () => {
      await this.library.sweep();
      const unfinished = await this.store.unfinished();
      const first = shown === undefined ? unfinished[0] : unfinished.find((id) => id === shown);
      others = unfinished.filter((id) => id !== first).slice(0, MOST_RESTORED);
      return first;
    });
    if (!isShown) this.notices.report();
    this.#restoring = this.#restoreAll(others, savedState).catch((error: unknown) =>
      this.host.log.error("the other open tasks were not found", error),
    );
    return others;
  }

  /** Ends all work; calls that wait for approval stay open and ask again later. */
  async dispose(): Promise<void> {
    for (const view of this.#views) view.endListening();
    for (const view of this.#views) await view.endCreating();
    this.#endsRestoring = true;
    await this.#restoring;
    this.notices.dispose();
    this.background.dispose();
    this.#disposed = true;
    await Promise.all(this.sessions.map((session) => session.dispose()));
    await Promise.all([...this.#closing, this.repositoryMessages.close()]);
    for (const { id, transcript } of this.sessions) if (transcript.isStored) await this.store.release(id);
    await this.#worktreeUse.dispose();
    for (const following of this.#following) following?.dispose();
    await this.library.close();
  }

  // For views, see `ViewProject`.

  create(start: TranscriptStart): Session {
    const subtasks = (parent: SubtaskParent) =>
      new Subtasks(
        {
          store: this.store,
          registry: this.#parts.registry,
          slots: this.#slots,
          writers: this.#writers,
          ...(this.#deps.fileStates ? { files: this.#deps.fileStates } : {}),
          adopt: (session) => this.#adopt(session),
          release: (session, how) => this.#release(session, how),
          create: (own, begin) => this.#createChild(own, begin),
        },
        parent,
      );
    return new Session({ ...this.#partsFor(start), handOver: this.#handOver, subtasks }, start);
  }

  async stored(id: string, mode: Mode): Promise<TranscriptStart> {
    const session = await this.store.load(id, { skip: 0, count: 0 });
    const worktree = session?.worktree;
    return worktree === undefined ? { id, mode } : { id, mode, worktree };
  }

  viewsOf(session: Session): number {
    return this.#open.get(session)?.views ?? 0;
  }

  /** The session's events are reported as long as it is open. */
  show(session: Session): void {
    this.#entry(session).views++;
    this.overview.shown(session.id);
  }

  /** If the session is being closed, waits until it is. Nothing may happen between finding and showing a session. */
  async showOpen(id: string): Promise<Session | undefined> {
    const session = this.find(id);
    const closing = session && this.#open.get(session)?.closing;
    if (closing) await closing;
    else if (session) this.show(session);
    return closing ? undefined : session;
  }

  /**
   * A session that works continues without a view, and is closed when its work is over, unless messages still wait in its queue. An
   * idle one is closed now, unless another view shows it.
   */
  async leave(session: Session, how: CloseOptions): Promise<void> {
    const entry = this.#open.get(session);
    if (!entry) return;
    entry.views--;
    if (entry.views > 0 || entry.isChild) return;
    if (!session.busy) {
      if (how.keepQueue && !session.queue.isEmpty) return this.overview.unfinished(session.id);
      await this.#close(session, how);
      return;
    }
    const closing = this.#closeAfterwards(session)
      .catch((error: unknown) => this.host.log.error(`session ${session.id} was not closed`, error))
      .finally(() => this.#closing.delete(closing));
    this.#closing.add(closing);
  }

  staleOf(session: Session): Session | undefined {
    return this.sessions.find((other) => other.id === session.id && other !== session);
  }

  /** Closes only the object: the session has been reopened, so it has not ended. */
  async retire(stale: Session): Promise<void> {
    await stale.dispose();
    this.#drop(stale);
  }

  replaced(stale: Session, session: Session): void {
    for (const view of this.#views) view.sessionReplaced(stale, session);
  }

  viewClosed(view: View): boolean {
    return this.#views.delete(view);
  }

  /** How many of the views that show the session the user does not see. */
  #hiddenViews(session: Session): number {
    return [...this.#views].filter((view) => view.hides(session)).length;
  }

  /** The session of a subtask. It reports to its parent, so the required output does not concern it. */
  #createChild(own: ChildParts, start: TranscriptStart): Session {
    const { output: _, ...parts } = this.#partsFor(start);
    const projectPath = this.host.workspace.root ?? "";
    return new Session({ ...parts, projectPath, ...own, handOver: this.#handOver }, start);
  }

  /** A session in a worktree has the ports and the checkpoints of that folder. One whose worktree is unreadable runs nothing. */
  #partsFor({ worktree }: TranscriptStart): SessionParts {
    const { host } = this;
    if (worktree === undefined || worktree === "unreadable") return this.#parts;
    if (!host.inFolder) throw new Error("this host has no worktrees");
    const known = this.#elsewhere.get(worktree.root);
    if (known) return known;
    const { checkpoints: _, ...rest } = this.#parts;
    const checkpoints = this.#deps.checkpointsIn?.(worktree.root);
    const parts: SessionParts = {
      ...rest,
      ...(checkpoints ? { checkpoints } : {}),
      host: host.inFolder(worktree.root),
      projectPath: host.workspace.root ?? "",
    };
    this.#elsewhere.set(worktree.root, parts);
    return parts;
  }

  /** Starts the new task that the user accepted, with its context, the todo list and the mode, in the views that show the old one. */
  readonly #handOver = async (from: Session, context: string): Promise<void> => {
    const { agent, mode, todo, worktree } = from.transcript;
    const place = worktree === undefined || worktree === "unreadable" ? {} : { worktree };
    // Messages queued meanwhile apply to the new task.
    const queued = from.queue.take();
    // The view in which the session was created may show another one now, and others may show it.
    const [first, ...others] = [...this.#views].filter((view) => view.active === from);
    if (first) await first.begin(place);
    const next = first ? first.active : this.create({ id: this.host.newId(), mode, agent, ...place });
    if (!first) this.show(next);
    for (const other of others) {
      this.show(next);
      await other.switchTo(next, { keep: true });
    }
    await next.transcript.setMode(mode);
    await next.transcript.setTodo(handedOver(context, todo));
    await next.startTurn({ text: context, images: [], byModel: true });
    next.queue.putBack(queued);
    this.overview.forget(from.id);
    // It continues in the background, as the old one did.
    if (!first) await this.leave(next, { ended: true });
  };

  /** The session runs a subtask from now on. Its parent releases it. */
  #adopt(session: Session): void {
    this.#entry(session).isChild = true;
  }

  /** Closes the session of a subtask that is over, unless a view shows it. `ended`: see `Session.close`. */
  async #release(session: Session, how: { ended: boolean }): Promise<void> {
    const entry = this.#open.get(session);
    if (!entry) return;
    entry.isChild = false;
    if (this.#disposed) return;
    if (entry.views === 0) await this.#close(session, how);
  }

  #entry(session: Session): OpenSession {
    const known = this.#open.get(session);
    if (known) return known;
    const entry: OpenSession = {
      events: session.onEvent((event) => {
        this.#allEvents.emit(event);
        if (!entry.isChild || entry.views > 0) this.#events.emit(event);
      }),
      views: 0,
      isChild: false,
    };
    this.#open.set(session, entry);
    return entry;
  }

  /** Loads sessions in the background, one after the other, so that the user can switch in between. */
  async #restoreAll(ids: readonly string[], savedState: (id: string) => SavedSessionState): Promise<void> {
    for (const id of ids) {
      if (this.#endsRestoring) return;
      const state = () => {
        const { queued = [], seen = false } = savedState(id);
        return { queued: queued.map((message) => ({ ...message, id: this.host.newId() })), seen };
      };
      const restore = async () => {
        if (this.#endsRestoring) return;
        const open = this.find(id);
        // A view has opened it meanwhile.
        if (open) open.queue.putBack(state().queued);
        else await this.#restore(this.create(await this.stored(id, "act")), state);
      };
      await this.opening
        .run(restore)
        // One that cannot be read does not hide the others; its history entry says more.
        .catch((error: unknown) => this.host.log.error(`task ${id} was not reopened`, error));
    }
  }

  /**
   * Loads a session that was unfinished when the program ended. A call that waited for approval asks again, and messages in its queue
   * wait until the user sends them. `savedState` is called once the session is loaded.
   */
  async #restore(
    session: Session,
    savedState: () => { queued: Parameters<Session["queue"]["putBack"]>[0]; seen: boolean },
  ): Promise<void> {
    const loaded = await session.transcript.load(false).catch(async (error: unknown) => {
      await session.dispose();
      throw error;
    });
    if (loaded !== "opened") return session.dispose();
    this.show(session);
    try {
      await session.show();
      await session.pickUp();
      const { queued, seen } = savedState();
      session.queue.putBack(queued);
      this.overview.unfinished(session.id, seen);
    } finally {
      await this.leave(session, { ended: false, keepQueue: true });
    }
  }

  /** Ends a session that no view shows, for good. */
  async #end(id: string): Promise<void> {
    const session = this.find(id);
    if (session && this.#open.get(session)?.isChild) await session.stop();
    else if (session && this.viewsOf(session) === 0) {
      await session.stop();
      await this.#close(session, { ended: true });
    }
    this.overview.forget(id);
  }

  async #closeAfterwards(session: Session): Promise<void> {
    // A turn may be followed by one with the messages that were queued.
    while (session.busy) await session.idle;
    if (this.#disposed || this.viewsOf(session) > 0 || !session.queue.isEmpty) return;
    await this.#close(session, { ended: true });
  }

  /** Reports the session's events until it is closed. A session that the overview lists has not ended for the user. */
  async #close(session: Session, how: { ended: boolean }): Promise<void> {
    const entry = this.#open.get(session);
    if (!entry) return;
    entry.closing ??= session.close({ ended: how.ended && !this.overview.has(session.id) });
    try {
      await entry.closing;
    } finally {
      this.#drop(session);
    }
  }

  /** Removes a session that was closed, and stops reporting its events. */
  #drop(session: Session): void {
    this.#open.get(session)?.events.dispose();
    this.#open.delete(session);
  }
}
