/**
 * Makes spans and measurements from the events of tasks and from their requests, by OpenTelemetry's conventions for generative AI: a
 * turn is `invoke_agent`, a request to a model is `chat`, a call is `execute_tool`. Contents are left out unless they are asked for. What a project
 * calls its files and commands is content.
 */
import type { TaskEvent } from "../../shared/event.ts";
import type { Message, Usage } from "../../shared/message.ts";
import type { Connection } from "../../shared/models/connection.ts";
import type {
  AnswerObserver,
  ObservedPart,
  RequestObserver,
  SentRequest,
} from "../ports/request-observer.ts";
import type { Measurement, MetricName, Span, SpanAttributes } from "./otlp.ts";
import { SPAN_KIND } from "./otlp.ts";

/** Where a connection's requests go. */
export interface TracedEndpoint {
  provider: string;
  address?: string;
  port?: number;
}

export interface TaskTelemetryDeps {
  /** Milliseconds since 1970. */
  now(): number;
  /** So many random bytes, in hexadecimal. */
  randomHex(bytes: number): string;
  endpointOf(connection: Connection): TracedEndpoint;
  /** Messages, arguments and results are exported too. */
  content: boolean;
  /** Receives what has ended. Never throws. */
  ended(span: Span, measurements: readonly Measurement[]): void;
  /** A turn, or a request outside any turn, ended, so that everything about it is known. */
  settled(): void;
}

interface OpenSpan {
  spanId: string;
  startMs: number;
}

interface Turn extends OpenSpan {
  traceId: string;
  parentSpanId: string | undefined;
  calls: Map<string, OpenSpan & { tool: string }>;
  /** What the calls of the last answer are about, for those that start later. */
  tools: Map<string, { name: string; params: string }>;
  error: string | undefined;
  input: string | undefined;
}

/** A request, and what has arrived of its answer. */
interface OpenChat extends OpenSpan {
  traceId: string;
  parentSpanId: string | undefined;
  firstMs: number | undefined;
  finish: string | undefined;
  usage: Usage | undefined;
  /** Collected only if contents are exported. */
  text: string;
  calls: { id: string; name: string; arguments: string }[];
}

export class TaskTelemetry implements RequestObserver {
  readonly #deps: TaskTelemetryDeps;
  /** By session. */
  readonly #turns = new Map<string, Turn>();
  /** The call of a parent task that a subtask's session belongs to. */
  readonly #parents = new Map<string, { traceId: string; spanId: string }>();
  readonly #asked = new Map<string, string>();

  constructor(deps: TaskTelemetryDeps) {
    this.#deps = deps;
  }

  /** The events of each task, in their order. */
  event(event: TaskEvent): void {
    const { session } = event;
    const turn = this.#turns.get(session);
    switch (event.type) {
      case "status":
        if (event.status === "idle") this.#endTurn(session);
        else this.#turn(session);
        break;
      case "request":
        this.#turn(session);
        break;
      case "message":
        this.#message(session, event.message);
        break;
      case "call-running":
        this.#beginCall(session, event.callId);
        break;
      case "call-done":
        this.#endCall(session, event.callId, event.outcome);
        break;
      case "child":
        this.#adopt(session, event.callId, event.task.id);
        break;
      case "error":
        if (turn) turn.error = event.error.code;
        break;
      default:
        // No other event says anything about a span.
        break;
    }
  }

