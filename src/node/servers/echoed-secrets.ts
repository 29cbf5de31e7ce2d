/** Keeps tokens and configured headers out of errors, which go to the model and are stored with the session. */
import type { Fetch } from "../../core/ports/web.ts";

/** Shorter values are no secrets, and occur in ordinary words. */
const SHORTEST_SECRET = 8;
const REMOVED = "[removed]";

/**
 * The same `fetch`, without what a server repeats of our request in an error: some show all headers that they received. `names`:
 * the configured headers.
 */
export function withoutEchoes(fetch: Fetch, names: readonly string[]): Fetch {
  return async (input, init) => {
    const response = await fetch(input, init);
    const { status, statusText, headers, body } = response;
    if (response.ok || body === null) return response;
    const sent = new Headers(init?.headers);
    const secrets = ["authorization", ...names].flatMap((name) => secretsIn(sent.get(name) ?? ""));
    const cleaned = new ReadableStream<Uint8Array>(
      {
        async pull(controller) {
          controller.enqueue(new TextEncoder().encode(cleanedOf(await response.text(), secrets)));
          controller.close();
        },
        cancel: (reason) => body.cancel(reason),
      },
      // Read only if somebody reads it.
      { highWaterMark: 0 },
    );
    return new Response(cleaned, { status, statusText, headers });
  };
}

/** The value, and the token after its scheme. */
function secretsIn(value: string): string[] {
  return [value, value.split(/\s+/).at(-1) ?? ""].filter((each) => each.length >= SHORTEST_SECRET);
}

function cleanedOf(text: string, secrets: readonly string[]): string {
  return secrets.reduce((cleaned, secret) => cleaned.replaceAll(secret, REMOVED), text);
}
