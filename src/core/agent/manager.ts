/**
 * The face of the agent for a host: what a person can do, one session at a time. Nothing here decides for them: a
 * message never approves, and nothing runs by itself after a restart.
 */
import type { TaskEvent } from "../../shared/event.ts";
import type { Mode } from "../../shared/message.ts";
import type { Commit, Result, SessionSummary, SlashCommand } from "../../shared/protocol.ts";
import type { Settings } from "../../shared/settings.ts";
import type { ChatView } from "../../shared/view/reducer.ts";
import type { Checkpoints } from "../checkpoints/checkpoints.ts";
import { commitsToMention } from "../context/expand-mentions.ts";
import { cleanTodo, handedOver } from "../context/focus-chain.ts";
import { compactCommand, listSlashCommands } from "../context/slash-commands.ts";
import { KeyMask } from "../key-mask.ts";
import type { Disposable } from "../lifecycle.ts";
import { Approvals } from "../loop/approvals.ts";
import { Conversation } from "../loop/conversation.ts";
import { Limits } from "../loop/limits.ts";
import { GoingOn } from "../loop/move-to-background.ts";
import { Judge } from "../loop/permission.ts";
import { type RunEnd, Task } from "../loop/task.ts";
import type { Said } from "../loop/turn.ts";
import * as replies from "../prompts/replies.ts";
import { InTurn } from "../serial-queue.ts";
import { SessionTakenOver } from "../sessions/claims.ts";
import { ToolRegistry } from "../tools/registry.ts";
import { CheckpointLink } from "./checkpoint-link.ts";
import { leftOutBy, partOf } from "./left-out.ts";
import { OpenCalls } from "./open-calls.ts";
import { Queue } from "./queue.ts";
import { Runner } from "./runner.ts";
import { Library, type LibraryDeps } from "./session-library.ts";
import { Stage } from "./session-switcher.ts";
import { StoreNotices } from "./store-notices.ts";
import { Speaking, titleOf } from "./user-input.ts";

export interface ManagerDeps extends LibraryDeps {
  settings(): Settings;
  apiKey(): Promise<string | undefined>;
  /** Stores an entry of the allow list, as the person chose; without it, that is not on offer. */
  allowCommand?(prefix: string): Promise<void>;
  /**
   * The settings were given by the person who now opens a session: they decide on a call that waited in it. Left out:
   * such a call asks again, whatever the settings allow.
   */
  settingsAreFresh?: boolean;
}

type Image = Said["images"][number];

