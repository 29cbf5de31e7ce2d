import { WHITE_SPACE_LIMIT } from "../chars.ts";
import type { AssistantEvent } from "../events.ts";
import type { WholeCall } from "./whole-call.ts";

const NOT_SPACE = /[^ \t\r\n]/;

/**
 * Collects the events of one chunk. Merges adjacent deltas, drops text between two blocks that is only white space, and
 * separates consecutive reasoning blocks with a blank line.
 */
export class EventSink {
  #events: AssistantEvent[] = [];
  #calls = 0;
  #lastBlock: AssistantEvent["type"] | "" = "";
  /** Leading white space of a text whose first other character has not arrived yet. */
  #space = "";
  #inText = false;
  #inReasoning = false;

  /** Returns the events since the last call. */
  take(): AssistantEvent[] {
    const events = this.#events;
    this.#events = [];
    return events;
  }

  text(delta: string): void {
    if (delta === "") return;
    if (!this.#inText) {
      this.#space += delta;
      if (!NOT_SPACE.test(delta) && this.#space.length <= WHITE_SPACE_LIMIT) return;
      delta = this.#space;
      this.#space = "";
      this.#inText = true;
      this.#lastBlock = "text";
    }
    const last = this.#events.at(-1);
    if (last?.type === "text") last.delta += delta;
    else this.#events.push({ type: "text", delta });
  }

  /** Ends the open text, if any. */
  endText(): void {
    this.#space = "";
    this.#inText = false;
  }

  reasoning(delta: string): void {
    if (delta === "") return;
    const isSeparated = !this.#inReasoning && this.#lastBlock === "reasoning";
    this.#inReasoning = true;
    this.#lastBlock = "reasoning";
    this.#events.push({ type: "reasoning", delta: isSeparated ? `\n\n${delta}` : delta });
  }

  endReasoning(): void {
    this.#inReasoning = false;
  }

  toolStart(name: string): void {
    this.#lastBlock = "tool-start";
    this.#events.push({ type: "tool-start", index: this.#calls, name });
  }

  param(name: string, delta: string): void {
    const last = this.#events.at(-1);
    if (last?.type === "param" && last.name === name && last.index === this.#calls) last.delta += delta;
    else this.#events.push({ type: "param", index: this.#calls, name, delta });
  }

  toolEnd(partial: boolean, fault?: string): void {
    const faultField = fault === undefined ? {} : { fault };
    this.#events.push({ type: "tool-end", index: this.#calls, partial, ...faultField });
    this.#calls++;
  }

  /** Emits a complete call. */
  whole({ name, params }: WholeCall): void {
    this.endText();
    this.toolStart(name);
    for (const [param, value] of params) this.param(param, value);
    this.toolEnd(false);
  }
}
