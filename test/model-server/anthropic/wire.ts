import { z } from "zod";

/**
 * The part of a request to the Messages API that scripts and tests read. Deliberately loose: `validate-request.ts` has
 * validated the request before.
 */
const block = z.looseObject({
  type: z.string(),
  text: z.string().optional(),
  /** Of a call. */
  id: z.string().optional(),
  name: z.string().optional(),
  input: z.record(z.string(), z.unknown()).optional(),
  /** Of a result. */
  tool_use_id: z.string().optional(),
  content: z.unknown().optional(),
});
export type AnthropicBlock = z.infer<typeof block>;

/** Text counts as one block. */
const content = z
  .union([z.string(), z.array(block)])
  .transform((value): AnthropicBlock[] =>
    typeof value === "string" ? [{ type: "text", text: value }] : value,
  );

export const anthropicRequestSchema = z.looseObject({
  model: z.string(),
  max_tokens: z.number(),
  system: content.optional(),
  messages: z.array(z.looseObject({ role: z.enum(["user", "assistant"]), content })),
  tools: z.array(z.looseObject({ name: z.string() })).optional(),
  thinking: z
    .looseObject({
      type: z.enum(["enabled", "disabled", "adaptive", "between_tools"]),
      budget_tokens: z.number().optional(),
      display: z.enum(["summarized", "omitted"]).optional(),
    })
    .optional(),
  stream: z.boolean().optional(),
});
export type AnthropicRequest = z.infer<typeof anthropicRequestSchema>;

/** Whether the model thinks before it answers. */
export function thinks({ thinking }: Pick<AnthropicRequest, "thinking">): boolean {
  return thinking?.type === "enabled" || thinking?.type === "adaptive";
}

/** The texts of a result, of which images are no part. */
export function resultTexts(result: AnthropicBlock): string[] {
  const parts = content.safeParse(result.content).data ?? [];
  return parts.flatMap(({ type, text }) => (type === "text" ? [text ?? ""] : []));
}

/** The blocks of the prompt, which a prompt cache compares in order, without the marks of the cache. */
export function anthropicPieces({ tools = [], system = [], messages }: AnthropicRequest): {
  pieces: string[];
  /** For each mark, how many pieces precede its end. */
  marks: number[];
} {
  const pieces: string[] = [];
  const marks: number[] = [];
  const push = (role: string, value: Record<string, unknown>): void => {
    const { cache_control: mark, ...rest } = value;
    pieces.push(`${role} ${JSON.stringify(rest)}`);
    if (mark !== undefined && mark !== null) marks.push(pieces.length);
  };
  for (const tool of tools) push("tool", tool);
  for (const part of system) push("system", part);
  for (const message of messages) for (const part of message.content) push(message.role, part);
  return { pieces, marks };
}
