/**
 * Recognizes "This prompt is too long" in the wording of common endpoints, and the figures that they state. Endpoints
 * use status 400, 413, 422, 429 or 500, or send it within a stream that began well, so only the wording counts.
 */
import type { ProviderError } from "../errors.ts";

const TOO_LONG = [
  /context[ _-]?(?:length|window|size|limit)|maximum context|exceed_context|n_ctx|max_(?:model|seq)_len/i,
  /(?:prompt|input)\b.{0,40} (?:is|are) (?:too long|longer than the maximum)|prompt too long|too many tokens/i,
  /input token count|maximum prompt length|prompt token count|model token limit|max length/i,
  /reduce the length of (?:the|your) (?:messages|prompt|input)|reduce your message size/i,
  /request(?: body)? (?:is )?too large|request_too_large|exceeds the maximum size|keep the first \d+ tokens/i,
  /`?inputs`? tokens \+ `?max_new_tokens`? must be|`?inputs`? must have less than|range of input length/i,
];

const number = String.raw`\W{0,4}([\d,]+)`;
const after = (words: string) => new RegExp(`(?:${words})${number}`, "i");

/** Where endpoints state the size of the window, most reliable first. */
const limits = [
  /> ([\d,]+)(?: tokens?)?(?: maximum)?\b/i,
  /([\d,]+) maximum\b/i,
  after(
    "maximum (?:context|model|prompt) length(?: is| of)?(?: only)?|context (?:length|size|window|limit)(?: is| of)?(?: only)?",
  ),
  after("n_ctx|max_seq_len|model token limit|max size|must be <=|must have less than|(?:tpm)\\W+limit"),
  after("allowed(?: is)?"),
  // A figure in parentheses after "limit" is an error number.
  /(?:limit|maximum)(?: is| of)?:? ([\d,]+)/i,
  /range of input length should be \[\d+, ?([\d,]+)\]/i,
];

/** Where endpoints state the size of the prompt. */
const prompts = [
  /([\d,]+) (?:in (?:the|your) (?:messages|prompt)|of text input|`?inputs`? tokens|input tokens)/i,
  after(
    "resulted in|prompt contains|prompt is too long:|keep the first|input length|token count(?: of)?|n_prompt_tokens|n_keep",
  ),
  /exceed context limit: ([\d,]+) \+/i,
  after("total length|prompt \\(length|length of prompt_tokens|request contains|current length is|given:"),
  /request(?:ed tokens)? \(([\d,]+)/i,
  after("requested(?: about)?"),
];

/** `words`: everything that the endpoint sent, including codes. */
export function saysTooLong(words: string): boolean {
  return TOO_LONG.some((pattern) => pattern.test(words));
}

/** Returns the window size and prompt size, in tokens, that an endpoint stated when it refused a prompt as too long. */
export function statedLengths(error: ProviderError): { limit?: number; used?: number } {
  const text = error.view.detail ?? "";
  const limit = numberIn(text, limits);
  const used = numberIn(text, prompts);
  return { ...(limit ? { limit } : {}), ...(used ? { used } : {}) };
}

function numberIn(text: string, patterns: readonly RegExp[]): number | undefined {
  for (const pattern of patterns) {
    const found = Number(pattern.exec(text)?.[1]?.replaceAll(",", ""));
    if (found >= 256) return found;
  }
  return undefined;
}
