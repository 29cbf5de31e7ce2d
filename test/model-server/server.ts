import { once } from "node:events";
import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from "node:http";
import { foldFrames, toFrames } from "./answer.ts";
import { ApiError, refuse } from "./api-error.ts";
import { openAiEndpoint } from "./chat/played-chat.ts";
import type { ChatRequest } from "./chat/wire.ts";
import { type Conversation, readConversation } from "./conversation.ts";
import { demo } from "./demo.ts";
import { Exchange } from "./exchange.ts";
import { contextLengthAnswer, playFault } from "./faults.ts";
import { Holds } from "./holds.ts";
import { jsonOrUndefined, methodNotAllowed, parseBody, readBody, requireModel } from "./http.ts";
import { exceedsWindow, LlamaCpp, llamaCppError } from "./llama-cpp/llama-cpp.ts";
import { type Choice, TurnPicker } from "./match.ts";
import type { PlayedApi, ReadRequest } from "./played-api.ts";
import { createPlayedApis } from "./played-apis.ts";
import { listenAnew } from "./port.ts";
import { type RecordedRequest, Recorder } from "./record.ts";
import {
  type ParsedScript,
  type ParsedTurn,
  parseScript,
  type Script,
  type ScriptTurn,
  turnSchema,
} from "./script.ts";
import { type Playback, playStream, playWhole } from "./stream.ts";
import { PromptCache, type PromptCount, promptTokens, usageOf } from "./usage.ts";

export type { Script, ScriptPart, ScriptTurn } from "./script.ts";

/**
 * A script as code: answers any conversation, for behavior that data cannot express. `prompt`: the request's tools and messages
 * as JSON.
 */
export type Responder = (conversation: Conversation, prompt: readonly string[]) => ScriptTurn;

export interface ModelServerOptions {
  /** Default: the demonstration, which answers anything. */
  script?: Script | Responder;
  /** Default 0: any free port. */
  port?: number;
}

export interface ModelServer {
  /** Base URL for clients: `http://127.0.0.1:PORT/v1`. */
  readonly url: string;
  readonly port: number;
  /** Requests for answers, in order of arrival. */
  readonly requests: readonly RecordedRequest[];
  /** Requests to anything else. */
  readonly otherRequests: readonly RecordedRequest[];
  /** What the server's own checks rejected; empty for a well-behaved client. */
  readonly refusals: readonly string[];
  /** The nth (from 1) request, parsed; throws if it did not arrive, was rejected, or is no chat completion request. */
  chat(n: number): ChatRequest;
  /** Replaces the script; resets uses of turns and pending releases. Throws an Error on an invalid script. */
  setScript(script: Script | Responder): void;
  /** Counts the next chat request as the first again: for a test that takes over the window of another one. */
  forgetRequests(): void;
  /** The nth (from 1) chat request, or the first that satisfies the predicate, as soon as it has arrived. */
  waitForRequest(wanted: number | ((record: RecordedRequest) => boolean)): Promise<RecordedRequest>;
  /** Resolves when a stream waits at `{hold: name}`. */
  waitForHold(name: string): Promise<void>;
  /** Releases one stream from `{hold: name}`: the one that has waited longest, else the next to arrive. */
  release(name: string): void;
  /** Closes all connections and rejects pending waits. */
  close(): Promise<void>;
}

/** Starts a server on the loopback address. */
export async function startModelServer(options: ModelServerOptions = {}): Promise<ModelServer> {
  const server = new ScriptedServer(options.script ?? demo);
  await server.listen(options.port ?? 0);
  return server;
}

const MODELS_PATH = "/v1/models";

interface Program {
  script: ParsedScript;
  picker: TurnPicker;
  responder: Responder | undefined;
  llamaCpp: LlamaCpp | undefined;
}

/** A request that is answered, and by which rules. */
interface Asked {
  api: PlayedApi;
  read: ReadRequest;
  script: ParsedScript;
  prompt: PromptCount;
}

class ScriptedServer implements ModelServer {
  readonly #http: Server;
  readonly #chats = new Recorder();
  readonly #others: RecordedRequest[] = [];
  readonly #prompts = new PromptCache();
  readonly #holds = new Holds();
  readonly #apis: ReadonlyMap<string, PlayedApi>;
  #program: Program;
  #answers = 0;
  port = 0;

