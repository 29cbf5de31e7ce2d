/**
 * Lets several models answer the same message, side by side. Each answers in a transcript of its own, which is not stored, with the tools
 * that only read or end a turn; a call that would ask the user is rejected. The user may continue with one of the answers.
 */

import type { EventBody, TaskEvent } from "../../../shared/event.ts";
import { type ComparedAnswer, type Message, messageSchema } from "../../../shared/message.ts";
import type { ErrorView } from "../../../shared/models/request-error.ts";
import { emptyTotals, type Totals } from "../../../shared/totals.ts";
import type { KeyMask } from "../../key-mask.ts";
import { Approvals } from "../../loop/calls/approvals.ts";
import { ForegroundCalls } from "../../loop/calls/background-list.ts";
import { Judge } from "../../loop/calls/permission.ts";
import { ServerForms } from "../../loop/calls/server-forms.ts";
import { Limits } from "../../loop/limits/limits.ts";
import type { RunEnd, TaskDeps } from "../../loop/loop.ts";
import { Task } from "../../loop/task.ts";
import { Transcript } from "../../loop/transcript.ts";
import type { Host } from "../../ports/host.ts";
import type { ModelAccess } from "../../provider/model-access.ts";
import type { SessionStore } from "../../sessions/session-store.ts";
import { ToolRegistry } from "../../tools/registry.ts";

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
  return messageSchema.array().parse(JSON.parse(messages));
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
  readonly #transcript: Transcript;
  readonly #approvals: Approvals;
  readonly #task: Task;
  #text = "";
  #error: ErrorView | undefined;
  totals: Totals = emptyTotals;

  constructor(deps: ComparisonDeps, slot: ComparisonSlot) {
    const { host, store, keys, apiKey, profiles, conversation, beforeCall, afterCall } = deps;
    this.#deps = deps;
    this.#slot = slot;
    // Calls that end a turn are possible too, because models that ended earlier turns with such a call do so again.
    const usable = deps.registry.tools.filter(
      ({ access, origin, turnEnd }) => (access === "read" && origin !== "server") || turnEnd !== undefined,
    );
    const registry = new ToolRegistry(usable);
    const { id, mode, messages } = conversation;
    this.#transcript = new Transcript(
      { host, store, keys, registry, publish: (event) => this.#handle(event) },
      { id, mode, scratch: messages },
    );
    this.#transcript.chooseModel("act", slot.name);
    this.#transcript.chooseModel("plan", slot.name);
    const settings = () => withRemainingCost(deps.settings(), conversation.totals.cost ?? 0);
    this.#approvals = new Approvals({ host, settings });
    // Passed one by one, because a session has parts of the same names for other purposes, such as its checkpoints.
    this.#task = new Task({
      host,
      apiKey,
      profiles,
      settings,
      registry,
      conversation: this.#transcript,
      approvals: this.#approvals,
      foregroundCalls: new ForegroundCalls(),
      serverForms: new ServerForms({ host, conversation: this.#transcript }),
      judge: new Judge(host, settings),
      limits: new Limits(),
      queue: { take: () => [], putBack: () => {} },
      ...(beforeCall ? { beforeCall } : {}),
      ...(afterCall ? { afterCall } : {}),
      random: Math.random,
    });
  }

  async answer(signal: AbortSignal): Promise<ComparedAnswer> {
    const { clock } = this.#deps.host;
    const { id, index, name } = this.#slot;
    const before = this.#deps.conversation.messages.length;
    const started = clock.now().getTime();
    const end = await this.#task.run({ type: "continue" }, signal);
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
    return { ...shown, messages: JSON.stringify(this.#transcript.messages.slice(before)) };
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
      case "approval":
        this.#approvals.decide(event.callId, { approved: false, comment: NO_QUESTIONS });
        return;
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

/** The settings with what remains of the task's cost limit, because each answer counts its own cost from zero. */
function withRemainingCost(settings: ReturnType<ModelAccess["settings"]>, spent: number): typeof settings {
  const { maxCost } = settings.approval;
  if (maxCost === 0) return settings;
  return {
    ...settings,
    approval: { ...settings.approval, maxCost: Math.max(Number.MIN_VALUE, maxCost - spent) },
  };
}
