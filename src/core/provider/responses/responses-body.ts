/** The body of a Responses request. Nothing is stored at the endpoint: each request contains the conversation. */
import type { Endpoint, Quirk } from "../api.ts";
import type { ModelRequest } from "../provider.ts";
import { wellFormed } from "../wire-history.ts";
import { inputItems } from "./input-items.ts";
import { NO_EFFORT, NO_ENCRYPTED, NO_REASONING, NO_SUMMARY } from "./responses-quirks.ts";

/** The API refuses a lower limit. */
const LEAST_OUTPUT_TOKENS = 16;

export function responsesBody(
  { connection, provider, model }: Endpoint,
  request: ModelRequest,
  quirks: ReadonlySet<Quirk>,
): Record<string, unknown> {
  const { temperature, maxOutputTokens, reasoningEffort } = provider;
  const reasoning = {
    ...(reasoningEffort === "default" || quirks.has(NO_EFFORT) ? {} : { effort: reasoningEffort }),
    ...(quirks.has(NO_SUMMARY) ? {} : { summary: "auto" }),
  };
  const reasons = !quirks.has(NO_REASONING) && Object.keys(reasoning).length > 0;
  return {
    model: model.trim(),
    ...(request.system.trim() === "" ? {} : { instructions: wellFormed(request.system) }),
    input: inputItems(request, { connection, model }, quirks),
    stream: true,
    store: false,
    ...(quirks.has(NO_ENCRYPTED) ? {} : { include: ["reasoning.encrypted_content"] }),
    ...(reasons ? { reasoning } : {}),
    ...(temperature === null ? {} : { temperature }),
    ...(maxOutputTokens > 0 ? { max_output_tokens: Math.max(LEAST_OUTPUT_TOKENS, maxOutputTokens) } : {}),
    ...(request.protocol === "native" && request.tools.length > 0
      ? { tools: request.tools.map((tool) => ({ type: "function", ...tool, strict: false })) }
      : {}),
  };
}
