/** Any OpenAI-compatible endpoint, through the `openai` client. Retries are the loop's matter, so the client makes none. */
import OpenAI, { APIConnectionError, APIError, APIUserAbortError } from "openai";
import { Stream } from "openai/core/streaming";
import { z } from "zod";
import type { Settings } from "../../shared/settings.ts";
import { Interrupt, messageOf, ProviderError } from "../errors.ts";
import type { Clock } from "../ports.ts";
import { statedLengths } from "./context-length.ts";
import { failure, saysToolsUnsupported } from "./failures.ts";
import type { ModelRequest, Provider, StreamPart } from "./provider.ts";
import { type Chunk, chunkSchema, partsOf, refusalSchema, toWire } from "./wire.ts";

export interface EndpointOptions {
  provider: Settings["provider"];
  model: string;
  apiKey: string | undefined;
  clock: Clock;
}

export { saysToolsUnsupported, statedLengths };

export function chatCompletions(options: EndpointOptions): Provider {
  const { provider, model, apiKey } = options;
  return {
    stream(request, signal) {
      if (provider.baseUrl === "") throw new ProviderError({ code: "no-endpoint" });
      if (model === "") throw new ProviderError({ code: "no-model" });
      return stream(options, request, signal, apiKey);
    },
  };
}

async function* stream(
  options: EndpointOptions,
  request: ModelRequest,
  signal: AbortSignal,
  apiKey: string | undefined,
): AsyncGenerator<StreamPart> {
  const { provider, model, clock } = options;
  const client = new OpenAI({
    baseURL: provider.baseUrl,
    // Local endpoints take any key; the client insists on one.
    apiKey: apiKey ?? "none",
    maxRetries: 0,
    // Our own deadlines below tell the first token from the rest.
    timeout: 2 ** 31 - 1,
    defaultHeaders: provider.headers,
    dangerouslyAllowBrowser: true,
    fetch: fetchWithReason,
  });
  const deadline = new Deadline(clock, signal, provider.firstTokenTimeout, provider.idleTimeout);
  const fail = (error: unknown): never => {
    if (signal.aborted) throw new Interrupt();
    if (deadline.passed) throw deadline.error();
    throw asProviderError(error, options, deadline.started);
  };
  let heard = false;
  try {
    const response = await client.chat.completions
      .create(body(options, request), { signal: deadline.signal })
      .asResponse();
    for await (const chunk of chunksOf(response, deadline.controller)) {
      deadline.heard();
      if (chunk.error) throw failure(chunk.error, undefined, provider.baseUrl, model);
      for (const part of partsOf(chunk)) {
        heard = true;
        yield part;
      }
    }
    // The client ends an aborted stream without an error.
    if (signal.aborted || deadline.passed) fail(undefined);
  } catch (error) {
    fail(error);
  } finally {
    deadline.dispose();
  }
  if (!heard) throw new ProviderError({ code: "empty-response", subject: model }, { transient: true });
}

/**
 * The client reads a refusal from `error` alone; vLLM's, Mistral's and others' have it at the top of the body, Gemini's
 * in a list.
 */
async function fetchWithReason(url: string | URL | Request, init?: RequestInit): Promise<Response> {
  const response = await fetch(url, init);
  const isJson = response.headers.get("content-type")?.includes("json") ?? false;
  if (response.ok || !isJson) return response;
  const text = await response.text();
  const { status, statusText, headers } = response;
  return new Response(withErrorField(text), { status, statusText, headers });
}

function withErrorField(text: string): string {
  try {
    const body: unknown = JSON.parse(text);
    const parsed = z.record(z.string(), z.unknown()).safeParse(Array.isArray(body) ? body[0] : body);
    if (!parsed.success) return text;
    if ("error" in parsed.data) return Array.isArray(body) ? JSON.stringify(parsed.data) : text;
    const { message, detail } = parsed.data;
    return JSON.stringify({ error: { ...parsed.data, message: message ?? detail ?? text } });
  } catch {
    return text;
  }
}

