/** The connection to one server, over any transport: implements the port's methods with the SDK's client. */
import type { Client, RequestOptions } from "@modelcontextprotocol/client";
import { Interrupt, throwIfAborted } from "../../core/errors.ts";
import type {
  ServerCallOptions,
  ServerCallResult,
  ServerConnection,
  ServerContent,
  ServerEvents,
  ServerPrompt,
  ServerPromptMessage,
  ServerResource,
  ServerResourceTemplate,
  ServerTool,
} from "../../core/ports/servers.ts";
import { ServerError, SessionLostError } from "../../core/servers/server-error.ts";
import { boundedText } from "../../core/servers/server-text.ts";
import { type Fault, reasonOf } from "../../shared/reason.ts";
import { LONGEST_TIMER, systemClock } from "../clock.ts";
import type { CallTimers } from "./call-timer.ts";
import { ListSubscription, type SubscriptionParts } from "./lists/list-subscription.ts";
import { OutputSchemas } from "./lists/output-schemas.ts";
import {
  type ListPage,
  PROMPTS,
  pageSchema,
  RESOURCES,
  readList,
  TEMPLATES,
  TOOLS,
} from "./lists/server-lists.ts";
import { LISTS } from "./mcp-client.ts";
import type * as McpSdk from "./mcp-sdk.ts";
import { callResult, promptMessages, resourceContents } from "./server-content.ts";
import { Late, serverError } from "./server-errors.ts";
import type { ServerLog } from "./server-log.ts";
import { askServerQuestion } from "./server-questions.ts";

/** Milliseconds for one page of a list. */
const LIST_MS = 60_000;
/** A server that reports progress gets more time, up to this many times the limit. */
const MOST_EXTENSIONS = 10;
/** Characters of the server's advice on using it. */
const INSTRUCTIONS = 8_000;
/** JSON-RPC's code for a method that the server does not have. */
const METHOD_NOT_FOUND = -32601;

export interface ConnectionParts {
  sdk: typeof McpSdk;
  client: Client;
  server: string;
  timers: CallTimers;
  events: ServerEvents;
  log: ServerLog;
  /** Resolves with the reason when the connection has ended. */
  ended: Promise<Fault>;
  /** Ends the connection; resolves when nothing of it is left. */
  close(): Promise<void>;
}

export class McpConnection implements ServerConnection {
  readonly info: ServerConnection["info"];
  readonly closed: Promise<Fault>;
  readonly #parts: ConnectionParts;
  readonly #subscription: ListSubscription | undefined;
  #outputs: OutputSchemas | undefined;
  #ended: Fault | undefined;

  constructor(parts: ConnectionParts) {
    this.#parts = parts;
    this.closed = parts.ended;
    this.#subscription = listSubscription(parts);
    void parts.ended.then((reason) => {
      this.#ended = reason;
      this.#subscription?.stop();
    });
    const { client, server } = parts;
    const about = client.getServerVersion();
    const instructions = client.getInstructions();
    this.info = {
      name: boundedText(about?.name ?? server, 200),
      version: boundedText(about?.version ?? "", 100),
      protocol: client.getNegotiatedProtocolVersion() ?? "",
      ...(instructions === undefined ? {} : { instructions: boundedText(instructions, INSTRUCTIONS) }),
    };
  }

  async tools(signal: AbortSignal): Promise<ServerTool[]> {
    if (!this.#has("tools")) return [];
    const { sdk, log } = this.#parts;
    const outputs = new OutputSchemas(sdk, log);
    const tools = await this.#list(TOOLS, signal, (page) => outputs.add(page));
    this.#outputs = outputs;
    return tools;
  }

  resources(signal: AbortSignal): Promise<ServerResource[]> {
    return this.#has("resources") ? this.#list(RESOURCES, signal) : none();
  }

  resourceTemplates(signal: AbortSignal): Promise<ServerResourceTemplate[]> {
    return this.#has("resources") ? this.#list(TEMPLATES, signal) : none();
  }

  prompts(signal: AbortSignal): Promise<ServerPrompt[]> {
    return this.#has("prompts") ? this.#list(PROMPTS, signal) : none();
  }

  async callTool(
    name: string,
    args: Record<string, unknown>,
    options: ServerCallOptions,
  ): Promise<ServerCallResult> {
    const call = async () => {
      const result = await this.#request(options, (limits) =>
        this.#parts.client.callTool({ name, arguments: args, ...this.#logLevel() }, limits),
      );
      const mismatch = this.#outputs?.mismatch(name, result);
      return { ...callResult(result), ...(mismatch === undefined ? {} : { mismatch }) };
    };
    try {
      return await call();
    } catch (error) {
      if (!(error instanceof this.#parts.sdk.UrlElicitationRequiredError)) throw this.#explained(error);
      await this.#visitAddresses(error, options.signal);
    }
    try {
      return await call();
    } catch (error) {
      throw this.#explained(error);
    }
  }

  async readResource(uri: string, options: ServerCallOptions): Promise<ServerContent[]> {
    const { client } = this.#parts;
    try {
      const result = await this.#request(options, (limits) =>
        client.readResource({ uri }, { ...limits, cacheMode: "bypass" }),
      );
      return resourceContents(result);
    } catch (error) {
      throw this.#explained(error);
    }
  }

  async prompt(
    name: string,
    args: Record<string, string>,
    options: ServerCallOptions,
  ): Promise<ServerPromptMessage[]> {
    const { client } = this.#parts;
    try {
      return promptMessages(
        await this.#request(options, (limits) => client.getPrompt({ name, arguments: args }, limits)),
      );
    } catch (error) {
      throw this.#explained(error);
    }
  }

  close(): Promise<void> {
    this.#subscription?.stop();
    return this.#parts.close();
  }

  #has(capability: "tools" | "resources" | "prompts"): boolean {
    return this.#parts.client.getServerCapabilities()?.[capability] !== undefined;
  }

