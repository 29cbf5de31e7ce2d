/**
 * Builds one assistant message while it streams: folds the events of either protocol into blocks and reports them as events
 * of the task. The panel and the tools see no difference between the protocols. `receiveAnswer` reads a whole stream. An answer that
 * was cut off keeps its open call; `ToolSet.resolve` refuses that.
 */
import type { EventBody } from "../../shared/event.ts";
import type { Block, Message, ToolCallBlock, Usage } from "../../shared/message.ts";
import type { ToolPresentation } from "../../shared/tool-presentation.ts";
import { unreachable } from "../../shared/unreachable.ts";
import type { ToolCallDelta } from "../answer-deltas.ts";
import { AnswerReader } from "../assistant/answer-reader.ts";
import {
  type AssistantEvent,
  BlockFolder,
  type FoldedBlock,
  type FoldedCall,
  paramsOf,
} from "../assistant/events.ts";
import { withParallelCalls } from "../assistant/forms/parallel-calls.ts";
import { withTextCalls } from "../assistant/forms/text-calls.ts";
import { withReasoning } from "../assistant/reasoning-forms.ts";
import { Interrupt, ProviderError } from "../errors.ts";
import type { Clock } from "../ports/system.ts";
import type { StreamPart } from "../provider/provider.ts";
import { BOUNDS, tooLarge } from "../provider/received.ts";
import type { ToolSet } from "../tools/set/tool-set.ts";
import type { CallStream, Tool } from "../tools/tool.ts";

/** A call's state besides the folded block. */
interface OpenCall {
  id: string;
  tool: Tool | undefined;
  folded: FoldedCall;
  lastParam: string | undefined;
  /** Parameters after which the subject was computed. */
  reportedParams: Set<string>;
  subject: string;
  stream: CallStream | undefined;
}

export interface AnswerOptions {
  messageId: string;
  registry: ToolSet;
  newId(): string;
  emit(event: EventBody): void;
  /** Starts a stream for a call, to show an edit while it arrives; undefined: the call is not streamed. */
  watch(tool: Tool): CallStream | undefined;
  /** Whether the model received this text in the conversation. */
  isGiven(text: string): boolean;
  /** Ids in earlier messages, which must not repeat: some endpoints restart at 1 in each message. */
  usedIds: ReadonlySet<string>;
}

export class Answer {
  readonly #options: AnswerOptions;
  readonly #reader: AnswerReader;
  readonly #folder = new BlockFolder();
  readonly #calls = new Map<FoldedCall, OpenCall>();
  readonly #ids = new Set<string>();
  #hasCalls = false;
  /** Names of each tool's parameters. */
  readonly #params: ReadonlyMap<string, ReadonlySet<string>>;

  constructor(options: AnswerOptions) {
    this.#options = options;
    const { registry, newId } = options;
    const tools = registry.grammar();
    this.#params = new Map(tools.map(({ name, params }) => [name, new Set(params)]));
    this.#reader = new AnswerReader({ tools, newId, maxCalls: BOUNDS.calls });
  }

  text(delta: string): void {
    this.#take(this.#reader.text(delta));
  }

  reasoning(delta: string): void {
    this.#take(this.#reader.reasoning(delta));
  }

  signedReasoning({ signed, late }: Extract<StreamPart, { type: "signed-reasoning" }>): void {
    this.#take([{ type: "reasoning-end", signed, ...(late ? { late } : {}) }]);
  }

  toolCalls(deltas: readonly ToolCallDelta[]): void {
    this.#take(this.#reader.toolCalls(deltas));
  }

  /** The answer has an implausible number of calls: none of them is used, and the rest is ignored. */
  get tooManyCalls(): boolean {
    return this.#reader.tooManyCalls;
  }

  /** All calls came as XML in the text, none natively. */
  get speaksXml(): boolean {
    return this.#reader.speaksXml && this.#hasCalls;
  }

