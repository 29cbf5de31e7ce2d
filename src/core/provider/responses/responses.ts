/** Streams from endpoints with OpenAI's Responses API. Nothing is stored there: each request contains the conversation. */
import { ProviderError } from "../../errors.ts";
import { answerEvents, valueIn } from "../answer-body.ts";
import type { Endpoint, Quirk } from "../api.ts";
import { refusal, secretsOf } from "../endpoint-errors.ts";
import { badResponse } from "../failures.ts";
import { fromOpenAiError, openAiClient } from "../openai/openai-client.ts";
import type { ModelRequest, StreamPart } from "../provider.ts";
import { partsOfEvents, type RequestAttempt, requireTarget, streamedAnswer } from "../streamed-answer.ts";
import { wellFormed } from "../wire-history.ts";
import { inputItems } from "./input-items.ts";
import { ResponseReader, readResponseEvent, responseFailure } from "./response-events.ts";
import { NO_EFFORT, NO_ENCRYPTED, NO_REASONING, NO_REASONING_BACK, NO_SUMMARY } from "./responses-quirks.ts";

export async function* streamResponses(
  endpoint: Endpoint,
  request: ModelRequest,
  quirks: ReadonlySet<Quirk>,
  signal: AbortSignal,
): AsyncGenerator<StreamPart> {
  requireTarget(endpoint);
  const client = openAiClient(endpoint);
  const secrets = secretsOf(endpoint);
  async function* send(attempt: RequestAttempt): AsyncGenerator<StreamPart[]> {
    // Not `client.responses.create`: its types require ids that only endpoints which store answers know.
    const response = await client
      .post("/responses", {
        body: responsesBody(endpoint, request, quirks),
        signal: attempt.signal,
        stream: true,
      })
      .asResponse();
    attempt.accepted = true;
    const reader = new ResponseReader();
    yield* partsOfEvents(answerEvents(response, secrets, endpoint.clock), (event, parts) => {
      if (event.type === "alive" || event.type === "done") return false;
      const read = readResponseEvent(valueIn(event, secrets));
      if (!read) throw badResponse(event.text, secrets);
      const failure = responseFailure(read);
      if (failure) throw refusal(failure, endpoint);
      for (const part of reader.read(read)) parts.push(part);
      return reader.ended;
    });
    // A proxy's limit looks like a normal end.
    if (attempt.heard && !reader.ended) throw new ProviderError({ code: "connection-lost" });
  }
  yield* streamedAnswer(endpoint, signal, send, (error, attempt) =>
    asResponsesError(fromOpenAiError(error, endpoint, attempt)),
  );
}

/**
 * Most endpoints do not have this API, and say about it what they say about a wrong address. An item of reasoning that
 * is not found has the same status.
 */
function asResponsesError(error: ProviderError): ProviderError {
  const { code, detail = "" } = error.view;
  if (code !== "wrong-address" && code !== "unknown-model") return error;
  if (NO_REASONING_BACK.words.test(detail))
    return new ProviderError({ ...error.view, code: "bad-request" }, { cause: error });
  if (code === "unknown-model") return error;
  return new ProviderError({ ...error.view, code: "no-such-api" }, { cause: error });
}

/** The API refuses a lower limit. */
const LEAST_OUTPUT_TOKENS = 16;

/** The body of a Responses request. Nothing is stored at the endpoint: each request contains the conversation. */
export function responsesBody(
  { connection, provider, model }: Endpoint,
  request: ModelRequest,
  quirks: ReadonlySet<Quirk>,
): Record<string, unknown> {
  const { temperature, maxOutputTokens, reasoningEffort } = provider;
  const reasoning = {
    ...(reasoningEffort === "default" || quirks.has(NO_EFFORT) ? {} : { effort: reasoningEffort }),
    ...(quirks.has(NO_SUMMARY) ? {} : { summary: "auto" }),
  };
  const reasons = !quirks.has(NO_REASONING) && Object.keys(reasoning).length > 0;
  return {
    model: model.trim(),
    ...(request.system.trim() === "" ? {} : { instructions: wellFormed(request.system) }),
    input: inputItems(request, { connection, model }, quirks),
    stream: true,
    store: false,
    ...(quirks.has(NO_ENCRYPTED) ? {} : { include: ["reasoning.encrypted_content"] }),
    ...(reasons ? { reasoning } : {}),
    ...(temperature === null ? {} : { temperature }),
    ...(maxOutputTokens > 0 ? { max_output_tokens: Math.max(LEAST_OUTPUT_TOKENS, maxOutputTokens) } : {}),
    ...(request.protocol === "native" && request.tools.length > 0
      ? { tools: request.tools.map((tool) => ({ type: "function", ...tool, strict: false })) }
      : {}),
  };
}
