/** Any OpenAI-compatible endpoint, through the `openai` client. Retries are the loop's matter, so the client makes none. */
import OpenAI, { APIConnectionError, APIError, APIUserAbortError } from "openai";
import * as z from "zod";
import type { Settings } from "../../../shared/settings.ts";
import { Interrupt, messageOf, ProviderError } from "../../errors.ts";
import { KeyMask } from "../../key-mask.ts";
import type { Clock } from "../../ports/system.ts";
import type { Fetch } from "../../ports/web.ts";
import { endpointUrl, usableHeaders, usableKey } from "../address.ts";
import { statedLengths } from "../context-length.ts";
import { Deadline } from "../deadline.ts";
import { failure, saysToolsUnsupported } from "../failures.ts";
import type { ModelRequest, Provider, StreamPart } from "../provider.ts";
import { bounds, guarded, tooLarge } from "../received.ts";
import { serverEvents, textOf } from "../sse.ts";
import { badResponse, type Chunk, partsOf, readChunk } from "./chunks.ts";
import { learn, quirksOf } from "./quirks.ts";
import { toWire } from "./wire.ts";

export interface EndpointOptions {
  provider: Settings["provider"];
  model: string;
  apiKey: string | undefined;
  clock: Clock;
  /** The host's own way to the network; absent: that of the runtime. */
  fetch?: Fetch | undefined;
}

export { saysToolsUnsupported, statedLengths };

export function chatCompletions(options: EndpointOptions): Provider {
  return {
    stream(request, signal) {
      if (options.provider.baseUrl.trim() === "") throw new ProviderError({ code: "no-endpoint" });
      if (options.model.trim() === "") throw new ProviderError({ code: "no-model" });
      return adapting(options, request, signal);
    },
  };
}

/** Asks again in the way that the endpoint wants, as often as it says something new of that. */
async function* adapting(
  options: EndpointOptions,
  request: ModelRequest,
  signal: AbortSignal,
): AsyncGenerator<StreamPart> {
  const { baseUrl } = options.provider;
  for (;;) {
    let heard = false;
    try {
      for await (const part of stream(options, request, signal)) {
        heard = true;
        yield part;
      }
      return;
    } catch (error) {
      if (heard || !(error instanceof ProviderError) || !learn(error, baseUrl, options.model)) throw error;
    }
  }
}

async function* stream(
  options: EndpointOptions,
  request: ModelRequest,
  signal: AbortSignal,
): AsyncGenerator<StreamPart> {
  const { provider, clock } = options;
  const { url, query } = endpointUrl(provider.baseUrl);
  const client = new OpenAI({
    baseURL: url,
    defaultQuery: query,
    // Local endpoints take any key; the client insists on one.
    apiKey: usableKey(options.apiKey, url) ?? "none",
    maxRetries: 0,
    // Our own deadlines below tell the first token from the rest.
    timeout: 2 ** 31 - 1,
    defaultHeaders: usableHeaders(provider.headers),
    dangerouslyAllowBrowser: true,
    fetch: withoutKeys(options, withReason(guarded(options.fetch ?? fetch, bounds.stream))),
  });
  const deadline = new Deadline(clock, signal, provider.firstTokenTimeout, provider.idleTimeout);
  let heard = false;
  let answered = false;
  let length = 0;
  try {
    const response = await client.chat.completions
      .create(body(options, request), { signal: deadline.signal })
      .asResponse();
    answered = true;
    for await (const chunk of chunksOf(response, secretsOf(options))) {
      deadline.alive();
      if (chunk === "alive") continue;
      if (chunk.error) throw refusal(chunk.error, options);
      for (const part of partsOf(chunk)) {
        if (part.type !== "usage") deadline.token();
        heard = true;
        length += lengthOf(part);
        if (length > bounds.answer) throw tooLarge(`${bounds.answer} characters`);
        yield part;
      }
    }
  } catch (error) {
    if (signal.aborted) throw new Interrupt();
    if (deadline.passed) throw deadline.error();
    throw asProviderError(error, options, answered, heard);
  } finally {
    deadline.dispose();
  }
  if (!heard)
    throw new ProviderError({ code: "empty-response", subject: options.model }, { transient: true });
}

