/** Converts the events of a Responses stream, or a whole response, into stream parts. */
import type { Usage } from "../../../shared/message.ts";
import * as z from "../../../shared/zod.ts";
import type { ToolCallDelta } from "../../answer-deltas.ts";
import type { StreamPart } from "../provider.ts";
import { isReturnable, reasoningItemSchema } from "./reasoning-item.ts";

const optionalText = z.catch(z.nullish(z.string()), undefined);
const parts = z.catch(
  z.nullish(z.array(z.looseObject({ type: z.string(), text: optionalText, refusal: optionalText }))),
  undefined,
);
/** An item of the answer. Items of other types, such as those of built-in tools, are ignored. */
const itemSchema = z.looseObject({
  type: z.string(),
  id: optionalText,
  name: optionalText,
  call_id: optionalText,
  arguments: z.catch(z.nullish(z.union([z.string(), z.record(z.string(), z.unknown())])), undefined),
  content: parts,
  summary: parts,
  phase: optionalText,
});
type Item = z.infer<typeof itemSchema>;

const count = z.catch(z.nullish(z.number()), undefined);
const failureSchema = z.union([
  z.string(),
  z.looseObject({ message: optionalText, code: z.optional(z.unknown()) }),
]);
const usageSchema = z.object({
  input_tokens: count,
  output_tokens: count,
  input_tokens_details: z.catch(z.nullish(z.object({ cached_tokens: count })), undefined),
  /** OpenRouter reports the price of the request in credits (USD). */
  cost: count,
});
const responseSchema = z.object({
  status: optionalText,
  output: z.nullish(z.array(itemSchema)),
  usage: z.catch(z.nullish(usageSchema), undefined),
  incomplete_details: z.nullish(z.looseObject({ reason: optionalText })),
  error: z.nullish(failureSchema),
});
/** An event of a stream. Types that are not known are ignored. */
const eventSchema = z.object({
  type: z.string(),
  output_index: z.nullish(z.number()),
  item_id: optionalText,
  summary_index: z.nullish(z.number()),
  delta: optionalText,
  arguments: optionalText,
  item: z.nullish(itemSchema),
  response: z.nullish(responseSchema),
  /** A failure is in `error`, or in the event itself. */
  error: z.nullish(failureSchema),
  message: optionalText,
  code: z.optional(z.unknown()),
  /** Of a whole response. */
  object: z.optional(z.unknown()),
});
type ResponseEvent = z.infer<typeof eventSchema>;
const wholeSchema = z.extend(responseSchema, { object: z.literal("response") });
/** A refusal in place of an event, in the format of vLLM without a wrapper. */
const refusalSchema = z.object({ error: failureSchema });
const bareRefusalSchema = z.looseObject({ object: z.literal("error"), message: z.string() });

/** Returns undefined if the data is not an event. A whole response becomes the event that ends it. */
export function readResponseEvent(data: unknown): ResponseEvent | undefined {
  const event = eventSchema.safeParse(data).data;
  // Nearly all data is an event, and a parse that fails costs more than one that succeeds.
  const whole = event && event.object !== "response" ? undefined : wholeSchema.safeParse(data).data;
  if (whole) return { type: `response.${whole.status ?? "completed"}`, response: whole };
  if (event) return event;
  const error = refusalSchema.safeParse(data).data?.error ?? bareRefusalSchema.safeParse(data).data;
  return error === undefined ? undefined : { type: "error", error };
}

/** Why the endpoint ended the answer without finishing it; undefined if it did not. */
export function responseFailure({
  type,
  response,
  ...event
}: ResponseEvent): z.infer<typeof failureSchema> | undefined {
  if (type === "error") return event.error ?? { message: event.message, code: event.code };
  if (type === "response.failed" || type === "response.cancelled")
    return response?.error ?? { message: type };
  return undefined;
}

/** How much of an item has been passed on. */
interface Passed {
  text: boolean;
  call: boolean;
  /** Characters of the arguments. */
  arguments: number;
}

/** Reads the events of one answer. */
export class ResponseReader {
  readonly #items = new Map<number, Passed>();
  /** The items of a stream that has no indexes, by what names them. */
  readonly #named = new Map<string, number>();
  #hasCalls = false;
  /** The endpoint ended the answer itself. */
  ended = false;

