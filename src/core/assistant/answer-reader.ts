/**
 * Turns an answer into one stream of events, whichever protocol carried its calls: text, reasoning, calls in the text,
 * and native calls. `index` numbers all calls in the order in which they begin.
 */
import type { ToolCallDelta } from "../answer-deltas.ts";
import type { AssistantEvent, ToolSyntax } from "./events.ts";
import { createNativeCallParser, type NativeCallParser } from "./native.ts";
import { type AssistantParser, createAssistantParser } from "./xml/xml-protocol.ts";

export interface AnswerReaderOptions {
  tools: readonly ToolSyntax[];
  newId(): string;
  /** More calls are an error of the model or the endpoint; everything after them is ignored. */
  maxCalls: number;
}

export class AnswerReader {
  readonly #text: AssistantParser;
  readonly #native: NativeCallParser;
  readonly #maxCalls: number;
  /** Maps the call indexes of each parser to those of the emitted events. */
  readonly #xmlCalls = new Map<number, number>();
  readonly #nativeCalls = new Map<number, number>();

  constructor({ tools, newId, maxCalls }: AnswerReaderOptions) {
    this.#text = createAssistantParser(tools);
    this.#native = createNativeCallParser(tools, newId);
    this.#maxCalls = maxCalls;
  }

  /** Reads text of the message. Calls in it are found whichever protocol was requested. */
  text(delta: string): AssistantEvent[] {
    return this.#numbered(this.#text.push(delta), this.#xmlCalls);
  }

  reasoning(delta: string): AssistantEvent[] {
    return [{ type: "reasoning", delta }];
  }

  toolCalls(deltas: readonly ToolCallDelta[]): AssistantEvent[] {
    // JSON in the text before is an example, or the same call once more.
    const text = this.#numbered(this.#text.mentions(), this.#xmlCalls);
    const calls = this.#native.push(deltas, this.#maxCalls - this.#xmlCalls.size);
    return [...text, ...this.#numbered(calls, this.#nativeCalls)];
  }

  /** Ends the message. `cutOff`: it did not end by itself. */
  end(cutOff: boolean): AssistantEvent[] {
    const text = this.#numbered(this.#text.end(cutOff), this.#xmlCalls);
    return [...text, ...this.#numbered(this.#native.end({ cutOff }).events, this.#nativeCalls)];
  }

  get tooManyCalls(): boolean {
    return this.#xmlCalls.size + this.#native.count > this.#maxCalls;
  }

  /** All calls came as XML in the text, none natively. */
  get speaksXml(): boolean {
    return this.#xmlCalls.size > 0 && this.#nativeCalls.size === 0;
  }

  #numbered(events: readonly AssistantEvent[], calls: Map<number, number>): AssistantEvent[] {
    const numbered: AssistantEvent[] = [];
    for (const event of events) {
      if (!("index" in event)) {
        numbered.push(event);
        continue;
      }
      // One more than there may be has a number, because it is the one that makes them too many.
      const number = this.#xmlCalls.size + this.#nativeCalls.size;
      if (event.type === "tool-start" && number <= this.#maxCalls) calls.set(event.index, number);
      const index = calls.get(event.index);
      if (index !== undefined) numbered.push({ ...event, index });
    }
    return numbered;
  }
}
