/** Items of reasoning, which the API requires back with the answer that they are part of. */
import * as z from "../../../shared/zod.ts";
import { wellFormed } from "../wire-history.ts";

const part = z.looseObject({ type: z.string(), text: z.pipe(z.string(), z.transform(wellFormed)) });
/** Fields that only describe the answer, such as `status`, are left out: they are not accepted in a request. */
export const reasoningItemSchema = z.object({
  type: z.literal("reasoning"),
  id: z.string(),
  summary: z.array(part),
  /** The reasoning itself, from endpoints that do not encrypt it. */
  content: z.nullish(z.array(part)),
  encrypted_content: z.nullish(z.string()),
});
export type ReasoningItem = z.infer<typeof reasoningItemSchema>;

/**
 * Ends the text before it, which is a message in this phase of the answer: a comment between calls, or the final answer.
 * Newer models want it back.
 */
const phaseSchema = z.object({ type: z.literal("message"), phase: z.string() });

/** Returns the phase of the text before; undefined if the block is not from this API or has none. */
export function phaseOf(signed: Record<string, unknown> | undefined): string | undefined {
  return phaseSchema.safeParse(signed).data?.phase;
}

/**
 * Whether the item contains the reasoning. Without it, an endpoint would look the item up by its id, and it stores none.
 */
export function isReturnable({ encrypted_content, content }: ReasoningItem): boolean {
  return Boolean(encrypted_content) || (content ?? []).length > 0;
}

/** Returns the item as it is sent back; undefined if it is not this API's or cannot be sent back. */
export function returnedItem(signed: Record<string, unknown> | undefined): ReasoningItem | undefined {
  const { data } = reasoningItemSchema.safeParse(signed);
  if (!data || !isReturnable(data)) return undefined;
  const { content, encrypted_content, ...item } = data;
  return {
    ...item,
    ...(content?.length ? { content } : {}),
    ...(encrypted_content ? { encrypted_content } : {}),
  };
}
