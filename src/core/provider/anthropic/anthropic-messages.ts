/**
 * Streams from endpoints that speak the Messages API of Anthropic, with plain `fetch`: the bounds, the deadlines and the
 * rule against redirects hold for it as for the other APIs.
 */
import { ProviderError } from "../../errors.ts";
import { answerEvents, valueIn } from "../answer-body.ts";
import type { Endpoint, Quirk } from "../api.ts";
import { secretsOf, withoutKeys } from "../endpoint-errors.ts";
import type { ModelRequest, StreamPart } from "../provider.ts";
import { BOUNDS, guarded } from "../received.ts";
import { partsOfEvents, type RequestAttempt, requireTarget, streamedAnswer } from "../streamed-answer.ts";
import { type AnthropicBody, anthropicBody } from "./anthropic-body.ts";
import {
  anthropicHeaders,
  anthropicRefusal,
  anthropicUrl,
  errorEvent,
  fromAnthropicError,
} from "./anthropic-request.ts";
import { claudeTraits } from "./claude-traits.ts";
import { MessageReader, readMessageEvent } from "./message-events.ts";

export async function* streamMessages(
  endpoint: Endpoint,
  request: ModelRequest,
  quirks: ReadonlySet<Quirk>,
  signal: AbortSignal,
): AsyncGenerator<StreamPart> {
  requireTarget(endpoint);
  const url = anthropicUrl(endpoint.connection.baseUrl, "/messages");
  const body = anthropicBody(endpoint, request, quirks);
  const headers = anthropicHeaders(endpoint, { "content-type": "application/json", ...betas(body) });
  const post = withoutKeys(endpoint, guarded(endpoint.fetch ?? fetch, BOUNDS.stream));
  async function* send(attempt: RequestAttempt): AsyncGenerator<StreamPart[]> {
    const init = { method: "POST", headers, body: JSON.stringify(body), signal: attempt.signal };
    const response = await post(url, init);
    if (!response.ok) throw await anthropicRefusal(response, endpoint);
    attempt.accepted = true;
    yield* answerOf(response, endpoint);
  }
  yield* streamedAnswer(endpoint, signal, send, (error, attempt) =>
    asMissingApi(fromAnthropicError(error, endpoint, attempt)),
  );
}

/** Most endpoints do not have this API, so a path that does not exist is not simply a wrong address. */
function asMissingApi(error: ProviderError): ProviderError {
  if (error.view.code !== "wrong-address") return error;
  return new ProviderError({ ...error.view, code: "no-such-api" }, { cause: error });
}

/** Claude 4 to 4.5 think between calls only with this header; others ignore or do not know it. */
function betas({ model, thinking }: AnthropicBody): Record<string, string> {
  const interleaved = thinking?.type === "enabled" && claudeTraits(model)?.interleavesOnRequest;
  return interleaved ? { "anthropic-beta": "interleaved-thinking-2025-05-14" } : {};
}

/** Rejects if the stream ends before the answer does, because a proxy's limit looks like a normal end. */
async function* answerOf(response: Response, endpoint: Endpoint): AsyncGenerator<StreamPart[]> {
  const secrets = secretsOf(endpoint);
  const reader = new MessageReader();
  let any = false;
  let done = false;
  yield* partsOfEvents(answerEvents(response, secrets, endpoint.clock), (event, parts) => {
    if (event.type === "alive") return false;
    if (event.type === "done") {
      done = true;
      return true;
    }
    const read = readMessageEvent(valueIn(event, secrets), event.text, secrets);
    if (read.error) throw errorEvent(read.error, endpoint);
    any = true;
    for (const part of reader.parts(read)) parts.push(part);
    return false;
  });
  if (any && !done && !reader.ended) throw new ProviderError({ code: "connection-lost" });
}
