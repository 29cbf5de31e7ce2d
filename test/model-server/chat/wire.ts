import { z } from "zod";

/**
 * The part of a chat completion request that scripts and tests read. Deliberately loose: validate.ts has validated the
 * request before, and accepted fields must not be lost.
 */
const contentPart = z.looseObject({
  type: z.string(),
  text: z.string().optional(),
  image_url: z.looseObject({ url: z.string() }).optional(),
});

const toolCall = z.looseObject({
  id: z.string(),
  type: z.literal("function"),
  function: z.looseObject({ name: z.string(), arguments: z.string() }),
});

const chatMessage = z.looseObject({
  role: z.enum(["system", "developer", "user", "assistant", "tool"]),
  content: z.union([z.string(), z.array(contentPart)]).nullish(),
  tool_calls: z.array(toolCall).optional(),
  tool_call_id: z.string().optional(),
});

const chatTool = z.looseObject({
  type: z.literal("function"),
  function: z.looseObject({
    name: z.string(),
    description: z.string().optional(),
    parameters: z.record(z.string(), z.unknown()).optional(),
  }),
});

export const chatRequestSchema = z.looseObject({
  model: z.string(),
  messages: z.array(chatMessage),
  tools: z.array(chatTool).optional(),
  stream: z.boolean().nullish(),
  stream_options: z.looseObject({ include_usage: z.boolean().optional() }).nullish(),
  temperature: z.number().nullish(),
  max_tokens: z.number().nullish(),
  max_completion_tokens: z.number().nullish(),
});

export type ChatRequest = z.infer<typeof chatRequestSchema>;
export type ChatMessage = ChatRequest["messages"][number];

/** The text parts of a message; a string content is one part. */
export function textParts(message: ChatMessage): string[] {
  if (typeof message.content === "string") return [message.content];
  return (message.content ?? []).flatMap((part) => (part.type === "text" ? [part.text ?? ""] : []));
}

/** All text of a message, parts joined by line breaks. */
export function messageText(message: ChatMessage): string {
  return textParts(message).join("\n");
}

/** The parts of the prompt that a prompt cache would compare, in order: tools, then each message. */
export function promptPieces(request: ChatRequest): string[] {
  const tools = request.tools === undefined ? [] : [JSON.stringify(request.tools)];
  return [...tools, ...request.messages.map((message) => JSON.stringify(message))];
}
