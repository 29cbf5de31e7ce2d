/**
 * Lets several models answer the same message, side by side. Each answers in a transcript of its own, which is not stored, with
 * the tools that only read or end a turn; a call that would ask the user is rejected. `Comparisons` stores the answers, and
 * continues with the one that the user chooses.
 */

import type { EventBody, TaskEvent } from "../../../shared/event.ts";
import { type Block, type ComparedAnswer, type Message, messageSchema } from "../../../shared/message.ts";
import type { ErrorView } from "../../../shared/models/request-error.ts";
import { emptyTotals, type Totals } from "../../../shared/totals.ts";
import * as z from "../../../shared/zod.ts";
import { Interrupt } from "../../errors.ts";
import type { KeyMask } from "../../key-mask.ts";
import type { RunEnd, TaskDeps } from "../../loop/loop.ts";
import type { Transcript } from "../../loop/transcript.ts";
import type { Host } from "../../ports/host.ts";
import type { ModelAccess } from "../../provider/model-access.ts";
import type { SessionStore } from "../../sessions/session-store.ts";
import { ToolRegistry } from "../../tools/registry.ts";
import { ScratchTask, withRemainingCost } from "./scratch-task.ts";

export interface ComparisonDeps extends ModelAccess, Pick<TaskDeps, "beforeCall" | "afterCall"> {
  host: Host;
  store: SessionStore;
  registry: ToolRegistry;
  keys: KeyMask;
  /** The conversation whose last message the models answer. */
  conversation: Transcript;
}

export interface Comparison {
  /** In the order of the names. */
  answers: ComparedAnswer[];
  /** What they cost. */
  spent: Totals[];
}

/** `id`: of the message that the answers will be; `names`: `connection/id` of the models. Never rejects. */
export async function compareModels(
  deps: ComparisonDeps,
  id: string,
  names: readonly string[],
  signal: AbortSignal,
): Promise<Comparison> {
  const { conversation } = deps;
  conversation.emit({ type: "comparison", id, names: [...names] });
  conversation.emit({ type: "status", status: "streaming" });
  const candidates = names.map((name, index) => new Candidate(deps, { id, index, name }));
  const answers = await Promise.all(candidates.map((candidate) => candidate.answer(signal)));
  return { answers, spent: candidates.map(({ totals }) => totals) };
}

/** The messages with which a conversation continues if the user chooses the answer. */
export function messagesOf({ messages }: ComparedAnswer): Message[] {
  return z.array(messageSchema).parse(JSON.parse(messages));
}

/** Which of the compared answers a candidate writes. */
interface ComparisonSlot {
  id: string;
  index: number;
  name: string;
}

class Candidate {
  readonly #deps: ComparisonDeps;
  readonly #slot: ComparisonSlot;
  readonly #task: ScratchTask;
  #text = "";
  #error: ErrorView | undefined;
  totals: Totals = emptyTotals;

