/** Converts an answer's chunks, as endpoints write them, into stream parts. */
import type { Usage } from "../../../shared/message.ts";
import * as z from "../../../shared/zod.ts";
import type { ToolCallDelta } from "../../answer-deltas.ts";
import { badResponse } from "../failures.ts";
import type { StreamPart } from "../provider.ts";
import { extraContentSchema } from "./thought-signatures.ts";

const optionalText = z.nullish(z.string());
const anything = z.record(z.string(), z.unknown());
const textPart = z.looseObject({ type: z.string(), text: optionalText });
/** Mistral's reasoning models send a list of parts. Parts of other types are ignored. */
const contentPart = z.looseObject({
  type: z.string(),
  text: optionalText,
  thinking: z.nullish(z.union([z.string(), z.array(textPart)])),
});
const deltaSchema = z.object({
  content: z.nullish(z.union([z.string(), z.array(contentPart)])),
  reasoning_content: optionalText,
  reasoning: z.nullish(z.union([z.string(), anything])),
  /** OpenRouter's reasoning with signatures, which some models require back. */
  reasoning_details: z.nullish(z.array(anything)),
  refusal: optionalText,
  /** Gemini's signature of the reasoning behind a text, which it expects back with the message. */
  extra_content: z.catch(z.nullish(anything), undefined),
  tool_calls: z.nullish(
    z.array(
      z.object({
        index: z.nullish(z.number()),
        id: optionalText,
        function: z.nullish(
          z.object({
            name: optionalText,
            arguments: z.nullish(z.union([z.string(), anything])),
          }),
        ),
        /** Gemini's signature of the reasoning behind a call, which it requires back. */
        extra_content: z.nullish(anything),
      }),
    ),
  ),
});
type Delta = z.infer<typeof deltaSchema>;
const count = z.catch(z.nullish(z.number()), undefined);
const usageSchema = z.object({
  prompt_tokens: count,
  completion_tokens: count,
  prompt_tokens_details: z.catch(z.nullish(z.object({ cached_tokens: count })), undefined),
  /** OpenRouter reports the price of the request in credits (USD). */
  cost: count,
});
const errorSchema = z.union([
  z.string(),
  z.looseObject({ message: z.catch(optionalText, undefined), code: z.optional(z.unknown()) }),
]);
/** A chunk of a stream, or a complete answer (`message`) from an endpoint that does not stream. */
const chunkSchema = z.object({
  choices: z.nullish(
    z.array(
      z.object({
        delta: z.nullish(deltaSchema),
        message: z.nullish(deltaSchema),
        finish_reason: optionalText,
        error: z.nullish(errorSchema),
      }),
    ),
  ),
  usage: z.nullish(usageSchema),
  error: z.nullish(errorSchema),
  /** Says what the data is, for example `chat.completion.chunk`. */
  object: z.optional(z.unknown()),
});
/** A refusal in place of a chunk, in the format of vLLM, without a wrapper. */
const refusalSchema = z.looseObject({
  object: z.literal("error"),
  message: z.string(),
  code: z.optional(z.unknown()),
});
export type CompletionChunk = z.infer<typeof chunkSchema>;

/**
 * Rejects data that is not a chunk, with its `text` minus the secrets. An error within a choice becomes the chunk's
 * error, because aggregators end a lost answer that way.
 */
export function readChunk(data: unknown, text: string, secrets: readonly string[]): CompletionChunk {
  const parsed = chunkSchema.safeParse(data);
  if (!parsed.success) throw badResponse(text, secrets, parsed.error);
  const chunk = parsed.data;
  const choice = chunk.choices?.[0];
  const lost = choice?.finish_reason === "error" || choice?.finish_reason === "network_error";
  const error =
    (chunk.object === "error" ? refusalSchema.safeParse(data).data : undefined) ??
    chunk.error ??
    choice?.error ??
    (lost ? `finish_reason: ${choice.finish_reason}` : undefined);
  return error ? { ...chunk, error } : chunk;
}

export function* partsOf(chunk: CompletionChunk): Generator<StreamPart> {
  const choice = chunk.choices?.[0];
  const delta = choice?.delta ?? choice?.message;
  if (delta) {
    yield* reasoningOf(delta);
    yield* textOf(delta);
    if (delta.tool_calls && delta.tool_calls.length > 0)
      yield { type: "tool-calls", deltas: delta.tool_calls.map(callDelta) };
  }
  if (choice?.finish_reason) yield { type: "finish", reason: choice.finish_reason };
  // Every prompt has tokens, so zeros mean that nothing was counted.
  if (chunk.usage?.prompt_tokens) yield { type: "usage", usage: readUsage(chunk.usage) };
}

function* reasoningOf(delta: Delta): Generator<StreamPart> {
  const details = delta.reasoning_details ?? [];
  const reasoning = delta.reasoning_content || delta.reasoning || details.map(detailText).join("");
  if (typeof reasoning === "string" && reasoning !== "") yield { type: "reasoning", delta: reasoning };
  if (details.length > 0) yield { type: "reasoning-details", items: details };
}

function* textOf({ content, extra_content, refusal }: Delta): Generator<StreamPart> {
  if (typeof content === "string") {
    if (content !== "") yield { type: "text", delta: content };
  } else for (const part of content ?? []) yield* contentPartOf(part);
  if (isSignature(extra_content)) yield { type: "signed-reasoning", signed: { extra_content } };
  if (refusal) yield { type: "text", delta: refusal };
}

function callDelta(call: NonNullable<Delta["tool_calls"]>[number]): ToolCallDelta {
  const args = call.function?.arguments ?? undefined;
  return {
    index: call.index ?? undefined,
    id: call.id ?? undefined,
    name: call.function?.name ?? undefined,
    arguments: typeof args === "object" ? JSON.stringify(args) : args,
    extra: call.extra_content ?? undefined,
  };
}

function* contentPartOf(part: z.infer<typeof contentPart>): Generator<StreamPart> {
  if (part.type === "thinking") {
    const { thinking } = part;
    const delta =
      typeof thinking === "string" ? thinking : (thinking ?? []).map(({ text }) => text ?? "").join("");
    if (delta !== "") yield { type: "reasoning", delta };
  } else if (part.text) yield { type: "text", delta: part.text };
}

/** Gemini also marks summaries of its reasoning with such a field, which it does not expect back. */
function isSignature(extra: Record<string, unknown> | null | undefined): extra is Record<string, unknown> {
  return !!extra && extraContentSchema.safeParse(extra).success;
}

function detailText(detail: Record<string, unknown>): string {
  const text = detail.type === "reasoning.summary" ? detail.summary : detail.text;
  return typeof text === "string" ? text : "";
}

function readUsage(usage: z.infer<typeof usageSchema>): Usage {
  const cached = usage.prompt_tokens_details?.cached_tokens;
  return {
    inputTokens: usage.prompt_tokens ?? 0,
    outputTokens: usage.completion_tokens ?? 0,
    ...(cached ? { cachedTokens: cached } : {}),
    ...(usage.cost ? { cost: usage.cost } : {}),
  };
}
