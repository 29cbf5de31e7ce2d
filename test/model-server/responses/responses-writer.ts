/** Writes answers of the Responses API: events of a stream, or one response. */
import { randomUUID } from "node:crypto";
import type { CallDelta, Delta } from "../answer.ts";
import type { AnswerFault } from "../faults.ts";
import type { AnswerWriter, PlayedAnswer } from "../played-api.ts";
import type { IssuedReasoning } from "./issued-reasoning.ts";
import type { ResponsesRequest } from "./validate-request.ts";

/** An item of the answer while its deltas come. */
interface OpenItem {
  kind: Delta["type"];
  /** Number of its call. */
  call: number | undefined;
  text: string;
  /** Its fields besides its text. */
  head: Record<string, unknown>;
}

type Events = [type: string, fields: Record<string, unknown>][];

export class ResponsesWriter implements AnswerWriter {
  readonly #request: ResponsesRequest;
  readonly #answer: PlayedAnswer;
  readonly #issued: IssuedReasoning;
  readonly #output: Record<string, unknown>[] = [];
  #open: OpenItem | undefined;
  #sequence = 0;

  constructor(request: ResponsesRequest, answer: PlayedAnswer, issued: IssuedReasoning) {
    this.#request = request;
    this.#answer = answer;
    this.#issued = issued;
  }

  start(): string {
    const response = this.#response("in_progress");
    return this.#write([
      ["response.created", { response }],
      ["response.in_progress", { response }],
    ]);
  }

  delta(delta: Delta): string {
    return this.#write(this.#events(delta));
  }

  end(fault: AnswerFault | undefined): string {
    const closing = this.#close(this.#cutOff ? "incomplete" : "completed");
    // This API has no word that ends a stream other than its last event.
    if (fault?.kind === "noDone" && !fault.finish) return this.#write(closing);
    const status = this.#cutOff ? "incomplete" : "completed";
    return this.#write([...closing, [`response.${status}`, { response: this.#response(status) }]]);
  }

  nothing(): string {
    return "";
  }

  error(error: Record<string, unknown>): string {
    return this.#write([["error", { param: null, ...error }]]);
  }

  whole(fault: AnswerFault | undefined): unknown {
    if (fault?.kind === "streamError") return { ...this.#response("failed"), error: fault.error, output: [] };
    for (const frame of this.#answer.frames) if (frame.kind === "delta") this.#events(frame.delta);
    const status = this.#cutOff ? "incomplete" : "completed";
    this.#close(status);
    return this.#response(status);
  }

  get #cutOff(): boolean {
    const reason = this.#answer.finishReason;
    return reason === "length" || reason === "content_filter";
  }

  /** A delta as events: it may end an item and begin another one. */
  #events(delta: Delta): Events {
    const call = delta.type === "call" ? delta.call.index : undefined;
    const events: Events = [];
    if (!this.#open || this.#open.kind !== delta.type || this.#open.call !== call) {
      events.push(...this.#close("completed"), ...this.#begin(delta, call));
    }
    if (this.#open) this.#open.text += delta.text;
    const output_index = this.#output.length;
    const item_id = this.#open?.head.id;
    if (delta.type === "text")
      events.push([
        "response.output_text.delta",
        { output_index, item_id, content_index: 0, delta: delta.text },
      ]);
    else if (delta.type === "call") {
      if (delta.text !== "")
        events.push(["response.function_call_arguments.delta", { output_index, item_id, delta: delta.text }]);
    } else if (this.#summarizes) {
      const place = { output_index, item_id, summary_index: 0 };
      events.push(["response.reasoning_summary_text.delta", { ...place, delta: delta.text }]);
    }
    return events;
  }

  #begin(delta: Delta, call: number | undefined): Events {
    const { head, events } = this.#opening(delta);
    this.#open = { kind: delta.type, call, text: "", head };
    const place = { output_index: this.#output.length, item: { ...head, status: "in_progress" } };
    return [["response.output_item.added", place], ...events];
  }

  #opening(delta: Delta): { head: Record<string, unknown>; events: Events } {
    const output_index = this.#output.length;
    if (delta.type === "text") {
      const head = { id: `msg_${newId()}`, type: "message", role: "assistant", content: [] };
      const part = { type: "output_text", text: "", annotations: [] };
      return { head, events: [["response.content_part.added", { output_index, content_index: 0, part }]] };
    }
    if (delta.type === "reasoning") {
      const { id, encrypted } = this.#issued.issue(this.#request.model);
      const isEncrypted = this.#request.include?.includes("reasoning.encrypted_content") === true;
      const head = {
        id,
        type: "reasoning",
        summary: [],
        ...(isEncrypted ? { encrypted_content: encrypted } : {}),
      };
      const part = { type: "summary_text", text: "" };
      const added: Events = [
        ["response.reasoning_summary_part.added", { output_index, summary_index: 0, part }],
      ];
      return { head, events: this.#summarizes ? added : [] };
    }
    return { head: callHead(delta), events: [] };
  }

  /** Ends the open item, if any. */
  #close(status: "completed" | "incomplete"): Events {
    const item = this.#open;
    if (!item) return [];
    this.#open = undefined;
    const { head, kind, text } = item;
    const output_index = this.#output.length;
    const place = { output_index, item_id: head.id };
    const events: Events = [];
    let done: Record<string, unknown>;
    if (kind === "call") {
      done = { ...head, arguments: text, status };
      events.push(["response.function_call_arguments.done", { ...place, arguments: text }]);
    } else if (kind === "text") {
      done = { ...head, content: [{ type: "output_text", text, annotations: [], logprobs: [] }], status };
      events.push(["response.output_text.done", { ...place, content_index: 0, text }]);
    } else {
      done = { ...head, summary: this.#summarizes ? [{ type: "summary_text", text }] : [] };
      if (this.#summarizes)
        events.push(["response.reasoning_summary_text.done", { ...place, summary_index: 0, text }]);
    }
    this.#output.push(done);
    events.push(["response.output_item.done", { output_index, item: done }]);
    return events;
  }

  /** Whether the client sees a summary of the reasoning. */
  get #summarizes(): boolean {
    return typeof this.#request.reasoning?.summary === "string";
  }

  #response(status: string): Record<string, unknown> {
    const { finishReason, number, usage } = this.#answer;
    const reason = finishReason === "length" ? "max_output_tokens" : finishReason;
    return {
      id: `resp_scripted${number}`,
      object: "response",
      created_at: Math.floor(Date.now() / 1000),
      status,
      error: null,
      incomplete_details: status === "incomplete" ? { reason } : null,
      model: this.#request.model,
      output: status === "in_progress" ? [] : this.#output,
      usage:
        usage === undefined || status === "in_progress"
          ? null
          : {
              input_tokens: usage.input,
              input_tokens_details: { cached_tokens: usage.cached },
              output_tokens: usage.output,
              output_tokens_details: { reasoning_tokens: usage.reasoning },
              total_tokens: usage.input + usage.output,
              ...(usage.cost === undefined ? {} : { cost: usage.cost }),
            },
    };
  }

  #write(events: Events): string {
    return events
      .map(([type, fields]) => {
        const data = { sequence_number: this.#sequence++, ...fields, type };
        return `event: ${type}\ndata: ${JSON.stringify(data)}\n\n`;
      })
      .join("");
  }
}

function callHead({ call: { id, tool } }: CallDelta): Record<string, unknown> {
  return { id: `fc_${newId()}`, type: "function_call", call_id: id, name: tool.name, arguments: "" };
}

function newId(): string {
  return randomUUID().replaceAll("-", "");
}