  constructor(deps: ComparisonDeps, slot: ComparisonSlot) {
    const { conversation } = deps;
    this.#deps = deps;
    this.#slot = slot;
    // Calls that end a turn are possible too, because models that ended earlier turns with such a call do so again.
    const usable = deps.registry.tools.filter(
      ({ access, origin, turnEnd }) => (access === "read" && origin !== "server") || turnEnd !== undefined,
    );
    const { agent, id, mode, messages } = conversation;
    this.#task = new ScratchTask(
      {
        ...deps,
        settings: () => withRemainingCost(deps.settings(), conversation.totals.cost ?? 0),
        registry: new ToolRegistry(usable),
        rejection: NO_QUESTIONS,
        publish: (event) => this.#handle(event),
      },
      { agent, id, mode, scratch: messages, model: slot.name },
    );
  }

  async answer(signal: AbortSignal): Promise<ComparedAnswer> {
    const { clock } = this.#deps.host;
    const { id, index, name } = this.#slot;
    const before = this.#deps.conversation.messages.length;
    const started = clock.now().getTime();
    const end = await this.#task.run(signal);
    const { inputTokens, outputTokens, cachedTokens, cost } = this.totals;
    const shown = {
      name,
      text: this.#text.trim(),
      outcome: outcomeOf(end),
      usage: { inputTokens, outputTokens, cachedTokens, ...(cost === undefined ? {} : { cost }) },
      durationMs: clock.now().getTime() - started,
      ...(this.#error ? { error: this.#error } : {}),
    };
    this.#emit({ type: "comparison-done", id, index, answer: shown });
    return { ...shown, messages: JSON.stringify(this.#task.transcript.messages.slice(before)) };
  }

  #emit(event: EventBody): void {
    this.#deps.conversation.emit(event);
  }

  /** Reads the answer from the events. A candidate has no row and no state of its own in the session, so no other event matters. */
  #handle(event: TaskEvent): void {
    const { id, index } = this.#slot;
    switch (event.type) {
      case "delta":
        if (event.kind === "text") this.#addText(event.delta);
        return;
      case "call-text":
        this.#addText(event.delta);
        return;
      case "request":
        if (this.#text !== "") this.#addText("\n\n");
        return;
      case "call": {
        const { tool, subject, face: presentation } = event;
        this.#emit({
          type: "comparison-call",
          id,
          index,
          tool,
          subject,
          ...(presentation ? { face: presentation } : {}),
        });
        return;
      }
      case "totals":
        this.totals = event.totals;
        return;
      case "error":
        this.#error = event.error;
        return;
    }
  }

  #addText(delta: string): void {
    const { id, index } = this.#slot;
    this.#text += delta;
    this.#emit({ type: "comparison-delta", id, index, delta });
  }
}

const NO_QUESTIONS =
  "Several models answer this message at the same time, so only what needs no approval can be read. Answer with what you have.";

function outcomeOf({ type }: RunEnd): ComparedAnswer["outcome"] {
  if (type === "failed") return "failed";
  return type === "stopped" || type === "limit" ? "stopped" : "done";
}

interface ComparisonsDeps extends ComparisonDeps {
  /** Whether the agent works. */
  busy(): boolean;
  /** Resolves when the task may work. Rejects with Interrupt. */
  takeSlot(signal: AbortSignal): Promise<void>;
}

/** The comparisons of one session. */
export class Comparisons {
  readonly #deps: ComparisonsDeps;

  constructor(deps: ComparisonsDeps) {
    this.#deps = deps;
  }

  /** Lets the models answer the last message, and stores their answers. */
  async run(names: readonly string[], signal: AbortSignal): Promise<RunEnd> {
    try {
      await this.#deps.takeSlot(signal);
    } catch (error) {
      if (error instanceof Interrupt) return { type: "stopped" };
      throw error;
    }
    const id = this.#deps.host.newId();
    const { answers, spent } = await compareModels(this.#deps, id, names, signal);
    await this.#append(id, { type: "answers", answers }, spent);
    return { type: signal.aborted ? "stopped" : "replied" };
  }

  /** Continues with one of the answers. False: the agent works, or the conversation has continued. */
  async choose(comparison: string, index: number): Promise<boolean> {
    const { conversation, host } = this.#deps;
    const last = conversation.messages.at(-1);
    const [block] = last?.id === comparison ? last.blocks : [];
    const answer = block?.type === "answers" ? block.answers[index] : undefined;
    if (!answer || this.#deps.busy()) return false;
    await this.#append(host.newId(), { type: "chosen", comparison, index });
    for (const message of messagesOf(answer)) await conversation.append(message);
    return true;
  }

  async #append(
    id: string,
    block: Block,
    spent?: Awaited<ReturnType<typeof compareModels>>["spent"],
  ): Promise<void> {
    const { conversation, host } = this.#deps;
    const createdAt = host.clock.now().toISOString();
    await conversation.append({ id, role: "user", createdAt, blocks: [block] }, spent);
  }
}
