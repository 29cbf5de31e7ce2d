/** Bounds of a text that a port fetches. */

/** `limit`: characters. `signal`: aborts the request. */
export interface TextBounds {
  limit: number;
  signal: AbortSignal;
}
