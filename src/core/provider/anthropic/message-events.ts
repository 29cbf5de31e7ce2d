/** Converts the events of the Messages API, or one whole message, into stream parts. */
import type { Usage } from "../../../shared/message.ts";
import * as z from "../../../shared/zod.ts";
import { badResponse } from "../failures.ts";
import type { StreamPart } from "../provider.ts";
import { BOUNDS, tooLarge } from "../received.ts";

const text = z.nullish(z.string());
const count = z.catch(z.nullish(z.number()), undefined);
const usageSchema = z.object({
  input_tokens: count,
  output_tokens: count,
  cache_creation_input_tokens: count,
  cache_read_input_tokens: count,
});
type UsageFields = z.infer<typeof usageSchema>;

/** Blocks and deltas of other types are ignored. */
const blockSchema = z.looseObject({
  type: z.string(),
  text,
  thinking: text,
  signature: text,
  /** Of redacted thinking. */
  data: text,
  id: text,
  name: text,
  input: z.nullish(z.record(z.string(), z.unknown())),
});
type BlockFields = z.infer<typeof blockSchema>;
const deltaSchema = z.looseObject({
  type: text,
  text,
  thinking: text,
  signature: text,
  partial_json: text,
  stop_reason: text,
});
const messageSchema = z.looseObject({
  content: z.nullish(z.array(blockSchema)),
  stop_reason: text,
  usage: z.nullish(usageSchema),
});
const eventSchema = z.looseObject({
  type: z.string(),
  index: z.nullish(z.number()),
  message: z.catch(z.nullish(messageSchema), undefined),
  content_block: z.nullish(blockSchema),
  delta: z.nullish(deltaSchema),
  usage: z.nullish(usageSchema),
  error: z.nullish(
    z.union([
      z.string(),
      z.looseObject({ type: z.catch(text, undefined), message: z.catch(text, undefined) }),
    ]),
  ),
  // A whole message.
  content: z.catch(z.nullish(z.array(blockSchema)), undefined),
  stop_reason: text,
});
export type MessageEvent = z.infer<typeof eventSchema>;

/** Throws ProviderError for data that is no event, with its `text` minus the secrets. */
export function readMessageEvent(data: unknown, source: string, secrets: readonly string[]): MessageEvent {
  const parsed = eventSchema.safeParse(data);
  if (!parsed.success) throw badResponse(source, secrets, parsed.error);
  return parsed.data;
}

/** Why an answer ended, in the words that all APIs share. */
const FINISH: Readonly<Record<string, string>> = {
  end_turn: "stop",
  stop_sequence: "stop",
  pause_turn: "stop",
  tool_use: "tool_calls",
  max_tokens: "length",
  model_context_window_exceeded: "length",
  refusal: "content_filter",
};

/** A block that has begun. */
interface OpenBlock {
  type: string;
  thinking: string[];
  signature: string;
  data: string;
  /** Number of the call in the answer. */
  call: number;
  /** Arguments that came with the beginning, unless deltas follow. */
  input: Record<string, unknown>;
  argued: boolean;
}

export class MessageReader {
  /** By index, until they end. */
  readonly #blocks = new Map<number, OpenBlock>();
  #begun = 0;
  #calls = 0;
  #usage: UsageFields = {};
  /** The endpoint has reported the end of the answer, with or without a reason. */
  ended = false;

  *parts(event: MessageEvent): Generator<StreamPart> {
    const { type, index, message, content_block: block, delta } = event;
    if (type === "message") yield* this.#whole(event);
    else if (type === "message_start") this.#count(message?.usage);
    else if (type === "content_block_start" && block) yield* this.#start(index ?? this.#begun, block);
    else if (type === "content_block_delta" && delta) yield* this.#delta(index ?? this.#begun - 1, delta);
    else if (type === "content_block_stop") yield* this.#stop(index ?? this.#begun - 1);
    else if (type === "message_delta") {
      this.#count(event.usage);
      yield* this.#finish(delta?.stop_reason);
    } else if (type === "message_stop") this.ended = true;
  }

