/**
 * One assistant message as it grows: protocol events in, blocks and task events out. Text and native calls go through
 * the same fold, so panel and tools see no difference between the protocols.
 */
import type { EventBody } from "../../shared/event.ts";
import type { Block, Message, ToolCallBlock } from "../../shared/message.ts";
import type { ToolFace } from "../../shared/tool-face.ts";
import { type AssistantEvent, TextBuilder } from "../assistant/events.ts";
import { createNativeCallParser, type NativeCall } from "../assistant/native.ts";
import { type AssistantParser, createAssistantParser } from "../assistant/xml/xml-protocol.ts";
import type { ToolCallDelta } from "../provider/provider.ts";
import { bounds } from "../provider/received.ts";
import type { ToolSet } from "../tools/set/tool-set.ts";
import type { CallStream, Tool } from "../tools/tool.ts";

interface OpenCall {
  id: string;
  tool: Tool | undefined;
  /** As the model wrote it. */
  name: string;
  params: Map<string, TextBuilder>;
  lastParam: string | undefined;
  /** Parameters that the subject was asked for after. */
  told: Set<string>;
  subject: string;
  stream: CallStream | undefined;
  ended: boolean;
  partial: boolean;
  /** What is wrong with how it was written. */
  fault: string | undefined;
}

type OpenBlock = { type: "text" | "reasoning"; text: TextBuilder } | { type: "call"; call: OpenCall };

export interface AnswerOptions {
  messageId: string;
  registry: ToolSet;
  newId(): string;
  emit(event: EventBody): void;
  /** Begins to watch a call, so that an edit can be seen growing; undefined: not watched. */
  watch(tool: Tool): CallStream | undefined;
  /** Ids that earlier messages used: an endpoint that counts from 1 every time must not repeat them. */
  usedIds: ReadonlySet<string>;
}

export class Answer {
  readonly #options: AnswerOptions;
  readonly #text: AssistantParser;
  readonly #native: ReturnType<typeof createNativeCallParser>;
  readonly #blocks: OpenBlock[] = [];
  readonly #xmlCalls = new Map<number, OpenCall>();
  readonly #nativeCalls = new Map<number, OpenCall>();
  /** Ids by the endpoint's own call index, until the call's name arrives. */
  readonly #announced = new Map<number | undefined, string>();
  readonly #ids = new Set<string>();
  readonly #params: ReadonlyMap<string, ReadonlySet<string>>;

  constructor(options: AnswerOptions) {
    this.#options = options;
    const grammar = options.registry.grammar();
    this.#params = new Map(grammar.map(({ name, params }) => [name, new Set(params)]));
    this.#text = createAssistantParser(grammar);
    this.#native = createNativeCallParser(grammar, options.newId);
  }

