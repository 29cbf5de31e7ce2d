/**
 * The face of the agent for a host: what a user can do with the active session. Nothing here decides for them: a
 * message never approves, and nothing runs by itself after a restart.
 */
import type { TaskEvent } from "../../shared/event.ts";
import type { Mode } from "../../shared/message.ts";
import type { Commit, Result, SessionSummary, SlashCommand } from "../../shared/protocol.ts";
import type { ChatView } from "../../shared/view/reducer.ts";
import type { Checkpoints } from "../checkpoints/checkpoints.ts";
import { commitsToMention } from "../context/expand-mentions.ts";
import { cleanTodo } from "../context/focus-chain.ts";
import { listSlashCommands } from "../context/slash-commands.ts";
import { KeyMask } from "../key-mask.ts";
import type { Disposable } from "../lifecycle.ts";
import type { Approvals } from "../loop/approvals.ts";
import type { GoingOn } from "../loop/move-to-background.ts";
import type { RunEnd } from "../loop/run-end.ts";
import type { Said } from "../loop/turn.ts";
import { ToolRegistry } from "../tools/registry.ts";
import { CheckpointLink } from "./checkpoint-link.ts";
import { leftOutBy, partOf } from "./left-out.ts";
import { type Images, Session, type SessionDeps } from "./session.ts";
import { Library, type LibraryDeps } from "./session-library.ts";
import { SessionSwitcher } from "./session-switcher.ts";
import { StoreNotices } from "./store-notices.ts";
import { titleOf } from "./user-input.ts";

export interface ManagerDeps extends LibraryDeps, Omit<SessionDeps, "registry" | "keys" | "handOver"> {
  /** Tools can join it and leave it at any time. Left out: there are our own alone. */
  registry?: ToolRegistry;
}

export class TaskManager {
  readonly #deps: ManagerDeps;
  readonly #registry: ToolRegistry;
  readonly #switcher: SessionSwitcher;
  readonly #link: CheckpointLink | undefined;
  readonly #notices: StoreNotices;

  /** Events of every session that the agent holds; each names its session. */
  readonly onEvent: (listener: (event: TaskEvent) => void) => Disposable;
  /** Sessions other than the active one. */
  readonly library: Library;

  constructor(deps: ManagerDeps) {
    this.#deps = deps;
    const { host, store, checkpoints, registry = new ToolRegistry() } = deps;
    this.#registry = registry;
    this.library = new Library(deps);
    this.#link = checkpoints && new CheckpointLink(checkpoints, host.log);
    this.#notices = new StoreNotices({ host, store, active: () => this.#active });
    const parts: SessionDeps = {
      ...deps,
      registry,
      keys: new KeyMask(deps),
      handOver: (from, context) => this.#switcher.handOver(from, context),
    };
    this.#switcher = new SessionSwitcher({
      ...{ host, store, library: this.library, notices: this.#notices },
      ...(this.#link ? { link: this.#link } : {}),
      create: (start) => new Session(parts, start),
    });
    this.onEvent = this.#switcher.onEvent;
  }

