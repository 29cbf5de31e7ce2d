/** Writes chat completions as llama.cpp's server does: the first delta has no content, and the last event says what was evaluated. */
import { type Delta, foldFrames } from "../answer.ts";
import type { ChatRequest } from "../chat/wire.ts";
import type { AnswerFault } from "../faults.ts";
import type { AnswerWriter, PlayedAnswer } from "../played-api.ts";
import { sse, timingsOf } from "./timings.ts";

export class LlamaCppChatWriter implements AnswerWriter {
  readonly startsLate = true;
  readonly #request: ChatRequest;
  readonly #answer: PlayedAnswer;

  constructor(request: ChatRequest, answer: PlayedAnswer) {
    this.#request = request;
    this.#answer = answer;
  }

  start(): string {
    return this.#delta({ role: "assistant", content: null });
  }

  delta(delta: Delta): string {
    if (delta.type === "text") return this.#delta({ content: delta.text });
    if (delta.type === "reasoning") return delta.hidden ? "" : this.#delta({ reasoning_content: delta.text });
    const { call, opens, text } = delta;
    const { index, id, tool } = call;
    const head = opens ? { id, type: "function" } : {};
    const name = opens ? { name: tool.name } : {};
    return this.#delta({ tool_calls: [{ index, ...head, function: { ...name, arguments: text } }] });
  }

  end(fault: AnswerFault | undefined): string {
    if (fault?.kind === "noDone" && !fault.finish) return "";
    const { usage } = this.#answer;
    const finish = { choices: [{ finish_reason: this.#finishReason, index: 0, delta: {} }] };
    const events: object[] = [finish];
    if (this.#request.stream_options?.include_usage && usage)
      events.push({ choices: [], usage: this.#usage() });
    const lines = events.map((event, index) =>
      sse({ ...this.#envelope(), ...event, ...(index === events.length - 1 ? timingsOf(usage) : {}) }),
    );
    return [...lines, fault?.kind === "noDone" ? "" : "data: [DONE]\n\n"].join("");
  }

  nothing(): string {
    return "data: [DONE]\n\n";
  }

  error(error: Record<string, unknown>): string {
    return sse({ error });
  }

  whole(fault: AnswerFault | undefined): unknown {
    if (fault?.kind === "streamError") return { error: fault.error };
    const { content, reasoning, calls } = foldFrames(this.#answer.frames);
    const message = {
      role: "assistant",
      content: content === "" ? null : content,
      ...(reasoning === "" ? {} : { reasoning_content: reasoning }),
      ...(calls.length === 0
        ? {}
        : {
            tool_calls: calls.map(({ id, name, text }) => ({
              ...{ type: "function", id, function: { name, arguments: text } },
            })),
          }),
    };
    return {
      ...this.#envelope(),
      object: "chat.completion",
      choices: [{ finish_reason: this.#finishReason, index: 0, message }],
      usage: this.#usage(),
      ...timingsOf(this.#answer.usage),
    };
  }

  get #finishReason(): string {
    const { finishReason, frames } = this.#answer;
    return finishReason ?? (foldFrames(frames).calls.length > 0 ? "tool_calls" : "stop");
  }

  #usage(): unknown {
    const { input = 0, output = 0, cached = 0 } = this.#answer.usage ?? {};
    return {
      ...{ completion_tokens: output, prompt_tokens: input, total_tokens: input + output },
      prompt_tokens_details: { cached_tokens: cached },
    };
  }

  #delta(delta: object): string {
    return sse({ ...this.#envelope(), choices: [{ finish_reason: null, index: 0, delta }] });
  }

  #envelope(): Record<string, unknown> {
    return {
      created: 1_700_000_000,
      id: `chatcmpl-scripted${this.#answer.number}`,
      model: this.#request.model,
      system_fingerprint: "b9000-80fb11a",
      object: "chat.completion.chunk",
    };
  }
}