  /** Ends the message. `cutOff`: it was interrupted, so an open call never runs. */
  end(cutOff: boolean): {
    blocks: Block[];
    streams: Map<string, CallStream>;
    subjects: Record<string, string>;
  } {
    this.#take(this.#reader.end(cutOff));
    const blocks: Block[] = [];
    const streams = new Map<string, CallStream>();
    const subjects: Record<string, string> = {};
    const folded = this.#withCalls(withReasoning(this.#folder.open), cutOff);
    for (const { stream, id } of this.#calls.values()) if (stream) streams.set(id, stream);
    this.#hasCalls = folded.some(({ type }) => type === "tool");
    for (const block of folded) {
      if (block.type !== "tool") {
        const { type, text } = block;
        const signed = type === "reasoning" && block.signed ? { signed: block.signed } : {};
        blocks.push({ type, text: text.toString(), ...signed });
        continue;
      }
      const call = this.#calls.get(block) ?? this.#start(block, undefined, false);
      if (this.tooManyCalls) continue;
      const finished = this.#finish(call);
      blocks.push(finished);
      subjects[call.id] = this.#options.registry.subject(finished);
    }
    return { blocks, streams, subjects };
  }

  /** The blocks, with the calls that can only be recognized in a complete answer. */
  #withCalls(blocks: readonly FoldedBlock[], cutOff: boolean): readonly FoldedBlock[] {
    const { registry, isGiven } = this.#options;
    const withText = cutOff ? blocks : withTextCalls(blocks, registry.grammar(), isGiven);
    return withParallelCalls(withText, (name) => registry.find(name) !== undefined);
  }

  #finish({ id, folded }: OpenCall): ToolCallBlock {
    const { name, native, partial, fault } = folded;
    const params = native ? (native.arguments ?? {}) : paramsOf(folded);
    return {
      type: "tool-call",
      id,
      ...this.#options.registry.canonical(name, params),
      ...(partial ? { partial } : {}),
      ...(fault === undefined ? {} : { malformed: fault }),
      ...(native?.extra ? { extra: native.extra } : {}),
    };
  }

  #take(events: readonly AssistantEvent[]): void {
    const { emit, messageId } = this.#options;
    for (const event of events) {
      const block = this.#folder.add(event);
      if (event.type === "text" || event.type === "reasoning") {
        const { type: kind, delta } = event;
        emit({ type: "delta", messageId, block: this.#folder.open.length - 1, kind, delta });
        continue;
      }
      if (block?.type !== "tool") continue;
      if (event.type === "tool-start") {
        this.#start(block, event.id);
        continue;
      }
      const call = this.#calls.get(block);
      if (!call) continue;
      if (event.type === "param") this.#param(call, event.name, event.delta);
      else this.#reportSubject(call);
    }
  }

  /** `streams`: whether its parameters are still to come. */
  #start(folded: FoldedCall, sentId: string | undefined, streams = true): OpenCall {
    const { registry, newId, usedIds, watch } = this.#options;
    let id = sentId;
    while (!id || usedIds.has(id) || this.#ids.has(id)) id = newId();
    this.#ids.add(id);
    const tool = registry.find(folded.name);
    const stream = tool && streams ? watch(tool) : undefined;
    const call = {
      id,
      tool,
      folded,
      lastParam: undefined,
      reportedParams: new Set<string>(),
      subject: "",
      stream,
    };
    this.#calls.set(folded, call);
    this.#report(call, tool?.presentation);
    return call;
  }

  #param(call: OpenCall, name: string, delta: string): void {
    if (call.lastParam !== undefined && call.lastParam !== name) this.#parameterEnded(call, call.lastParam);
    call.lastParam = name;
    const own = this.#options.registry.streamedParam(call.folded.name, name);
    call.stream?.param(own, delta);
    if (call.tool?.presentation.shows?.text === own) {
      this.#options.emit({ type: "call-text", callId: call.id, delta });
    }
  }

  /** Processes each parameter once: a hostile answer may contain any number of them, or repeat one. */
  #parameterEnded(call: OpenCall, name: string): void {
    const known = this.#params.get(call.folded.name) ?? this.#params.get(call.tool?.name ?? "");
    if (!known?.has(name) || call.reportedParams.has(name)) return;
    call.reportedParams.add(name);
    this.#reportSubject(call);
  }

  /** Reports the subject once its parameter is complete. */
  #reportSubject(call: OpenCall): void {
    const { folded } = call;
    const subject = this.#options.registry.subject({ name: folded.name, params: paramsOf(folded) });
    if (subject === call.subject) return;
    call.subject = subject;
    this.#report(call);
  }

  #report({ id, tool, folded, subject }: OpenCall, presentation?: ToolPresentation): void {
    const { emit, messageId } = this.#options;
    const name = tool?.name ?? folded.name;
    emit({
      type: "call",
      messageId,
      callId: id,
      tool: name,
      subject,
      ...(presentation ? { face: presentation } : {}),
    });
  }
}