  constructor(script: Script | Responder) {
    this.#program = load(script);
    this.#apis = new Map(createPlayedApis().map((api) => [api.path, api]));
    this.#http = createServer((request, response) => {
      this.#handle(request, response).catch((error: unknown) => {
        // The client disconnected while its request was read, or the server itself failed: respond instead of hanging.
        if (request.destroyed && !request.complete) return;
        console.error(error);
        if (!response.headersSent) response.writeHead(500, { "content-type": "application/json" });
        response.end(
          JSON.stringify(new ApiError(500, String(error), { type: "server_error", code: "bug" }).body),
        );
      });
    });
  }

  get url(): string {
    return `http://127.0.0.1:${this.port}/v1`;
  }

  get requests(): readonly RecordedRequest[] {
    return this.#chats.records;
  }

  get otherRequests(): readonly RecordedRequest[] {
    return this.#others;
  }

  get refusals(): readonly string[] {
    return [...this.#chats.records, ...this.#others].flatMap((record) => record.refusal ?? []);
  }

  chat(n: number): ChatRequest {
    const record = this.requests[n - 1];
    if (record?.chat !== undefined) return record.chat;
    throw new Error(
      record === undefined
        ? `There is no chat request ${n}; ${this.requests.length} came.`
        : `Request ${n} has no chat completion request: ${record.refusal ?? record.path}`,
    );
  }

  setScript(script: Script | Responder): void {
    this.#program = load(script);
    this.#holds.forgetReleases();
  }

  forgetRequests(): void {
    this.#chats.forget();
  }

  waitForRequest(wanted: number | ((record: RecordedRequest) => boolean)): Promise<RecordedRequest> {
    return this.#chats.wait(wanted);
  }

  waitForHold(name: string): Promise<void> {
    return this.#holds.whenHeld(name);
  }

  release(name: string): void {
    this.#holds.release(name);
  }

  async listen(port: number): Promise<void> {
    if (port === 0) {
      this.port = await listenAnew(this.#http);
      return;
    }
    this.#http.listen(port, "127.0.0.1");
    await once(this.#http, "listening");
    this.port = port;
  }

  async close(): Promise<void> {
    this.#chats.close();
    const closed = new Promise<void>((resolve) => {
      this.#http.close(() => resolve());
    });
    this.#http.closeAllConnections();
    await closed;
  }

  /** The API that a request to an address of all APIs means. */
  #meant(headers: IncomingHttpHeaders): typeof openAiEndpoint {
    return [...this.#apis.values()].find((api) => api.isMeant?.(headers)) ?? openAiEndpoint;
  }

  async #handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const program = this.#program;
    let turn: ParsedTurn | undefined;
    const exchange = new Exchange(response, () => turn?.writeSize ?? program.script.writeSize);
    const bytes = await readBody(request);
    const record = this.#record(request, bytes, exchange);
    const api = this.#apis.get(record.path);
    const { script, llamaCpp } = program;
    const { authorize, modelList, ...spoken } = api ?? this.#meant(request.headers);
    const errorBody = llamaCpp ? llamaCppError : spoken.errorBody;
    try {
      if (script.apiKey !== undefined) authorize(request.headers, script.apiKey);
      const query = new URL(request.url ?? "/", this.url).searchParams;
      const said = record.method === "GET" ? llamaCpp?.get(record.path, query) : undefined;
      if (said) {
        exchange.json(said.status, said.body);
        return;
      }
      if (record.path === MODELS_PATH) {
        if (record.method !== "GET") throw methodNotAllowed(record, "GET");
        exchange.json(200, modelList(script.models ?? ["scripted-model"]));
        return;
      }
      if (!api) {
        throw new ApiError(404, `Unknown request URL: ${record.method} ${record.path}.`, {
          code: "unknown_url",
        });
      }
      if (record.method !== "POST") throw methodNotAllowed(record, "POST");
      const read = api.read(parseBody(request, bytes), request.headers, script);
      const { dialogue } = read;
      if (!llamaCpp) requireModel(script, dialogue.model);
      if (!script.supportsTools && dialogue.tools !== undefined) {
        const error = new ApiError(400, `${dialogue.model} does not support tools`);
        exchange.json(400, errorBody(error));
        return;
      }
      record.chat = read.chat;
      const conversation = readConversation(dialogue);
      record.conversation = conversation.key;
      const tooLong = refusedAsTooLong(program, api, promptTokens(read.pieces));
      if (tooLong) {
        exchange.json(tooLong.status, tooLong.body);
        return;
      }
      const prompt = llamaCpp
        ? await evaluated(llamaCpp, read, exchange)
        : this.#prompts.count(conversation.key, read);
      const choice = choose(program, conversation, read.pieces);
      turn = choice.turn;
      record.turn = turn.name ?? `#${choice.index}`;
      this.#chats.changed();
      await this.#play(choice, { api, read, script, prompt }, exchange);
    } catch (error) {
      if (exchange.signal.aborted) return;
      if (!(error instanceof ApiError)) throw error;
      record.refusal = error.message;
      exchange.json(error.status, errorBody(error), error.details.headers);
    }
  }

  async #play({ turn, faulty }: Choice, asked: Asked, exchange: Exchange): Promise<void> {
    const { api, read, script, prompt } = asked;
    const fault = faulty && turn.fault !== undefined ? await playFault(turn.fault, exchange, api) : undefined;
    if (faulty && fault === undefined) return;
    const frames = toFrames(fault?.kind === "empty" ? [] : turn.answer, {
      native: read.dialogue.tools !== undefined,
      chunkSize: turn.chunkSize ?? script.chunkSize ?? 12,
      interleave: api.interleaves && (turn.interleave ?? script.interleave ?? false),
    });
    const { content, reasoning, calls } = foldFrames(frames);
    const text = content + calls.map((call) => call.name + call.text).join("");
    this.#answers += 1;
    const writer = read.writer({
      number: this.#answers,
      frames,
      finishReason: turn.finishReason,
      usage: usageOf(turn, prompt, { text, reasoning }),
    });
    const playback: Playback = {
      frames,
      writer,
      fault,
      pace: turn.pace ?? script.pace ?? 0,
      keepAlive: turn.keepAlive ?? script.keepAlive,
      holds: this.#holds,
    };
    await (read.dialogue.stream && turn.wholeAnswer !== true ? playStream : playWhole)(playback, exchange);
  }

  #record(request: IncomingMessage, bytes: Buffer, exchange: Exchange): RecordedRequest {
    const text = bytes.toString("utf8");
    const record: RecordedRequest = {
      method: request.method ?? "",
      path: new URL(request.url ?? "/", "http://localhost").pathname,
      headers: request.headers,
      text,
      body: jsonOrUndefined(text),
      chat: undefined,
      receivedAt: Date.now(),
      conversation: undefined,
      turn: undefined,
      refusal: undefined,
      abortedByClient: false,
      closed: exchange.closed,
    };
    void exchange.closed.then((outcome) => {
      record.abortedByClient = outcome === "aborted";
      this.#chats.changed();
    });
    if (this.#apis.has(record.path)) this.#chats.add(record);
    else this.#others.push(record);
    return record;
  }
}