/** Characters of the answer's own in one part. */
function lengthOf(part: StreamPart): number {
  switch (part.type) {
    case "text":
    case "reasoning":
      return part.delta.length;
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

/**
 * The client reads a refusal from `error` alone; vLLM's, Mistral's and others' have it at the top of the body, Gemini's
 * in a list. DeepSeek's is JSON that does not say so.
 */
function withReason(send: Fetch): Fetch {
  return async (url, init) => {
    const response = await send(url, init);
    if (response.ok) return response;
    const text = await response.text();
    const { status, statusText, headers } = response;
    return new Response(withErrorField(text), { status, statusText, headers });
  };
}

function withErrorField(text: string): string {
  try {
    const body: unknown = JSON.parse(text);
    const parsed = z.record(z.string(), z.unknown()).safeParse(Array.isArray(body) ? body[0] : body);
    if (!parsed.success) return text;
    if ("error" in parsed.data) return Array.isArray(body) ? JSON.stringify(parsed.data) : text;
    const said = parsed.data.message ?? parsed.data.detail ?? text;
    const message = typeof said === "string" ? said : JSON.stringify(said);
    return JSON.stringify({ error: { ...parsed.data, message } });
  } catch {
    return text;
  }
}

function body(options: EndpointOptions, request: ModelRequest): OpenAI.ChatCompletionCreateParamsStreaming {
  const { provider } = options;
  const model = options.model.trim();
  const quirks = quirksOf(provider.baseUrl, options.model);
  const maxTokens = quirks.has("completion-tokens") ? "max_completion_tokens" : "max_tokens";
  return {
    model,
    messages: toWire(request, options.model, quirks),
    stream: true,
    ...(quirks.has("no-stream-options") ? {} : { stream_options: { include_usage: true } }),
    ...(provider.temperature === null ? {} : { temperature: provider.temperature }),
    ...(provider.maxOutputTokens > 0 ? { [maxTokens]: provider.maxOutputTokens } : {}),
    ...(request.protocol === "native" && request.tools.length > 0
      ? { tools: request.tools.map((tool) => ({ type: "function" as const, function: { ...tool } })) }
      : {}),
  };
}

/**
 * The chunks of a streamed answer; one chunk of an endpoint that answers whole though asked to stream. What it is shows
 * in its first character: some endpoints name no content type, or another one. Rejects where the stream ends before the
 * answer does: a proxy's limit looks like an end.
 */
async function* chunksOf(response: Response, secrets: readonly string[]): AsyncGenerator<Chunk | "alive"> {
  if (!response.body) return;
  const { first, all } = await peek(textOf(response.body));
  if (/^[{[<]/.test(first)) {
    let text = "";
    for await (const piece of all) {
      text += piece;
      if (text.length > bounds.document) throw tooLarge(`${bounds.document} characters`);
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
      // Usage comes last, also where no reason for the end is named.
      if (chunk.usage || chunk.choices?.[0]?.finish_reason) ended = true;
      yield chunk;
    }
  }
  if (any && !ended) throw new ProviderError({ code: "connection-lost" });
}

/** A text as it comes, and its first characters, white space aside. */
async function peek(text: AsyncGenerator<string>): Promise<{ first: string; all: AsyncGenerator<string> }> {
  let start = "";
  for (;;) {
    const { value, done } = await text.next();
    if (done) break;
    // Blank lines that keep a connection alive are of no use, however many come.
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

function asProviderError(
  error: unknown,
  options: EndpointOptions,
  answered: boolean,
  heard: boolean,
): ProviderError {
  if (error instanceof ProviderError) return error;
  const subject = options.provider.baseUrl.trim();
  // The client wraps what its `fetch` throws.
  if (error instanceof APIConnectionError && error.cause instanceof ProviderError) return error.cause;
  if (error instanceof APIUserAbortError) throw new Interrupt();
  if (error instanceof APIConnectionError) return unreachable(error, subject);
  if (error instanceof APIError) return refusal(error.error ?? error.message, options, error);
  if (answered) {
    const lost = { code: "connection-lost" as const, subject, detail: deepest(error) };
    return new ProviderError(lost, { transient: !heard, cause: error });
  }
  return new ProviderError({ code: "internal", detail: messageOf(error) }, { cause: error });
}

function refusal(body: unknown, options: EndpointOptions, error?: APIError): ProviderError {
  return failure(body, error, {
    baseUrl: options.provider.baseUrl.trim(),
    model: options.model.trim(),
    apiKey: options.apiKey?.trim() || undefined,
    secrets: secretsOf(options),
  });
}

/** The key is in a header of the request, and never in the conversation, whatever a file or a command gave. */
function withoutKeys({ apiKey, provider }: EndpointOptions, send: Fetch): Fetch {
  const keys = new KeyMask();
  keys.learn(apiKey, provider.headers);
  return (url, init) =>
    send(url, typeof init?.body === "string" ? { ...init, body: keys.text(init.body) } : init);
}

/** The key, and headers that may be keys. */
function secretsOf({ provider, apiKey }: EndpointOptions): string[] {
  return [apiKey ?? "", ...Object.values(provider.headers)];
}

const certificates = /certificate|CERT_|UNABLE_TO_(?:VERIFY|GET_ISSUER)|ALTNAME/i;

function unreachable(error: APIConnectionError, subject: string): ProviderError {
  const detail = deepest(error);
  if (certificates.test(detail))
    return new ProviderError({ code: "untrusted-certificate", subject, detail }, { cause: error });
  // The runtime's own limit, which our settings cannot lengthen.
  if (/HEADERS_TIMEOUT/.test(detail))
    return new ProviderError({ code: "first-token-timeout", subject, detail }, { cause: error });
  return new ProviderError({ code: "unreachable", subject, detail }, { transient: true, cause: error });
}

/** What lies at the bottom of it, with its code: "fetch failed" says nothing. */
function deepest(error: unknown): string {
  let text = messageOf(error);
  for (let at = error; at instanceof Error; at = at.cause) {
    const inner: unknown = at instanceof AggregateError ? at.errors[0] : at;
    const code = inner instanceof Error && "code" in inner ? String(inner.code) : "";
    const said = messageOf(inner);
    if (said !== "" || code !== "") text = said.includes(code) ? said : `${said} (${code})`.trim();
  }
  return text;
}