export interface ReceiveOptions extends Omit<AnswerOptions, "messageId"> {
  /** Rejects with ProviderError, or with Interrupt. */
  stream(): AsyncIterable<StreamPart>;
  model: string;
  /** The name of the connection that the model is at. */
  connection: string;
  clock: Clock;
}

/** One answer, as far as it was received. */
export interface ReceivedAnswer {
  message: Message;
  subjects: Record<string, string>;
  streams: Map<string, CallStream>;
  usage: Usage | undefined;
  /** Calls came as XML in the text, whichever protocol was requested. */
  speaksXml: boolean;
  /** The endpoint's finish reason; `length`: the output limit cut the message off. */
  finish: string | undefined;
  /** Why the message was interrupted; the received part is in `message`, marked as interrupted. */
  failure?: ProviderError | Interrupt;
}

/** Reads one answer into one assistant message. A ProviderError or an Interrupt does not reject: it is the `failure` of the result. */
export async function receiveAnswer(options: ReceiveOptions): Promise<ReceivedAnswer> {
  const messageId = options.newId();
  const answer = new Answer({ ...options, messageId });
  options.emit({ type: "status", status: "waiting" });
  const received: StreamFacts = { usage: undefined, finish: undefined, details: new ReasoningDetails() };
  let failure: ProviderError | Interrupt | undefined;
  try {
    await receive(options, answer, received);
  } catch (error) {
    if (!(error instanceof ProviderError) && !(error instanceof Interrupt)) throw error;
    failure = error;
  }
  const { usage, finish, details } = received;
  const { blocks, streams, subjects } = answer.end(failure !== undefined || finish === "length");
  if (failure) {
    for (const stream of streams.values()) await stream.abandon();
    streams.clear();
  }
  const reasoningDetails = failure ? undefined : details.end();
  const message: Message = {
    id: messageId,
    role: "assistant",
    blocks,
    createdAt: options.clock.now().toISOString(),
    model: options.model,
    connection: options.connection,
    ...(usage ? { usage } : {}),
    ...(reasoningDetails ? { reasoningDetails } : {}),
    ...(failure || isCut(blocks, finish) ? { interrupted: true } : {}),
  };
  return {
    message,
    subjects,
    streams,
    usage,
    speaksXml: answer.speaksXml,
    finish,
    ...(failure ? { failure } : {}),
  };
}

/** What a stream contains besides the answer. */
interface StreamFacts {
  usage: Usage | undefined;
  finish: string | undefined;
  details: ReasoningDetails;
}

/** Reads the stream into the answer and into `received`. If it rejects, both have what arrived before. */
async function receive(options: ReceiveOptions, answer: Answer, received: StreamFacts): Promise<void> {
  let streaming = false;
  for await (const part of options.stream()) {
    if (!streaming && part.type !== "usage") {
      streaming = true;
      options.emit({ type: "status", status: "streaming" });
    }
    takePart(part, answer, received);
    if (answer.tooManyCalls) throw tooLarge(`${BOUNDS.calls} tool calls`);
  }
}

