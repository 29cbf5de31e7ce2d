/** Writes answers as chat completions: chunks of a stream, or one object. */
import { type CallDelta, type Delta, foldFrames, type PlayedCall } from "../answer.ts";
import type { AnswerFault } from "../faults.ts";
import type { AnswerWriter, PlayedAnswer } from "../played-api.ts";
import type { ChatRequest } from "./wire.ts";

interface ToolCallDelta {
  index?: number;
  id?: string;
  type?: "function";
  function: { name?: string; arguments?: string | Record<string, unknown> };
}

interface ChatDelta {
  role?: "assistant";
  content?: string;
  reasoning_content?: string;
  reasoning?: string;
  tool_calls?: ToolCallDelta[];
}

const DONE = "data: [DONE]\n\n";

export class ChatWriter implements AnswerWriter {
  readonly #model: string;
  /** Whether the client asked for the usage at the end of the stream. */
  readonly #includeUsage: boolean;
  readonly #answer: PlayedAnswer;

  constructor(request: ChatRequest, answer: PlayedAnswer) {
    this.#model = request.model;
    this.#includeUsage = request.stream_options?.include_usage === true;
    this.#answer = answer;
  }

  start(): string {
    return this.#deltaEvent({ role: "assistant", content: "" });
  }

  delta(delta: Delta): string {
    return this.#deltaEvent(chatDelta(delta));
  }

  end(fault: AnswerFault | undefined): string {
    if (fault?.kind === "noDone" && !fault.finish) return "";
    const finish = { index: 0, delta: {}, logprobs: null, finish_reason: this.#finishReason };
    const usage = this.#includeUsage ? this.#usage : undefined;
    return [
      this.#event([finish]),
      usage === undefined ? "" : sse({ ...this.#envelope(), choices: [], usage }),
      fault?.kind === "noDone" ? "" : DONE,
    ].join("");
  }

  nothing(): string {
    return DONE;
  }

  error(error: Record<string, unknown>): string {
    return sse({ error });
  }

  whole(fault: AnswerFault | undefined): unknown {
    if (fault?.kind === "streamError") return { error: fault.error };
    const { content, reasoning, reasoningField, calls } = foldFrames(this.#answer.frames);
    const message = {
      role: "assistant",
      content: content === "" ? null : content,
      refusal: null,
      ...(reasoning === "" ? {} : { [reasoningField]: reasoning }),
      ...(calls.length === 0 ? {} : { tool_calls: calls.map(wholeCall) }),
    };
    const choice = { index: 0, message, logprobs: null, finish_reason: this.#finishReason };
    const choices = fault?.kind === "empty" && !fault.choices ? [] : [choice];
    const usage = this.#usage;
    return {
      ...this.#envelope(),
      object: "chat.completion",
      choices,
      ...(usage === undefined ? {} : { usage }),
    };
  }

  get #finishReason(): string {
    const { finishReason, frames } = this.#answer;
    return finishReason ?? (foldFrames(frames).calls.length > 0 ? "tool_calls" : "stop");
  }

  get #usage(): unknown {
    const { usage } = this.#answer;
    if (usage === undefined) return undefined;
    return {
      prompt_tokens: usage.input,
      completion_tokens: usage.output,
      total_tokens: usage.input + usage.output,
      prompt_tokens_details: { cached_tokens: usage.cached },
      completion_tokens_details: { reasoning_tokens: usage.reasoning },
      ...(usage.cost === undefined ? {} : { cost: usage.cost }),
    };
  }

  #envelope(): Record<string, unknown> {
    const created = Math.floor(Date.now() / 1000);
    const id = `chatcmpl-scripted-${this.#answer.number}`;
    return { id, object: "chat.completion.chunk", created, model: this.#model };
  }

  #deltaEvent(delta: ChatDelta): string {
    return this.#event([{ index: 0, delta, logprobs: null, finish_reason: null }]);
  }

  #event(choices: unknown[]): string {
    const usage = this.#includeUsage ? { usage: null } : {};
    return sse({ ...this.#envelope(), choices, ...usage });
  }
}

function sse(data: unknown): string {
  return `data: ${JSON.stringify(data)}\n\n`;
}

function chatDelta(delta: Delta): ChatDelta {
  if (delta.type === "text") return { content: delta.text };
  if (delta.type === "reasoning") return { [delta.field]: delta.text };
  return { tool_calls: [callDelta(delta)] };
}

function callDelta({ call, opens, text }: CallDelta): ToolCallDelta {
  const { id, index, tool } = call;
  const place = tool.omitIndex ? {} : { index };
  if (!opens && !tool.repeatName) return { ...place, function: { arguments: text } };
  const args = tool.argumentsAsObject ? (tool.params ?? {}) : text;
  return { ...place, id, type: "function", function: { name: tool.name, arguments: args } };
}

function wholeCall({ id, name, text }: PlayedCall): unknown {
  return { id, type: "function", function: { name, arguments: text } };
}