  #turn(session: string): Turn {
    const known = this.#turns.get(session);
    if (known) return known;
    const parent = this.#parents.get(session);
    const turn: Turn = {
      ...this.#open(),
      traceId: parent?.traceId ?? this.#deps.randomHex(16),
      parentSpanId: parent?.spanId,
      calls: new Map(),
      tools: new Map(),
      error: undefined,
      input: this.#asked.get(session),
    };
    this.#turns.set(session, turn);
    return turn;
  }

  #open(): OpenSpan {
    return { spanId: this.#deps.randomHex(8), startMs: this.#deps.now() };
  }

  #message(session: string, message: Message): void {
    const { role, display } = message;
    if (role === "user" && display !== undefined) {
      // The turn of a message begins before or after it.
      this.#asked.set(session, display);
      const turn = this.#turns.get(session);
      if (turn) turn.input = display;
    }
    const turn = this.#turns.get(session);
    if (!turn || role === "user") return;
    for (const block of message.blocks) {
      if (block.type === "tool-call")
        turn.tools.set(block.id, { name: block.name, params: JSON.stringify(block.params) });
      else if (block.type === "tool-result") this.#endCall(session, block.callId, block.outcome);
    }
  }

  sent(request: SentRequest): AnswerObserver {
    const { session } = request;
    const turn = session === undefined ? undefined : this.#turns.get(session);
    const chat: OpenChat = {
      ...this.#open(),
      traceId: turn?.traceId ?? this.#deps.randomHex(16),
      parentSpanId: turn?.spanId,
      ...{ firstMs: undefined, finish: undefined, usage: undefined, text: "", calls: [] },
    };
    return {
      part: (part) => this.#part(chat, part),
      ended: (error) => {
        this.#endChat(chat, request, error);
        if (!turn) this.#deps.settled();
      },
    };
  }

  #part(chat: OpenChat, part: ObservedPart): void {
    if (part.type === "usage") chat.usage = part.usage;
    else chat.firstMs ??= this.#deps.now();
    if (part.type === "finish") chat.finish = part.reason;
    if (!this.#deps.content) return;
    if (part.type === "text") chat.text += part.delta;
    if (part.type !== "tool-calls") return;
    for (const { index = 0, id, name, arguments: more = "" } of part.deltas) {
      const call = chat.calls[index] ?? { id: "", name: "", arguments: "" };
      chat.calls[index] = { id: id ?? call.id, name: name ?? call.name, arguments: call.arguments + more };
    }
  }

  #endChat(chat: OpenChat, request: SentRequest, error: string | undefined): void {
    const { connection, model, purpose, session, maxTokens, temperature } = request;
    const { usage, finish } = chat;
    const endpoint = this.#deps.endpointOf(connection);
    const common = {
      "gen_ai.operation.name": "chat",
      "gen_ai.provider.name": endpoint.provider,
      "gen_ai.request.model": model,
      "server.address": endpoint.address,
      "server.port": endpoint.port,
      "error.type": error,
    };
    const measurements: Measurement[] = [];
    if (chat.firstMs !== undefined)
      measurements.push(
        measured("gen_ai.client.operation.time_to_first_chunk", (chat.firstMs - chat.startMs) / 1000, common),
      );
    for (const [type, tokens] of [
      ["input", usage?.inputTokens],
      ["output", usage?.outputTokens],
    ] as const) {
      if (tokens === undefined) continue;
      const attributes = { ...common, "gen_ai.token.type": type };
      measurements.push(measured("gen_ai.client.token.usage", tokens, attributes));
    }
    this.#end(
      chat,
      { traceId: chat.traceId, spanId: chat.parentSpanId },
      {
        name: `chat ${model}`,
        kind: SPAN_KIND.client,
        attributes: {
          ...common,
          "gen_ai.conversation.id": session,
          "gen_ai.request.max_tokens": maxTokens,
          "gen_ai.request.temperature": temperature,
          "gen_ai.response.finish_reasons": finish === undefined ? undefined : [finish],
          "gen_ai.usage.input_tokens": usage?.inputTokens,
          "gen_ai.usage.output_tokens": usage?.outputTokens,
          "gen_ai.usage.cache_read.input_tokens": usage?.cachedTokens,
          "gen_ai.usage.cache_creation.input_tokens": usage?.cacheWriteTokens,
          "nekode.request.purpose": purpose,
          ...(this.#deps.content ? { "gen_ai.output.messages": outputMessages(chat) } : {}),
        },
        isError: error !== undefined,
      },
      ["gen_ai.client.operation.duration", common],
      measurements,
    );
  }

  /** It is reported again when its state changes. */
  #beginCall(session: string, callId: string): void {
    const turn = this.#turn(session);
    const tool = turn.tools.get(callId)?.name ?? "unknown";
    if (!turn.calls.has(callId)) turn.calls.set(callId, { ...this.#open(), tool });
  }

  #endCall(session: string, callId: string, outcome: string): void {
    const turn = this.#turns.get(session);
    const call = turn?.calls.get(callId);
    if (!turn || !call) return;
    turn.calls.delete(callId);
    const isError = outcome !== "done";
    const common = {
      "gen_ai.operation.name": "execute_tool",
      "gen_ai.tool.name": call.tool,
      "error.type": isError ? outcome : undefined,
    };
    this.#end(
      call,
      turn,
      {
        name: `execute_tool ${call.tool}`,
        kind: SPAN_KIND.internal,
        attributes: {
          ...common,
          "gen_ai.conversation.id": session,
          "gen_ai.tool.call.id": callId,
          "gen_ai.tool.type": "function",
          ...(this.#deps.content ? { "gen_ai.tool.call.arguments": turn.tools.get(callId)?.params } : {}),
        },
        isError,
      },
      ["gen_ai.execute_tool.duration", common],
    );
  }

  #adopt(session: string, callId: string, child: string): void {
    const turn = this.#turns.get(session);
    const call = turn?.calls.get(callId);
    if (turn && call && !this.#parents.has(child))
      this.#parents.set(child, { traceId: turn.traceId, spanId: call.spanId });
  }

  #endTurn(session: string): void {
    const turn = this.#turns.get(session);
    if (!turn) return;
    for (const callId of [...turn.calls.keys()]) this.#endCall(session, callId, "interrupted");
    this.#turns.delete(session);
    this.#asked.delete(session);
    const common = {
      "gen_ai.operation.name": "invoke_agent",
      "gen_ai.agent.name": "nekode",
      "error.type": turn.error,
    };
    const { content } = this.#deps;
    this.#end(
      turn,
      { ...turn, spanId: turn.parentSpanId },
      {
        name: "invoke_agent nekode",
        kind: SPAN_KIND.internal,
        attributes: {
          ...common,
          "gen_ai.conversation.id": session,
          ...(content && turn.input !== undefined
            ? { "gen_ai.input.messages": inputMessages(turn.input) }
            : {}),
        },
        isError: turn.error !== undefined,
      },
      ["gen_ai.invoke_agent.duration", common],
    );
    this.#deps.settled();
  }

  /** `parent`: no id: it has none. */
  #end(
    { spanId, startMs }: OpenSpan,
    parent: { traceId: string; spanId: string | undefined },
    span: Pick<Span, "name" | "kind" | "attributes" | "isError">,
    [metric, attributes]: readonly [MetricName, SpanAttributes],
    more: readonly Measurement[] = [],
  ): void {
    const endMs = this.#deps.now();
    const { traceId, spanId: parentSpanId } = parent;
    this.#deps.ended(
      { ...span, traceId, spanId, ...(parentSpanId === undefined ? {} : { parentSpanId }), startMs, endMs },
      [measured(metric, (endMs - startMs) / 1000, attributes), ...more],
    );
  }
}

function measured(metric: MetricName, value: number, attributes: SpanAttributes): Measurement {
  return { metric, value: Math.max(0, value), attributes };
}

function inputMessages(text: string): string {
  return JSON.stringify([{ role: "user", parts: [{ type: "text", content: text }] }]);
}

function outputMessages({ text, calls, finish = "unknown" }: OpenChat): string {
  const parts = [
    ...(text === "" ? [] : [{ type: "text", content: text }]),
    // An endpoint may leave out an index.
    ...calls.filter(Boolean).map((call) => ({ type: "tool_call", ...call })),
  ];
  return JSON.stringify([{ role: "assistant", parts, finish_reason: finish }]);
}