function takePart(part: StreamPart, answer: Answer, received: StreamFacts): void {
  switch (part.type) {
    case "text":
      answer.text(part.delta);
      break;
    case "reasoning":
      answer.reasoning(part.delta);
      break;
    case "signed-reasoning":
      answer.signedReasoning(part);
      break;
    case "tool-calls":
      answer.toolCalls(part.deltas);
      break;
    case "usage":
      received.usage = part.usage;
      break;
    case "reasoning-details":
      received.details.push(part.items);
      break;
    case "finish":
      received.finish = part.reason;
      break;
    default:
      unreachable(part);
  }
}

/** Whether the output limit or a filter ended an answer that has something to continue from, and no calls to run. */
function isCut(blocks: Message["blocks"], finish: string | undefined): boolean {
  const isLimit = finish === "length" || finish === "content_filter";
  return isLimit && !isEmpty({ blocks }) && !hasCalls(blocks);
}

function hasCalls(blocks: Message["blocks"]): boolean {
  return blocks.some(({ type }) => type === "tool-call");
}

/** The error for an answer that has neither text nor calls, or that a limit or a filter ended; undefined: the answer can be used. */
export function unusable({ message, finish }: ReceivedAnswer): ProviderError | undefined {
  if (finish === "content_filter" && !hasCalls(message.blocks))
    return new ProviderError({ code: "content-filtered" });
  // The endpoint is not busy, so a retry need not wait.
  if (isCut(message.blocks, finish)) return new ProviderError({ code: "answer-cut" }, { retryAfterMs: 0 });
  if (!isEmpty(message)) return undefined;
  return new ProviderError({
    code: "empty-response",
    ...(finish ? { detail: `finish_reason: ${finish}` } : {}),
  });
}

/** Whether a finished message has neither text nor calls. */
export function isEmpty(message: Pick<Message, "blocks">): boolean {
  return message.blocks.every(
    (block) => (block.type === "text" && block.text.trim() === "") || block.type === "reasoning",
  );
}

type Detail = Record<string, unknown>;

/** Fields to which each piece appends; a piece replaces other fields. */
const GROWING = new Set(["text", "summary", "data"]);

/** Reassembles streamed reasoning details, which are sent back to the endpoint. */
class ReasoningDetails {
  readonly #items: { detail: Detail; grown: Map<string, string[]> }[] = [];

  push(pieces: readonly Detail[]): void {
    for (const piece of pieces) {
      const item = this.#itemOf(piece);
      for (const [name, value] of Object.entries(piece)) {
        if (value === null || value === undefined) continue;
        if (!GROWING.has(name) || typeof value !== "string") item.detail[name] = value;
        else if (item.grown.get(name)?.push(value) === undefined) item.grown.set(name, [value]);
      }
    }
  }

  /** The item that a piece continues, by kind and index; otherwise a new item. */
  #itemOf(piece: Detail): { detail: Detail; grown: Map<string, string[]> } {
    const last = this.#items.at(-1);
    const isSameIndex = piece.index !== undefined && last?.detail.index === piece.index;
    if (last && isSameIndex && last.detail.type === piece.type) return last;
    const item = { detail: {}, grown: new Map<string, string[]>() };
    this.#items.push(item);
    return item;
  }

  /** undefined: there is no opaque data; plain reasoning is not sent again. */
  end(): Detail[] | undefined {
    const items = this.#items.map(({ detail, grown }) => ({
      ...detail,
      ...Object.fromEntries([...grown].map(([name, pieces]) => [name, pieces.join("")])),
    }));
    return items.some((item) => "signature" in item || "data" in item) ? items : undefined;
  }
}
