import type { ChatRequest } from "./chat/wire.ts";
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

/** The parts of the prompt that a prompt cache would compare, in order: tools, then each message. */
export function promptPieces(request: ChatRequest): string[] {
  const tools = request.tools === undefined ? [] : [JSON.stringify(request.tools)];
  return [...tools, ...request.messages.map((message) => JSON.stringify(message))];
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

export interface Usage {
  prompt_tokens: number;
  completion_tokens: number;
  total_tokens: number;
  prompt_tokens_details: { cached_tokens: number };
  completion_tokens_details: { reasoning_tokens: number };
  cost?: number;
}

/** The usage of an answer: the turn's values, the rest estimated; undefined if the turn omits usage. */
export function usageOf(
  turn: ParsedTurn,
  prompt: { tokens: number; cached: number },
  answer: { text: string; reasoning: string },
): Usage | undefined {
  if (turn.usage === "none") return undefined;
  const stated = typeof turn.usage === "object" ? turn.usage : {};
  const reasoning = stated.reasoningTokens ?? estimateTokens(answer.reasoning);
  const input = stated.promptTokens ?? prompt.tokens;
  const output = stated.completionTokens ?? estimateTokens(answer.text) + reasoning;
  return {
    prompt_tokens: input,
    completion_tokens: output,
    total_tokens: input + output,
    prompt_tokens_details: { cached_tokens: stated.cachedTokens ?? prompt.cached },
    completion_tokens_details: { reasoning_tokens: reasoning },
    ...(stated.cost === undefined ? {} : { cost: stated.cost }),
  };
}
