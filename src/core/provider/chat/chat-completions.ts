/**
 * Streams from any OpenAI-compatible endpoint through the `openai` client. The client never retries, because
 * `send-adapting.ts` does.
 */
import OpenAI from "openai";
import { Interrupt, ProviderError } from "../../errors.ts";
import { KeyMask } from "../../key-mask.ts";
import type { Fetch } from "../../ports/web.ts";
import { endpointUrl, usableHeaders, usableKey } from "../address.ts";
import type { Endpoint, Quirk } from "../api.ts";
import { Deadline } from "../deadline.ts";
import type { ModelRequest, StreamPart } from "../provider.ts";
import { BOUNDS, guarded, tooLarge } from "../received.ts";
import { serverEvents, textOf } from "../sse.ts";
import { asProviderError, refusal, secretsOf, withReason } from "./chat-errors.ts";
import { badResponse, type Chunk, partsOf, readChunk } from "./chunks.ts";
import { COMPLETION_TOKENS, NO_STREAM_OPTIONS } from "./quirks.ts";
import { toWire } from "./wire.ts";

export async function* streamChat(
  endpoint: Endpoint,
  request: ModelRequest,
  quirks: ReadonlySet<Quirk>,
  signal: AbortSignal,
): AsyncGenerator<StreamPart> {
  const { connection, provider, model, clock } = endpoint;
  if (connection.baseUrl.trim() === "") throw new ProviderError({ code: "no-endpoint" });
  if (model.trim() === "") throw new ProviderError({ code: "no-model" });
  const { url, query } = endpointUrl(connection.baseUrl);
  const client = new OpenAI({
    baseURL: url,
    defaultQuery: query,
    // Local endpoints accept any key, but the client requires one.
    apiKey: usableKey(endpoint.apiKey, url) ?? "none",
    maxRetries: 0,
    // The deadlines below distinguish the first token from the rest.
    timeout: 2 ** 31 - 1,
    defaultHeaders: usableHeaders(connection.headers),
    dangerouslyAllowBrowser: true,
    fetch: withoutKeys(endpoint, withReason(guarded(endpoint.fetch ?? fetch, BOUNDS.stream))),
  });
  const deadline = new Deadline(clock, signal, provider.firstTokenTimeout, provider.idleTimeout);
  let heard = false;
  let answered = false;
  let length = 0;
  try {
    const response = await client.chat.completions
      .create(body(endpoint, request, quirks), { signal: deadline.signal })
      .asResponse();
    answered = true;
    for await (const chunk of chunksOf(response, secretsOf(endpoint))) {
      deadline.alive();
      if (chunk === "alive") continue;
      if (chunk.error) throw refusal(chunk.error, endpoint);
      for (const part of partsOf(chunk)) {
        if (part.type !== "usage") deadline.token();
        heard = true;
        length += lengthOf(part);
        if (length > BOUNDS.answer) throw tooLarge(`${BOUNDS.answer} characters`);
        yield part;
      }
    }
  } catch (error) {
    if (signal.aborted) throw new Interrupt();
    if (deadline.passed) throw deadline.error();
    throw asProviderError(error, endpoint, answered, heard);
  } finally {
    deadline.dispose();
  }
  if (!heard) throw new ProviderError({ code: "empty-response", subject: model }, { transient: true });
}

/** Returns how many characters of the answer a part contains. */
function lengthOf(part: StreamPart): number {
  switch (part.type) {
    case "text":
    case "reasoning":
      return part.delta.length;
    case "signed-reasoning":
      return JSON.stringify(part.signed).length;
    case "reasoning-details":
      return JSON.stringify(part.items).length;
    case "tool-calls":
      return part.deltas.reduce(
        (sum, { name = "", arguments: args = "" }) => sum + name.length + args.length,
        0,
      );
    default:
      return 0;
  }
}

function body(
  { connection, provider, model }: Endpoint,
  request: ModelRequest,
  quirks: ReadonlySet<Quirk>,
): OpenAI.ChatCompletionCreateParamsStreaming {
  const maxTokens = quirks.has(COMPLETION_TOKENS) ? "max_completion_tokens" : "max_tokens";
  return {
    model: model.trim(),
    messages: toWire(request, { connection, model }, quirks),
    stream: true,
    ...(quirks.has(NO_STREAM_OPTIONS) ? {} : { stream_options: { include_usage: true } }),
    ...(provider.temperature === null ? {} : { temperature: provider.temperature }),
    ...(provider.reasoningEffort === "default" ? {} : { reasoning_effort: provider.reasoningEffort }),
    ...(provider.maxOutputTokens > 0 ? { [maxTokens]: provider.maxOutputTokens } : {}),
    ...(request.protocol === "native" && request.tools.length > 0
      ? { tools: request.tools.map((tool) => ({ type: "function" as const, function: { ...tool } })) }
      : {}),
  };
}

/**
 * Yields the chunks of a streamed answer, or one chunk if the endpoint answers without streaming. The first character
 * determines which, because some endpoints send no content type or a wrong one. Rejects if the stream ends before the
 * answer does, because a proxy's limit looks like a normal end.
 */
async function* chunksOf(response: Response, secrets: readonly string[]): AsyncGenerator<Chunk | "alive"> {
  if (!response.body) return;
  const { first, all } = await peek(textOf(response.body));
  if (/^[{[<]/.test(first)) {
    let text = "";
    for await (const piece of all) {
      text += piece;
      if (text.length > BOUNDS.document) throw tooLarge(`${BOUNDS.document} characters`);
    }
    yield readChunk(wholeAnswer(text, secrets), text, secrets);
    return;
  }
  let ended = first === "";
  let any = false;
  for await (const event of serverEvents(all)) {
    if (event.type === "alive") yield "alive";
    else if (event.type === "done") return;
    else if (event.type === "unreadable") throw badResponse(event.text, secrets);
    else {
      const chunk = readChunk(event.value, event.text, secrets);
      any = true;
      // Usage comes last, even if no finish reason is sent.
      if (chunk.usage || chunk.choices?.[0]?.finish_reason) ended = true;
      yield chunk;
    }
  }
  if (any && !ended) throw new ProviderError({ code: "connection-lost" });
}

/** Returns the text unchanged, and its first non-blank characters. */
async function peek(text: AsyncGenerator<string>): Promise<{ first: string; all: AsyncGenerator<string> }> {
  let start = "";
  for (;;) {
    const { value, done } = await text.next();
    if (done) break;
    // Blank lines that keep a connection alive are dropped, however many arrive.
    start = value.trimStart();
    if (start !== "") break;
  }
  async function* all(): AsyncGenerator<string> {
    yield start;
    yield* text;
  }
  return { first: start, all: all() };
}

function wholeAnswer(text: string, secrets: readonly string[]): unknown {
  try {
    const value: unknown = JSON.parse(text);
    return Array.isArray(value) ? value[0] : value;
  } catch (cause) {
    throw badResponse(text, secrets, cause);
  }
}

/** Masks the key in the conversation, whatever a file or command returned. The key belongs only in a header. */
function withoutKeys({ apiKey, connection }: Endpoint, send: Fetch): Fetch {
  const keys = new KeyMask();
  keys.learn(apiKey, connection.headers);
  return (url, init) =>
    send(url, typeof init?.body === "string" ? { ...init, body: keys.text(init.body) } : init);
}
