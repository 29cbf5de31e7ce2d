/** When to retry a failed request: a limited number of times, always reported, and only if it can help. */
import type { ProviderError } from "../errors.ts";

export const MAX_RETRIES = 4;
/** Waiting does not help with a daily quota: the user decides. */
const LONGEST_WAIT_MS = 15 * 60_000;
const BASE_MS = 1_000;
const CAP_MS = 30_000;

/** Returns how often a request that fails with this error is attempted. */
export function maxTries(error: ProviderError): number {
  if (!error.transient) return 1;
  // A failed connection rarely recovers within seconds; one retry is enough to find out.
  const { code } = error.view;
  return code === "unreachable" || code === "connection-lost" ? 2 : 1 + MAX_RETRIES;
}

/** Whether a request that failed with this error at attempt `attempt` (1-based) is worth another attempt. */
export function mayRetry(error: ProviderError, attempt: number): boolean {
  return attempt < maxTries(error) && (error.retryAfterMs ?? 0) <= LONGEST_WAIT_MS;
}

/**
 * Returns the milliseconds to wait before attempt `attempt` + 1. The endpoint's `retryAfterMs` is a lower bound; jitter
 * prevents many clients from retrying at once.
 */
export function retryDelay(error: ProviderError, attempt: number, random: () => number): number {
  const backoff = Math.min(CAP_MS, BASE_MS * 2 ** (attempt - 1));
  const jittered = backoff * (0.5 + random() / 2);
  return error.retryAfterMs === undefined
    ? jittered
    : error.retryAfterMs + random() * Math.min(500, backoff / 4);
}