  async #list<T>(
    kind: Parameters<typeof readList<T>>[0],
    signal: AbortSignal,
    onPage?: (page: ListPage) => void,
  ): Promise<T[]> {
    const { client, sdk, log } = this.#parts;
    const ask = async (cursor: string | undefined): Promise<ListPage> => {
      const page = await this.#request({ signal, timeoutMs: LIST_MS }, (limits) => {
        const params = cursor === undefined ? {} : { cursor };
        return client.request({ method: kind.method, params }, pageSchema, limits);
      });
      onPage?.(page);
      return page;
    };
    try {
      return await readList(kind, ask, log);
    } catch (error) {
      // For example, a server with resources but without templates.
      if (error instanceof sdk.ProtocolError && error.code === METHOD_NOT_FOUND) return [];
      throw this.#explained(error);
    }
  }

  /** Sends a request with our time limit instead of the SDK's, which would also run while the user answers a question. */
  async #request<T>(
    { signal, timeoutMs, onProgress }: ServerCallOptions,
    send: (limits: RequestOptions) => Promise<T>,
  ): Promise<T> {
    throwIfAborted(signal);
    // Does not use AbortSignal.any, which would leave a listener on the caller's signal for each request.
    const stop = new AbortController();
    const onAbort = () => stop.abort();
    signal.addEventListener("abort", onAbort, { once: true });
    let isLate = false;
    const onLate = () => {
      isLate = true;
      stop.abort();
    };
    const timer = this.#parts.timers.start(timeoutMs, onLate, timeoutMs * MOST_EXTENSIONS);
    const started = performance.now();
    let hasProgress = false;
    try {
      const answer = await send({
        signal: stop.signal,
        timeout: LONGEST_TIMER,
        onprogress: ({ progress, total, message }) => {
          hasProgress = true;
          timer.restart();
          onProgress?.({
            progress,
            ...(total === undefined ? {} : { total }),
            ...(message === undefined ? {} : { message: boundedText(message, 500) }),
          });
        },
      });
      this.#subscription?.answered();
      return answer;
    } catch (error) {
      if (signal.aborted) throw new Interrupt();
      throw isLate ? new Late(hasProgress ? performance.now() - started : timeoutMs) : error;
    } finally {
      timer.stop();
      signal.removeEventListener("abort", onAbort);
    }
  }

  #explained(error: unknown): Error {
    const { sdk, server } = this.#parts;
    const explained = serverError(sdk, error, { server, ended: this.#ended });
    if (!isSessionLost(sdk, error)) return explained;
    void this.close();
    return explained instanceof ServerError ? new SessionLostError(server, explained.fault) : explained;
  }

  /** Servers of 2026-07-28 log only for requests that ask for it. */
  #logLevel(): { _meta?: Record<string, unknown> } {
    const { client, sdk } = this.#parts;
    const applies = client.getProtocolEra() === "modern" && client.getServerCapabilities()?.logging;
    return applies ? { _meta: { [sdk.LOG_LEVEL_META_KEY]: "info" } } : {};
  }

  /** The call requires that the user first visits these addresses. Rejects unless they did. */
  async #visitAddresses(error: McpSdk.UrlElicitationRequiredError, signal: AbortSignal): Promise<void> {
    const { events, log, server } = this.#parts;
    for (const params of error.elicitations.slice(0, 5)) {
      const answer = await askServerQuestion(params, { ask: events.ask, log, signal });
      throwIfAborted(signal);
      if (answer.action === "accept") continue;
      throw new ServerError(server, reasonOf("mcp-address-declined"));
    }
  }
}

/** undefined: the server reports no changes, or reports them without a subscription. */
function listSubscription({ client, events, log }: ConnectionParts): ListSubscription | undefined {
  const current = client.autoOpenedSubscription;
  if (!current) return undefined;
  const capabilities = client.getServerCapabilities();
  const lists = LISTS.filter((list) => capabilities?.[list]?.listChanged);
  const filter = Object.fromEntries(lists.map((list) => [`${list}ListChanged`, true]));
  const parts: SubscriptionParts = {
    open: (signal) => client.listen(filter, { timeout: LIST_MS, signal }),
    reopened: () => {
      for (const list of lists) events.changed(list);
    },
    clock: systemClock,
    log,
  };
  return new ListSubscription(parts, current);
}

/** A remote server no longer knows the session, for example because it was restarted. The next connection starts another. */
function isSessionLost(sdk: typeof McpSdk, error: unknown): boolean {
  if (!(error instanceof sdk.SdkHttpError)) return false;
  const { status, text } = error.data;
  return status === 404 || (status === 400 && typeof text === "string" && /session/i.test(text));
}

function none(): Promise<never[]> {
  return Promise.resolve([]);
}
