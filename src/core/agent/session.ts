/**
 * One open session: its transcript, its view, its queue and its loop. It does not depend on other sessions, so any number of
 * sessions can run in parallel.
 */
import type { EventBody, TaskEvent } from "../../shared/event.ts";
import { PRODUCT_NAMES } from "../../shared/history/session-origin.ts";
import type { Mode } from "../../shared/message.ts";
import {
  connectionsOf,
  EDITOR_CONNECTION,
  type ModelSettings,
  modelName,
  modelNamed,
} from "../../shared/models/connection.ts";
import { type AccessSettings, type AllowScope, accessSchema } from "../../shared/permission/levels.ts";
import { accessOf, type PermissionChange, settingsWith } from "../../shared/permission/session-permission.ts";
import { planStartText } from "../../shared/plan-document.ts";
import { type ReviewScope, reviewScopeText } from "../../shared/review.ts";
import type { SessionAgent } from "../../shared/session-agent.ts";
import type { Settings } from "../../shared/settings.ts";
import type { ChatView } from "../../shared/view/reducer.ts";
import { runBlockedMessage } from "../../shared/words/sandbox-words.ts";
import { type Translate, translator } from "../../shared/words/task-words.ts";
import { keepingLatest } from "../cached-value.ts";
import type { SessionCheckpoints } from "../checkpoints/checkpoints.ts";
import { cleanTodo, todoOf } from "../context/focus-chain.ts";
import { commandIn, compactCommand, reviewCommand } from "../context/slash-commands.ts";
import { UserStop } from "../errors.ts";
import { type Disposable, Emitter } from "../lifecycle.ts";
import { Approvals } from "../loop/calls/approvals.ts";
import { ForegroundCalls } from "../loop/calls/background-list.ts";
import { Judge } from "../loop/calls/permission.ts";
import { ServerForms } from "../loop/calls/server-forms.ts";
import { asksServers, mayBePrompt } from "../loop/from-servers.ts";
import { Limits } from "../loop/limits/limits.ts";
import { type Intent, type RunEnd, takesQueue } from "../loop/loop.ts";
import { planCommentsMessage } from "../loop/plan/plan-comments.ts";
import { Task } from "../loop/task.ts";
import { TaskHooks } from "../loop/task-hooks.ts";
import { type ForkPoint, Transcript, type TranscriptStart } from "../loop/transcript.ts";
import type { UserContent, UserTurns } from "../loop/turn.ts";
import { accessUnder, ceilingOf } from "../policy/admin-policy.ts";
import type { Host } from "../ports/host.ts";
import * as replies from "../prompts/replies.ts";
import { noticeValues } from "../servers/server-error.ts";
import { chooseForFile } from "./agent-choice.ts";
import { approvedCommand, blockedCommand } from "./blocked-command.ts";
import { CheckpointLink } from "./checkpoint-link.ts";
import { CommitMessages, type CommitMessagesDeps } from "./extras/commit-messages.ts";
import { Comparisons } from "./extras/comparison.ts";
import { SessionTitle, type SessionTitleDeps } from "./extras/session-title.ts";
import { isInterrupted, OpenCalls } from "./open-calls.ts";
import { Queue } from "./queue/queue.ts";
import { Incoming, QueuedMessages } from "./queue/queued-messages.ts";
import { REVIEW_CORE } from "./review/review-core.ts";
import { Runner } from "./runner.ts";
import type { SessionParts } from "./session-parts.ts";
import { SessionPlace } from "./session-place.ts";
import { type HandedPlan, SessionPlans } from "./session-plans.ts";
import { SessionTexts } from "./session-texts.ts";
import { SessionView } from "./session-view.ts";

export interface SessionDeps extends SessionParts {
  /** Called when a task ends with a new task that the user accepted, which begins with `context`. */
  handOver(from: Session, context: string): Promise<void>;
}

export type Images = UserContent["images"];

