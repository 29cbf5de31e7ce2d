/** Requests of chat completions that no task sends: not streamed, with parameters of their own. */
import * as z from "../../../shared/zod.ts";
import { Interrupt, type ProviderError } from "../../errors.ts";
import type { Endpoint } from "../api.ts";
import { fromOpenAiError, openAiClient } from "../openai/openai-client.ts";
import { BOUNDS } from "../received.ts";

const answerSchema = z.looseObject({
  choices: z.array(z.looseObject({ message: z.nullish(z.looseObject({ content: z.nullish(z.string()) })) })),
  usage: z.catch(z.nullish(z.looseObject({ prompt_tokens: z.number() })), undefined),
});

export type RawAnswer = { text: string; usage: boolean } | { error: ProviderError };

/** Rejects with Interrupt when `signal` aborts. */
export async function askRaw(
  endpoint: Endpoint,
  messages: readonly { role: string; content: string }[],
  parameters: Record<string, unknown>,
  signal: AbortSignal,
): Promise<RawAnswer> {
  const attempt = { accepted: false, heard: false };
  try {
    const body = { model: endpoint.model.trim(), messages, ...parameters };
    const limit = AbortSignal.any([signal, AbortSignal.timeout(endpoint.provider.firstTokenTimeout * 1_000)]);
    const response = await openAiClient(endpoint)
      .post("/chat/completions", { body, signal: limit })
      .asResponse();
    attempt.accepted = true;
    const text = (await response.text()).slice(0, BOUNDS.document);
    const { choices, usage } = answerSchema.parse(JSON.parse(text));
    return { text: choices[0]?.message?.content ?? "", usage: usage !== null && usage !== undefined };
  } catch (error) {
    if (signal.aborted) throw new Interrupt();
    return { error: fromOpenAiError(error, endpoint, attempt) };
  }
}