export class TaskManager {
  readonly #deps: ManagerDeps;
  readonly #registry = new ToolRegistry();
  readonly #conversation: Conversation;
  readonly #approvals: Approvals;
  /** What runs can be told to go on in the background. */
  readonly goingOn = new GoingOn();
  readonly #limits = new Limits();
  readonly #judge: Judge;
  readonly #speaking: Speaking;
  readonly #link: CheckpointLink | undefined;
  readonly #stage: Stage;
  readonly #open: OpenCalls;
  readonly #queue = new Queue((items) => this.#conversation.emit({ type: "queue", items }));
  #task: Task;
  readonly #runner = new Runner({
    loop: (signal) => this.#task.run(signal),
    ended: (end) => this.#ended(end),
    failed: (error) => {
      this.#deps.host.log.error("the task ended with an error", error);
      this.#conversation.emit({ type: "status", status: "idle" });
    },
  });
  #disposed = false;
  readonly #notices: StoreNotices;
  /** What takes another session on show: leaving one is not done at once. */
  readonly #switches = new InTurn();

  readonly onEvent: (listener: (event: TaskEvent) => void) => Disposable;
  /** Sessions other than the one on show. */
  readonly library: Library;

  constructor(deps: ManagerDeps) {
    this.#deps = deps;
    this.#approvals = new Approvals(deps);
    this.#conversation = new Conversation(deps.host, deps.store, this.#registry, new KeyMask(deps));
    this.#open = new OpenCalls(deps.host, this.#registry, this.#conversation);
    this.#judge = new Judge(deps.host, deps.settings);
    const { host, settings, store, checkpoints } = deps;
    const conversation = this.#conversation;
    this.#speaking = new Speaking({ host, settings, conversation, judge: this.#judge, open: this.#open });
    this.onEvent = this.#conversation.onEvent;
    this.#link = checkpoints && new CheckpointLink(conversation, checkpoints, host.log);
    this.library = new Library(deps);
    this.#notices = new StoreNotices(host, store, conversation);
    this.#task = this.#newTask();
    this.#stage = new Stage({
      ...{ host, store, conversation, open: this.#open, library: this.library, notices: this.#notices },
      ...(this.#link ? { link: this.#link } : {}),
      clear: async () => {
        await this.stop();
        this.#beginAnew();
      },
      askAgain: async () => {
        this.#task.askAgain = !deps.settingsAreFresh;
        await this.#start(async () => undefined);
      },
    });
  }

  get view(): ChatView {
    return this.#conversation.view;
  }

  get checkpoints(): Checkpoints | undefined {
    return this.#deps.checkpoints;
  }

  /** Resolves when the agent is idle, with how its last turn ended; undefined when it was idle already. */
  get idle(): Promise<RunEnd | undefined> {
    return this.#runner.idle;
  }

  /** Starts a task, answers what the agent asked, or queues while it works. Rejects when nothing was taken. */
  async send(text: string, images: readonly Image[] = []): Promise<{ queued: boolean }> {
    await this.#onShow();
    return this.#send(text, images);
  }

  /** What is said while another session comes on show is said to that one. */
  async #onShow(): Promise<void> {
    while (this.#switches.over) await this.#switches.over;
  }

  async #send(text: string, images: readonly Image[]): Promise<{ queued: boolean }> {
    if (text.trim() === "" && images.length === 0) return { queued: false };
    if (this.#runner.busy) {
      this.#queue.add(this.#deps.host.newId(), { text, images });
      return { queued: true };
    }
    const compact = this.#conversation.sessionId === undefined ? undefined : compactCommand(text);
    if (compact) {
      await this.#start(async () => {
        await this.#open.closeWith(replies.condensing);
        this.#task.compact = { focus: compact.focus, display: text };
      });
      return { queued: false };
    }
    await this.#start(async (signal) => this.#speaking.say({ text, images }, this.#task, signal));
    return { queued: false };
  }

  /** `always`: from now on the command that this call shows runs without asking. */
  approve(callId: string, comment?: string, options: { always?: boolean } = {}): boolean {
    return this.#approvals.decide(callId, { approved: true, comment: comment?.trim() || undefined }, options);
  }

  reject(callId: string, comment?: string): boolean {
    return this.#approvals.decide(callId, { approved: false, comment: comment?.trim() || undefined });
  }

  /** The calls that wait for a decision, if any. */
  get waitingCalls(): Pick<Approvals, "first" | "why"> {
    return this.#approvals;
  }

  /** Resolves when everything under way has ended; idle within two seconds. */
  async stop(): Promise<void> {
    if (!this.#runner.busy) return;
    this.#conversation.emit({ type: "status", status: "stopping" });
    this.#runner.abort();
    await this.#runner.idle;
  }

  newTask(): Promise<void> {
    return this.#switches.run(() => this.#leave());
  }

  async #leave(): Promise<void> {
    await this.stop();
    await this.#conversation.leave();
    this.#beginAnew();
  }

  /** Goes on where the task stands: after an error, a limit, a Stop or a restart. */
  async retry(): Promise<void> {
    await this.#onShow();
    if (this.#runner.busy || this.#conversation.sessionId === undefined) return;
    await this.#start(() => this.#open.closeStarted());
  }

  async setMode(mode: Mode): Promise<void> {
    await this.#onShow();
    if (mode === this.#conversation.mode) return;
    await this.#conversation.setMode(mode);
    this.#task.enteredAct = mode === "act";
    if (mode !== "act") return;
    // A plan that waits for its answer has one now: the person switched so that it is carried out.
    if (!this.#open.waitsFor("planned") || this.#runner.busy) return;
    await this.#start(async (signal) => {
      await this.#open.closeWith(replies.switchedToAct);
      await this.#speaking.append({ enteredAct: true }, this.#task, signal);
      this.#task.enteredAct = false;
    });
  }

  /** The todo list as the person edited it: its items hold from now on; a text without items takes the list away. */
  async setTodo(markdown: string): Promise<void> {
    await this.#conversation.editTodo(cleanTodo(markdown));
  }

  /** What can be typed after `/` here. */
  slashCommands(): Promise<SlashCommand[]> {
    return listSlashCommands(this.#deps.host);
  }

  /** Commits to mention, by message. */
  commits(query: string): Promise<Commit[]> {
    return commitsToMention(this.#deps.host, query);
  }

  /** What the person said while the agent worked and it has not taken yet, with its pictures, which the view leaves out. */
  get queued(): readonly Said[] {
    return this.#queue.waiting;
  }

  unqueue(id: string): void {
    this.#queue.remove(id);
  }

  history(): Promise<SessionSummary[]> {
    return this.#deps.store.list();
  }

  /** `elsewhere`: another process works on the session, so this one stays where it is; `takeOver` opens it all the same. */
  open(id: string, options: { takeOver?: boolean } = {}): Promise<{ elsewhere?: boolean }> {
    return this.#switches.run(() => this.#stage.open(id, options));
  }

  /** After a start of the host: the session that was open is there again. A call that waited asks again. */
  restore(): Promise<void> {
    return this.#switches.run(() => this.#stage.restore());
  }

  /** More of the session on show, from before what the view holds; it comes as events. */
  async showEarlier(how: { until?: string; all?: boolean }): Promise<void> {
    await this.#onShow();
    return this.#conversation.showEarlier(how);
  }

  /** A new session on show with what came before a message of the person's; gives back what the message said. */
  fork(messageId: string, title?: string): Promise<Said> {
    return this.#switches.run(() => this.#stage.fork(messageId, title));
  }

  /** Says something else in place of that message, whose images stay: the request lacks it and all that came after it. */
  async editAndResend(messageId: string, text: string, added: readonly Image[] = []): Promise<void> {
    if (text.trim() === "") return;
    const isFirst = this.#conversation.messages[0]?.id === messageId;
    const { images } = await this.fork(messageId, isFirst ? titleOf(text) : undefined);
    await this.send(text, [...images, ...added]);
  }

  /** What a step that made room left out, by its notice. */
  leftOut(notice: string): Result<"chat/left-out"> {
    return leftOutBy(this.#conversation.messages, notice, (call) => this.#registry.subject(call));
  }

  /** Such a part whole. */
  part(id: string): ReturnType<typeof partOf> {
    return partOf(this.#conversation.messages, id);
  }

  /** How many milliseconds that can be undone; 0: another process works on it. */
  async deleteSession(id: string): Promise<number> {
    if (id === this.#conversation.sessionId) await this.newTask();
    return this.library.delete(id);
  }

  async dispose(): Promise<void> {
    this.#disposed = true;
    this.#runner.abort();
    await this.#runner.idle;
    this.#link?.dispose();
    this.#notices.dispose();
    await this.library.close();
    const { sessionId } = this.#conversation;
    if (sessionId !== undefined) await this.#deps.store.release(sessionId);
  }

  #beginAnew(): void {
    this.#queue.clear();
    this.#task = this.#newTask();
  }

  #newTask(): Task {
    return new Task({
      ...this.#deps,
      registry: this.#registry,
      conversation: this.#conversation,
      approvals: this.#approvals,
      goingOn: this.goingOn,
      judge: this.#judge,
      limits: this.#limits,
      takeQueued: () => [...this.#queue.take()],
      random: Math.random,
    });
  }

  /** Runs the loop after `first` has said what there is to say; rejects only when `first` does. */
  #start(first: (signal: AbortSignal) => Promise<void>): Promise<void> {
    this.#limits.reset(this.#conversation.totals.cost ?? 0);
    const begun = this.#runner.start((signal) =>
      first(signal).catch((error: unknown) => {
        if (error instanceof SessionTakenOver)
          this.#conversation.emit({ type: "notice", id: this.#deps.host.newId(), code: "taken-over" });
        throw error;
      }),
    );
    this.#conversation.emit({ type: "status", status: "waiting" });
    return begun;
  }

  async #ended(end: RunEnd): Promise<RunEnd> {
    const stopped = end === "stopped" && !this.#disposed;
    // A window that closes leaves its waiting calls open: they ask again when it returns.
    if (stopped) await this.#open.closeStopped();
    this.#runner.release();
    if (stopped) this.#conversation.emit({ type: "notice", id: this.#deps.host.newId(), code: "stopped" });
    this.#conversation.emit({ type: "status", status: "idle" });
    if (end === "handed-over") await this.#handOver();
    else if ((end === "replied" || end === "completed") && !this.#queue.isEmpty) await this.#sendQueued();
    return end;
  }

  /** The user agreed to continue in a new task, which begins with the context that they read, the todo list and the mode. */
  async #handOver(): Promise<void> {
    const { handOver: context } = this.#task;
    const { mode, todo } = this.#conversation;
    // What the person said meanwhile was meant for what comes next.
    const queued = this.#queue.take();
    await this.#leave();
    await this.#conversation.setMode(mode);
    await this.#conversation.setTodo(handedOver(context, todo));
    await this.#start(async (signal) =>
      this.#speaking.say({ text: context, images: [], byModel: true }, this.#task, signal),
    );
    this.#queue.putBack(queued);
  }

  /** What was queued when the agent finished is the next message. */
  async #sendQueued(): Promise<void> {
    const said = this.#queue.take();
    await this.#send(
      said.map((item) => item.text).join("\n\n"),
      said.flatMap((item) => item.images),
    );
  }
}
