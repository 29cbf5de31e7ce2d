/**
 * What endpoints that call themselves compatible do not take, or want in addition. Each is learnt from the endpoint's own
 * refusal, which costs nothing, and remembered for the endpoint and model for as long as the host lives.
 */
import type { ProviderError } from "../../errors.ts";

export type Quirk =
  /** Thinking must come back with the message that it belongs to (DeepSeek, Kimi). */
  | "reasoning-back"
  /** No `stream_options` (older gateways, some of Azure). */
  | "no-stream-options"
  /** `max_completion_tokens` in place of `max_tokens` (OpenAI's reasoning models). */
  | "completion-tokens"
  /** A user's message must be one string (DeepSeek's older models, servers written by hand). */
  | "plain-content"
  /** Ids of calls must be nine letters or digits (Mistral). */
  | "short-ids";

const refusals: readonly (readonly [Quirk, RegExp])[] = [
  [
    "reasoning-back",
    /reasoning_content.{0,80}(?:passed back|missing|required)|missing.{0,30}reasoning_content/is,
  ],
  ["no-stream-options", /stream_options/i],
  ["completion-tokens", /max_completion_tokens/i],
  [
    "plain-content",
    /sequence,? expected a string|expected a string, but got an array|content.{0,40}must be a string|content.{0,80}should be a valid string|unknown content type|cannot unmarshal array into .{0,80}content/is,
  ],
  ["short-ids", /tool[ _]call[ _]id.{0,120}length of 9/is],
];

const known = new Map<string, Set<Quirk>>();

/** What is known of an endpoint and model: grows as `learn` is told of refusals. */
export function quirksOf(baseUrl: string, model: string): ReadonlySet<Quirk> {
  return known.get(keyOf(baseUrl, model)) ?? new Set();
}

/** Whether the refusal tells something new, so that asking otherwise may help. */
export function learn(error: ProviderError, baseUrl: string, model: string): boolean {
  const { code, detail = "" } = error.view;
  if (code !== "bad-request" && code !== "server-error") return false;
  const quirks = new Set(quirksOf(baseUrl, model));
  const found = refusals.find(([quirk, words]) => !quirks.has(quirk) && words.test(detail));
  if (!found) return false;
  known.set(keyOf(baseUrl, model), quirks.add(found[0]));
  return true;
}

const keyOf = (baseUrl: string, model: string) => `${baseUrl} ${model}`;
