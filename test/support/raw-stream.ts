/** Streamed answers chunk by chunk, as an unusual endpoint sends them; the played model only writes proper ones by itself. */

/** Server-sent events, one for each chunk; a string is sent as it is. Without `[DONE]` at the end. */
export const stream = (...chunks: unknown[]): string =>
  chunks.map((chunk) => `data: ${typeof chunk === "string" ? chunk : JSON.stringify(chunk)}\n\n`).join("");

/** A chunk of one choice with these fields of its delta. */
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
