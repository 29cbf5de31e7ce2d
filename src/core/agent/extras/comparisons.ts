/** The comparisons of one session: asks several models, and continues with the answer that the user chooses. */
import type { Block } from "../../../shared/message.ts";
import { Interrupt } from "../../errors.ts";
import type { RunEnd } from "../../loop/loop.ts";
import { type ComparisonDeps, compareModels, messagesOf } from "./comparison.ts";

interface ComparisonsDeps extends ComparisonDeps {
  /** The agent works. */
  busy(): boolean;
  /** Resolves when the task may work. Rejects with Interrupt. */
  takeSlot(signal: AbortSignal): Promise<void>;
}

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
