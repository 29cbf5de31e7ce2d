/**
 * Reads lists of models in the shapes that endpoints use. OpenAI's own list has ids alone; others add fields, each under
 * names of their own. A field that cannot be read counts as absent.
 */
import * as z from "../../../shared/zod.ts";
import type { ListedModel } from "../api.ts";
import { type FactValues, withSource } from "./fact-layers.ts";

const tokens = z.catch(z.optional(z.int().check(z.gte(256))), undefined);
const text = z.catch(z.optional(z.string()), undefined);
const flag = z.catch(z.optional(z.boolean()), undefined);
const words = z.catch(z.optional(z.array(z.string())), undefined);
/** A number, or a number as text. */
const price = z.catch(
  z.optional(z.union([z.number(), z.string().check(z.regex(/^\s*-?[\d.]+(e-?\d+)?\s*$/i))])),
  undefined,
);
type Price = z.infer<typeof price>;

const entrySchema = z.looseObject({
  id: z.string().check(z.minLength(1)),
  /** OpenRouter, Mistral and GitHub Models; Anthropic and Together. */
  name: text,
  display_name: text,
  /** Of what cannot chat; "embeddings", "image" and others. */
  type: text,
  /** OpenRouter, Together, Fireworks, SambaNova; vLLM; LM Studio; Groq; Mistral; Anthropic. */
  context_length: tokens,
  max_model_len: tokens,
  loaded_context_length: tokens,
  max_context_length: tokens,
  context_window: tokens,
  max_input_tokens: tokens,
  /** Groq and SambaNova; Anthropic and Vercel; Requesty. */
  max_completion_tokens: tokens,
  max_tokens: tokens,
  max_output_tokens: tokens,
  /** llama.cpp: `n_ctx` is in effect, the other is what the model was trained with. */
  meta: z.catch(z.optional(z.looseObject({ n_ctx: tokens, n_ctx_train: tokens })), undefined),
  /** llama.cpp's router: how it starts the server of the model. */
  status: z.catch(z.optional(z.looseObject({ args: words })), undefined),
  /** GitHub Models. */
  limits: z.catch(
    z.optional(z.looseObject({ max_input_tokens: tokens, max_output_tokens: tokens })),
    undefined,
  ),
  /** OpenRouter: the provider that answers by default. */
  top_provider: z.catch(
    z.optional(z.looseObject({ context_length: tokens, max_completion_tokens: tokens })),
    undefined,
  ),
  pricing: z.catch(
    z.optional(
      z.looseObject({
        /** OpenRouter and SambaNova; Together and Vercel. */
        prompt: price,
        completion: price,
        input: price,
        output: price,
        input_cache_read: price,
        input_cache_write: price,
        cached_input: price,
      }),
    ),
    undefined,
  ),
  /** OpenRouter; GitHub Models. */
  architecture: z.catch(
    z.optional(z.looseObject({ input_modalities: words, output_modalities: words })),
    undefined,
  ),
  supported_input_modalities: words,
  supported_output_modalities: words,
  supported_parameters: words,
  /** Fireworks. */
  supports_chat: flag,
  supports_tools: flag,
  supports_image_input: flag,
  /** Mistral, Anthropic: an object. LM Studio, GitHub Models: a list. */
  capabilities: z.catch(
    z.optional(
      z.union([
        z.array(z.string()),
        z.looseObject({ completion_chat: flag, function_calling: flag, vision: flag, reasoning: flag }),
      ]),
    ),
    undefined,
  ),
});
type Entry = z.infer<typeof entrySchema>;

/** Types of models, and names, that do not chat. */
const OTHER_TYPES = /embed|rerank|moderation|image|audio|speech|transcri|video|ocr/i;
const OTHER_NAMES =
  /(?:^|[-/_:.])(?:text-)?(?:embed(?:ding)?s?|rerank(?:er)?|moderation|whisper|tts|transcribe|dall-?e|gpt-image|imagen|veo|sora|realtime|audio|omni-moderation|babbage|davinci|stable-diffusion|flux)(?:$|[-/_:.\d])/i;

/** Returns the models that can chat; undefined if `body` is not a list. `origin`: see `ModelFacts`. */
export function listedModels(body: unknown, origin: string): ListedModel[] | undefined {
  const list = z.union([
    // Ollama without a model sends `null`.
    z.pipe(
      z.looseObject({ data: z.nullable(z.array(z.unknown())) }),
      z.transform(({ data }) => data ?? []),
    ),
    z.array(z.unknown()),
    z.pipe(
      z.looseObject({ models: z.array(z.unknown()) }),
      z.transform(({ models }) => models),
    ),
  ]);
  return list
    .safeParse(body)
    .data?.flatMap((item) => entrySchema.safeParse(item).data ?? [])
    .filter(chats)
    .map((entry) => listedModel(entry, origin));
}

