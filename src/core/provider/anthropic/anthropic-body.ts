/** The body of a request to the Messages API. */
import type { Endpoint, Quirk } from "../api.ts";
import type { ModelRequest } from "../provider.ts";
import { wellFormed } from "../wire-history.ts";
import {
  NO_CACHE_CONTROL,
  NO_TEMPERATURE,
  SHORT_ANSWERS,
  WITHOUT_THINKING_BACK,
} from "./anthropic-quirks.ts";
import {
  type AnthropicMessage,
  isThinking,
  leaveOutThinking,
  type TextPart,
  toAnthropic,
} from "./anthropic-wire.ts";
import { claudeTraits } from "./claude-traits.ts";
import { promptSize } from "./prompt-size.ts";
import { acceptsThinking, type ThinkingFields, thinkingFields } from "./thinking.ts";

interface AnthropicTool {
  name: string;
  description: string;
  input_schema: Record<string, unknown>;
  cache_control?: typeof EPHEMERAL;
}

export interface AnthropicBody extends ThinkingFields {
  model: string;
  max_tokens: number;
  stream: true;
  system?: TextPart[];
  messages: AnthropicMessage[];
  tools?: AnthropicTool[];
  temperature?: number;
}

const EPHEMERAL = { type: "ephemeral" } as const;
/** Tokens of the longest answer of a model whose limit is not known, and of one that refuses more. */
const UNKNOWN_MAX_OUTPUT = 8_192;
const SHORT_ANSWER = 4_096;
/** Tokens that are enough for an answer with thinking; more would only take them from the prompt. */
const ENOUGH = 64_000;
/** Tokens of the window that are assumed if it is not known. */
const WINDOW = 200_000;

export function anthropicBody(
  { connection, provider, model, facts }: Endpoint,
  { system, messages, tools, protocol: wanted }: ModelRequest,
  quirks: ReadonlySet<Quirk>,
): AnthropicBody {
  const id = model.trim();
  const traits = claudeTraits(id);
  // Without tools, calls of the history can only be text.
  const protocol = tools.length === 0 ? "xml" : wanted;
  const offered = protocol === "native" ? tools : [];
  const remaining = Math.floor(
    (facts?.window?.value ?? WINDOW) - promptSize({ system, messages, tools: offered }),
  );
  const most = facts?.maxOutput?.value ?? traits?.maxOutput;
  const maxTokens = answerTokens(provider.maxOutputTokens, { most, remaining, quirks });
  const asked = thinkingFields(provider.reasoningEffort, traits, maxTokens, quirks);
  const sent = toAnthropic(
    { messages, protocol },
    { recipient: { connection, model }, thinking: !quirks.has(WITHOUT_THINKING_BACK) },
  );
  // A turn that began without thinking, for example with another model, continues without it.
  const goesOn = asked.thinking?.type !== "enabled" || turnBeganThinking(sent);
  const fields = goesOn ? asked : {};
  const thinks = fields.thinking !== undefined && fields.thinking.type !== "disabled";
  // The API ignores the thinking of earlier turns.
  if (!acceptsThinking(fields, traits)) leaveOutThinking(sent.slice(beginningOfTurn(sent) + 1));
  const warm = provider.temperature !== null && !thinks && traits?.takesTemperature !== false;
  const body: AnthropicBody = {
    model: id,
    max_tokens: maxTokens,
    stream: true,
    ...(system.trim() === "" ? {} : { system: [{ type: "text", text: wellFormed(system) }] }),
    messages: sent,
    ...(offered.length === 0 ? {} : { tools: offered.map(anthropicTool) }),
    ...fields,
    // The setting may be up to 2, which other APIs accept.
    ...(warm && !quirks.has(NO_TEMPERATURE) ? { temperature: Math.min(1, provider.temperature ?? 1) } : {}),
  };
  if (!quirks.has(NO_CACHE_CONTROL)) markForCache(body);
  return body;
}

function anthropicTool({ name, description, parameters }: ModelRequest["tools"][number]): AnthropicTool {
  return { name, description, input_schema: parameters };
}

/** `set`: the setting; 0: not set. `remaining`: tokens of the window that the prompt leaves. */
function answerTokens(
  set: number,
  { most, remaining, quirks }: { most: number | undefined; remaining: number; quirks: ReadonlySet<Quirk> },
): number {
  const limit = Math.min(
    most ?? Number.POSITIVE_INFINITY,
    quirks.has(SHORT_ANSWERS) ? SHORT_ANSWER : Number.POSITIVE_INFINITY,
  );
  if (set > 0) return Math.min(set, limit);
  // The prompt's budget leaves this much, at least.
  return Math.min(
    limit,
    most === undefined ? UNKNOWN_MAX_OUTPUT : ENOUGH,
    Math.max(UNKNOWN_MAX_OUTPUT, remaining),
  );
}

/** The index of the message that began the turn; the last index, if a new turn begins. */
function beginningOfTurn(messages: readonly AnthropicMessage[]): number {
  let at = messages.length - 1;
  while (messages[at]?.content.some(({ type }) => type === "tool_result")) at -= 2;
  return at;
}

/** Whether the turn that continues began with thinking; true if a new turn begins. */
function turnBeganThinking(messages: readonly AnthropicMessage[]): boolean {
  const begin = beginningOfTurn(messages);
  return begin === messages.length - 1 || startsWithThinking(messages[begin + 1]);
}

function startsWithThinking(message: AnthropicMessage | undefined): boolean {
  return isThinking(message?.content[0]);
}

/**
 * Marks what later requests begin with: the tools, the instructions, the messages of the request before this one, and all
 * messages. The API accepts four such marks.
 */
function markForCache({ tools, system, messages }: AnthropicBody): void {
  const users = messages.flatMap((message) => (message.role === "user" ? [message] : []));
  const ends = [tools?.at(-1), system?.at(-1), users.at(-2)?.content.at(-1), users.at(-1)?.content.at(-1)];
  for (const end of ends) if (end) end.cache_control = EPHEMERAL;
}