  *#whole({ content, stop_reason, usage }: MessageEvent): Generator<StreamPart> {
    for (const [index, block] of (content ?? []).entries()) {
      yield* this.#start(index, block);
      yield* this.#stop(index);
    }
    this.#count(usage);
    yield* this.#finish(stop_reason);
    this.ended = true;
  }

  *#start(index: number, fields: BlockFields): Generator<StreamPart> {
    const { type, thinking, signature, data, id, name, input } = fields;
    const block: OpenBlock = {
      type,
      thinking: [],
      signature: signature ?? "",
      data: data ?? "",
      call: this.#calls,
      input: input ?? {},
      argued: false,
    };
    this.#blocks.set(index, block);
    this.#begun = index + 1;
    if (type === "text" && fields.text) yield { type: "text", delta: fields.text };
    if (type === "thinking" && thinking) yield* this.#think(block, thinking);
    if (type !== "tool_use") return;
    this.#calls += 1;
    const opening = { index: block.call, id: id ?? undefined, name: name ?? undefined, arguments: "" };
    yield { type: "tool-calls", deltas: [opening] };
  }

  *#delta(index: number, delta: z.infer<typeof deltaSchema>): Generator<StreamPart> {
    const block = this.#blocks.get(index);
    if (delta.text) yield { type: "text", delta: delta.text };
    if (!block) return;
    if (delta.thinking) yield* this.#think(block, delta.thinking);
    if (delta.signature) {
      block.signature += delta.signature;
      if (block.signature.length > BOUNDS.answer) throw tooLarge(`${BOUNDS.answer} characters`);
    }
    // The arguments of a tool that the endpoint runs itself are no call of ours.
    if (!delta.partial_json || block.type !== "tool_use") return;
    block.argued = true;
    yield { type: "tool-calls", deltas: [{ index: block.call, arguments: delta.partial_json }] };
  }

  *#think(block: OpenBlock, delta: string): Generator<StreamPart> {
    block.thinking.push(delta);
    yield { type: "reasoning", delta };
  }

  *#stop(index: number): Generator<StreamPart> {
    const block = this.#blocks.get(index);
    if (!block) return;
    this.#blocks.delete(index);
    const { type, signature, data } = block;
    if (type === "thinking" && signature !== "") {
      yield { type: "signed-reasoning", signed: { type, thinking: block.thinking.join(""), signature } };
    } else if (type === "redacted_thinking" && data !== "") {
      yield { type: "signed-reasoning", signed: { type, data } };
    } else if (type === "tool_use" && !block.argued) {
      yield { type: "tool-calls", deltas: [{ index: block.call, arguments: JSON.stringify(block.input) }] };
    }
  }

  /** Later figures are of the same request and replace earlier ones. */
  #count(usage: UsageFields | null | undefined): void {
    const counted = Object.entries(usage ?? {}).filter(([, value]) => typeof value === "number");
    this.#usage = { ...this.#usage, ...Object.fromEntries(counted) };
  }

  *#finish(reason: string | null | undefined): Generator<StreamPart> {
    const usage = readUsage(this.#usage);
    if (usage) yield { type: "usage", usage };
    if (!reason) return;
    this.ended = true;
    yield { type: "finish", reason: FINISH[reason] ?? reason };
  }
}

/** Every prompt has tokens, so zeros mean that nothing was counted. The API counts cached tokens apart. */
function readUsage(usage: UsageFields): Usage | undefined {
  const cached = usage.cache_read_input_tokens ?? 0;
  const written = usage.cache_creation_input_tokens ?? 0;
  const inputTokens = (usage.input_tokens ?? 0) + cached + written;
  if (inputTokens === 0) return undefined;
  return {
    inputTokens,
    outputTokens: usage.output_tokens ?? 0,
    ...(cached > 0 ? { cachedTokens: cached } : {}),
    ...(written > 0 ? { cacheWriteTokens: written } : {}),
  };
}
