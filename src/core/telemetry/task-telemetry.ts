/**
 * Makes spans and measurements from the events of sessions, by OpenTelemetry's conventions for generative AI: a turn is
 * `invoke_agent`, a request to a model is `chat`, a call is `execute_tool`. Contents are left out unless they are asked for. What a project
 * calls its files and commands is content.
 */
import type { TaskEvent } from "../../shared/event.ts";
import type { Message } from "../../shared/message.ts";
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
  /** `connection`: its name. */
  endpointOf(connection: string): TracedEndpoint;
  /** Messages, arguments and results are exported too. */
  content: boolean;
  /** Receives what has ended. Never throws. */
  ended(span: Span, measurements: readonly Measurement[]): void;
  /** A turn ended, so that everything about it is known. */
  turnEnded(): void;
}

interface OpenSpan {
  spanId: string;
  startMs: number;
}

interface Turn extends OpenSpan {
  traceId: string;
  parentSpanId: string | undefined;
  chat: (OpenSpan & { messageId: string; firstMs: number | undefined }) | undefined;
  calls: Map<string, OpenSpan & { tool: string }>;
  /** What the calls of the last answer are about, for those that start later. */
  tools: Map<string, { name: string; params: string }>;
  error: string | undefined;
  input: string | undefined;
}

export class TaskTelemetry {
  readonly #deps: TaskTelemetryDeps;
  /** By session. */
  readonly #turns = new Map<string, Turn>();
  /** The call of a parent task that a subtask's session belongs to. */
  readonly #parents = new Map<string, { traceId: string; spanId: string }>();
  readonly #asked = new Map<string, string>();

  constructor(deps: TaskTelemetryDeps) {
    this.#deps = deps;
  }

  /** The events of all sessions, in their order. */
  fold(event: TaskEvent): void {
    const { session } = event;
    const turn = this.#turns.get(session);
    switch (event.type) {
      case "status":
        if (event.status === "idle") this.#endTurn(session);
        else this.#turn(session);
        break;
      case "request":
        this.#endChat(this.#turn(session), session, undefined);
        this.#turn(session).chat = { ...this.#open(), messageId: event.messageId, firstMs: undefined };
        break;
      case "delta":
      case "call":
        if (turn?.chat) turn.chat.firstMs ??= this.#deps.now();
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
      chat: undefined,
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
    if (role === "assistant") this.#endChat(turn, session, message);
  }

  /** `message`: undefined: the request failed. */
  #endChat(turn: Turn, session: string, message: Message | undefined): void {
    const { chat } = turn;
    if (!chat) return;
    turn.chat = undefined;
    const { usage, model, connection } = message ?? {};
    const endpoint = connection === undefined ? { provider: "unknown" } : this.#deps.endpointOf(connection);
    const common = {
      "gen_ai.operation.name": "chat",
      "gen_ai.provider.name": endpoint.provider,
      "gen_ai.request.model": model,
      "server.address": endpoint.address,
      "server.port": endpoint.port,
      "error.type": message === undefined ? (turn.error ?? "_OTHER") : undefined,
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
      turn,
      {
        name: model === undefined ? "chat" : `chat ${model}`,
        kind: SPAN_KIND.client,
        attributes: {
          ...common,
          "gen_ai.conversation.id": session,
          "gen_ai.usage.input_tokens": usage?.inputTokens,
          "gen_ai.usage.output_tokens": usage?.outputTokens,
          "gen_ai.usage.cache_read.input_tokens": usage?.cachedTokens,
          "gen_ai.usage.cache_creation.input_tokens": usage?.cacheWriteTokens,
          ...(this.#deps.content && message ? { "gen_ai.output.messages": outputMessages(message) } : {}),
        },
        isError: message === undefined,
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
    this.#endChat(turn, session, undefined);
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
    this.#deps.turnEnded();
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

function outputMessages({ blocks }: Message): string {
  const parts = blocks.flatMap((block): Readonly<Record<string, unknown>>[] => {
    if (block.type === "text") return [{ type: "text", content: block.text }];
    if (block.type !== "tool-call") return [];
    return [{ type: "tool_call", id: block.id, name: block.name, arguments: block.params }];
  });
  return JSON.stringify([{ role: "assistant", parts, finish_reason: "stop" }]);
}
