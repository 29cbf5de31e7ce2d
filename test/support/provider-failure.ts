/** The error of a request to an endpoint. */

import { ProviderError } from "../../src/core/errors.ts";
import type { Fetch } from "../../src/core/ports/web.ts";
import { apis } from "../../src/core/provider/apis.ts";
import { systemClock } from "../../src/node/clock.ts";
import { settingsSchema } from "../../src/shared/settings.ts";
import { connectionTo } from "./connections.ts";

/** `fetch`: the implementation to use; default: the runtime's. Rejects when nothing fails, or with any other error. */
export async function failureOf(baseUrl: string, fetch?: Fetch): Promise<ProviderError> {
  const { provider } = settingsSchema.parse({});
  const connection = connectionTo(baseUrl);
  const endpoint = { connection, provider, model: "m", apiKey: "key", clock: systemClock, fetch };
  const request = { system: "s", messages: [], tools: [], protocol: "xml" as const };
  try {
    const { signal } = new AbortController();
    for await (const _ of apis.chat.stream(endpoint, request, new Set(), signal));
  } catch (error) {
    if (error instanceof ProviderError) return error;
    throw error;
  }
  throw new Error("it did not fail");
}
