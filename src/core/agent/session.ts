/**
 * One session that the agent holds: its transcript, its view, its queue and the loop that runs over it. It knows nothing
 * of other sessions, so any number of them can run side by side.
 */
import type { EventBody, TaskEvent } from "../../shared/event.ts";
import type { Mode } from "../../shared/message.ts";
import type { Settings } from "../../shared/settings.ts";
import type { Checkpoints } from "../checkpoints/checkpoints.ts";
import { compactCommand } from "../context/slash-commands.ts";
import type { KeyMask } from "../key-mask.ts";
import { Emitter } from "../lifecycle.ts";
import { Approvals } from "../loop/approvals.ts";
import { Limits } from "../loop/limits.ts";
import { GoingOn } from "../loop/move-to-background.ts";
import { Judge } from "../loop/permission.ts";
import type { RunEnd } from "../loop/run-end.ts";
import { type Intent, Task } from "../loop/task.ts";
import { Transcript, type TranscriptStart, todoOf } from "../loop/transcript.ts";
import type { Said } from "../loop/turn.ts";
import type { Host } from "../ports/host.ts";
import * as replies from "../prompts/replies.ts";
import type { ModelProfiles } from "../provider/model-profile.ts";
import { SessionTakenOver } from "../sessions/claims.ts";
import type { SessionStore } from "../sessions/session-store.ts";
import type { ToolRegistry } from "../tools/registry.ts";
import { isWindowStep } from "../window/window.ts";
import { OpenCalls } from "./open-calls.ts";
import { Queue } from "./queue.ts";
import { Runner } from "./runner.ts";
import { SessionView } from "./session-view.ts";
import { UserInput } from "./user-input.ts";

export interface SessionDeps {
  host: Host;
  store: SessionStore;
  settings(): Settings;
  apiKey(): Promise<string | undefined>;
  /** What the host knows of models. */
  profiles: ModelProfiles;
  registry: ToolRegistry;
  keys: KeyMask;
  checkpoints?: Checkpoints;
  /** Stores an entry of the allow list, as the user chose; without it, that is not on offer. */
  allowCommand?(prefix: string): Promise<void>;
  /**
   * The settings were given by the user who now opens a session: they decide on a call that waited in it. Left out:
   * such a call asks again, whatever the settings allow.
   */
  settingsAreFresh?: boolean;
  /** Takes over where a task ends with the wish to continue in a new one, which begins with `context`. */
  handOver(from: Session, context: string): Promise<void>;
}

export type Images = Said["images"];

export class Session {
  readonly transcript: Transcript;
  readonly approvals: Approvals;
  /** What runs can be told to continue in the background. */
  readonly goingOn = new GoingOn();
  readonly queue = new Queue((items) => this.emit({ type: "queue", items }));
  readonly #deps: SessionDeps;
  readonly #events = new Emitter<TaskEvent>();
  readonly #view: SessionView;
  readonly #limits = new Limits();
  readonly #open: OpenCalls;
  readonly #input: UserInput;
  readonly #task: Task;
  readonly #runner: Runner;
  #disposed = false;

  readonly onEvent = this.#events.on;

  constructor(deps: SessionDeps, start: TranscriptStart) {
    const { host, registry, settings } = deps;
    this.#deps = deps;
    this.transcript = new Transcript({ ...deps, publish: (event) => this.#publish(event) }, start);
    this.#view = new SessionView({ transcript: this.transcript, registry, clock: host.clock }, start.mode);
    this.approvals = new Approvals(deps);
    const judge = new Judge(host, settings);
    const conversation = this.transcript;
    this.#open = new OpenCalls(host, registry, conversation);
    this.#task = new Task({
      ...deps,
      conversation,
      judge,
      approvals: this.approvals,
      goingOn: this.goingOn,
      limits: this.#limits,
      queue: this.queue,
      random: Math.random,
    });
    const { turns } = this.#task;
    this.#input = new UserInput({ host, settings, conversation, open: this.#open, turns });
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

  get view(): SessionView["current"] {
    return this.#view.current;
  }

  get busy(): boolean {
    return this.#runner.busy;
  }

  /** Resolves when the session is idle, with how its last turn ended; undefined when it was idle already. */
  get idle(): Promise<RunEnd | undefined> {
    return this.#runner.idle;
  }

  emit(body: EventBody): void {
    this.transcript.emit(body);
  }

  /** The view has folded an event before anybody else hears of it. */
  #publish(event: TaskEvent): void {
    const { queue, status } = this.view;
    this.#view.fold(event);
    this.#events.emit(event);
    if (event.type !== "session") return;
    // A session that begins takes along what has happened while its first message was written.
    if (queue.length > 0) this.emit({ type: "queue", items: [...queue] });
    if (status !== this.view.status) this.emit({ type: "status", status });
  }

