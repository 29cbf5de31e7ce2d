import type { TokenCount } from "../usage.ts";

/** What llama.cpp's server adds to the last event of an answer: how much of the prompt it had, and how much it evaluated. */
export function timingsOf(usage: TokenCount | undefined): object {
  if (!usage) return {};
  const evaluated = usage.input - usage.cached;
  return {
    timings: {
      cache_n: usage.cached,
      ...{ prompt_n: evaluated, prompt_ms: evaluated, prompt_per_token_ms: 1, prompt_per_second: 1_000 },
      ...{ predicted_n: usage.output, predicted_ms: usage.output, predicted_per_token_ms: 1 },
      predicted_per_second: 1_000,
    },
  };
}

export function sse(data: unknown): string {
  return `data: ${JSON.stringify(data)}\n\n`;
}
