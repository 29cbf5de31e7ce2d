/** An API with an observer of its requests. */
import { Interrupt, ProviderError } from "../errors.ts";
import type { AnswerObserver, RequestObserver } from "../ports/request-observer.ts";
import type { Api, Endpoint } from "./api.ts";
import type { StreamPart } from "./provider.ts";

/** `observer` is asked for with each request. */
export function observedApi(api: Api, observer: () => RequestObserver | undefined): Api {
  return {
    ...api,
    stream(endpoint, request, quirks, signal) {
      const parts = api.stream(endpoint, request, quirks, signal);
      const answer = observer()?.sent(sentRequest(endpoint));
      return answer ? observed(parts, answer) : parts;
    },
  };
}

function sentRequest({ connection, model, provider, reason }: Endpoint) {
  const { maxOutputTokens, temperature } = provider;
  const { purpose, session } = reason ?? { purpose: "check" as const };
  return {
    ...{ connection, model, purpose, session },
    maxTokens: maxOutputTokens > 0 ? maxOutputTokens : undefined,
    temperature: temperature ?? undefined,
  };
}

async function* observed(
  parts: AsyncIterable<StreamPart>,
  answer: AnswerObserver,
): AsyncGenerator<StreamPart> {
  // Whoever reads the answer may stop before its end.
  let error: string | undefined = "abandoned";
  try {
    for await (const part of parts) {
      answer.part(part);
      yield part;
    }
    error = undefined;
  } catch (thrown) {
    error = codeOfFailure(thrown);
    throw thrown;
  } finally {
    answer.ended(error);
  }
}

function codeOfFailure(error: unknown): string {
  if (error instanceof ProviderError) return error.view.code;
  return error instanceof Interrupt ? "interrupted" : "internal";
}
