/** An endpoint's refusal, in whatever words, as one of our codes. */
import type { APIError } from "openai";
import { z } from "zod";
import type { ErrorCode } from "../../shared/event.ts";
import { ProviderError } from "../errors.ts";
import { saysTooLong } from "./context-length.ts";

const modelWords =
  /model.{0,80}(?:not found|does not exist|not exist|unknown|not available)|no such model|model_not_found/i;
const toolWords =
  /(?:does not|doesn't|not) support (?:tools?|function)|tools? (?:is|are) not supported|unsupported.{0,20}(?:tools?|function)|tool use.{0,20}not.{0,10}support|unknown parameter: ?'?tools|no endpoints found that support tool use/i;

/** The endpoint has no native tool calling for this model: the XML protocol serves. */
export function saysToolsUnsupported(error: ProviderError): boolean {
  return error.view.code === "bad-request" && toolWords.test(error.view.detail ?? "");
}

const bodySchema = z.object({
  message: z.string().optional(),
  code: z.unknown(),
  type: z.unknown(),
  /** llama.cpp's server has the figures beside its sentence. */
  n_prompt_tokens: z.number().optional(),
  n_ctx: z.number().optional(),
});

export function failure(
  body: unknown,
  error: APIError | undefined,
  baseUrl: string,
  model: string,
  apiKey?: string,
): ProviderError {
  const parsed = bodySchema.safeParse(body);
  const text =
    typeof body === "string" ? body : (parsed.data?.message ?? error?.message ?? JSON.stringify(body));
  const { n_ctx: window, n_prompt_tokens: prompt } = parsed.data ?? {};
  const figures = window === undefined ? "" : ` (n_prompt_tokens: ${prompt ?? "?"}, n_ctx: ${window})`;
  const detail = readable(text) + figures;
  const words = `${text} ${String(parsed.data?.code ?? "")} ${String(parsed.data?.type ?? "")}`;
  const status = error?.status;
  const code = codeOf(status, words, apiKey);
  const subject = code === "unknown-model" ? model : baseUrl;
  return new ProviderError(
    { code, subject, ...(detail ? { detail } : {}) },
    {
      transient: code === "rate-limited" || code === "server-error",
      retryAfterMs: retryAfter(error?.headers ?? undefined),
      cause: error,
    },
  );
}

function codeOf(status: number | undefined, words: string, apiKey: string | undefined): ErrorCode {
  if (status === 401 || status === 403) return apiKey === undefined ? "no-key" : "bad-key";
  // A prompt that is larger than what a minute allows is no matter of waiting.
  if (status === 429)
    return /request too large|reduce your message/i.test(words) ? "context-length" : "rate-limited";
  if (status === 413 || saysTooLong(words)) return "context-length";
  if (modelWords.test(words)) return "unknown-model";
  // A path that leads nowhere: the address is wrong, or no such model is served.
  if (status === 404) return "unknown-model";
  if (status !== undefined && status >= 500) return "server-error";
  return status === undefined ? "server-error" : "bad-request";
}

/** An error page says nothing to a person: its title does. */
function readable(text: string): string {
  const title = /<title>([^<]*)<\/title>/i.exec(text)?.[1];
  return (title ?? text).trim().slice(0, 500);
}

/** `Retry-After` in milliseconds: seconds, or an HTTP date (RFC 9110, 10.2.3). */
export function retryAfter(headers: Headers | undefined, now = Date.now()): number | undefined {
  const value = headers?.get("retry-after")?.trim();
  if (!value) return undefined;
  if (/^\d+(\.\d+)?$/.test(value)) return Number(value) * 1000;
  const date = Date.parse(value);
  return Number.isNaN(date) ? undefined : Math.max(0, date - now);
}