  *read(event: ResponseEvent): Generator<StreamPart> {
    const index = event.output_index ?? this.#unnumbered(event);
    const { delta } = event;
    switch (event.type) {
      case "response.output_text.delta":
      case "response.refusal.delta":
        if (delta) yield* this.#text(index, { type: "text", delta });
        break;
      case "response.reasoning_summary_part.added":
        if (event.summary_index) yield { type: "reasoning", delta: "\n\n" };
        break;
      case "response.reasoning_summary_text.delta":
      case "response.reasoning_text.delta":
        if (delta) yield* this.#text(index, { type: "reasoning", delta });
        break;
      case "response.output_item.added":
        if (event.item?.type === "function_call") yield* this.#call(index, event.item);
        else this.#item(index);
        break;
      case "response.function_call_arguments.delta":
        if (delta) yield* this.#arguments(index, delta);
        break;
      case "response.function_call_arguments.done":
        if (this.#items.get(index)?.call) yield* this.#restOfArguments(index, event.arguments ?? "");
        break;
      case "response.output_item.done":
        if (event.item) yield* this.#done(index, event.item);
        break;
      case "response.completed":
      case "response.incomplete":
        yield* this.#end(event.response ?? {}, event.type === "response.incomplete");
    }
  }

  /**
   * The item that an event without an index (llama.cpp) is about: the one that it names, a new one if it begins one, or else
   * the newest. A call may be named by its own id.
   */
  #unnumbered({ type, item, item_id: named }: ResponseEvent): number {
    const names = [item?.id, item?.call_id, named].flatMap((name) => name || []);
    const known = names.map((name) => this.#named.get(name)).find((index) => index !== undefined);
    const newest = Math.max(0, this.#items.size - 1);
    // What ends under another name than the newest one did not begin with an event of its own.
    const isOther = names.length > 0 && [...this.#named.values()].includes(newest);
    const begins = type === "response.output_item.added" || (type === "response.output_item.done" && isOther);
    const index = known ?? (begins ? this.#items.size : newest);
    for (const name of names) this.#named.set(name, index);
    return index;
  }

  #item(index: number): Passed {
    let item = this.#items.get(index);
    if (!item) {
      item = { text: false, call: false, arguments: 0 };
      this.#items.set(index, item);
    }
    return item;
  }

  *#text(index: number, part: StreamPart): Generator<StreamPart> {
    this.#item(index).text = true;
    yield part;
  }

  *#call(index: number, { call_id: id, name, arguments: args }: Item): Generator<StreamPart> {
    const item = this.#item(index);
    if (!item.call) yield calls({ index, id: id ?? undefined, name: name ?? undefined });
    item.call = true;
    this.#hasCalls = true;
    const text = typeof args === "object" ? JSON.stringify(args ?? {}) : args;
    if (text) yield* this.#restOfArguments(index, text);
  }

  *#arguments(index: number, delta: string): Generator<StreamPart> {
    this.#item(index).arguments += delta.length;
    yield calls({ index, arguments: delta });
  }

  /** Passes on the part of the complete arguments that no delta contained. */
  *#restOfArguments(index: number, text: string): Generator<StreamPart> {
    const rest = text.slice(this.#item(index).arguments);
    if (rest !== "") yield* this.#arguments(index, rest);
  }

  /** The item is complete. Endpoints that do not stream it pass it on only here. */
  *#done(index: number, item: Item): Generator<StreamPart> {
    this.#item(index);
    if (item.type === "function_call") yield* this.#call(index, item);
    else if (item.type === "message") yield* this.#doneMessage(index, item);
    else if (item.type === "reasoning") yield* this.#doneReasoning(index, item);
  }

  *#doneMessage(index: number, { content, phase }: Item): Generator<StreamPart> {
    const delta = this.#item(index).text ? "" : textOf(content);
    if (delta !== "") yield* this.#text(index, { type: "text", delta });
    if (phase) yield { type: "signed-reasoning", signed: { type: "message", phase } };
  }

  *#doneReasoning(index: number, item: Item): Generator<StreamPart> {
    const delta = this.#item(index).text ? "" : textOf(item.summary, "\n\n") || textOf(item.content);
    if (delta !== "") yield* this.#text(index, { type: "reasoning", delta });
    const { data } = reasoningItemSchema.safeParse(item);
    // llama.cpp ends all items together, after the last delta.
    const late = this.#item(index).text && index < this.#items.size - 1;
    if (data && isReturnable(data))
      yield { type: "signed-reasoning", signed: item, ...(late ? { late } : {}) };
  }

  *#end(response: z.infer<typeof responseSchema>, incomplete: boolean): Generator<StreamPart> {
    this.ended = true;
    // Nothing was streamed: the answer is complete here.
    if (this.#items.size === 0)
      for (const [index, item] of (response.output ?? []).entries()) yield* this.#done(index, item);
    const reason = response.incomplete_details?.reason ?? "incomplete";
    const finished = this.#hasCalls ? "tool_calls" : "stop";
    const cutOff = reason === "max_output_tokens" ? "length" : reason;
    yield { type: "finish", reason: incomplete ? cutOff : finished };
    // Every prompt has tokens, so zeros mean that nothing was counted.
    if (response.usage?.input_tokens) yield { type: "usage", usage: readUsage(response.usage) };
  }
}

function calls(delta: ToolCallDelta): StreamPart {
  return { type: "tool-calls", deltas: [delta] };
}

function textOf(content: Item["content"], gap = ""): string {
  return (content ?? [])
    .map((part) => part.text || part.refusal || "")
    .filter((text) => text !== "")
    .join(gap);
}

function readUsage(usage: z.infer<typeof usageSchema>): Usage {
  const cached = usage.input_tokens_details?.cached_tokens;
  return {
    inputTokens: usage.input_tokens ?? 0,
    outputTokens: usage.output_tokens ?? 0,
    ...(cached ? { cachedTokens: cached } : {}),
    ...(usage.cost ? { cost: usage.cost } : {}),
  };
}
