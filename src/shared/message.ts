/**
 * The stored conversation: provider-neutral, the truth from which every request and every view is derived.
 * A message is immutable once appended; its id is unique for all time (a UUID).
 */
import * as z from "zod";
import { reasonSchema } from "./reason.ts";
import { ruleSourceSchema } from "./rule-list.ts";

/** Tokens as the endpoint reported them; cost in USD where the endpoint or the settings give a price. */
export const usageSchema = z.object({
  inputTokens: z.number(),
  outputTokens: z.number(),
  cachedTokens: z.number().optional(),
  cost: z.number().optional(),
});
export type Usage = z.infer<typeof usageSchema>;

/**
 * What a call did, for the person: the row shows it live and again after a reload.
 * `text` is display text (never sent to the model); `output` is a command's output, tail-bounded.
 */
export const shownResultSchema = z.object({
  text: z.string().optional(),
  output: z.string().optional(),
  exitCode: z.number().nullable().optional(),
  durationMs: z.number().optional(),
  added: z.number().optional(),
  removed: z.number().optional(),
  created: z.boolean().optional(),
  /** The person's comment on approving or rejecting. */
  comment: z.string().optional(),
  /** Why it was refused. */
  reason: reasonSchema.optional(),
});
export type ShownResult = z.infer<typeof shownResultSchema>;

/** done: it ran. failed: it ran or was refused with an error. The rest never ran, or not to the end. */
export const callOutcomeSchema = z.enum(["done", "failed", "rejected", "interrupted", "not-run"]);
export type CallOutcome = z.infer<typeof callOutcomeSchema>;

export const textBlockSchema = z.object({
  type: z.literal("text"),
  text: z.string(),
  /** `context` marks text that the product added (environment details, todo reminders). */
  source: z.enum(["person", "context"]).optional(),
});
export const reasoningBlockSchema = z.object({ type: z.literal("reasoning"), text: z.string() });
export const toolCallBlockSchema = z.object({
  type: z.literal("tool-call"),
  id: z.string(),
  /** The name as the model wrote it; the registry resolves it. */
  name: z.string(),
  /** Another product's name for the tool that the model used, with the contract that the tool has there. */
  alias: z.string().optional(),
  /** Raw arguments: strings under the XML protocol, any JSON under native calling. */
  params: z.record(z.string(), z.unknown()),
  /** Cut off before its end: shown, answered, never run. */
  partial: z.boolean().optional(),
  /** Why the call or its arguments could not be read, for the reply to the model. */
  malformed: z.string().optional(),
  /** What the endpoint sent with the call and wants back with it; opaque. */
  extra: z.record(z.string(), z.unknown()).optional(),
});
export const resultPartSchema = z.discriminatedUnion("type", [
  z.object({ type: z.literal("text"), text: z.string() }),
  z.object({ type: z.literal("image"), mimeType: z.string(), data: z.string() }),
]);
export type ResultPart = z.infer<typeof resultPartSchema>;
/** A file as it was before a call removed it. Base64 where it is not text that comes back byte for byte. */
export const removedFileSchema = z.object({
  path: z.string(),
  content: z.string(),
  encoding: z.enum(["utf8", "base64"]),
});
export type RemovedFile = z.infer<typeof removedFileSchema>;
export const toolResultBlockSchema = z.object({
  type: z.literal("tool-result"),
  callId: z.string(),
  name: z.string(),
  /** As in `[replace_in_file for 'neko.txt'] Result:`, without the brackets. */
  label: z.string(),
  outcome: callOutcomeSchema,
  parts: z.array(resultPartSchema),
  shown: shownResultSchema.optional(),
  /** What the call removed, to bring it back; neither shown nor sent to the model. */
  removed: z.array(removedFileSchema).optional(),
});
export const imageBlockSchema = z.object({
  type: z.literal("image"),
  mimeType: z.string(),
  /** Base64. */
  data: z.string(),
});
/**
 * A step that made the conversation fit the context window: what requests leave out from here on. The messages that it
 * names stay in the session as they are.
 */
export const windowBlockSchema = z.object({
  type: z.literal("window"),
  /** Calls whose results are sent as a note. */
  shortened: z.array(z.string()),
  /** Id of the last message whose added details are not sent any more. */
  detailsUpTo: z.string().optional(),
  /** Messages after the first one, up to this id, are not sent; `summary` (Markdown) stands in their place. */
  leftOut: z.object({ upTo: z.string(), count: z.number(), summary: z.string().optional() }).optional(),
  /** Tokens of the request before and after it. */
  before: z.number(),
  after: z.number(),
});
export type WindowBlock = z.infer<typeof windowBlockSchema>;
/** A rules file as it was read: patterns of the files that it is for, none for all, and its text. */
export const ruleSchema = z.object({
  source: ruleSourceSchema,
  name: z.string(),
  paths: z.array(z.string()),
  text: z.string(),
});
/**
 * The rules that the model knows of from here on, all of them; no request carries it. Those of the first such block are in
 * the system prompt, and stay there. `changed`: names of what is not as it was, which the message beside it tells.
 */
export const rulesBlockSchema = z.object({
  type: z.literal("rules"),
  rules: z.array(ruleSchema),
  changed: z.array(z.string()).optional(),
});
export type RulesBlock = z.infer<typeof rulesBlockSchema>;
export const blockSchema = z.discriminatedUnion("type", [
  textBlockSchema,
  reasoningBlockSchema,
  toolCallBlockSchema,
  toolResultBlockSchema,
  imageBlockSchema,
  windowBlockSchema,
  rulesBlockSchema,
]);
export type Block = z.infer<typeof blockSchema>;
export type ToolCallBlock = z.infer<typeof toolCallBlockSchema>;
export type ImageBlock = z.infer<typeof imageBlockSchema>;
export type ToolResultBlock = z.infer<typeof toolResultBlockSchema>;

export const modeSchema = z.enum(["plan", "act"]);
export type Mode = z.infer<typeof modeSchema>;

export const messageSchema = z.object({
  id: z.string(),
  role: z.enum(["user", "assistant", "tool"]),
  blocks: z.array(blockSchema),
  /** ISO 8601, UTC. */
  createdAt: z.string(),
  /** What the person typed, before mentions were expanded. Only on messages that a person wrote. */
  display: z.string().optional(),
  /** The model's answer ended before its end: Stop, a lost connection, a crash. */
  interrupted: z.boolean().optional(),
  usage: usageSchema.optional(),
  model: z.string().optional(),
  /** Thinking as its endpoint wants it back, signatures and all; opaque, for the same model alone. */
  reasoningDetails: z.array(z.record(z.string(), z.unknown())).optional(),
});
export type Message = z.infer<typeof messageSchema>;

export function toolCalls(message: Message | undefined): ToolCallBlock[] {
  return (message?.blocks ?? []).filter((block) => block.type === "tool-call");
}

/** Calls of the last assistant message that no later message answers, in order. */
export function unansweredCalls(messages: readonly Message[]): ToolCallBlock[] {
  const answered = new Set<string>();
  for (let i = messages.length - 1; i >= 0; i--) {
    const message = messages[i];
    if (!message) break;
    for (const block of message.blocks) if (block.type === "tool-result") answered.add(block.callId);
    if (message.role === "assistant") return toolCalls(message).filter((call) => !answered.has(call.id));
  }
  return [];
}
