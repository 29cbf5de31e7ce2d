/** Bounds of a text that a port fetches. */

/** Bounds of a text that is fetched: characters, and what ends it. */
export interface TextBounds {
  limit: number;
  signal: AbortSignal;
}
