/** Writes answers as chat completions: chunks of a stream, or one object. */
import { type CallDelta, type Delta, foldFrames, type PlayedCall } from "../answer.ts";
import type { AnswerFault } from "../faults.ts";
import type { AnswerWriter, PlayedAnswer } from "../played-api.ts";
import type { ThoughtSignatures } from "./thought-signatures.ts";
import type { ChatRequest } from "./wire.ts";

interface ToolCallDelta extends Extra {
  index?: number;
  id?: string;
  type?: "function";
  function: { name?: string; arguments?: string | Record<string, unknown> };
}

interface Extra {
  extra_content?: Record<string, unknown>;
}

interface ChatDelta extends Extra {
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
  readonly #signatures: ThoughtSignatures | undefined;
  #signed = false;

  /** `signatures`: what signs the answer; undefined: nothing does. */
  constructor(request: ChatRequest, answer: PlayedAnswer, signatures?: ThoughtSignatures) {
    this.#signatures = signatures;
    this.#model = request.model;
    this.#includeUsage = request.stream_options?.include_usage === true;
    this.#answer = answer;
  }

  start(): string {
    return this.#deltaEvent({ role: "assistant", content: "" });
  }

  delta(delta: Delta): string {
    if (delta.type === "reasoning" && delta.hidden === true) return "";
    const written = chatDelta(delta);
    const [call] = written.tool_calls ?? [];
    if (call && delta.type === "call" && delta.opens && delta.call.index === 0)
      Object.assign(call, this.#signedCall(delta.call.id));
    // Real answers have the signature of a text in its first delta, or in an empty one at its end.
    const early = delta.type === "text" && !this.#signed && this.#answer.number % 2 === 1;
    return this.#deltaEvent({ ...written, ...(early ? this.#signedText() : {}) });
  }

  end(fault: AnswerFault | undefined): string {
    if (fault?.kind === "noDone" && !fault.finish) return "";
    const finish = { index: 0, delta: {}, logprobs: null, finish_reason: this.#finishReason };
    const usage = this.#includeUsage ? this.#usage : undefined;
    const late = this.#signed ? {} : this.#signedText();
    return [
      "extra_content" in late ? this.#deltaEvent({ content: "", ...late }) : "",
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
      ...(calls.length === 0
        ? {}
        : {
            tool_calls: calls.map((call, index) => ({
              ...wholeCall(call),
              ...(index === 0 ? this.#signedCall(call.id) : {}),
            })),
          }),
      ...this.#signedText(),
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

  #signedCall(id: string): Extra {
    const signature = this.#signatures?.ofCall(this.#model, id);
    return signature === undefined ? {} : { extra_content: { google: { thought_signature: signature } } };
  }

  /** Signs the text of an answer without calls. */
  #signedText(): Extra {
    const { content, calls } = foldFrames(this.#answer.frames);
    if (!this.#signatures || content === "" || calls.length > 0) return {};
    this.#signed = true;
    const signature = this.#signatures.ofText(this.#model, content);
    return { extra_content: { google: { thought_signature: signature } } };
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

function wholeCall({ id, name, text }: PlayedCall): object {
  return { id, type: "function", function: { name, arguments: text } };
}