export class Session {
  readonly transcript: Transcript;
  readonly approvals: Approvals;
  /** Running calls that can be moved to the background. */
  readonly foregroundCalls = new ForegroundCalls();
  /** Questions of MCP servers that wait for the user's answer. */
  readonly serverForms: ServerForms;
  readonly queue = new Queue((items) => this.emit({ type: "queue", items }));
  /** What the user does with messages in the queue. */
  readonly queued: QueuedMessages;
  readonly #deps: SessionDeps;
  /** As they apply in this session. */
  readonly #settings: () => Settings;
  readonly #events = new Emitter<TaskEvent>();
  readonly #view: SessionView;
  readonly #checkpoints: CheckpointLink | undefined;
  readonly #limits: Limits;
  readonly #open: OpenCalls;
  readonly #input: UserInput;
  readonly #task: Task;
  readonly #runner: Runner;
  /** Answers of several models, of which the user chooses one. */
  readonly comparisons: Comparisons;
  /** Searches the session's rows, and returns answers as plain text. */
  readonly texts: SessionTexts;
  /** Requests to the model that are not part of the conversation. */
  readonly extras: SessionExtras;
  /** The plans that the model presented. */
  readonly plans: SessionPlans;
  readonly #place: SessionPlace;
  readonly #serverNotices: Disposable | undefined;
  readonly #hooks: TaskHooks | undefined;
  #disposed = false;
  readonly #incoming = new Incoming();

  readonly onEvent = this.#events.on;

