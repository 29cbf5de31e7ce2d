/** What a request to an endpoint fails with. */
import { ProviderError } from "../../src/core/errors.ts";
import type { Fetch } from "../../src/core/ports/web.ts";
import { chatCompletions } from "../../src/core/provider/chat/chat-completions.ts";
import { systemClock } from "../../src/node/clock.ts";
import { settingsSchema } from "../../src/shared/settings.ts";

/** `fetch`: the way there; absent: that of the runtime. Rejects where nothing fails, or something else. */
export async function failureOf(baseUrl: string, fetch?: Fetch): Promise<ProviderError> {
  const { provider } = settingsSchema.parse({ provider: { baseUrl } });
  const endpoint = chatCompletions({ provider, model: "m", apiKey: "key", clock: systemClock, fetch });
  const request = { system: "s", messages: [], tools: [], protocol: "xml" as const };
  try {
    for await (const _ of endpoint.stream(request, new AbortController().signal));
  } catch (error) {
    if (error instanceof ProviderError) return error;
    throw error;
  }
  throw new Error("it did not fail");
}
