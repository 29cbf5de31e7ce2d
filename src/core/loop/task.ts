/**
 * The loop: while the last message asks for something, do that one thing. Its whole state is the conversation, so it
 * can end at any point and go on from there, after a Stop, a failed request or a crash.
 */
import type { Message } from "../../shared/message.ts";
import type { Settings } from "../../shared/settings.ts";
import type { Checkpoints } from "../checkpoints/checkpoints.ts";
import { Interrupt, ProviderError } from "../errors.ts";
import type { Host } from "../ports/host.ts";
import * as replies from "../prompts/replies.ts";
import { SessionTakenOver } from "../sessions/claims.ts";
import type { ToolRegistry } from "../tools/registry.ts";
import type { ToolContext, TurnEnd } from "../tools/tool.ts";
import type { Approvals } from "./approvals.ts";
import type { Conversation } from "./conversation.ts";
import { errorView } from "./error-view.ts";
import type { Limits } from "./limits.ts";
import type { GoingOn } from "./move-to-background.ts";
import type { Judge } from "./permission.ts";
import { ModelRequests } from "./request.ts";
import { RulesInForce } from "./rules-in-force.ts";
import { runCalls } from "./tool-calls.ts";
import { type Said, saidText, userMessage } from "./turn.ts";
import { holdsUnread, unreadReply } from "./unread.ts";

export interface TaskDeps {
  host: Host;
  settings(): Settings;
  apiKey(): Promise<string | undefined>;
  registry: ToolRegistry;
  conversation: Conversation;
  approvals: Approvals;
  goingOn: GoingOn;
  judge: Judge;
  limits: Limits;
  checkpoints?: Checkpoints;
  /** Takes what the person said while the agent worked. */
  takeQueued(): Said[];
  random(): number;
}

/** Why the loop ended; `replied`: an answer without a call, the person's turn. */
export type RunEnd = TurnEnd | "replied" | "limit" | "stopped" | "failed" | "handed-over";

export class Task {
  readonly #d: TaskDeps;
  readonly context: ToolContext;
  #signal: AbortSignal = AbortSignal.abort();
  readonly #requests: ModelRequests;
  /** Set when the person asked to condense: that is all that the next run does. */
  compact: { focus: string; display: string } | undefined;
  readonly rules: RulesInForce;
  /** Set when the mode became act: the next message asks for a todo list. */
  enteredAct = false;
  askAgain = false;
  /** After a run that was handed over: the context that the next task begins with. */
  handOver = "";

  constructor(deps: TaskDeps) {
    this.#d = deps;
    this.rules = new RulesInForce(deps);
    const signal = () => this.#signal;
    this.context = {
      host: deps.host,
      settings: deps.settings,
      mode: () => deps.conversation.mode,
      seen: new Map(),
      editAllowed: async (path) => {
        if (this.askAgain) return false;
        const use = { paths: [{ path, access: "write" as const }] };
        return (
          (await deps.judge.permission({ access: "edit" }, use, deps.conversation.mode)).verdict === "allow"
        );
      },
      unreadable: (path) => deps.judge.unreadable(path),
      get signal() {
        return signal();
      },
    };
    const { context } = this;
    this.#requests = new ModelRequests({ ...deps, context, rules: () => this.rules.text });
  }

  /** Runs until it is the person's turn. Never rejects: a fault becomes an error row. */
  async run(signal: AbortSignal): Promise<RunEnd> {
    this.#signal = signal;
    try {
      await this.rules.begin(signal);
      this.rules.tell();
      return await (this.compact ? this.#condense(this.compact, signal) : this.#loop(signal));
    } catch (error) {
      if (error instanceof Interrupt || signal.aborted) return "stopped";
      this.#report(error);
      return "failed";
    } finally {
      await this.#requests.abandonStreams();
      this.askAgain = false;
    }
  }

  async #loop(signal: AbortSignal): Promise<RunEnd> {
    const { conversation, limits, settings } = this.#d;
    for (;;) {
      const calls = conversation.unanswered();
      if (calls.length > 0) {
        const end = await runCalls(
          calls,
          {
            ...this.#d,
            context: this.context,
            streams: this.#requests.streams,
            askAgain: this.askAgain,
            holdsUnread: holdsUnread(conversation.messages, this.#d.registry),
            condense: (summary) => this.#requests.applyCondense(summary),
          },
          signal,
        );
        this.askAgain = false;
        if (end && "newTask" in end) {
          this.handOver = end.newTask;
          return "handed-over";
        }
        if (end) return end.turnEnd;
      }
      const last = conversation.messages.at(-1);
      if (last?.role !== "user") limits.answer(holdsUnread(conversation.messages, this.#d.registry));
      if (last?.role === "assistant" && !(await this.#replyTo(last, signal))) return "replied";
      const limit = limits.next(settings().approval, conversation.totals.cost ?? 0);
      if (limit) {
        conversation.emit({ type: "notice", id: this.#d.host.newId(), ...limit });
        return "limit";
      }
      if (conversation.messages.at(-1)?.role === "tool") {
        await this.#append(unreadReply(this.#d, this.#requests.protocol), signal);
      }
      await this.#requests.send(signal);
    }
  }

  /** An answer without calls ends the turn, unless it was cut off, or holds a call that could not be read. */
  async #replyTo(last: Message, signal: AbortSignal): Promise<boolean> {
    if (last.interrupted) {
      await this.#append([replies.continueAfterCut], signal);
      return true;
    }
    const unread = unreadReply(this.#d, this.#requests.protocol);
    if (unread.length > 0) await this.#append(unread, signal);
    return unread.length > 0;
  }

  /** A user message with what was said meanwhile, `texts`, and the environment. */
  async #append(texts: string[], signal: AbortSignal): Promise<void> {
    const options = { ...this.#d, context: this.context, signal, ...(await this.room(signal)) };
    const queued = this.#d.takeQueued();
    if (queued.length > 0) await this.rules.check(signal);
    const message = await userMessage(
      {
        texts: async (left) => {
          const share = { ...left, room: left.room / Math.max(1, queued.length) };
          const said = queued.map((item) => saidText(item, replies.userMessage, share));
          return [...texts, ...(await Promise.all(said))];
        },
        news: this.rules.takeNews(),
        images: queued.flatMap((item) => item.images),
        enteredAct: this.enteredAct,
        ...(queued.length > 0 ? { display: queued.map((item) => item.text).join("\n\n") } : {}),
      },
      options,
    );
    this.enteredAct = false;
    await this.#d.conversation.append(message);
    this.rules.tell();
  }

  /** Tokens of the window of the model that answers next, and how many of our own estimate a message may have in it. */
  room(signal: AbortSignal): Promise<{ window: number; room: number }> {
    return this.#requests.room(signal);
  }

  async #condense(wish: { focus: string; display: string }, signal: AbortSignal): Promise<RunEnd> {
    this.compact = undefined;
    await this.#requests.condense(wish, signal);
    return "replied";
  }

  #report(error: unknown): void {
    const { conversation, host } = this.#d;
    if (error instanceof SessionTakenOver) {
      conversation.emit({ type: "notice", id: host.newId(), code: "taken-over" });
      return;
    }
    if (!(error instanceof ProviderError)) host.log.error("the task failed", error);
    conversation.emit({ type: "error", id: host.newId(), error: errorView(error) });
  }
}