function chats({
  id,
  type = "",
  capabilities,
  architecture,
  supports_chat: supported,
  ...entry
}: Entry): boolean {
  const outputs = architecture?.output_modalities ?? entry.supported_output_modalities;
  const writes = outputs === undefined || outputs.includes("text");
  const completes = Array.isArray(capabilities) || capabilities?.completion_chat !== false;
  return writes && completes && supported !== false && !OTHER_TYPES.test(type) && !OTHER_NAMES.test(id);
}

function listedModel(entry: Entry, origin: string): ListedModel {
  const { id, display_name: display, name } = entry;
  const title = display ?? name;
  const values: FactValues = { ...limitsOf(entry), ...pricesOf(entry), ...abilitiesOf(entry) };
  return {
    // Gemini's list has the names of resources, of which requests need the last part.
    id: id.replace(/^models\/(?=gemini|gemma|learnlm)/, ""),
    ...(title === undefined || title === id ? {} : { title }),
    facts: withSource(values, "endpoint", origin),
  };
}

function limitsOf(entry: Entry): FactValues {
  const { limits, top_provider: top } = entry;
  const input = limits?.max_input_tokens;
  return {
    // What is in effect comes before what is possible.
    window:
      entry.loaded_context_length ??
      entry.meta?.n_ctx ??
      windowIn(entry.status?.args ?? []) ??
      top?.context_length ??
      entry.context_length ??
      entry.max_model_len ??
      entry.context_window ??
      entry.max_context_length ??
      entry.meta?.n_ctx_train ??
      entry.max_input_tokens ??
      (input === undefined ? undefined : input + (limits?.max_output_tokens ?? 0)),
    maxOutput:
      top?.max_completion_tokens ??
      entry.max_completion_tokens ??
      entry.max_output_tokens ??
      limits?.max_output_tokens ??
      entry.max_tokens,
  };
}

/** The window of a slot that the arguments of llama.cpp's server set; undefined: the model's own. */
function windowIn(args: readonly string[]): number | undefined {
  const after = (...names: string[]) => Number(args[args.findLastIndex((arg) => names.includes(arg)) + 1]);
  const has = (...names: string[]) => args.some((arg) => names.includes(arg));
  if (!has("--ctx-size", "-c")) return undefined;
  const isDivided = has("--parallel", "-np") && !has("--kv-unified", "-kvu");
  const slots = isDivided ? after("--parallel", "-np") : 1;
  const window = Math.floor(after("--ctx-size", "-c") / slots);
  return window >= 256 ? window : undefined;
}

function pricesOf({ pricing }: Entry): FactValues {
  if (!pricing) return {};
  return {
    inputPrice: perMillion(pricing.prompt ?? pricing.input),
    outputPrice: perMillion(pricing.completion ?? pricing.output),
    cachedPrice: perMillion(pricing.input_cache_read ?? pricing.cached_input),
    cacheWritePrice: perMillion(pricing.input_cache_write),
  };
}

/**
 * Prices as text are for one token, those as numbers for a million, unless they are too small for that. A negative one
 * (OpenRouter's router) means that it varies.
 */
function perMillion(price: Price): number | undefined {
  if (price === undefined) return undefined;
  const value = Number(price);
  if (!(value >= 0)) return undefined;
  const million = typeof price === "string" || value < 0.001 ? value * 1_000_000 : value;
  // Without the noise of binary fractions.
  return Number(million.toPrecision(9));
}

function abilitiesOf(entry: Entry): FactValues {
  const { capabilities, supported_parameters: parameters, type } = entry;
  const named = Array.isArray(capabilities) ? capabilities : undefined;
  const declared = Array.isArray(capabilities) ? undefined : capabilities;
  const inputs = entry.architecture?.input_modalities ?? entry.supported_input_modalities;
  return {
    tools:
      entry.supports_tools ??
      declared?.function_calling ??
      (parameters && parameters.length > 0 ? parameters.includes("tools") : undefined) ??
      (named?.some((each) => /^tool/.test(each)) ? true : undefined),
    images:
      entry.supports_image_input ??
      declared?.vision ??
      inputs?.includes("image") ??
      (type === "vlm" || named?.some((each) => /vision|multimodal/.test(each)) ? true : undefined),
    reasoning:
      declared?.reasoning ??
      (parameters && parameters.length > 0
        ? parameters.some((each) => /^(?:include_)?reasoning/.test(each))
        : undefined),
  };
}
