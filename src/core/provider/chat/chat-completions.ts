/** Streams from any OpenAI-compatible endpoint through the `openai` client. */
import type OpenAI from "openai";
import { ProviderError } from "../../errors.ts";
import { type AnswerEvent, answerEvents, valueIn } from "../answer-body.ts";
import type { Endpoint, Quirk } from "../api.ts";
import { refusal, secretsOf } from "../endpoint-errors.ts";
import { fromOpenAiError, openAiClient } from "../openai/openai-client.ts";
import type { ModelRequest, StreamPart } from "../provider.ts";
import { partsOfEvents, type RequestAttempt, requireTarget, streamedAnswer } from "../streamed-answer.ts";
import { CallPieces } from "./call-pieces.ts";
import { partsOf, readChunk } from "./chunks.ts";
import { COMPLETION_TOKENS, NO_REASONING_EFFORT, NO_STREAM_OPTIONS } from "./quirks.ts";
import { toWire } from "./wire.ts";

export async function* streamChat(
  endpoint: Endpoint,
  request: ModelRequest,
  quirks: ReadonlySet<Quirk>,
  signal: AbortSignal,
): AsyncGenerator<StreamPart> {
  requireTarget(endpoint);
  const client = openAiClient(endpoint);
  async function* send(attempt: RequestAttempt): AsyncGenerator<StreamPart[]> {
    const response = await client.chat.completions
      .create(body(endpoint, request, quirks), { signal: attempt.signal })
      .asResponse();
    attempt.accepted = true;
    const reader = new ChunkReader(endpoint);
    const events = answerEvents(response, secretsOf(endpoint), endpoint.clock);
    yield* partsOfEvents(events, (event, parts) => reader.read(event, parts));
    yield reader.end();
  }
  yield* streamedAnswer(endpoint, signal, send, (error, attempt) =>
    fromOpenAiError(error, endpoint, attempt),
  );
}

function body(
  { connection, provider, model, facts }: Endpoint,
  request: ModelRequest,
  quirks: ReadonlySet<Quirk>,
): OpenAI.ChatCompletionCreateParamsStreaming {
  const maxTokens = quirks.has(COMPLETION_TOKENS) ? "max_completion_tokens" : "max_tokens";
  return {
    model: model.trim(),
    messages: toWire(
      request,
      { connection, model, reasoningBack: facts?.reasoningBack?.value === true },
      quirks,
    ),
    stream: true,
    ...(quirks.has(NO_STREAM_OPTIONS) ? {} : { stream_options: { include_usage: true } }),
    ...(provider.temperature === null ? {} : { temperature: provider.temperature }),
    ...(provider.reasoningEffort === "default" || quirks.has(NO_REASONING_EFFORT)
      ? {}
      : { reasoning_effort: provider.reasoningEffort }),
    ...(provider.maxOutputTokens > 0 ? { [maxTokens]: provider.maxOutputTokens } : {}),
    ...(request.format
      ? {
          response_format: { type: "json_schema" as const, json_schema: { ...request.format, strict: true } },
        }
      : {}),
    ...(request.protocol === "native" && request.tools.length > 0
      ? { tools: request.tools.map((tool) => ({ type: "function" as const, function: { ...tool } })) }
      : {}),
  };
}

/** Reads the events of one answer: its chunks, or one chunk if the endpoint answers without streaming. */
class ChunkReader {
  readonly #endpoint: Endpoint;
  readonly #secrets: readonly string[];
  readonly #pieces = new CallPieces();
  /** It belongs to the whole message. Between two deltas, it would divide the text. */
  #signature: StreamPart | undefined;
  #any = false;
  /** The endpoint said why the answer ended, or counted its tokens. */
  #ended = false;
  #finished = false;
  #done = false;

  constructor(endpoint: Endpoint) {
    this.#endpoint = endpoint;
    this.#secrets = secretsOf(endpoint);
  }

  /** Adds the parts in an event to `parts`. Returns true at the end of the answer. */
  read(event: AnswerEvent, parts: StreamPart[]): boolean {
    if (event.type === "alive") return false;
    if (event.type === "done") {
      this.#done = true;
      return true;
    }
    const piece = this.#pieces.read(event.text);
    if (piece) {
      parts.push({ type: "tool-calls", deltas: [piece] });
      return false;
    }
    const chunk = readChunk(valueIn(event, this.#secrets), event.text, this.#secrets);
    this.#any = true;
    // Usage comes last, even if no finish reason is sent.
    this.#ended ||= event.type === "whole" || !!chunk.usage || !!chunk.choices?.[0]?.finish_reason;
    // After the end of the answer, an error only repeats why it ended.
    if (chunk.error && !this.#finished) throw refusal(chunk.error, this.#endpoint);
    const read = [...partsOf(chunk)];
    this.#pieces.remember(event.text, read);
    for (const part of read) {
      this.#finished ||= part.type === "finish";
      if (part.type === "signed-reasoning") this.#signature = part;
      else parts.push(part);
    }
    return false;
  }

  /**
   * Returns what belongs to the whole message. Throws if the stream ended before the answer did, because a proxy's limit looks
   * like a normal end.
   */
  end(): StreamPart[] {
    if (this.#any && !this.#ended && !this.#done) throw new ProviderError({ code: "connection-lost" });
    return this.#signature ? [this.#signature] : [];
  }
}
