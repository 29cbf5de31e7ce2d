/**
 * Writes answers of the Responses API as llama.cpp's server does: events name their item and have no `output_index`, all items end together,
 * after the last delta, reasoning is readable and not encrypted, and an answer that the output limit ended counts as completed.
 */
import { type Delta, foldFrames } from "../answer.ts";
import type { AnswerFault } from "../faults.ts";
import type { AnswerWriter, PlayedAnswer } from "../played-api.ts";
import type { ResponsesRequest } from "../responses/validate-request.ts";
import { sse, timingsOf } from "./timings.ts";

type Events = [type: string, fields: Record<string, unknown>][];

export class LlamaCppResponsesWriter implements AnswerWriter {
  readonly startsLate = true;
  readonly #request: ResponsesRequest;
  readonly #answer: PlayedAnswer;
  readonly #begun = new Set<string>();

  constructor(request: ResponsesRequest, answer: PlayedAnswer) {
    this.#request = request;
    this.#answer = answer;
  }

  start(): string {
    const response = { id: this.#id("resp"), object: "response", status: "in_progress" };
    return written([
      ["response.created", { response }],
      ["response.in_progress", { response }],
    ]);
  }

  delta(delta: Delta): string {
    if (delta.type === "call") return written(this.#callEvents(delta));
    if (delta.type === "reasoning" && delta.hidden) return "";
    const isText = delta.type === "text";
    const item_id = this.#id(isText ? "msg" : "rs");
    const events: Events = [];
    if (!this.#begun.has(item_id)) events.push(...(isText ? this.#textBegins() : this.#reasoningBegins()));
    this.#begun.add(item_id);
    const type = isText ? "response.output_text.delta" : "response.reasoning_text.delta";
    return written([...events, [type, { item_id, delta: delta.text }]]);
  }

  end(fault: AnswerFault | undefined): string {
    const events: Events = [];
    const output = this.#output();
    for (const item of output) {
      if (item.type === "message") {
        const place = { item_id: item.id };
        const [part] = item.content;
        events.push(["response.output_text.done", { ...place, text: part?.text }]);
        events.push(["response.content_part.done", { ...place, part }]);
      }
      events.push(["response.output_item.done", { item }]);
    }
    if (fault?.kind === "noDone" && !fault.finish) return written(events);
    const response = this.#response(output);
    return written([...events, ["response.completed", { response, ...timingsOf(this.#answer.usage) }]]);
  }

  nothing(): string {
    return "";
  }

  /** Without the name of an event. */
  error(error: Record<string, unknown>): string {
    return sse({ error });
  }

  whole(fault: AnswerFault | undefined): unknown {
    return fault?.kind === "streamError" ? { error: fault.error } : this.#response(this.#output());
  }

  #id(kind: string): string {
    return `${kind}_scripted${this.#answer.number}`;
  }

  #reasoningBegins(): Events {
    const item = { id: this.#id("rs"), summary: [], type: "reasoning", content: [], encrypted_content: "" };
    return [["response.output_item.added", { item: { ...item, status: "in_progress" } }]];
  }

  #textBegins(): Events {
    const id = this.#id("msg");
    const item = { content: [], id, role: "assistant", status: "in_progress", type: "message" };
    return [
      ["response.output_item.added", { item }],
      ["response.content_part.added", { item_id: id, part: { type: "output_text", text: "" } }],
    ];
  }

  #callEvents({ call: { id, tool }, opens, text }: Extract<Delta, { type: "call" }>): Events {
    const events: Events = [];
    if (opens) {
      const item = { ...callItem({ id, name: tool.name, text: "" }), status: "in_progress" };
      events.push(["response.output_item.added", { item }]);
    }
    const item_id = `fc_${id}`;
    if (text !== "") events.push(["response.function_call_arguments.delta", { item_id, delta: text }]);
    return events;
  }

  /** Reasoning, the text and the calls, in this order whatever the order of their deltas. */
  #output() {
    const { reasoning, content, calls } = foldFrames(this.#answer.frames);
    const thought = { type: "reasoning_text", text: reasoning };
    const said = { type: "output_text", annotations: [], logprobs: [], text: content };
    return [
      ...(reasoning === ""
        ? []
        : [
            {
              ...{ type: "reasoning" as const, id: this.#id("rs"), summary: [] },
              ...{ content: [thought], encrypted_content: "" },
            },
          ]),
      ...(content === ""
        ? []
        : [
            {
              ...{ type: "message" as const, status: "completed", id: this.#id("msg") },
              ...{ content: [said], role: "assistant" },
            },
          ]),
      ...calls.map(callItem),
    ];
  }

  #response(output: unknown[]): unknown {
    const { usage } = this.#answer;
    return {
      ...{ id: this.#id("resp"), object: "response", created_at: 1_700_000_000, status: "completed" },
      ...{ model: this.#request.model, output },
      ...(usage
        ? {
            usage: {
              input_tokens: usage.input,
              output_tokens: usage.output,
              total_tokens: usage.input + usage.output,
              input_tokens_details: { cached_tokens: usage.cached },
            },
          }
        : {}),
    };
  }
}

function callItem({ id, name, text }: { id: string; name: string; text: string }) {
  const item = { id: `fc_${id}`, type: "function_call" as const, status: "completed" };
  return { ...item, arguments: text, call_id: `call_${id}`, name };
}

function written(events: Events): string {
  return events
    .map(([type, fields]) => `event: ${type}\ndata: ${JSON.stringify({ type, ...fields })}\n\n`)
    .join("");
}
