/**
 * The face of the agent for a host: what a person can do, one session at a time. Nothing here decides for them: a
 * message never approves, and nothing runs by itself after a restart.
 */
import type { TaskEvent } from "../../shared/event.ts";
import type { Mode, ToolCallBlock } from "../../shared/message.ts";
import type { Commit, SessionSummary, SlashCommand } from "../../shared/protocol.ts";
import type { Settings } from "../../shared/settings.ts";
import type { ChatView } from "../../shared/view.ts";
import { cleanTodo } from "../context/focus-chain.ts";
import { compactCommand, listSlashCommands } from "../context/slash-commands.ts";
import { isWindowStep } from "../context/window.ts";
import type { Disposable } from "../lifecycle.ts";
import type { Host } from "../ports.ts";
import * as replies from "../prompts/replies.ts";
import type { Checkpoints } from "../sessions/checkpoints.ts";
import { SessionTakenOver } from "../sessions/claims.ts";
import type { StoreProblem } from "../sessions/problems.ts";
import type { SessionStore } from "../sessions/sessions.ts";
import { ToolRegistry } from "../tools/registry.ts";
import type { TurnEnd } from "../tools/tool.ts";
import { Approvals } from "./approvals.ts";
import { CheckpointLink } from "./checkpoint-link.ts";
import { Conversation } from "./conversation.ts";
import { Library } from "./library.ts";
import { Limits } from "./limits.ts";
import { Judge } from "./permission.ts";
import { closedResult, resultMessage } from "./results.ts";
import { type RunEnd, Task } from "./task.ts";
import { type Said, saidText, type TurnOptions, userMessage } from "./turn.ts";

export interface ManagerDeps {
  host: Host;
  store: SessionStore;
  settings(): Settings;
  apiKey(): Promise<string | undefined>;
  /** Without them no change can be taken back. */
  checkpoints?: Checkpoints;
  /** Stores an entry of the allow list, as the person chose; without it, that is not on offer. */
  allowCommand?(prefix: string): Promise<void>;
}

type Image = Said["images"][number];
interface Queued extends Said {
  id: string;
}

const titleLength = 80;

export class TaskManager {
  readonly #deps: ManagerDeps;
  readonly #registry = new ToolRegistry();
  readonly #conversation: Conversation;
  readonly #approvals = new Approvals();
  readonly #limits = new Limits();
  readonly #judge: Judge;
  readonly #link: CheckpointLink | undefined;
  #task: Task;
  #queue: Queued[] = [];
  #running: { controller: AbortController; done: Promise<RunEnd> } | undefined;
  #disposed = false;
  readonly #watching: Disposable;
  /** A session is on its way to the view, which would take earlier rows away. */
  #opening = false;
  #untold: StoreProblem[];

  readonly onEvent: (listener: (event: TaskEvent) => void) => Disposable;
  /** Sessions other than the one on show. */
  readonly library: Library;

