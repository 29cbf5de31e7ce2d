/**
 * Gives results to open calls of the last message outside the loop: when the user sends a message, stops, switches the mode,
 * or reopens the session after a restart.
 */
import type { Message, ToolCallBlock } from "../../shared/message.ts";
import { closedResult, resultMessage } from "../loop/results.ts";
import type { Transcript } from "../loop/transcript.ts";
import type { UserContent, UserTurns } from "../loop/turn.ts";
import type { Host } from "../ports/host.ts";
import * as replies from "../prompts/replies.ts";
import { boundParts } from "../tools/bound.ts";
import type { ToolSet } from "../tools/set/tool-set.ts";
import type { TurnEnd } from "../tools/tool.ts";
import { isWindowStep } from "../window/request-messages.ts";
import type { OpenChildren } from "./session-parts.ts";

/** Characters of the report on a subtask that was interrupted. */
const MAX_CHILD_REPORT = 20_000;

export class OpenCalls {
  readonly #host: Host;
  readonly #registry: ToolSet;
  readonly #conversation: Transcript;
  readonly #children: OpenChildren | undefined;

  /** `children`: the subtasks that calls started; absent: the session cannot start any. */
  constructor(
    host: Host,
    registry: ToolSet,
    conversation: Transcript,
    children: OpenChildren | undefined = undefined,
  ) {
    this.#host = host;
    this.#registry = registry;
    this.#conversation = conversation;
    this.#children = children;
  }

  #resumes({ name, partial }: ToolCallBlock): boolean {
    return this.#children !== undefined && !partial && this.#registry.find(name)?.resumes === true;
  }

  /** How the call ends the turn, if the user's next message is its result. */
  #turnEnd(call: ToolCallBlock): TurnEnd | undefined {
    return call.partial ? undefined : this.#registry.find(call.name)?.turnEnd;
  }

  /** Whether the last open call awaits a user message and ends the turn in this way. */
  waitsFor(kind: TurnEnd): boolean {
    const last = this.#conversation.unansweredCalls().at(-1);
    return last !== undefined && this.#turnEnd(last) === kind;
  }

  /** Gives every open call its result; true if the message answers one of them. `texts`: what the model has to read before it. */
  async answerWith(
    input: UserContent,
    turns: UserTurns,
    signal: AbortSignal,
    texts: readonly string[] = [],
  ): Promise<boolean> {
    let answered = false;
    await this.#each(async (call, end) => {
      if (answered) return false;
      const { text, images } = await turns.answer(input, (words) => replies.answer(end, words), signal);
      const message = this.#done(call, [...texts, text].join("\n\n"));
      message.blocks.push(...input.images.map((image) => ({ type: "image" as const, ...image })), ...images);
      await this.#conversation.append({ ...message, display: input.shown ?? input.text });
      answered = true;
      return true;
    }, replies.NOT_RUN["turn-over"]);
    return answered;
  }

  /** Gives every open call its result; calls that await a user message get `reply`. `display`: what the user typed for that. */
  async closeWith(reply: string, display?: string): Promise<void> {
    await this.#each(async (call) => {
      if (display === undefined) return false;
      await this.#conversation.append({ ...this.#done(call, reply), display });
      return true;
    }, reply);
  }

  async #each(answer: (call: ToolCallBlock, end: TurnEnd) => Promise<boolean>, reply: string): Promise<void> {
    const started = await this.#conversation.startedCalls();
    for (const call of this.#conversation.unansweredCalls()) {
      const end = this.#turnEnd(call);
      if (end === undefined) await this.#close(call, started.has(call.id) ? "started" : "user-replied");
      else if (!(await answer(call, end))) await this.#conversation.append(this.#done(call, reply));
    }
  }

  /** Closes calls after Stop, except those that await a user message. */
  async closeStopped(): Promise<void> {
    const started = await this.#conversation.startedCalls();
    for (const call of this.#conversation.unansweredCalls()) {
      if (this.#turnEnd(call) === undefined)
        await this.#close(call, started.has(call.id) ? "started" : "stopped");
    }
  }

  /** Closes started calls without a result as interrupted, because they must not run twice, except calls that continue their work. */
  async closeStarted(): Promise<void> {
    const started = await this.#conversation.startedCalls();
    for (const call of this.#conversation.unansweredCalls()) {
      if (started.has(call.id) && !this.#resumes(call)) await this.#close(call, "started");
    }
  }

  /**
   * Prepares a reopened session: closes started calls as interrupted. Returns what its open calls need: `approval`: calls wait for
   * approval; `message`: all of them await a user message; `continue`: they continue their work once the user continues the session;
   * undefined: no call is open.
   */
  async pickUp(): Promise<"approval" | "message" | "continue" | undefined> {
    await this.closeStarted();
    const waiting = this.#conversation.unansweredCalls();
    if (waiting.length === 0) return undefined;
    const resumable = waiting.filter((call) => this.#resumes(call));
    if (resumable.length > 0) return this.#pickUpSubtasks(resumable);
    if (!waiting.every((call) => this.#turnEnd(call) !== undefined)) return "approval";
    for (const call of waiting)
      this.#conversation.emit({ type: "call-done", callId: call.id, outcome: "done" });
    return "message";
  }

  /** Shows the subtasks of these calls as interrupted, unless one of them waits for approval. */
  async #pickUpSubtasks(calls: readonly ToolCallBlock[]): Promise<"approval" | "continue"> {
    const asks = await Promise.all(calls.map(({ id }) => this.#children?.asks(id)));
    if (asks.includes(true)) return "approval";
    for (const { id: callId } of calls) {
      const shown = (await this.#children?.interrupted(callId))?.shown;
      const done = { type: "call-done" as const, callId, outcome: "interrupted" as const };
      this.#conversation.emit({ ...done, ...(shown ? { shown } : {}) });
    }
    return "continue";
  }

  #done(call: ToolCallBlock, text: string): ReturnType<typeof resultMessage> {
    return resultMessage(this.#host, this.#registry, call, "done", [{ type: "text", text }]);
  }

  async #close(call: ToolCallBlock, why: "started" | "user-replied" | "stopped"): Promise<void> {
    const child =
      why === "started" && this.#resumes(call) ? await this.#children?.interrupted(call.id) : undefined;
    if (!child) return this.#conversation.append(closedResult(this.#host, this.#registry, call, why));
    const { text, shown, spent } = child;
    const parts = boundParts([{ type: "text", text }], MAX_CHILD_REPORT);
    const result = resultMessage(this.#host, this.#registry, call, "interrupted", parts, shown);
    await this.#conversation.append(result, spent, true);
  }
}

/** Whether a stored conversation without open calls ended in the middle of a turn. */
export function isInterrupted(messages: readonly Message[]): boolean {
  const last = messages.at(-1);
  // Nothing is in progress after condensing at the user's request.
  if (!last || (isWindowStep(last) && last.display !== undefined)) return false;
  const isDone = last.blocks.some(({ type }) => type === "answers" || type === "chosen");
  return !isDone && (last.role !== "assistant" || last.interrupted === true);
}