  /** Text of the message; calls within it are found whichever protocol was asked for. */
  text(delta: string): void {
    for (const event of this.#text.push(delta)) this.#take(event, this.#xmlCalls, undefined);
  }

  reasoning(delta: string): void {
    this.#append("reasoning", delta);
  }

  toolCalls(deltas: readonly ToolCallDelta[]): void {
    for (const { index, id, name, arguments: args, extra } of deltas) {
      if (id) this.#announced.set(index, id);
      if (this.tooManyCalls) return;
      const item = { index, id, function: { name, arguments: args }, extra };
      for (const event of this.#native.push([item]))
        this.#take(event, this.#nativeCalls, this.#announced.get(index));
    }
  }

  /** The answer is a fault of the model or the endpoint: none of its calls is kept, and what follows is ignored. */
  get tooManyCalls(): boolean {
    return this.#xmlCalls.size + this.#native.count > bounds.calls;
  }

  /** The calls came as XML in the text, and none natively. */
  get speaksXml(): boolean {
    return this.#xmlCalls.size > 0 && this.#nativeCalls.size === 0;
  }

  /** Ends the message. `cutOff`: it did not end by itself, so a call that is open never runs. */
  end(cutOff: boolean): {
    blocks: Block[];
    streams: Map<string, CallStream>;
    subjects: Record<string, string>;
  } {
    for (const event of this.#text.end()) this.#take(event, this.#xmlCalls, undefined);
    const native = this.#native.end({ cutOff });
    for (const event of native.events) this.#take(event, this.#nativeCalls, undefined);
    const results = new Map<OpenCall, NativeCall>();
    for (const call of native.calls) {
      const open = this.#nativeCalls.get(call.index);
      if (open) results.set(open, call);
    }
    const blocks: Block[] = [];
    const streams = new Map<string, CallStream>();
    const subjects: Record<string, string> = {};
    for (const block of this.#blocks) {
      if (block.type !== "call") {
        blocks.push({ type: block.type, text: block.text.toString() });
        continue;
      }
      const { call } = block;
      if (call.stream) streams.set(call.id, call.stream);
      if (this.tooManyCalls) continue;
      const finished = this.#finish(call, results.get(call));
      blocks.push(finished);
      subjects[call.id] = this.#options.registry.subject(finished);
    }
    return { blocks, streams, subjects };
  }

  #finish(call: OpenCall, native: NativeCall | undefined): ToolCallBlock {
    const params = native ? (native.arguments ?? {}) : textOf(call);
    const block: ToolCallBlock = {
      type: "tool-call",
      id: call.id,
      ...this.#options.registry.canonical(call.name, params),
    };
    if (!native) {
      if (call.partial || !call.ended) block.partial = true;
      if (call.fault !== undefined) block.malformed = call.fault;
      return block;
    }
    if (native.extra) block.extra = native.extra;
    if (native.partial) block.partial = true;
    else if (native.error !== null) block.malformed = native.error;
    return block;
  }

  #append(type: "text" | "reasoning", delta: string): void {
    let last = this.#blocks.at(-1);
    if (last?.type !== type) {
      last = { type, text: new TextBuilder() };
      this.#blocks.push(last);
    }
    last.text.append(delta);
    const { emit, messageId } = this.#options;
    emit({ type: "delta", messageId, block: this.#blocks.length - 1, kind: type, delta });
  }

  #take(event: AssistantEvent, calls: Map<number, OpenCall>, id: string | undefined): void {
    if (event.type === "text" || event.type === "reasoning") this.#append(event.type, event.delta);
    else if (event.type === "tool-start") {
      if (!this.tooManyCalls) calls.set(event.index, this.#start(event.name, id));
    } else {
      const call = calls.get(event.index);
      if (!call) return;
      if (event.type === "param") this.#param(call, event.name, event.delta);
      else {
        call.ended = true;
        call.partial = event.partial;
        call.fault = event.fault;
        this.#announce(call);
      }
    }
  }

  #start(name: string, wanted: string | undefined): OpenCall {
    const { registry, newId, usedIds, watch } = this.#options;
    let id = wanted;
    while (!id || usedIds.has(id) || this.#ids.has(id)) id = newId();
    this.#ids.add(id);
    const tool = registry.find(name);
    const call: OpenCall = {
      id,
      tool,
      name,
      params: new Map(),
      lastParam: undefined,
      told: new Set(),
      subject: "",
      stream: tool ? watch(tool) : undefined,
      ended: false,
      partial: false,
      fault: undefined,
    };
    this.#blocks.push({ type: "call", call });
    this.#emitCall(call, tool?.face);
    return call;
  }

  #param(call: OpenCall, name: string, delta: string): void {
    if (call.lastParam !== undefined && call.lastParam !== name) this.#parameterEnded(call, call.lastParam);
    call.lastParam = name;
    let value = call.params.get(name);
    if (!value) {
      value = new TextBuilder();
      call.params.set(name, value);
    }
    value.append(delta);
    const own = this.#options.registry.streamedParam(call.name, name);
    call.stream?.param(own, delta);
    if (call.tool?.face.shows?.text === own) {
      this.#options.emit({ type: "call-text", callId: call.id, delta });
    }
  }

  /** A hostile answer may hold any number of parameters, or the same one again and again: each counts once. */
  #parameterEnded(call: OpenCall, name: string): void {
    const known = this.#params.get(call.name) ?? this.#params.get(call.tool?.name ?? "");
    if (!known?.has(name) || call.told.has(name)) return;
    call.told.add(name);
    this.#announce(call);
  }

  /** The subject is told once the parameter that holds it is whole. */
  #announce(call: OpenCall): void {
    const subject = this.#options.registry.subject({ name: call.name, params: textOf(call) });
    if (subject === call.subject) return;
    call.subject = subject;
    this.#emitCall(call);
  }

  #emitCall(call: OpenCall, face?: ToolFace): void {
    const { emit, messageId } = this.#options;
    emit({
      type: "call",
      messageId,
      callId: call.id,
      tool: call.tool?.name ?? call.name,
      subject: call.subject,
      ...(face ? { face } : {}),
    });
  }
}

function textOf(call: OpenCall): Record<string, string> {
  return Object.fromEntries([...call.params].map(([name, value]) => [name, value.toString()]));
}

/** Whether a finished message says or does anything. */
export function isEmpty(message: Message): boolean {
  return message.blocks.every(
    (block) => (block.type === "text" && block.text.trim() === "") || block.type === "reasoning",
  );
}
