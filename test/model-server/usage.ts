import type { ParsedTurn } from "./script.ts";

/** Estimated tokens: four ASCII characters, or one and a half others, per token. */
function estimateTokens(text: string): number {
  let ascii = 0;
  let other = 0;
  for (const character of text) {
    if (character < "\u0080") ascii += 1;
    else other += 1;
  }
  return Math.ceil(ascii / 4 + other / 1.5);
}

/** An image counts as a fixed number of tokens, regardless of the length of its data. */
const IMAGE_DATA = /data:image\/\w+;base64,[A-Za-z0-9+/=]+/g;
const IMAGE_TOKENS = 765;

export function pieceTokens(piece: string): number {
  const images = piece.match(IMAGE_DATA)?.length ?? 0;
  return estimateTokens(images === 0 ? piece : piece.replace(IMAGE_DATA, "")) + images * IMAGE_TOKENS;
}

export function promptTokens(pieces: readonly string[]): number {
  return pieces.reduce((sum, piece) => sum + pieceTokens(piece), 0);
}

/** Tokens of the longest prefix shared with an earlier prompt; as with OpenAI, from 1,024 on, in steps of 128. */
export function cachedTokens(pieces: readonly string[], earlier: readonly (readonly string[])[]): number {
  let best = 0;
  for (const other of earlier) {
    let shared = 0;
    while (shared < pieces.length && pieces[shared] === other[shared]) shared += 1;
    best = Math.max(best, promptTokens(pieces.slice(0, shared)));
  }
  return best < 1024 ? 0 : best - (best % 128);
}

/** The tokens of a request and its answer, however an API reports them. */
export interface TokenCount {
  /** All tokens of the prompt, cached ones included. */
  input: number;
  /** All tokens of the answer, reasoning included. */
  output: number;
  cached: number;
  reasoning: number;
  /** USD, as OpenRouter reports it. */
  cost: number | undefined;
}

/** The usage of an answer: the turn's values, the rest estimated; undefined if the turn omits usage. */
export function usageOf(
  turn: ParsedTurn,
  prompt: { tokens: number; cached: number },
  answer: { text: string; reasoning: string },
): TokenCount | undefined {
  if (turn.usage === "none") return undefined;
  const stated = typeof turn.usage === "object" ? turn.usage : {};
  const reasoning = stated.reasoningTokens ?? estimateTokens(answer.reasoning);
  return {
    input: stated.promptTokens ?? prompt.tokens,
    output: stated.completionTokens ?? estimateTokens(answer.text) + reasoning,
    cached: stated.cachedTokens ?? prompt.cached,
    reasoning,
    cost: stated.cost,
  };
}
