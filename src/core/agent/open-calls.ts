/**
 * Calls of the last message that have no result yet, when something other than the loop gives them one: the person
 * speaks, stops, switches the mode, or comes back after a restart.
 */
import type { ToolCallBlock } from "../../shared/message.ts";
import { closedResult, resultMessage } from "../loop/results.ts";
import type { Transcript } from "../loop/transcript.ts";
import type { Said, UserTurns } from "../loop/turn.ts";
import type { Host } from "../ports/host.ts";
import * as replies from "../prompts/replies.ts";
import type { ToolSet } from "../tools/set/tool-set.ts";
import type { TurnEnd } from "../tools/tool.ts";

export class OpenCalls {
  readonly #host: Host;
  readonly #registry: ToolSet;
  readonly #conversation: Transcript;

  constructor(host: Host, registry: ToolSet, conversation: Transcript) {
    this.#host = host;
    this.#registry = registry;
    this.#conversation = conversation;
  }

  /** How the call ends a turn, where the person's next words are its result. */
  #turnEnd(call: ToolCallBlock): TurnEnd | undefined {
    return call.partial ? undefined : this.#registry.find(call.name)?.turnEnd;
  }

  /** The last call waits for the person's words and is of that kind. */
  waitsFor(kind: TurnEnd): boolean {
    const last = this.#conversation.unanswered().at(-1);
    return last !== undefined && this.#turnEnd(last) === kind;
  }

  /** Gives every open call its result; true when what was said is the answer to one of them. */
  async answerWith(said: Said, turns: UserTurns, signal: AbortSignal): Promise<boolean> {
    let answered = false;
    await this.#each(async (call, end) => {
      if (answered) return false;
      const text = await turns.answer(said, (words) => replies.answer(end, words), signal);
      const message = this.#done(call, text);
      message.blocks.push(...said.images.map((image) => ({ type: "image" as const, ...image })));
      await this.#conversation.append({ ...message, display: said.text });
      answered = true;
      return true;
    }, replies.notRun["turn-over"]);
    return answered;
  }

  /** Gives every open call its result, `reply` being that of those which wait for the person's words. */
  async closeWith(reply: string): Promise<void> {
    await this.#each(async () => false, reply);
  }

  async #each(answer: (call: ToolCallBlock, end: TurnEnd) => Promise<boolean>, reply: string): Promise<void> {
    const started = await this.#conversation.started();
    for (const call of this.#conversation.unanswered()) {
      const end = this.#turnEnd(call);
      if (end === undefined) await this.#close(call, started.has(call.id) ? "started" : "spoke");
      else if (!(await answer(call, end))) await this.#conversation.append(this.#done(call, reply));
    }
  }

  /** After Stop: what waits for the person's words goes on waiting. */
  async closeStopped(): Promise<void> {
    const started = await this.#conversation.started();
    for (const call of this.#conversation.unanswered()) {
      if (this.#turnEnd(call) === undefined)
        await this.#close(call, started.has(call.id) ? "started" : "stopped");
    }
  }

  /** What had begun and has no result is told as interrupted: it must not run a second time. */
  async closeStarted(): Promise<void> {
    const started = await this.#conversation.started();
    for (const call of this.#conversation.unanswered()) {
      if (started.has(call.id)) await this.#close(call, "started");
    }
  }

  /**
   * In a session that was opened: what had begun is told as interrupted. `ask`: others wait for a yes or no; `words`:
   * all that is left waits for the person's words; undefined: nothing is open.
   */
  async pickUp(): Promise<"ask" | "words" | undefined> {
    await this.closeStarted();
    const waiting = this.#conversation.unanswered();
    if (waiting.length === 0) return undefined;
    if (!waiting.every((call) => this.#turnEnd(call) !== undefined)) return "ask";
    for (const call of waiting)
      this.#conversation.emit({ type: "call-done", callId: call.id, outcome: "done" });
    return "words";
  }

  #done(call: ToolCallBlock, text: string): ReturnType<typeof resultMessage> {
    return resultMessage(this.#host, this.#registry, call, "done", [{ type: "text", text }]);
  }

  async #close(call: ToolCallBlock, why: "started" | "spoke" | "stopped"): Promise<void> {
    await this.#conversation.append(closedResult(this.#host, this.#registry, call, why));
  }
}
