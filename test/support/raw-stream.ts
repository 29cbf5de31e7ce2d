/** A streamed answer chunk by chunk, as an odd endpoint sends it: the played model writes only proper ones by itself. */

/** As a fault of a script's turn. The stream ends after the last chunk, without `[DONE]`. */
export const sse = (...chunks: unknown[]) => ({
  kind: "body" as const,
  status: 200,
  contentType: "text/event-stream",
  body: chunks.map((chunk) => `data: ${JSON.stringify(chunk)}\n\n`).join(""),
});

/** A chunk of one choice with these fields of its delta. */
export const delta = (fields: object, finish: string | null = null) => ({
  choices: [{ index: 0, delta: fields, finish_reason: finish }],
});
