/** Streams from any OpenAI-compatible endpoint through the `openai` client. */
import type OpenAI from "openai";
import { ProviderError } from "../../errors.ts";
import type { Clock } from "../../ports/system.ts";
import { answerEvents } from "../answer-body.ts";
import type { Endpoint, Quirk } from "../api.ts";
import { refusal, secretsOf } from "../endpoint-errors.ts";
import { badResponse } from "../failures.ts";
import { fromOpenAiError, openAiClient } from "../openai/openai-client.ts";
import type { ModelRequest, StreamPart } from "../provider.ts";
import { type RequestAttempt, requireTarget, streamedAnswer } from "../streamed-answer.ts";
import { type CompletionChunk, partsOf, readChunk } from "./chunks.ts";
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
  async function* send(attempt: RequestAttempt): AsyncGenerator<StreamPart | "alive"> {
    const response = await client.chat.completions
      .create(body(endpoint, request, quirks), { signal: attempt.signal })
      .asResponse();
    attempt.accepted = true;
    let signature: StreamPart | undefined;
    let finished = false;
    for await (const chunk of chunksOf(response, secretsOf(endpoint), endpoint.clock)) {
      yield "alive";
      if (chunk === "alive") continue;
      // After the end of the answer, an error only repeats why it ended.
      if (chunk.error && !finished) throw refusal(chunk.error, endpoint);
      for (const part of partsOf(chunk)) {
        finished ||= part.type === "finish";
        if (part.type === "signed-reasoning") signature = part;
        else yield part;
      }
    }
    // It belongs to the whole message. Between two deltas, it would divide the text.
    if (signature) yield signature;
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

/**
 * Yields the chunks of an answer; one chunk if the endpoint answers without streaming. Rejects if the stream ends before
 * the answer does, because a proxy's limit looks like a normal end.
 */
async function* chunksOf(
  response: Response,
  secrets: readonly string[],
  clock: Clock,
): AsyncGenerator<CompletionChunk | "alive"> {
  let ended = false;
  let any = false;
  for await (const event of answerEvents(response, secrets, clock)) {
    if (event.type === "alive") yield "alive";
    else if (event.type === "done") return;
    else if (event.type === "unreadable") throw badResponse(event.text, secrets);
    else {
      const chunk = readChunk(event.value, event.text, secrets);
      any = true;
      // Usage comes last, even if no finish reason is sent.
      if (event.type === "whole" || chunk.usage || chunk.choices?.[0]?.finish_reason) ended = true;
      yield chunk;
    }
  }
  if (any && !ended) throw new ProviderError({ code: "connection-lost" });
}