  /** Starts a turn, answers what the agent asked, or queues while it works. Rejects when nothing was taken. */
  async send(text: string, images: Images): Promise<{ queued: boolean }> {
    if (text.trim() === "" && images.length === 0) return { queued: false };
    if (this.busy) {
      this.queue.add(this.#deps.host.newId(), { text, images });
      return { queued: true };
    }
    const compact = this.transcript.begun ? compactCommand(text) : undefined;
    if (compact) {
      const { focus } = compact;
      await this.#run({ type: "condense", focus, display: text }, () =>
        this.#open.closeWith(replies.condensing),
      );
    } else await this.say({ text, images });
    return { queued: false };
  }

  /** What the user said, or agreed to have said, begins a turn. */
  say(said: Said): Promise<void> {
    return this.#run({ type: "continue" }, (signal) => this.#input.submit(said, signal));
  }

  /** Resolves when everything under way has ended; idle within two seconds. */
  async stop(): Promise<void> {
    if (!this.busy) return;
    this.emit({ type: "status", status: "stopping" });
    this.#runner.abort();
    await this.#runner.idle;
  }

  /** Continues where the session stands: after an error, a limit, a Stop or a restart. */
  async retry(): Promise<void> {
    if (this.busy || !this.transcript.begun) return;
    await this.#run({ type: "continue" }, () => this.#open.closeStarted());
  }

  async setMode(mode: Mode): Promise<void> {
    if (mode === this.transcript.mode) return;
    await this.transcript.setMode(mode);
    // A plan that waits for its answer has one now: the user switched so that it is carried out.
    if (mode !== "act" || !this.#open.waitsFor("planned") || this.busy) return;
    await this.#run({ type: "continue" }, async (signal) => {
      await this.#open.closeWith(replies.switchedToAct);
      await this.transcript.append(await this.#task.turns.message({}, signal));
    });
  }

  showEarlier(how: { until?: string; all?: boolean }): Promise<void> {
    return this.#view.showEarlier(how);
  }

  /** Shows a session that was loaded: its newest page first, then the rest is read. */
  async show(): Promise<void> {
    this.transcript.report();
    this.#view.showNewest();
    await this.transcript.readOn();
    this.#view.recount();
    await this.transcript.reopen();
  }

  /** Shows a session that begins as a branch of another one. */
  async showBranch(): Promise<void> {
    this.transcript.report();
    this.#view.showNewest();
    await this.transcript.setTodo(todoOf(this.transcript.messages));
  }

  /** An opened session stands where it stood: a waiting call asks again, an interrupted one is reported as such. */
  async pickUp(): Promise<void> {
    const waits = await this.#open.pickUp();
    if (waits === "words") return;
    if (waits === "ask") {
      const askAgain = !this.#deps.settingsAreFresh;
      await this.#run({ type: "continue", askAgain }, async () => undefined);
      return;
    }
    const last = this.transcript.messages.at(-1);
    // Condensing on request leaves nothing under way.
    if (last && isWindowStep(last) && last.display !== undefined) return;
    if (last && (last.role !== "assistant" || last.interrupted)) this.notice("interrupted");
  }

  notice(code: Extract<EventBody, { type: "notice" }>["code"]): void {
    this.emit({ type: "notice", id: this.#deps.host.newId(), code });
  }

  /** Leaves the session as it is on disk. `ended`: it is not one to restore after a reload. */
  async close(how: { ended: boolean }): Promise<void> {
    this.queue.clear();
    await this.transcript.close(how);
  }

  /** Ends what runs because the host ends: calls that wait for an answer stay open and ask again. */
  async dispose(): Promise<void> {
    this.#disposed = true;
    this.#runner.abort();
    await this.#runner.idle;
  }

  /** Runs the loop after `first` has said what there is to say; rejects only when `first` does. */
  #run(intent: Intent, first: (signal: AbortSignal) => Promise<void>): Promise<void> {
    this.#limits.reset(this.transcript.totals.cost ?? 0);
    const begun = this.#runner.start({
      first: (signal) =>
        first(signal).catch((error: unknown) => {
          if (error instanceof SessionTakenOver) this.notice("taken-over");
          throw error;
        }),
      loop: (signal) => this.#task.run(intent, signal),
    });
    this.emit({ type: "status", status: "waiting" });
    return begun;
  }

  async #ended(end: RunEnd): Promise<RunEnd> {
    const stopped = end.type === "stopped" && !this.#disposed;
    // A window that closes leaves its waiting calls open: they ask again when it returns.
    if (stopped) await this.#open.closeStopped();
    this.#runner.release();
    if (stopped) this.notice("stopped");
    this.emit({ type: "status", status: "idle" });
    if (end.type === "handed-over") await this.#deps.handOver(this, end.context);
    else if ((end.type === "replied" || end.type === "completed") && !this.queue.isEmpty)
      await this.#sendQueued();
    return end;
  }

  /** What was queued when the agent finished is the next message. */
  async #sendQueued(): Promise<void> {
    const said = this.queue.take();
    await this.send(
      said.map((item) => item.text).join("\n\n"),
      said.flatMap((item) => item.images),
    );
  }
}
