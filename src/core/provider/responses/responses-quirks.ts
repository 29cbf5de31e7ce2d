/** Known deviations of endpoints with the Responses API, and what OpenAI's own does not accept for some models. */
import type { Quirk } from "../api.ts";

/**
 * Reasoning of earlier answers is refused: it was encrypted for another organization or key, or the endpoint lost what
 * belongs to it. Sending the conversation without it is always possible.
 */
export const NO_REASONING_BACK: Quirk = {
  name: "no reasoning back",
  passing: true,
  words:
    /invalid_encrypted_content|encrypted content.{0,200}(?:could not|cannot|can't|failed|invalid)|without its required following item|item (?:with id )?['"`]?rs_\w+['"`]? .{0,40}not found|item with id '\w+' not found/is,
};

/** Reasoning is not encrypted for the client (models without reasoning, some compatible servers). */
export const NO_ENCRYPTED: Quirk = {
  name: "no encrypted reasoning",
  words:
    /encrypted[ _]content.{0,60}not supported|reasoning\.encrypted_content|['"`]include(?:\[0\])?['"`]/is,
};

/** No summaries of the reasoning (organizations that are not verified, models without reasoning). */
export const NO_SUMMARY: Quirk = {
  name: "no reasoning summary",
  words: /reasoning\.summary|reasoning summar/i,
};

/** The effort cannot be set, or not to this value. */
export const NO_EFFORT: Quirk = {
  name: "no reasoning effort",
  words:
    /reasoning[._]effort|(?:unsupported|invalid) value: ['"`](?:none|minimal|low|medium|high|xhigh)['"`]/i,
};

/** `reasoning` is not accepted at all. */
export const NO_REASONING: Quirk = {
  name: "no reasoning",
  words:
    /(?:unknown|unsupported|unrecognized|unexpected|extra).{0,60}\breasoning\b|\breasoning\b.{0,60}not (?:supported|permitted)/is,
};

/** The output of a call must be a string, or text (llama.cpp), so images of results follow in a message. */
export const PLAIN_OUTPUT: Quirk = {
  name: "plain output",
  words:
    /\boutput\b.{0,120}(?:expected a string|valid string|must be a string|should be (?:a string|'Input text'))/is,
};

/** The first whose pattern matches applies. */
export const RESPONSES_QUIRKS: readonly Quirk[] = [
  NO_REASONING_BACK,
  NO_ENCRYPTED,
  NO_SUMMARY,
  NO_EFFORT,
  NO_REASONING,
  PLAIN_OUTPUT,
];
