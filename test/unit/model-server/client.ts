import { request } from "node:http";
import OpenAI from "openai";
import { afterEach, beforeEach } from "vitest";
import { type ModelServer, startModelServer } from "../../model-server/server.ts";

export type Body = Record<string, unknown>;

/** The current test's server and its client; set by `serveEachTest`. */
export let server: ModelServer;
export let client: OpenAI;

/** Starts a server without turns for each test of the file. */
export function serveEachTest(): void {
  beforeEach(async () => {
    server = await startModelServer({ script: { turns: [] } });
    client = clientOf(server);
  });
  afterEach(() => server.close());
}

export interface RawAnswer {
  status: number;
  headers: Record<string, string | string[] | undefined>;
  text: string;
  /** One entry a `data` event, so that the way of splitting can be seen. */
  chunks: Buffer[];
  /** The connection was destroyed before the end. */
  broken: boolean;
}

/** Sends anything at all, well-formed or not. */
export function send(
  server: ModelServer,
  options: {
    method?: string;
    path?: string;
    headers?: Record<string, string>;
    body?: string | Uint8Array;
  } = {},
): Promise<RawAnswer> {
  return new Promise((resolve, reject) => {
    const url = new URL(options.path ?? "/v1/chat/completions", server.url);
    const headers = { "content-type": "application/json", ...options.headers };
    const call = request(url, { method: options.method ?? "POST", headers, agent: false }, (response) => {
      const chunks: Buffer[] = [];
      const done = (broken: boolean): void => {
        const text = Buffer.concat(chunks).toString("utf8");
        resolve({ status: response.statusCode ?? 0, headers: response.headers, text, chunks, broken });
      };
      response.on("data", (chunk: Buffer) => chunks.push(chunk));
      response.on("end", () => done(false));
      response.on("error", () => done(true));
    });
    call.on("error", reject);
    call.end(options.body);
  });
}

/** A valid request, changed by what a test is about. */
export function body(changes: Body = {}): Body {
  return { model: "m", messages: [{ role: "user", content: "hi" }], ...changes };
}

export function post(server: ModelServer, changes: Body = {}): Promise<RawAnswer> {
  return send(server, { body: JSON.stringify(body(changes)) });
}

export function clientOf(server: ModelServer, apiKey = "any"): OpenAI {
  return new OpenAI({ baseURL: server.url, apiKey, maxRetries: 0, logLevel: "off" });
}

export interface Streamed {
  content: string;
  reasoning: string;
  calls: { id: string; name: string; arguments: string }[];
  finishReason: string | null;
  usage: OpenAI.CompletionUsage | undefined;
  deltas: OpenAI.ChatCompletionChunk.Choice.Delta[];
}

export type Params = Omit<OpenAI.ChatCompletionCreateParamsStreaming, "stream" | "model">;

/** Streams one answer through the `openai` package and adds it up. */
export async function stream(client: OpenAI, params: Params, signal?: AbortSignal): Promise<Streamed> {
  const answer: Streamed = {
    content: "",
    reasoning: "",
    calls: [],
    finishReason: null,
    usage: undefined,
    deltas: [],
  };
  const events = await client.chat.completions.create(
    { model: "m", stream: true, stream_options: { include_usage: true }, ...params },
    signal === undefined ? {} : { signal },
  );
  for await (const chunk of events) {
    if (chunk.usage) answer.usage = chunk.usage;
    const choice = chunk.choices[0];
    if (choice === undefined) continue;
    const { delta } = choice;
    answer.deltas.push(delta);
    answer.content += delta.content ?? "";
    if ("reasoning_content" in delta) answer.reasoning += String(delta.reasoning_content);
    if ("reasoning" in delta) answer.reasoning += String(delta.reasoning);
    for (const call of delta.tool_calls ?? []) {
      answer.calls[call.index] ??= { id: call.id ?? "", name: call.function?.name ?? "", arguments: "" };
      const known = answer.calls[call.index];
      if (known !== undefined) known.arguments += call.function?.arguments ?? "";
    }
    answer.finishReason = choice.finish_reason ?? answer.finishReason;
  }
  return answer;
}

/** One native tool without parameters of interest. */
export function tool(name: string): OpenAI.ChatCompletionFunctionTool {
  return { type: "function", function: { name, parameters: { type: "object", properties: {} } } };
}

export function ask(text: string): { messages: OpenAI.ChatCompletionMessageParam[] } {
  return { messages: [{ role: "user", content: text }] };
}