function load(script: Script | Responder): Program {
  const parsed = parseScript(typeof script === "function" ? { turns: [] } : script);
  return {
    script: parsed,
    picker: new TurnPicker(parsed),
    llamaCpp: parsed.llamaCpp && new LlamaCpp(parsed.llamaCpp, parsed.models ?? ["scripted-model"]),
    responder: typeof script === "function" ? script : undefined,
  };
}

/** The refusal of a prompt that does not fit; undefined: it fits. */
function refusedAsTooLong(
  { script }: Program,
  api: PlayedApi,
  tokens: number,
): { status: number; body: unknown } | undefined {
  const { contextWindow, llamaCpp } = script;
  if (llamaCpp) return tokens >= llamaCpp.window ? exceedsWindow(tokens, llamaCpp.window) : undefined;
  if (contextWindow === undefined || tokens <= contextWindow) return undefined;
  return contextLengthAnswer(api.tooLong, contextWindow, tokens, api);
}

/** Evaluates a prompt in a slot, which is free again when the exchange is over. */
async function evaluated(
  server: LlamaCpp,
  { dialogue, pieces }: ReadRequest,
  exchange: Exchange,
): Promise<PromptCount> {
  const slot = await server.begin(dialogue.model, pieces, exchange.signal);
  void exchange.closed.then(() => slot.release());
  return { tokens: slot.tokens, cached: slot.cached, written: 0 };
}

function choose(
  { picker, responder }: Program,
  conversation: Conversation,
  prompt: readonly string[],
): Choice {
  if (responder !== undefined) {
    const turn = turnSchema.parse(responder(conversation, prompt));
    return { turn, index: 0, faulty: turn.fault !== undefined };
  }
  const choice = picker.pick(conversation);
  if (choice !== undefined) return choice;
  refuse(
    null,
    "script_exhausted",
    `No turn of the script fits request ${conversation.request} of this conversation. Its last user text: ${conversation.lastUser.slice(0, 500)}`,
  );
}
