/**
 * Streamed answers chunk by chunk, as an unusual endpoint sends them; on its own the scripted model writes only valid
 * ones.
 */

/** Server-sent events, one per chunk; a string is sent unchanged. Has no `[DONE]` at the end. */
export const stream = (...chunks: unknown[]): string =>
  chunks.map((chunk) => `data: ${typeof chunk === "string" ? chunk : JSON.stringify(chunk)}\n\n`).join("");

/** A chunk with one choice and these delta fields. */
export const delta = (fields: object, finish: string | null = null) => ({
  choices: [{ index: 0, delta: fields, finish_reason: finish }],
});

/** Such a stream as a fault of a script's turn. */
export const sse = (...chunks: unknown[]) => ({
  kind: "body" as const,
  status: 200,
  contentType: "text/event-stream",
  body: stream(...chunks),
});
