/** Reads the content of messages in the form of Anthropic's API, in which Claude Code, Cline, Roo Code and Kilo Code store them. */
import * as z from "../../../shared/zod.ts";
import type { ForeignContent, ForeignPart, ForeignResult } from "./foreign-session.ts";
import { fieldsSchema, inputOf, nonEmptyText } from "./values.ts";

const imageSchema = z.object({
  type: z.literal("image"),
  source: z.object({ type: z.literal("base64"), media_type: z.string(), data: z.string() }),
});
const blockSchema = z.discriminatedUnion("type", [
  z.object({ type: z.literal("text"), text: z.string() }),
  z.object({ type: z.literal("thinking"), thinking: z.string() }),
  z.object({ type: z.literal("reasoning"), text: z.string() }),
  z.object({ type: z.literal("redacted_thinking") }),
  z.object({ type: z.literal("thoughtSignature") }),
  z.object({ type: z.literal("tool_use"), id: z.string(), name: z.string(), input: z.optional(z.unknown()) }),
  z.object({
    type: z.literal("tool_result"),
    tool_use_id: z.string(),
    content: z.optional(z.unknown()),
    is_error: z.nullish(z.boolean()),
  }),
  z.object({ type: z.literal("file"), path: z.string(), content: z.catch(z.string(), "") }),
  imageSchema,
]);

export interface AnthropicContent {
  parts: ForeignPart[];
  results: ForeignResult[];
  unreadable: number;
}

/** `content`: a text, or an array of blocks. */
export function anthropicContent(content: unknown): AnthropicContent {
  if (typeof content === "string")
    return contentOf(nonEmptyText(content) ? [{ type: "text", text: content }] : []);
  if (!Array.isArray(content)) return { ...contentOf([]), unreadable: 1 };
  const read = contentOf([]);
  for (const raw of content) {
    const { data: block } = blockSchema.safeParse(raw);
    if (!block) {
      read.unreadable++;
      continue;
    }
    switch (block.type) {
      case "text":
        if (block.text.trim() !== "") read.parts.push({ type: "text", text: block.text });
        break;
      case "thinking":
        if (block.thinking.trim() !== "") read.parts.push({ type: "reasoning", text: block.thinking });
        break;
      case "reasoning":
        if (block.text.trim() !== "") read.parts.push({ type: "reasoning", text: block.text });
        break;
      case "tool_use":
        read.parts.push({ type: "call", id: block.id, name: block.name, input: inputOf(block.input) });
        break;
      case "tool_result":
        read.results.push({
          kind: "result",
          callId: block.tool_use_id,
          isError: block.is_error === true,
          content: resultContent(block.content),
        });
        break;
      case "file":
        read.parts.push({ type: "text", text: `${block.path}\n${block.content}`, isContext: true });
        break;
      case "image":
        read.parts.push(pictureOf(block));
        break;
      // Only their endpoint can read these.
      case "redacted_thinking":
      case "thoughtSignature":
        break;
    }
  }
  return read;
}

function contentOf(parts: ForeignPart[]): AnthropicContent {
  return { parts, results: [], unreadable: 0 };
}

const pictureOf = ({ source }: z.infer<typeof imageSchema>) => ({
  type: "image" as const,
  mimeType: source.media_type,
  data: source.data,
});

/** What a tool returned. Content of a kind that is not known is kept as JSON. */
export function resultContent(content: unknown): ForeignContent[] {
  if (content === undefined || content === null) return [];
  if (typeof content === "string") return [{ type: "text", text: content }];
  if (!Array.isArray(content)) return [{ type: "text", text: JSON.stringify(content) }];
  return content.map((item): ForeignContent => {
    if (typeof item === "string") return { type: "text", text: item };
    const image = imageSchema.safeParse(item).data;
    if (image) return pictureOf(image);
    const text = fieldsSchema.safeParse(item).data?.text;
    return { type: "text", text: typeof text === "string" ? text : JSON.stringify(item) };
  });
}
