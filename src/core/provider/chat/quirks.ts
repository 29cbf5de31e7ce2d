/** Known deviations of chat-completions endpoints. */
import type { Quirk } from "../api.ts";

/** Reasoning must be sent back with its message (DeepSeek, Kimi). */
export const REASONING_BACK: Quirk = {
  name: "reasoning back",
  words: /reasoning_content.{0,80}(?:passed back|missing|required)|missing.{0,30}reasoning_content/is,
};

/** `stream_options` is not accepted (older gateways, some of Azure). */
export const NO_STREAM_OPTIONS: Quirk = { name: "no stream options", words: /stream_options/i };

/** `max_completion_tokens` is required instead of `max_tokens` (OpenAI's reasoning models). */
export const COMPLETION_TOKENS: Quirk = { name: "completion tokens", words: /max_completion_tokens/i };

/** A user message must be a single string (DeepSeek's older models, handwritten servers). */
export const PLAIN_CONTENT: Quirk = {
  name: "plain content",
  words:
    /sequence,? expected a string|expected a string, but got an array|content.{0,40}must be a string|content.{0,80}(?:should be a valid string|str type expected)|content.{0,40}expected (?:a )?string|content.{0,20} is not a string|unknown content type|support.{0,20}(?:content arrays|array content|(?:arrays?|lists?) (?:as|of|in|for) content|multi-?part content)|cannot unmarshal array into .{0,80}content/is,
};

/**
 * Roles must alternate, apart from calls and results (Mistral's templates), so what follows results is part of the last one.
 * Some of these endpoints mean that there is no system message; that is tried next.
 */
export const ALTERNATING_ROLES: Quirk = {
  name: "alternating roles",
  words: /roles must alternate user\/assistant|roles? (?:must|should|need to) alternate/i,
};

/** There is no system message: the instructions are the beginning of the first user message (Gemma, old templates). */
export const NO_SYSTEM: Quirk = {
  name: "no system",
  words:
    /system[ _]?(?:role|message|prompt|instruction)s?.{0,60}(?:not|n't|un)[ -]?(?:supported|allowed|enabled|accepted|permitted)|(?:not|n't) (?:support|allow|accept|have).{0,40}\bsystem\b|unsupported.{0,40}\bsystem\b|(?:invalid|unknown|unexpected|unsupported) (?:role|variant):? ?['"`]?system\b|developer instruction is not enabled|only user(?:,| and) assistant (?:and \w+ )?roles|roles must alternate user\/assistant|role.{0,80}['"`]system['"`]|role.{0,80}(?:should be|must be|one of|permitted:).{0,10}['"`]?user['"`]?(?:,| or| and) ?['"`]?assistant/is,
};

/** Call ids must be nine letters or digits (Mistral). */
export const SHORT_IDS: Quirk = { name: "short ids", words: /tool[ _]call[ _]id.{0,120}length of 9/is };

/** The reasoning effort cannot be set, or not to this value. */
export const NO_REASONING_EFFORT: Quirk = {
  name: "no reasoning effort",
  words:
    /reasoning[_. ]effort|(?:unsupported|invalid) value: ['"`](?:none|low|medium|high)['"`]|does not support thinking|think value/i,
};

/**
 * The first call of each answer must have a signature (Gemini), so calls without one, which another model made, get the
 * word that Google documents for them.
 */
export const SIGNED_CALLS: Quirk = {
  name: "signed calls",
  words: /missing a [`'"]?thought_?signature/i,
};

/** The first whose pattern matches applies. */
export const QUIRKS: readonly Quirk[] = [
  REASONING_BACK,
  NO_STREAM_OPTIONS,
  COMPLETION_TOKENS,
  PLAIN_CONTENT,
  ALTERNATING_ROLES,
  NO_SYSTEM,
  SHORT_IDS,
  NO_REASONING_EFFORT,
  SIGNED_CALLS,
];
