/** When to try a failed request again. Never for ever, never without saying so, never when it cannot help. */
import type { ProviderError } from "../errors.ts";

export const mostRetries = 4;
/** A day's quota is no matter of waiting: the person decides. */
const longestWaitMs = 15 * 60_000;
const baseMs = 1_000;
const capMs = 30_000;

/** How often a request is tried that fails like this. */
export function maxTries(error: ProviderError): number {
  if (!error.transient) return 1;
  // What hides behind a connection seldom comes back within seconds; one try finds out.
  const { code } = error.view;
  return code === "unreachable" || code === "connection-lost" ? 2 : 1 + mostRetries;
}

/** Whether a request that failed like this at try `attempt`, counted from 1, is worth another. */
export function mayRetry(error: ProviderError, attempt: number): boolean {
  return attempt < maxTries(error) && (error.retryAfterMs ?? 0) <= longestWaitMs;
}

/**
 * Milliseconds to wait before try `attempt` + 1. The endpoint's own wish is honoured as a lower bound; jitter keeps many
 * clients from coming back at once.
 */
export function retryDelay(error: ProviderError, attempt: number, random: () => number): number {
  const backoff = Math.min(capMs, baseMs * 2 ** (attempt - 1));
  const jittered = backoff * (0.5 + random() / 2);
  return error.retryAfterMs === undefined
    ? jittered
    : error.retryAfterMs + random() * Math.min(500, backoff / 4);
}