function body(options: EndpointOptions, request: ModelRequest): OpenAI.ChatCompletionCreateParamsStreaming {
  const { provider, model } = options;
  return {
    model,
    messages: toWire(request),
    stream: true,
    stream_options: { include_usage: true },
    ...(provider.temperature === null ? {} : { temperature: provider.temperature }),
    ...(provider.maxOutputTokens > 0 ? { max_tokens: provider.maxOutputTokens } : {}),
    ...(request.protocol === "native" && request.tools.length > 0
      ? { tools: request.tools.map((tool) => ({ type: "function" as const, function: { ...tool } })) }
      : {}),
  };
}

/** The chunks of a streamed answer; one chunk of an endpoint that answers whole though asked to stream. */
async function* chunksOf(response: Response, controller: AbortController): AsyncGenerator<Chunk> {
  const type = response.headers.get("content-type") ?? "";
  if (!type.includes("text/event-stream")) {
    const text = await response.text();
    yield readChunk(parseJson(text), text);
    return;
  }
  for await (const data of Stream.fromSSEResponse<unknown>(response, controller)) {
    yield readChunk(data, JSON.stringify(data));
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw badResponse(text, cause);
  }
}

function readChunk(data: unknown, text: string): Chunk {
  const chunk = chunkSchema.safeParse(data);
  if (!chunk.success) throw badResponse(text, chunk.error);
  const refusal = refusalSchema.safeParse(data).data;
  return refusal ? { ...chunk.data, error: refusal } : chunk.data;
}

function badResponse(text: string, cause: unknown): ProviderError {
  return new ProviderError({ code: "bad-response", detail: text.trim().slice(0, 300) }, { cause });
}

/** Aborts the request when the first token, or the next one, does not come in time. */
class Deadline {
  readonly controller = new AbortController();
  readonly #clock: Clock;
  readonly #idle: number;
  readonly #outer: AbortSignal;
  readonly #abort = () => this.controller.abort();
  #timer: { dispose(): void };
  started = false;
  passed = false;

  constructor(clock: Clock, outer: AbortSignal, firstSeconds: number, idleSeconds: number) {
    this.#clock = clock;
    this.#outer = outer;
    this.#idle = idleSeconds;
    if (outer.aborted) this.#abort();
    outer.addEventListener("abort", this.#abort);
    this.#timer = this.#arm(firstSeconds);
  }

  get signal(): AbortSignal {
    return this.controller.signal;
  }

  heard(): void {
    this.started = true;
    this.#timer.dispose();
    this.#timer = this.#arm(this.#idle);
  }

  error(): ProviderError {
    return new ProviderError({ code: this.started ? "idle-timeout" : "first-token-timeout" });
  }

  dispose(): void {
    this.#timer.dispose();
    this.#outer.removeEventListener("abort", this.#abort);
    this.controller.abort();
  }

  #arm(seconds: number): { dispose(): void } {
    if (seconds <= 0) return { dispose: () => undefined };
    return this.#clock.after(seconds * 1000, () => {
      this.passed = true;
      this.#abort();
    });
  }
}

function asProviderError(error: unknown, options: EndpointOptions, started: boolean): ProviderError {
  if (error instanceof ProviderError) return error;
  const { baseUrl } = options.provider;
  if (error instanceof APIUserAbortError) throw new Interrupt();
  if (error instanceof APIConnectionError) {
    const detail = messageOf(error.cause ?? error);
    return new ProviderError(
      { code: "unreachable", subject: baseUrl, detail },
      { transient: true, cause: error },
    );
  }
  if (error instanceof APIError) {
    return failure(error.error ?? error.message, error, baseUrl, options.model, options.apiKey);
  }
  if (error instanceof SyntaxError) return badResponse(messageOf(error), error);
  if (started || error instanceof TypeError) {
    return new ProviderError(
      { code: "connection-lost", subject: baseUrl, detail: messageOf(error) },
      { cause: error },
    );
  }
  return new ProviderError({ code: "internal", detail: messageOf(error) }, { cause: error });
}
