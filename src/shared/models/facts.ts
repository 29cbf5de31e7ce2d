/** What is known about a model, and where each fact comes from. */
import * as z from "../zod.ts";

/**
 * Sources of facts, each of which takes precedence over those before it: the table that ships with the product, the endpoint's
 * own lists, what its answers and refusals or a check of the model revealed, and the user's settings.
 */
export const factSourceSchema = z.enum(["table", "endpoint", "learned", "settings"]);
export type FactSource = z.infer<typeof factSourceSchema>;

const fact = <Value extends z.ZodMiniType>(value: Value) =>
  z.object({
    value,
    source: factSourceSchema,
    /** The exact source: the page and date of a table entry, or the path of the request to the endpoint. */
    origin: z.optional(z.string()),
  });

/** An absent fact is not known. */
export const modelFactsSchema = z.object({
  /** Tokens of the context window. */
  window: z.optional(fact(z.number())),
  /** Maximum length of an answer in tokens. */
  maxOutput: z.optional(fact(z.number())),
  /** USD per million tokens: of input, of input read from a cache, of input written to a cache, of output. */
  inputPrice: z.optional(fact(z.number())),
  cachedPrice: z.optional(fact(z.number())),
  cacheWritePrice: z.optional(fact(z.number())),
  outputPrice: z.optional(fact(z.number())),
  /** Native tool calling. If absent, it is tried. */
  tools: z.optional(fact(z.boolean())),
  images: z.optional(fact(z.boolean())),
  reasoning: z.optional(fact(z.boolean())),
  /** Whether the endpoint constrains an answer to a JSON schema. Absent: it is not tried. */
  constrains: z.optional(fact(z.boolean())),
  /** The model's template uses the reasoning of its earlier messages. Absent: it is not sent back. */
  reasoningBack: z.optional(fact(z.boolean())),
});
export type ModelFacts = z.infer<typeof modelFactsSchema>;

/** A model that a connection offers. */
export const modelEntrySchema = z.object({
  /** `connection/id` */
  name: z.string(),
  /** The display name, if the endpoint provides one besides the id. */
  title: z.optional(z.string()),
  facts: modelFactsSchema,
});
export type ModelEntry = z.infer<typeof modelEntrySchema>;