  get #active(): Session {
    return this.#switcher.active;
  }

  /** The id of the active session; it is on disk from its first message on. */
  get sessionId(): string {
    return this.#active.id;
  }

  get view(): ChatView {
    return this.#active.view;
  }

  get checkpoints(): Checkpoints | undefined {
    return this.#deps.checkpoints;
  }

  /** Resolves when the agent is idle, with how its last turn ended; undefined when it was idle already. */
  get idle(): Promise<RunEnd["type"] | undefined> {
    return this.#active.idle.then((end) => end?.type);
  }

  /** Starts a task, answers what the agent asked, or queues while it works. Rejects when nothing was taken. */
  async send(text: string, images: Images = []): Promise<{ queued: boolean }> {
    return (await this.#switcher.settled()).send(text, images);
  }

  /** `always`: from now on the command that this call shows runs without asking. */
  approve(callId: string, comment?: string, options: { always?: boolean } = {}): boolean {
    const decision = { approved: true, comment: comment?.trim() || undefined };
    return this.#active.approvals.decide(callId, decision, options);
  }

  reject(callId: string, comment?: string): boolean {
    return this.#active.approvals.decide(callId, { approved: false, comment: comment?.trim() || undefined });
  }

  /** The calls that wait for a decision, if any. */
  get waitingCalls(): Pick<Approvals, "first" | "why"> {
    return this.#active.approvals;
  }

  /** What runs can be told to continue in the background. */
  get goingOn(): GoingOn {
    return this.#active.goingOn;
  }

  /** Resolves when everything under way has ended; idle within two seconds. */
  stop(): Promise<void> {
    return this.#active.stop();
  }

  newTask(): Promise<void> {
    return this.#switcher.newTask();
  }

  /** Continues where the task stands: after an error, a limit, a Stop or a restart. */
  async retry(): Promise<void> {
    return (await this.#switcher.settled()).retry();
  }

  async setMode(mode: Mode): Promise<void> {
    return (await this.#switcher.settled()).setMode(mode);
  }

  /** The todo list as the user edited it: its items apply from now on; a text without items takes the list away. */
  async setTodo(markdown: string): Promise<void> {
    await this.#active.transcript.editTodo(cleanTodo(markdown));
  }

  /** What can be typed after `/` here. */
  slashCommands(): Promise<SlashCommand[]> {
    return listSlashCommands(this.#deps.host);
  }

  /** Commits to mention, by message. */
  commits(query: string): Promise<Commit[]> {
    return commitsToMention(this.#deps.host, query);
  }

  /** What the user said while the agent worked and it has not taken yet, with its pictures, which the view leaves out. */
  get queued(): readonly Said[] {
    return this.#active.queue.waiting;
  }

  unqueue(id: string): void {
    this.#active.queue.remove(id);
  }

  history(): Promise<SessionSummary[]> {
    return this.#deps.store.list();
  }

  /** `elsewhere`: another process works on the session, so this one stays where it is; `takeOver` opens it all the same. */
  open(id: string, options: { takeOver?: boolean } = {}): Promise<{ elsewhere?: boolean }> {
    return this.#switcher.open(id, options);
  }

  /** After a start of the host: the session that was open is there again. A call that waited asks again. */
  restore(): Promise<void> {
    return this.#switcher.restore();
  }

  /** More of the active session, from before what the view holds; it comes as events. */
  async showEarlier(how: { until?: string; all?: boolean }): Promise<void> {
    return (await this.#switcher.settled()).showEarlier(how);
  }

  /** Makes a branch with what came before a message of the user's the active session; gives back what the message said. */
  fork(messageId: string, title?: string): Promise<Said> {
    return this.#switcher.fork(messageId, title);
  }

  /** Says something else in place of that message, whose images stay: the request lacks it and all that came after it. */
  async editAndResend(messageId: string, text: string, added: Images = []): Promise<void> {
    if (text.trim() === "") return;
    const isFirst = this.#active.transcript.messages[0]?.id === messageId;
    const { images } = await this.fork(messageId, isFirst ? titleOf(text) : undefined);
    await this.send(text, [...images, ...added]);
  }

  /** What a step that made room left out, by its notice. */
  leftOut(notice: string): Result<"chat/left-out"> {
    return leftOutBy(this.#active.transcript.messages, notice, this.#registry);
  }

  /** Such a part whole. */
  part(id: string): ReturnType<typeof partOf> {
    return partOf(this.#active.transcript.messages, id);
  }

  /** How many milliseconds that can be undone; 0: another process works on it. */
  async deleteSession(id: string): Promise<number> {
    if (id === this.#active.id) await this.newTask();
    return this.library.delete(id);
  }

  async dispose(): Promise<void> {
    await this.#switcher.dispose();
    this.#link?.dispose();
    this.#notices.dispose();
    await this.library.close();
  }
}
