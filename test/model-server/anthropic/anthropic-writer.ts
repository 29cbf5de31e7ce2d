/** Writes answers as messages of the Messages API: events of a stream, or one object. */
import { randomUUID } from "node:crypto";
import type { Delta } from "../answer.ts";
import type { AnswerFault } from "../faults.ts";
import type { AnswerWriter, PlayedAnswer } from "../played-api.ts";
import type { IssuedThinking } from "./issued-thinking.ts";
import { type AnthropicRequest, thinks } from "./wire.ts";

/** A block of an answer, as far as it is written. */
type Block =
  | { type: "text"; text: string }
  | { type: "thinking"; thinking: string; signature: string }
  | { type: "redacted_thinking"; data: string }
  | { type: "tool_use"; id: string; name: string; json: string };

const STOP_REASONS = {
  stop: "end_turn",
  length: "max_tokens",
  tool_calls: "tool_use",
  content_filter: "refusal",
} as const;

export class AnthropicWriter implements AnswerWriter {
  readonly #request: AnthropicRequest;
  readonly #answer: PlayedAnswer;
  readonly #issued: IssuedThinking;
  readonly #blocks: Block[] = [];
  /** Number of the call whose block is open, and the ids under which calls are sent. */
  #call: number | undefined;
  readonly #ids = new Map<number, string>();
  /** Ids of this server's making; those of scripts may repeat. */
  readonly #unique = new Set<string>();
  #open = false;

  constructor(request: AnthropicRequest, answer: PlayedAnswer, issued: IssuedThinking) {
    this.#request = request;
    this.#answer = answer;
    this.#issued = issued;
  }

  start(): string {
    const message = { ...this.#envelope(), content: [], stop_reason: null, stop_sequence: null };
    const usage = this.#answer.usage === undefined ? {} : { usage: { ...this.#input(), output_tokens: 1 } };
    return sse("message_start", { message: { ...message, ...usage } }) + sse("ping", {});
  }

  delta(delta: Delta): string {
    // A model that is not asked to think does not.
    if (delta.type === "reasoning" && !thinks(this.#request)) return "";
    const events: string[] = [];
    if (!this.#continues(delta)) events.push(this.#close(), this.#begin(delta));
    events.push(this.#append(delta));
    return events.join("");
  }

  end(fault: AnswerFault | undefined): string {
    const closed = this.#close();
    if (fault?.kind === "noDone" && !fault.finish) return closed;
    const usage =
      this.#answer.usage === undefined ? {} : { usage: { output_tokens: this.#answer.usage.output } };
    const delta = { stop_reason: this.#stopReason, stop_sequence: null };
    const stop = fault?.kind === "noDone" ? "" : sse("message_stop", {});
    return closed + sse("message_delta", { delta, ...usage }) + stop;
  }

  nothing(): string {
    return sse("message_start", { message: this.#envelope() }) + sse("message_stop", {});
  }

  error(error: Record<string, unknown>): string {
    return sse("error", { error: { ...error, type: error.type ?? "api_error" } });
  }

  whole(fault: AnswerFault | undefined): unknown {
    if (fault?.kind === "streamError") return { type: "error", error: fault.error };
    for (const frame of this.#answer.frames) if (frame.kind === "delta") this.delta(frame.delta);
    this.#close();
    const content = this.#blocks.map((block) => {
      if (block.type !== "tool_use") return block;
      const { json, ...call } = block;
      const input: unknown = JSON.parse(json === "" ? "{}" : json);
      return { ...call, input };
    });
    const { usage } = this.#answer;
    return {
      ...this.#envelope(),
      content,
      stop_reason: this.#stopReason,
      stop_sequence: null,
      ...(usage === undefined ? {} : { usage: { ...this.#input(), output_tokens: usage.output } }),
    };
  }

  #envelope(): Record<string, unknown> {
    const id = `msg_scripted_${this.#answer.number}`;
    return { id, type: "message", role: "assistant", model: this.#request.model };
  }

  /** The API counts what was read from its cache, or written to it, apart. */
  #input(): Record<string, number> {
    const { input = 0, cached = 0, written = 0 } = this.#answer.usage ?? {};
    return {
      input_tokens: Math.max(0, input - cached - written),
      cache_creation_input_tokens: written,
      cache_read_input_tokens: cached,
    };
  }

  get #stopReason(): string {
    const { finishReason } = this.#answer;
    const calls = this.#blocks.some(({ type }) => type === "tool_use");
    return STOP_REASONS[finishReason ?? (calls ? "tool_calls" : "stop")];
  }

  #continues(delta: Delta): boolean {
    const last = this.#blocks.at(-1);
    if (!this.#open || last === undefined) return false;
    if (delta.type === "call") return last.type === "tool_use" && this.#call === delta.call.index;
    if (delta.type === "text") return last.type === "text";
    return last.type === "thinking" && delta.hidden !== true;
  }

  #begin(delta: Delta): string {
    const block = this.#blockOf(delta);
    this.#blocks.push(block);
    this.#open = true;
    const { json: _, ...shown } = { json: "", ...block };
    const input = block.type === "tool_use" ? { input: {} } : {};
    return sse("content_block_start", {
      index: this.#blocks.length - 1,
      content_block: { ...shown, ...input },
    });
  }

  #blockOf(delta: Delta): Block {
    if (delta.type === "text") return { type: "text", text: "" };
    if (delta.type === "call") {
      const { index, tool } = delta.call;
      const id = tool.id ?? this.#ids.get(index) ?? `toolu_${randomUUID().replaceAll("-", "").slice(0, 24)}`;
      if (tool.id === undefined) this.#unique.add(id);
      this.#call = index;
      this.#ids.set(index, id);
      return { type: "tool_use", id, name: tool.name, json: "" };
    }
    if (delta.hidden === true) {
      return { type: "redacted_thinking", data: this.#issued.redacted(this.#request.model, delta.text) };
    }
    return { type: "thinking", thinking: "", signature: "" };
  }

  #append(delta: Delta): string {
    const block = this.#blocks.at(-1);
    const index = this.#blocks.length - 1;
    const event = (fields: Record<string, unknown>): string =>
      sse("content_block_delta", { index, delta: fields });
    if (block?.type === "text") {
      block.text += delta.text;
      return event({ type: "text_delta", text: delta.text });
    }
    if (block?.type === "thinking") {
      if (this.#request.thinking?.display === "omitted") return "";
      block.thinking += delta.text;
      return event({ type: "thinking_delta", thinking: delta.text });
    }
    if (block?.type !== "tool_use" || delta.text === "") return "";
    block.json += delta.text;
    return event({ type: "input_json_delta", partial_json: delta.text });
  }

  /** Ends the open block, with its signature if it is thinking. */
  #close(): string {
    const block = this.#blocks.at(-1);
    const index = this.#blocks.length - 1;
    if (!this.#open || block === undefined) return "";
    this.#open = false;
    const stop = sse("content_block_stop", { index });
    if (block.type === "tool_use" && this.#unique.has(block.id))
      this.#issued.remember(block.id, this.#thinking());
    if (block.type !== "thinking") return stop;
    block.signature = this.#issued.signature(this.#request.model, block.thinking);
    const delta = { type: "signature_delta", signature: block.signature };
    return sse("content_block_delta", { index, delta }) + stop;
  }

  #thinking(): Block[] {
    return this.#blocks.filter(({ type }) => type === "thinking" || type === "redacted_thinking");
  }
}

function sse(type: string, data: Record<string, unknown>): string {
  return `event: ${type}\ndata: ${JSON.stringify({ type, ...data })}\n\n`;
}