  constructor(deps: ManagerDeps) {
    this.#deps = deps;
    this.#conversation = new Conversation(deps.host, deps.store, this.#registry);
    this.#judge = new Judge(deps.host, deps.settings);
    this.onEvent = this.#conversation.onEvent;
    const { checkpoints, host } = deps;
    this.#link = checkpoints && new CheckpointLink(this.#conversation, checkpoints, host.log);
    this.library = new Library(deps.host, deps.store, async (id) => checkpoints?.forget([id]));
    this.#untold = [...deps.store.problems];
    this.#watching = deps.store.onProblem((problem) => {
      this.#untold.push(problem);
      if (!this.#opening) this.#tellProblems();
    });
    this.#task = this.#newTask();
  }

  get view(): ChatView {
    return this.#conversation.view;
  }

  get checkpoints(): Checkpoints | undefined {
    return this.#deps.checkpoints;
  }

  /** Resolves when the agent is idle, with how its last turn ended; undefined when it was idle already. */
  get idle(): Promise<RunEnd | undefined> {
    return this.#running?.done ?? Promise.resolve(undefined);
  }

  /** Starts a task, answers what the agent asked, or queues while it works. Rejects when nothing was taken. */
  async send(text: string, images: readonly Image[] = []): Promise<{ queued: boolean }> {
    if (text.trim() === "" && images.length === 0) return { queued: false };
    if (this.#running) {
      this.#queue.push({ id: this.#deps.host.newId(), text, images });
      this.#publishQueue();
      return { queued: true };
    }
    this.#limits.reset(this.#conversation.totals.cost);
    const compact = this.#conversation.sessionId === undefined ? undefined : compactCommand(text);
    if (compact) {
      await this.#start(async () => {
        await this.#answerOpenCalls(undefined, replies.condensing);
        this.#task.compact = { focus: compact.focus, display: text };
      });
      return { queued: false };
    }
    await this.#start(async (signal) => this.#say({ text, images }, signal));
    return { queued: false };
  }

  /** `always`: from now on the command that this call shows runs without asking. */
  approve(callId: string, comment?: string, options: { always?: boolean } = {}): boolean {
    const prefix = options.always ? this.#approvals.alwaysOf(callId) : undefined;
    const decided = this.#approvals.decide(callId, { approved: true, comment: comment?.trim() || undefined });
    if (decided && prefix !== undefined) {
      this.#deps
        .allowCommand?.(prefix)
        .catch((error: unknown) => this.#deps.host.log.error("the allow list could not be stored", error));
    }
    return decided;
  }

  reject(callId: string, comment?: string): boolean {
    return this.#approvals.decide(callId, { approved: false, comment: comment?.trim() || undefined });
  }

  /** The call that waits for a decision, if any. */
  get pendingApproval(): string | undefined {
    return this.#approvals.first;
  }

  /** Resolves when everything under way has ended; idle within two seconds. */
  async stop(): Promise<void> {
    const running = this.#running;
    if (!running) return;
    this.#conversation.emit({ type: "status", status: "stopping" });
    running.controller.abort();
    await running.done;
  }

  async newTask(): Promise<void> {
    await this.stop();
    await this.#conversation.leave();
    this.#clearQueue();
    this.#task = this.#newTask();
  }

  /** Goes on where the task stands: after an error, a limit, a Stop or a restart. */
  async retry(): Promise<void> {
    if (this.#running || this.#conversation.sessionId === undefined) return;
    this.#limits.reset(this.#conversation.totals.cost);
    await this.#start(async () => undefined);
  }

  async setMode(mode: Mode): Promise<void> {
    if (mode === this.#conversation.mode) return;
    await this.#conversation.setMode(mode);
    if (mode !== "act") return;
    this.#task.enteredAct = true;
    const plan = this.#openTurn("planned");
    // A plan that waits for its answer has one now: the person switched so that it is carried out.
    if (!plan || this.#running) return;
    this.#limits.reset(this.#conversation.totals.cost);
    await this.#start(async (signal) => {
      await this.#answerOpenCalls(undefined);
      await this.#appendUser({ texts: [replies.switchedToAct], enteredAct: true }, signal);
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

  /** Commits to mention, by message; none where there is no repository or no trust. */
  async commits(query: string): Promise<Commit[]> {
    const { git, workspace } = this.#deps.host;
    if (!git || !workspace.trusted || workspace.root === undefined) return [];
    const { signal } = new AbortController();
    return git.commits(workspace.root, query, { limit: 100_000, signal }).catch(() => []);
  }

  unqueue(id: string): void {
    this.#queue = this.#queue.filter((item) => item.id !== id);
    this.#publishQueue();
  }

  history(): Promise<SessionSummary[]> {
    return this.#deps.store.list();
  }

  /** `elsewhere`: another process works on the session, so this one stays where it is; `takeOver` opens it all the same. */
  async open(id: string, options: { takeOver?: boolean } = {}): Promise<{ elsewhere?: boolean }> {
    const { takeOver = false } = options;
    if (id === this.#conversation.sessionId && !takeOver) return {};
    if (!takeOver && (await this.#deps.store.elsewhere()).has(id)) return { elsewhere: true };
    await this.stop();
    this.#clearQueue();
    this.#task = this.#newTask();
    const result = await this.#show(id, takeOver);
    if (result === "missing") throw new Error(`there is no session ${id}`);
    if (result === "opened") await this.#pickUp();
    return result === "elsewhere" ? { elsewhere: true } : {};
  }

  /** After a start of the host: the session that was open is there again. A call that waited asks again. */
  async restore(): Promise<void> {
    await this.library.sweep();
    const id = await this.#deps.store.active();
    if (id !== undefined && (await this.#show(id, false)) === "opened") await this.#pickUp();
    else this.#tellProblems();
  }

  async #show(id: string, takeOver: boolean): Promise<"opened" | "missing" | "elsewhere"> {
    this.#opening = true;
    try {
      return await this.#conversation.open(id, takeOver);
    } finally {
      this.#opening = false;
      this.#tellProblems();
    }
  }

  /**
   * A new session on show with what came before a message of the person's; the one it came from stays as it is. Gives
   * back what the message said.
   */
  async fork(messageId: string, title?: string): Promise<Said> {
    const message = this.#conversation.messages.find(({ id }) => id === messageId);
    if (message?.display === undefined) throw new Error("there is no such message of yours in this session");
    await this.stop();
    this.#clearQueue();
    this.#task = this.#newTask();
    const from = this.#conversation.sessionId;
    await this.#conversation.fork(messageId, title ?? this.#conversation.view.session?.title ?? "");
    if (from !== undefined) await this.#link?.forked(from, messageId);
    return { text: message.display, images: message.blocks.filter((block) => block.type === "image") };
  }

  /** Says something else in place of that message: the request lacks it and all that came after it. */
  async editAndResend(messageId: string, text: string): Promise<void> {
    if (text.trim() === "") return;
    const isFirst = this.#conversation.messages[0]?.id === messageId;
    const { images } = await this.fork(messageId, isFirst ? titleOf(text) : undefined);
    await this.send(
      text,
      images.map(({ mimeType, data }) => ({ mimeType, data })),
    );
  }

  /** How many milliseconds that can be undone; 0: another process works on it. */
  async deleteSession(id: string): Promise<number> {
    if (id === this.#conversation.sessionId) await this.newTask();
    return this.library.delete(id);
  }

  async dispose(): Promise<void> {
    this.#disposed = true;
    const running = this.#running;
    running?.controller.abort();
    await running?.done;
    this.#link?.dispose();
    this.#watching.dispose();
    await this.library.close();
    const { sessionId } = this.#conversation;
    if (sessionId !== undefined) await this.#deps.store.release(sessionId);
  }

  /** What the store found and got over, as rows. */
  #tellProblems(): void {
    for (const { code, detail } of this.#untold.splice(0)) {
      const id = this.#deps.host.newId();
      this.#conversation.emit({ type: "notice", id, code: "store-problem", values: [code, detail] });
    }
  }

  #newTask(): Task {
    return new Task({
      ...this.#deps,
      registry: this.#registry,
      conversation: this.#conversation,
      approvals: this.#approvals,
      judge: this.#judge,
      limits: this.#limits,
      takeQueued: () => {
        const taken = this.#queue;
        this.#clearQueue();
        return taken;
      },
      random: Math.random,
    });
  }

  /** Runs the loop after `first` has said what there is to say; rejects only when `first` does. */
  #start(first: (signal: AbortSignal) => Promise<void>): Promise<void> {
    const controller = new AbortController();
    const { signal } = controller;
    const begun = first(signal).catch((error: unknown) => {
      if (error instanceof SessionTakenOver)
        this.#conversation.emit({ type: "notice", id: this.#deps.host.newId(), code: "taken-over" });
      throw error;
    });
    const done = begun.then(
      () => this.#task.run(signal),
      (): RunEnd => (signal.aborted ? "stopped" : "failed"),
    );
    const running = {
      controller,
      done: done
        .then((end) => this.#ended(end))
        .catch((error: unknown): RunEnd => {
          // The session could not be written at the very end: the loop is over all the same.
          this.#deps.host.log.error("the task ended with an error", error);
          this.#running = undefined;
          this.#conversation.emit({ type: "status", status: "idle" });
          return "failed";
        }),
    };
    this.#running = running;
    this.#conversation.emit({ type: "status", status: "waiting" });
    return begun;
  }

  async #ended(end: RunEnd): Promise<RunEnd> {
    const stopped = end === "stopped" && !this.#disposed;
    // A window that closes leaves its waiting calls open: they ask again when it returns.
    if (stopped) await this.#closeOpenCalls("stopped");
    this.#running = undefined;
    if (stopped) this.#conversation.emit({ type: "notice", id: this.#deps.host.newId(), code: "stopped" });
    this.#conversation.emit({ type: "status", status: "idle" });
    if (end === "handed-over") await this.#handOver();
    else if ((end === "replied" || end === "completed") && this.#queue.length > 0) await this.#sendQueued();
    return end;
  }

  /** The person agreed to go on in a new task, which begins with the context that they read. */
  async #handOver(): Promise<void> {
    const context = this.#task.handOver;
    const queue = this.#queue;
    await this.newTask();
    this.#limits.reset(0);
    await this.#start(async (signal) => this.#say({ text: context, images: [], plain: true }, signal));
    // What the person said meanwhile was meant for what comes next.
    if (queue.length > 0) {
      this.#queue = queue;
      this.#publishQueue();
    }
  }

  /** What was queued when the agent finished is the next message. */
  async #sendQueued(): Promise<void> {
    const said = this.#queue;
    this.#clearQueue();
    await this.send(
      said.map((item) => item.text).join("\n\n"),
      said.flatMap((item) => item.images),
    );
  }

  async #say(said: Said, signal: AbortSignal): Promise<void> {
    const { host, settings } = this.#deps;
    const { sessionId, messages } = this.#conversation;
    if (sessionId === undefined) {
      await this.#conversation.begin(titleOf(said.text), settings().provider.model);
    }
    const first = messages.length === 0;
    const options = { ...this.#turnDeps(), signal };
    if (await this.#answerOpenCalls(said)) return;
    const text = await saidText(said, first ? replies.task : replies.userMessage, options);
    const { enteredAct } = this.#task;
    this.#task.enteredAct = false;
    await this.#appendUser(
      { texts: [text], images: said.images, display: said.text, first, enteredAct },
      signal,
    );
    if (host.workspace.root === undefined && first) {
      this.#conversation.emit({ type: "notice", id: host.newId(), code: "no-workspace" });
    }
  }

  async #appendUser(parts: Parameters<typeof userMessage>[0], signal: AbortSignal): Promise<void> {
    const options = { ...this.#turnDeps(), signal };
    await this.#conversation.append(await userMessage(parts, options));
  }

  #turnDeps(): Omit<TurnOptions, "signal"> {
    const { context } = this.#task;
    return { ...this.#deps, conversation: this.#conversation, context, judge: this.#judge };
  }

  /** The last call, when it is one of that kind and waits for the person's words. */
  #openTurn(kind: TurnEnd): ToolCallBlock | undefined {
    const last = this.#conversation.unanswered().at(-1);
    return last && this.#registry.find(last.name)?.turnEnd === kind ? last : undefined;
  }

  /** Gives every open call its result; true when what was said is the answer to one of them. */
  async #answerOpenCalls(said: Said | undefined, reply = replies.switchedToAct): Promise<boolean> {
    const { host } = this.#deps;
    const started = await this.#conversation.started();
    let answered = false;
    for (const call of this.#conversation.unanswered()) {
      const end = call.partial ? undefined : this.#registry.find(call.name)?.turnEnd;
      if (end && said && !answered) {
        const { signal } = new AbortController();
        const options = { ...this.#turnDeps(), signal };
        const text = await saidText(said, (words) => replies.answer(end, words), options);
        const message = resultMessage(host, this.#registry, call, "done", [{ type: "text", text }]);
        const images = said.images.map((image) => ({ type: "image" as const, ...image }));
        message.blocks.push(...images);
        await this.#conversation.append({ ...message, display: said.text });
        answered = true;
      } else if (end) {
        const parts = [{ type: "text" as const, text: reply }];
        await this.#conversation.append(resultMessage(host, this.#registry, call, "done", parts));
      } else {
        await this.#conversation.append(
          closedResult(host, this.#registry, call, started.has(call.id) ? "started" : "spoke"),
        );
      }
    }
    return answered;
  }

  async #closeOpenCalls(why: "stopped"): Promise<void> {
    const started = await this.#conversation.started();
    for (const call of this.#conversation.unanswered()) {
      if (this.#registry.find(call.name)?.turnEnd && !call.partial) continue;
      const reason = started.has(call.id) ? "started" : why;
      await this.#conversation.append(closedResult(this.#deps.host, this.#registry, call, reason));
    }
  }

  /** An opened session stands where it stood: a waiting call asks again, an interrupted one is told as such. */
  async #pickUp(): Promise<void> {
    const { host } = this.#deps;
    const started = await this.#conversation.started();
    const open = this.#conversation.unanswered();
    for (const call of open) {
      if (started.has(call.id))
        await this.#conversation.append(closedResult(host, this.#registry, call, "started"));
    }
    const waiting = this.#conversation.unanswered();
    if (waiting.length > 0) {
      if (waiting.every((call) => this.#registry.find(call.name)?.turnEnd && !call.partial)) {
        for (const call of waiting)
          this.#conversation.emit({ type: "call-done", callId: call.id, outcome: "done" });
        return;
      }
      this.#task.askAgain = true;
      await this.#start(async () => undefined);
      return;
    }
    const last = this.#conversation.messages.at(-1);
    // Condensing on request leaves nothing under way.
    if (last && isWindowStep(last) && last.display !== undefined) return;
    if (last && (last.role !== "assistant" || last.interrupted)) {
      this.#conversation.emit({ type: "notice", id: host.newId(), code: "interrupted" });
    }
  }

  #clearQueue(): void {
    if (this.#queue.length === 0) return;
    this.#queue = [];
    this.#publishQueue();
  }

  #publishQueue(): void {
    this.#conversation.emit({ type: "queue", items: this.#queue.map(({ id, text }) => ({ id, text })) });
  }
}

function titleOf(text: string): string {
  return text.trim().split("\n", 1)[0]?.slice(0, titleLength) ?? "";
}