  constructor(deps: SessionDeps, start: TranscriptStart) {
    const { checkpoints, hooks, terms, plans: documents, ...taskDeps } = deps;
    const { host, registry } = deps;
    const withPermission = keepingLatest(settingsWith);
    const permitted = () => withPermission(deps.settings(), this.transcript.permission.current);
    const settings = terms ? deps.settings : permitted;
    this.#deps = deps;
    this.#settings = settings;
    this.transcript = new Transcript({ ...deps, publish: (event) => this.#publish(event) }, start);
    this.plans = new SessionPlans({ transcript: this.transcript, registry, documents, log: host.log });
    this.#place = new SessionPlace(deps, this);
    this.texts = new SessionTexts({ facts: registry, clock: host.clock, session: this });
    this.#view = new SessionView({ transcript: this.transcript, registry, clock: host.clock }, start);
    this.#checkpoints =
      checkpoints &&
      new CheckpointLink({
        checkpoints,
        transcript: this.transcript,
        log: host.log,
        writers: deps.writers,
        view: () => this.chatView,
        onEvent: this.onEvent,
      });
    this.#limits = new Limits(terms?.limits);
    this.approvals = new Approvals({ ...deps, ...terms, settings });
    const judge = new Judge(host, this.approvals.allowances.settings);
    const conversation = this.transcript;
    this.serverForms = new ServerForms({ host, conversation });
    const own = { approvals: this.approvals, limits: this.#limits };
    const agents = () => this.#task.agents;
    const children = deps.subtasks?.({ host, transcript: conversation, settings, agents, ...own });
    this.#open = new OpenCalls(host, registry, conversation, children);
    this.#hooks =
      hooks &&
      new TaskHooks({
        hooks,
        host,
        conversation,
        settings,
        isSubtask: terms !== undefined,
        stop: () => void this.stop(),
      });
    this.#task = new Task({
      ...taskDeps,
      settings,
      ...(this.#hooks ? { hooks: this.#hooks } : {}),
      ...(children ? { children } : {}),
      ...(terms ? { parentAgents: terms.agents } : {}),
      ...(this.#checkpoints ? { checkpoints: this.#checkpoints.own } : {}),
      ...own,
      conversation,
      judge,
      foregroundCalls: this.foregroundCalls,
      serverForms: this.serverForms,
      queue: this.queue,
      random: Math.random,
    });
    this.#serverNotices = followServerNotices(deps, this);
    this.queued = new QueuedMessages({
      queue: this.queue,
      incoming: this.#incoming,
      task: this.#task,
      foregroundCalls: this.foregroundCalls,
      busy: () => this.busy,
      begin: (input) => this.#begin(input, true),
      newId: host.newId,
    });
    const takeSlot = (signal: AbortSignal) => this.#task.takeSlot(signal);
    this.comparisons = new Comparisons({ ...deps, settings, conversation, takeSlot, busy: () => this.busy });
    const unreadable = (path: string) => judge.unreadable(path);
    this.extras = new SessionExtras({ ...deps, settings, conversation, session: this, unreadable });
    const { turns } = this.#task;
    this.#input = new UserInput({
      host,
      settings,
      conversation,
      open: this.#open,
      turns,
      hooks: this.#hooks,
      planReply: () => this.#planReply(),
    });
    this.#runner = new Runner({
      ended: (end) => this.#ended(end),
      failed: (error) => {
        host.log.error("the task ended with an error", error);
        this.emit({ type: "status", status: "idle" });
      },
    });
  }

  get id(): string {
    return this.transcript.id;
  }

  /** What a panel shows of the session. Replaced with each change, never changed in place. */
  get chatView(): ChatView {
    return this.#view.current;
  }

  /** This session's checkpoints. Throws if none are recorded. */
  get checkpoints(): SessionCheckpoints {
    if (!this.#checkpoints) throw new Error("this task keeps no checkpoints");
    return this.#checkpoints.own;
  }

  get busy(): boolean {
    return this.#runner.busy;
  }

  /** Resolves when the session is idle, with how its last turn ended; undefined if it was already idle. */
  get idle(): Promise<RunEnd | undefined> {
    return this.#runner.idle;
  }

  emit(body: EventBody): void {
    this.transcript.emit(body);
  }

  /** Folds an event into the view before other listeners receive it. */
  #publish(event: TaskEvent): void {
    const { queue, status } = this.chatView;
    this.#view.fold(event);
    this.#events.emit(event);
    if (event.type !== "session") return;
    // The event resets views, so what was reported while the first message was written is reported again.
    if (queue.length > 0) this.emit({ type: "queue", items: [...queue] });
    if (status !== this.chatView.status) this.emit({ type: "status", status });
  }

  /** Starts a turn, answers the agent's question, or queues the message while the agent works. Rejects if it was not accepted. */
  async send(text: string, images: Images): Promise<{ queued: boolean }> {
    if (text.trim() === "" && images.length === 0) return { queued: false };
    return this.#send({ text, images });
  }

  /**
   * Sends a message in the user's language, which approves that the command that the sandbox blocked in this call runs once with
   * network, or outside the sandbox if it was not the network, and asks the agent to run it. False: the sandbox blocked no command in
   * this call, or none can run now.
   */
  async runBlocked(callId: string, t: Translate): Promise<boolean> {
    const { host, registry, terms } = this.#deps;
    if (terms || this.transcript.mode === "plan" || !host.workspace.trusted) return false;
    const blocked = blockedCommand(this.transcript.messages, registry, callId);
    if (blocked === undefined) return false;
    const { command } = blocked;
    const isSent = this.queue.waiting.some(({ approved = [] }) =>
      approved.some((each) => each.command === command),
    );
    if (isSent || (await this.approvals.approvedPlace(command))) return true;
    const approved = [await approvedCommand(blocked, host)];
    await this.#send({ text: runBlockedMessage(t, command, blocked.block), images: [], approved });
    return true;
  }

  async #send(input: UserContent): Promise<{ queued: boolean }> {
    const { text } = input;
    if (!this.#incoming.isEmpty || (this.busy && mayBePrompt(text))) return this.#sendAfter(input);
    if (this.busy) return this.queued.add(input);
    this.#deps.host.unseen?.seen(this.id);
    await this.#begin(input, false);
    return { queued: false };
  }

  /** Sends a message after those that wait for a server. */
  async #sendAfter(input: UserContent): Promise<{ queued: boolean }> {
    try {
      return await this.queued.sendAfter(input);
    } finally {
      if (!this.busy && this.chatView.status === "waiting") this.emit({ type: "status", status: "idle" });
    }
  }

  /** `isComplete`: the message already has what the server of its prompt supplies. */
  #begin(input: UserContent, isComplete: boolean): Promise<void> {
    const { text } = input;
    const compact = this.transcript.isStored ? compactCommand(text) : undefined;
    const scope = this.#deps.host.git && input.images.length === 0 ? reviewCommand(text) : undefined;
    if (scope) return this.#review(input, scope);
    if (!compact) return this.#ask(input, isComplete);
    return this.#run({ type: "condense", focus: compact.focus, display: text }, () =>
      this.#open.closeWith(replies.CONDENSING),
    );
  }

  /** Reviews changes at the user's request. Rejects while the session works. */
  async review(scope: ReviewScope): Promise<void> {
    if (this.busy) throw new Error("The agent is working. Start the review when it has finished.");
    const { folder } = scope;
    const text = folder === undefined ? "/review" : `/review --in ${folder}`;
    return this.#review({ text, images: [] }, scope, true);
  }

  /** Reviews changes, and answers with the findings. `isOwn`: a command of that name in a file does not take its place. */
  #review(input: UserContent, scope: ReviewScope, isOwn = false): Promise<void> {
    const { host, settings } = this.#deps;
    const intent: ReviewIntent = { type: "review", scope };
    return this.#run(intent, async (signal) => {
      const command = isOwn ? undefined : await commandIn(input.text, host, settings().context, signal);
      if (!command?.definition) {
        const { text } = input;
        const sent = { text: reviewScopeText(scope), title: text, shown: text, images: [] };
        return this.#input.submit({ ...sent, byModel: "as-is" }, signal);
      }
      intent.scope = undefined;
      await this.#submit(input, false, signal);
    });
  }

  /** Lets the models that the message names answer it: one in place of the chosen model, several side by side. */
  #ask(input: UserContent, isComplete: boolean): Promise<void> {
    const { names, text } = askedModels(input.text, this.#deps.settings());
    if (names.length === 0) return this.startTurn(input, isComplete);
    if (names.length === 1) this.transcript.answerBy(names[0]);
    const others = names.length > 1 ? names : [];
    return this.startTurn({ ...input, text, shown: input.text }, isComplete, others);
  }

  /** Starts a turn with a message that the user wrote or accepted. Rejects with PromptFailure if its prompt is not available. */
  startTurn(input: UserContent, isComplete = false, names: readonly string[] = []): Promise<void> {
    return this.#run(
      names.length === 0 ? { type: "continue" } : { type: "compare", names },
      (signal) => this.#submit(input, isComplete, signal),
      !input.byModel && asksServers(input.text) ? "running" : "waiting",
    );
  }

  async #submit(input: UserContent, isComplete: boolean, signal: AbortSignal): Promise<void> {
    const whole = isComplete ? input : await this.#task.turns.accept(input, signal);
    const missing = input.byModel ? undefined : await this.#chooseForCommand(input.text, signal);
    await this.#input.submit(whole, signal);
    if (missing) this.notice("missing-agent", missing);
    if (!input.byModel && asksServers(input.text)) this.emit({ type: "status", status: "waiting" });
  }

  /**
   * Chooses the agent and the model that the file of the message's command asks for. An agent only narrows, so it takes the place of none
   * that the user has chosen. Returns the command and the agent if there is no such agent.
   */
  async #chooseForCommand(text: string, signal: AbortSignal): Promise<string[] | undefined> {
    const { host, settings } = this.#deps;
    const command = await commandIn(text, host, settings().context, signal);
    if (command?.definition?.kind !== "command") return undefined;
    const { agent, models } = command.definition;
    await this.#preferModel(models);
    if (agent === undefined || this.transcript.agent || this.transcript.mode === "plan") return undefined;
    return (await chooseForFile(this, agent, this.#deps)) ? undefined : [command.name, agent];
  }

  /** What a message would send, and what the context window contains. */
  get requests(): Pick<Task, "forecast" | "contents" | "rules" | "notes" | "sentPerTurn"> {
    return this.#task;
  }

  /** Stops all work; resolves when the session is idle, within two seconds. */
  async stop(): Promise<void> {
    this.#incoming.cancel();
    if (!this.busy) return;
    this.emit({ type: "status", status: "stopping" });
    this.#runner.abort(new UserStop());
    await this.#runner.idle;
  }

  /** Continues the session after an error, a limit, a Stop or a restart; a request that waits is sent at once. */
  async retry(): Promise<void> {
    const { isStored, origin } = this.transcript;
    if (this.#task.retryNow() || this.busy || !isStored || origin !== undefined) return;
    this.#limits.accept();
    await this.#run({ type: "continue" }, () => this.#open.closeStarted());
  }

  /**
   * `allow`: the scope in which the entry that the approval offers (`always`) is allowed from now on. `left`: indexes of excluded
   * hunks.
   */
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
    return this.approvals.decide(callId, decision, options);
  }

  reject(callId: string, comment?: string): boolean {
    return this.approvals.decide(callId, { approved: false, comment: comment?.trim() || undefined });
  }

  /**
   * Chooses the model of a mode from the next request on, also while the agent works. A notice reports it if another model now
   * answers in a session that has messages. `name`: `connection/id`; "": that of the settings.
   */
  async chooseModel(mode: Mode, name: string): Promise<void> {
    const answering = () => modelName(this.transcript.modelChoice(this.#deps.settings()));
    const before = answering();
    this.transcript.chooseModel(mode, name);
    if (!this.transcript.isStored || answering() === before) return;
    this.notice("model-changed", [answering(), mode]);
  }

  /** What runs without asking, apart from exceptions. */
  get access(): AccessSettings {
    const { current } = this.transcript.permission;
    const own = accessOf(accessSchema.parse(this.#deps.settings().approval), current);
    return accessUnder(own, ceilingOf(this.#deps.host.policy));
  }

  /** At the user's request; applies from the next call on, as far as the administrator allows it. */
  async changePermission({ classes, ...change }: PermissionChange): Promise<void> {
    const allowed = classes && accessUnder(classes, ceilingOf(this.#deps.host.policy));
    return this.transcript.permission.change({ ...change, ...(allowed ? { classes: allowed } : {}) });
  }

  /** Replaces the todo list with the user's version; a text without items removes it. */
  async setTodo(markdown: string): Promise<void> {
    await this.transcript.editTodo(cleanTodo(markdown));
  }

  /**
   * Chooses an agent, which works from the next turn on; undefined: none. One that only plans applies at once. `models`: those that it
   * asks for, the preferred one first.
   */
  async chooseAgent(agent: SessionAgent | undefined, models: readonly string[] = []): Promise<void> {
    await this.transcript.setAgent(agent);
    await this.#preferModel(models);
  }

  /** The first of these models that a connection has; without one, the model stays. */
  async #preferModel(models: readonly string[]): Promise<void> {
    const connections = new Set(connectionsOf(this.#deps.settings()).map(({ name }) => name));
    const model = models.find((name) => connections.has(name.slice(0, name.indexOf("/"))));
    if (model !== undefined) await this.chooseModel(this.transcript.mode, model);
  }

  /** A switch never sends anything: a plan that waits is carried out by `startWaitingPlan`, or by the next message. */
  async setMode(mode: Mode): Promise<void> {
    if (mode !== this.transcript.mode) await this.#enter(mode);
  }

  /** A plan waits for the user's answer. */
  get planWaits(): boolean {
    return !this.busy && this.#open.waitsFor("planned");
  }

  /** Carries out the plan that waits for an answer, in act mode. Does nothing if no plan waits. */
  async startWaitingPlan(): Promise<void> {
    if (!this.planWaits) return;
    const plan = await this.#waitingDocument();
    await this.#enter("act");
    if (plan) await this.plans.adoptSteps(plan.text);
    await this.#run({ type: "continue" }, async (signal) => {
      // With a message of the user's, since which the changes of the task are compared with the plan.
      await this.#open.closeWith(replies.switchedToAct(editedText(plan)), plan && START_COMMAND);
      await this.#task.turns.append({}, signal);
    });
  }

  /** The plan that waits for an answer, if it is a document. */
  async #waitingDocument(): Promise<HandedPlan | undefined> {
    const plan = this.plans.find(this.transcript.unansweredCalls().at(-1)?.id);
    return plan && (await this.plans.handedOver(plan));
  }

  /** What the model reads before a message that carries out the plan that waits: one that the user sends in act mode. */
  async #planReply(): Promise<string | undefined> {
    if (this.transcript.mode !== "act" || !this.#open.waitsFor("planned")) return undefined;
    const plan = await this.#waitingDocument();
    if (plan) await this.plans.adoptSteps(plan.text);
    return replies.switchedWithMessage(editedText(plan));
  }

  async #enter(mode: Mode): Promise<void> {
    // An agent that only plans is left for act mode.
    if (mode === "act" && this.transcript.agent?.mode === "plan") await this.transcript.setAgent(undefined);
    await this.transcript.setMode(mode);
  }

  /**
   * Carries out a plan in act mode. `isOwn`: it is a plan of this session, not one that another session hands over to this new one.
   * Rejects while the session works.
   */
  async startPlan(plan: HandedPlan, isOwn: boolean): Promise<void> {
    this.requireIdleForPlan();
    const waits = isOwn && this.transcript.unansweredCalls().at(-1)?.id === plan.callId;
    if (waits) return this.startWaitingPlan();
    await this.#enter("act");
    await this.plans.adoptSteps(plan.text);
    const { title, text } = plan;
    const shown = isOwn ? START_COMMAND : `${START_COMMAND} ${title}`;
    return this.startTurn({ text: replies.startPlan(text), title, shown, images: [], byModel: "as-is" });
  }

  /** Throws while the session works. */
  requireIdleForPlan(): void {
    if (this.busy) throw new Error("The agent is working. Stop it before you start the plan.");
  }

  /** Sends the user's comments on the newest plan as one message, and forgets them. Rejects while the session works. */
  async sendPlanComments(): Promise<void> {
    const plan = this.plans.find();
    const comments = plan ? await this.plans.comments(plan.callId) : [];
    if (!plan || comments.length === 0) return;
    if (this.busy) throw new Error("The agent is working. Send the comments when it has finished.");
    const { text, isEdited } = await this.plans.handedOver(plan);
    const shown = planCommentsMessage(plan.title, text, comments);
    const sent = isEdited ? `${shown}\n\n${replies.editedPlan(text)}` : shown;
    await this.startTurn({ text: sent, shown, images: [], byModel: "as-is" });
    await this.plans.setComments(plan.callId, []);
  }

  /** Shows earlier messages; they arrive as events. */
  async showEarlier(how: { until?: string; all?: boolean }): Promise<void> {
    return this.#view.showEarlier(how);
  }

  /** Shows a loaded session: its newest page first, then reads the rest. */
  async show(): Promise<void> {
    this.transcript.emitState();
    this.#view.showNewest();
    await this.transcript.loadEarlier();
    this.#view.recount();
    void this.plans.report();
    await this.transcript.markOpen();
  }

  /** Shows a session that is a new branch, with copies of the original's checkpoints before that point. */
  async showBranch(forkOf: ForkPoint): Promise<void> {
    this.transcript.emitState();
    this.#view.showNewest();
    void this.plans.report();
    await this.transcript.setTodo(todoOf(this.transcript.messages));
    await this.#checkpoints?.forked(forkOf);
  }

  /** Restores the state of an opened session: a waiting call asks again, and an interrupted one is reported. */
  async pickUp(): Promise<void> {
    const { origin } = this.transcript;
    if (origin !== undefined) {
      const name = origin === "unreadable" ? "?" : PRODUCT_NAMES[origin.product];
      return this.notice("imported", [name]);
    }
    // Calls that wait stay open.
    if (await this.#place.isUnavailable()) return;
    const need = await this.#open.pickUp();
    if (need === "message") return this.#reportOnPlan();
    if (need === "approval") {
      const reapprove = !this.#deps.settingsAreFresh;
      await this.#run({ type: "continue", reapprove }, async () => undefined);
      return;
    }
    if (need === "continue" || isInterrupted(this.transcript.messages)) this.notice("interrupted");
  }

  /** Shows again how the completed task's changes differ from its plan. */
  async #reportOnPlan(): Promise<void> {
    const report = this.#open.waitsFor("completed") ? await this.#task.reportOnPlan() : undefined;
    if (report) this.notice("plan-compared", report.values);
  }

  notice(code: Extract<EventBody, { type: "notice" }>["code"], values?: string[]): void {
    this.emit({ type: "notice", id: this.#deps.host.newId(), code, ...(values ? { values } : {}) });
  }

  /** Closes the session. `ended`: it is not restored after a reload. */
  async close(how: { ended: boolean }): Promise<void> {
    const { servers, host } = this.#deps;
    const { id } = this;
    this.#incoming.cancel();
    this.queue.clear();
    await this.#hooks?.end(how.ended ? "clear" : "other");
    await this.#release(() => this.transcript.close(how));
    // Not awaited, because the next session need not wait until the processes of the servers have ended.
    servers?.release(id).catch((error: unknown) => host.log.error("the MCP servers did not end", error));
  }

  /** Ends all work because the host ends. Calls that wait for approval stay open and ask again later. */
  async dispose(): Promise<void> {
    this.#disposed = true;
    this.#incoming.cancel();
    this.#runner.abort();
    await this.#runner.idle;
    await this.#hooks?.end("other");
    await this.#release(async () => undefined);
  }

  async #release(store: () => Promise<void>): Promise<void> {
    await Promise.all([this.#task.close(), this.extras.close()]);
    await store();
    this.#checkpoints?.dispose();
    this.#serverNotices?.dispose();
  }

  /** Runs the loop after `first`; rejects only if `first` does. `status`: of the session during `first`. */
  #run(
    intent: Intent | { type: "compare"; names: readonly string[] } | ReviewIntent,
    first: (signal: AbortSignal) => Promise<void>,
    status: "waiting" | "running" = "waiting",
  ): Promise<void> {
    this.#limits.reset(this.transcript.totals.cost ?? 0);
    const firstDone = this.#runner.start({
      first: (signal) => this.#place.enter(() => first(signal)),
      loop: (signal) => {
        if (intent.type === "compare") return this.comparisons.run(intent.names, signal);
        if (intent.type !== "review") return this.#task.run(intent, signal);
        const { scope } = intent;
        return scope ? this.#runReview(scope, signal) : this.#task.run({ type: "continue" }, signal);
      },
    });
    this.emit({ type: "status", status });
    return firstDone;
  }

  async #runReview(scope: ReviewScope, signal: AbortSignal): Promise<RunEnd> {
    const { reviewInSession } = await import("./review/reviews.ts");
    const settings = this.#settings();
    const model = modelName(this.transcript.modelChoice(settings));
    const { spending, t = translator({}) } = this.#deps;
    const deps = {
      ...this.#deps,
      core: REVIEW_CORE,
      settings: this.#settings,
      conversation: this.transcript,
      t,
      takeSlot: (stop: AbortSignal) => this.#task.takeSlot(stop),
      ...(spending ? { today: () => spending.today() } : {}),
    };
    return reviewInSession(deps, { scope, model }, signal);
  }

  async #ended(end: RunEnd): Promise<RunEnd> {
    this.transcript.answerBy(undefined);
    if (end.type !== "failed" && end.type !== "limit") this.approvals.forgetApproved();
    this.#place.leave();
    const stopped = end.type === "stopped" && !this.#disposed;
    // When a window closes, waiting calls stay open and ask again when it reopens.
    if (stopped) await this.#open.closeStopped();
    this.#runner.release();
    if (!this.#deps.terms) this.extras.turnEnded(end);
    if (stopped) this.notice("stopped");
    // Stop also cancels messages that still wait for a server.
    const isWaiting = !this.#incoming.isEmpty && end.type !== "stopped";
    this.emit({ type: "status", status: isWaiting ? "waiting" : "idle" });
    if (end.type === "handed-over") await this.#deps.handOver(this, end.context);
    else if (takesQueue(end) && !this.queue.isEmpty) await this.queued.send();
    return end;
  }
}

/**
 * Emits a notice when an MCP server that the session uses ended, could not be started, or will not be restarted. undefined: there
 * are no servers.
 */
function followServerNotices({ servers }: SessionDeps, session: Session): Disposable | undefined {
  return servers?.onNotice(({ type, server, failure, sessions }) => {
    if (sessions.includes(session.id)) session.notice(`server-${type}`, noticeValues(server, failure));
  });
}

/** What happens beside a session's conversation: requests to its model that are not part of it. */
class SessionExtras {
  readonly commitMessages: CommitMessages;
  readonly #title: SessionTitle;

  constructor(deps: SessionTitleDeps & CommitMessagesDeps) {
    this.commitMessages = new CommitMessages(deps);
    this.#title = new SessionTitle(deps);
  }

  turnEnded(end: RunEnd): void {
    this.#title.turnEnded(end);
  }

  /** Cancels the requests; resolves when nothing more is written. */
  async close(): Promise<void> {
    await Promise.all([this.commitMessages.close(), this.#title.close()]);
  }
}

/** `scope` undefined: the message is another command of the user's, and an ordinary turn follows. */
interface ReviewIntent {
  type: "review";
  scope: ReviewScope | undefined;
}

/** The models that a message is for: `@connection/id` at its head, or `/ask connection/id`. */
interface AskedModels {
  /** Names such as `connection/id`, without repetition; empty: the current model. */
  names: string[];
  /** The message without them. */
  text: string;
}

const ASK = /^\s*\/ask\s+@?(\S+)\s*/;
const HEAD = /^\s*@([^\s/@:]+\/\S+)\s*/;

/**
 * Reads the models at the head of a message. If nothing follows them, they are the message itself. A name whose first segment is not a
 * connection, such as `@name:/path`, is not a model.
 */
export function askedModels(message: string, settings: ModelSettings): AskedModels {
  const ask = ASK.exec(message);
  if (ask?.[1] !== undefined && ask[0].length < message.trimEnd().length) {
    return { names: [modelName(modelNamed(ask[1], settings))], text: message.slice(ask[0].length) };
  }
  const connections = new Set([...connectionsOf(settings), EDITOR_CONNECTION].map(({ name }) => name));
  const names = new Set<string>();
  let text = message;
  for (let head = HEAD.exec(text); head?.[1] !== undefined; head = HEAD.exec(text)) {
    if (!connections.has(head[1].slice(0, head[1].indexOf("/")))) break;
    names.add(head[1]);
    text = text.slice(head[0].length);
  }
  return names.size === 0 || text.trim() === "" ? { names: [], text: message } : { names: [...names], text };
}

interface UserInputDeps {
  host: Host;
  settings(): Settings;
  conversation: Transcript;
  open: OpenCalls;
  turns: UserTurns;
  hooks: TaskHooks | undefined;
  /** What the model reads before a message that answers a plan. */
  planReply(): Promise<string | undefined>;
}

/** Adds the user's input to the conversation. The first message begins a session. */
class UserInput {
  readonly #deps: UserInputDeps;

  constructor(deps: UserInputDeps) {
    this.#deps = deps;
  }

  /** Answers the call that awaits a user message, or appends a new message. */
  async submit(input: UserContent, signal: AbortSignal): Promise<void> {
    const { host, conversation, hooks, open, settings, turns } = this.#deps;
    const first = conversation.messages.length === 0;
    if (!conversation.isStored)
      conversation.describe(input.title ?? titleOf(input.text), conversation.modelChoice(settings()).model);
    const texts = (await hooks?.admit(input.text, signal)) ?? [];
    // A message that itself contains a plan, or comments on one, says what it is about.
    const planned = input.byModel ? undefined : await this.#deps.planReply();
    const before = planned === undefined ? texts : [planned, ...texts];
    if (await open.answerWith(input, turns, signal, before)) return;
    await turns.append({ inputs: [input], texts }, signal);
    if (host.workspace.root === undefined && first)
      conversation.emit({ type: "notice", id: host.newId(), code: "no-workspace" });
  }
}

/** What a start of a plan shows as the user's message. */
const START_COMMAND = planStartText({ place: "here" });

/** The text of a plan that the user changed in the editor. */
function editedText(plan: HandedPlan | undefined): string | undefined {
  return plan?.isEdited ? plan.text : undefined;
}

/** Characters of a session's title. */
const TITLE_LENGTH = 80;

/** A session's title: the first line of its first message. */
export function titleOf(text: string): string {
  return text.trim().split("\n", 1)[0]?.slice(0, TITLE_LENGTH) ?? "";
}
