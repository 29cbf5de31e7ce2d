import type { ParsedTurn } from "./script.ts";

/** Estimated tokens: four ASCII characters, or one and a half others, per token. */
function estimateTokens(text: string): number {
  // A prompt has some 60,000 characters, nearly all of them ASCII, and is counted with each request.
  const others = (text.match(/[\u0080-\uffff]+/g) ?? []).join("");
  const other = [...others].length;
  return Math.ceil((text.length - others.length) / 4 + other / 1.5);
}

/** An image counts as a fixed number of tokens, regardless of the length of its data. */
const IMAGE_DATA = /(?:data:image\/\w+;base64,|"type":"base64",[^}]*"data":")[A-Za-z0-9+/=]+/g;
const IMAGE_TOKENS = 765;

export function pieceTokens(piece: string): number {
  const images = piece.match(IMAGE_DATA)?.length ?? 0;
  return estimateTokens(images === 0 ? piece : piece.replace(IMAGE_DATA, "")) + images * IMAGE_TOKENS;
}

export function promptTokens(pieces: readonly string[]): number {
  return pieces.reduce((sum, piece) => sum + pieceTokens(piece), 0);
}

/** Tokens of the longest prefix shared with an earlier prompt; as with OpenAI, from 1,024 on, in steps of 128. */
function cachedTokens(pieces: readonly string[], earlier: readonly (readonly string[])[]): number {
  let best = 0;
  for (const other of earlier) {
    let shared = 0;
    while (shared < pieces.length && pieces[shared] === other[shared]) shared += 1;
    best = Math.max(best, promptTokens(pieces.slice(0, shared)));
  }
  return best < 1024 ? 0 : best - (best % 128);
}

/** The tokens of a prompt, and how many of them a cache has, or gets to keep. */
export interface PromptCount {
  tokens: number;
  cached: number;
  written: number;
}

/** A prompt in parts. `marks`: for each mark of the cache, how many parts precede its end; absent: the cache needs none. */
export interface PromptParts {
  readonly pieces: readonly string[];
  readonly marks?: readonly number[];
}

/** How many blocks before a mark a cache looks for what it has kept; Anthropic's does so. */
const LOOK_BACK = 20;

/** Remembers prompts by conversation, as the cache of an endpoint does. */
export class PromptCache {
  readonly #prompts = new Map<string, (readonly string[])[]>();

  /** Counts a prompt, which is then remembered. */
  count(conversation: string, { pieces, marks }: PromptParts): PromptCount {
    const earlier = this.#prompts.get(conversation) ?? [];
    const tokens = promptTokens(pieces);
    if (marks === undefined) {
      this.#prompts.set(conversation, [...earlier.slice(-3), pieces]);
      return { tokens, cached: cachedTokens(pieces, earlier), written: 0 };
    }
    const found = earlier.filter(
      (kept) =>
        marks.some((mark) => kept.length <= mark && mark - kept.length <= LOOK_BACK) &&
        kept.every((piece, index) => piece === pieces[index]),
    );
    const end = Math.max(0, ...marks);
    const cached = Math.max(0, ...found.map(promptTokens));
    const kept = marks.map((mark) => pieces.slice(0, mark));
    this.#prompts.set(conversation, [...earlier.slice(-16), ...kept]);
    return { tokens, cached, written: Math.max(0, promptTokens(pieces.slice(0, end)) - cached) };
  }
}

/** The tokens of a request and its answer, however an API reports them. */
export interface TokenCount {
  /** All tokens of the prompt, cached ones included. */
  input: number;
  /** All tokens of the answer, reasoning included. */
  output: number;
  cached: number;
  /** What the cache keeps from now on; only of APIs that say so. */
  written: number;
  reasoning: number;
  /** USD, as OpenRouter reports it. */
  cost: number | undefined;
}

/** The usage of an answer: the turn's values, the rest estimated; undefined if the turn omits usage. */
export function usageOf(
  turn: ParsedTurn,
  prompt: PromptCount,
  answer: { text: string; reasoning: string },
): TokenCount | undefined {
  if (turn.usage === "none") return undefined;
  const stated = typeof turn.usage === "object" ? turn.usage : {};
  const reasoning = stated.reasoningTokens ?? estimateTokens(answer.reasoning);
  return {
    input: stated.promptTokens ?? prompt.tokens,
    output: stated.completionTokens ?? estimateTokens(answer.text) + reasoning,
    cached: stated.cachedTokens ?? prompt.cached,
    written: stated.promptTokens === undefined ? prompt.written : 0,
    reasoning,
    cost: stated.cost,
  };
}
