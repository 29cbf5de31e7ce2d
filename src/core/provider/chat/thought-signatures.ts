/** Gemini's signatures of the reasoning behind a call or a text, as its compatible endpoint sends and expects them. */
import type { Block, ToolCallBlock } from "../../../shared/message.ts";
import * as z from "../../../shared/zod.ts";

/** The inner name is the service: `google`, or `vertex` at Google Cloud. */
export const extraContentSchema = z
  .record(z.string(), z.unknown())
  .check(
    z.refine((services) =>
      Object.values(services).some(
        (service) =>
          z.looseObject({ thought_signature: z.string().check(z.minLength(1)) }).safeParse(service).success,
      ),
    ),
  );
const signedTextSchema = z.object({ extra_content: extraContentSchema });

/**
 * The value that Google documents for calls that another model made
 * (https://ai.google.dev/gemini-api/docs/thought-signatures).
 */
const UNSIGNED = { google: { thought_signature: "skip_thought_signature_validator" } };

/** Returns what is sent back with a call. `first`: it is the first one of its answer, the only one that must be signed. */
export function extraOfCall(
  { extra }: ToolCallBlock,
  { own, first, signsAll }: { own: boolean; first: boolean; signsAll: boolean },
): { extra_content?: Record<string, unknown> } {
  if (own && extra) return { extra_content: extra };
  return first && signsAll ? { extra_content: UNSIGNED } : {};
}

/** Returns what is sent back with an answer's text; the last signature counts. */
export function extraOfText(blocks: readonly Block[]): { extra_content?: Record<string, unknown> } {
  const signed = blocks.flatMap((block) =>
    block.type === "reasoning" ? (signedTextSchema.safeParse(block.signed).data ?? []) : [],
  );
  return signed.at(-1) ?? {};
}
