/** What endpoints of chat completions do not take, or want in addition. */
import type { Quirk } from "../api.ts";

/** Thinking must come back with the message that it belongs to (DeepSeek, Kimi). */
export const reasoningBack: Quirk = {
  name: "reasoning back",
  words: /reasoning_content.{0,80}(?:passed back|missing|required)|missing.{0,30}reasoning_content/is,
};

/** No `stream_options` (older gateways, some of Azure). */
export const noStreamOptions: Quirk = { name: "no stream options", words: /stream_options/i };

/** `max_completion_tokens` in place of `max_tokens` (OpenAI's reasoning models). */
export const completionTokens: Quirk = { name: "completion tokens", words: /max_completion_tokens/i };

/** A user's message must be one string (DeepSeek's older models, servers written by hand). */
export const plainContent: Quirk = {
  name: "plain content",
  words:
    /sequence,? expected a string|expected a string, but got an array|content.{0,40}must be a string|content.{0,80}should be a valid string|unknown content type|cannot unmarshal array into .{0,80}content/is,
};

/** Ids of calls must be nine letters or digits (Mistral). */
export const shortIds: Quirk = { name: "short ids", words: /tool[ _]call[ _]id.{0,120}length of 9/is };

/** The first whose words are found counts. */
export const quirks: readonly Quirk[] = [
  reasoningBack,
  noStreamOptions,
  completionTokens,
  plainContent,
  shortIds,
];
