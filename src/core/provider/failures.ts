/** An endpoint's refusal, in whatever words, as one of our codes. */
import type { APIError } from "openai";
import * as z from "zod";
import type { ErrorCode } from "../../shared/event.ts";
import { ProviderError } from "../errors.ts";
import { withoutSecrets } from "../secrets.ts";
import { saysTooLong } from "./context-length.ts";

const modelWords =
  /model.{0,80}(?:not found|does not exist|not exist|unknown|not available)|no such model|model_not_found|no endpoints found for|not a valid model/i;
const toolWords =
  /(?:does not|doesn't|not) support (?:tools?|function)|tools? (?:is|are) not supported|tool[ _-](?:call(?:s|ing)?|use|choice)\W.{0,30}not.{0,10}support|unsupported.{0,20}(?:tools?|function)|unknown parameter: ?'?tools|no endpoints found that support tool use|tool choice requires|requires? --jinja/i;
/** The path leads nowhere: LM Studio, Ollama, FastAPI. */
const pathWords = /unexpected endpoint or method|page not found|invalid url|no (?:matching )?route/i;
const keyWords = /api[ _-]?key|credential|unauthori[sz]ed|authenti|token|not logged in|sign in/i;
/** What no waiting mends. */
const moneyWords = /insufficient[ _](?:quota|balance|credit|funds)|billing_(?:hard_limit|not_active)/i;
/** The model wrote a call that its server could not read: another try may succeed (Groq). */
const failedCall = /tool_use_failed|failed to call a function/i;

/** The endpoint has no native tool calling for this model: the XML protocol serves. */
export function saysToolsUnsupported(error: ProviderError): boolean {
  return error.view.code === "bad-request" && toolWords.test(error.view.detail ?? "");
}

const bodySchema = z.object({
  message: z.string().optional().catch(undefined),
  code: z.unknown().optional(),
  type: z.unknown().optional(),
  /** llama.cpp's server has the figures beside its sentence. */
  n_prompt_tokens: z.number().optional().catch(undefined),
  n_ctx: z.number().optional().catch(undefined),
  /** OpenRouter has the provider's own words here; its `message` is "Provider returned error". */
  metadata: z
    .object({ raw: z.unknown().optional(), provider_name: z.string().optional().catch(undefined) })
    .optional()
    .catch(undefined),
});
type Body = z.infer<typeof bodySchema>;

export interface Asked {
  baseUrl: string;
  model: string;
  apiKey: string | undefined;
  /** What went along with the request and is not shown, whoever repeats it. */
  secrets: readonly string[];
}

export function failure(body: unknown, error: APIError | undefined, asked: Asked): ProviderError {
  const { baseUrl, model, apiKey, secrets } = asked;
  const parsed = bodySchema.safeParse(body).data;
  const said = typeof body === "string" ? body : (parsed?.message ?? error?.message ?? JSON.stringify(body));
  const text = `${readable(said, secrets)}${providersWords(parsed, secrets)}`;
  const { n_ctx: window, n_prompt_tokens: prompt } = parsed ?? {};
  const figures = window === undefined ? "" : ` (n_prompt_tokens: ${prompt ?? "?"}, n_ctx: ${window})`;
  const words = `${text} ${String(parsed?.code ?? "")} ${String(parsed?.type ?? "")}`;
  const status = error?.status ?? statusIn(parsed);
  const code = codeOf(status, words, model, apiKey);
  const retryAfterMs = retryAfter(error?.headers ?? undefined) ?? retryAfterIn(text);
  const detail = `${text.slice(0, 700)}${figures}`;
  return new ProviderError(
    { code, subject: code === "unknown-model" ? model : baseUrl, ...(detail ? { detail } : {}) },
    {
      transient:
        failedCall.test(words) ||
        ((code === "rate-limited" || code === "server-error") && !moneyWords.test(words)),
      retryAfterMs,
      cause: error,
    },
  );
}

/** A failure within an answer that began well has its status as a code in the body. */
function statusIn(body: Body | undefined): number | undefined {
  const code = Number(body?.code);
  return code >= 400 && code <= 599 ? code : undefined;
}

function providersWords(body: Body | undefined, secrets: readonly string[]): string {
  const { raw, provider_name: name = "" } = body?.metadata ?? {};
  if (raw === undefined || raw === null || raw === "") return "";
  const text = typeof raw === "string" ? raw : JSON.stringify(raw);
  const inner = /"message"\s*:\s*("(?:[^"\\]|\\.)*")/.exec(text)?.[1];
  return ` ${name === "" ? "" : `(${name}) `}${readable(inner === undefined ? text : String(JSON.parse(inner)), secrets)}`;
}

function codeOf(
  status: number | undefined,
  words: string,
  model: string,
  apiKey: string | undefined,
): ErrorCode {
  if (toolWords.test(words)) return "bad-request";
  if (status === 401) return apiKey === undefined ? "no-key" : "bad-key";
  if (status === 403) {
    if (apiKey === undefined) return "no-key";
    // A filter, a country, a plan: the key is as good as any.
    return keyWords.test(words) ? "bad-key" : "bad-request";
  }
  // A prompt that is larger than what a minute allows is no matter of waiting.
  if (status === 429)
    return /request too large|reduce your message/i.test(words) ? "context-length" : "rate-limited";
  if (status === 413 || saysTooLong(words)) return "context-length";
  if (modelWords.test(words)) return "unknown-model";
  if (status === 404)
    return words.includes(model) || /\bmodel\b/i.test(words) ? "unknown-model" : "wrong-address";
  if (status === 405 || pathWords.test(words)) return "wrong-address";
  if (status === undefined || status >= 500 || status === 408 || status === 425) return "server-error";
  return "bad-request";
}

/** Characters of an answer that are looked at; far fewer are shown. */
const mostLookedAt = 20_000;

/**
 * An endpoint's words for a person, and none of the secrets, which are looked for before a text is cut to what is shown.
 * An error page says nothing to a person: its title does.
 */
export function readable(text: string, secrets: readonly string[]): string {
  const title = /<title>([^<]*)<\/title>/i.exec(text)?.[1];
  return withoutSecrets((title ?? text).trim().slice(0, mostLookedAt), secrets).slice(0, 500);
}

/** `Retry-After` in milliseconds: seconds, or an HTTP date (RFC 9110, 10.2.3). */
export function retryAfter(headers: Headers | undefined, now = Date.now()): number | undefined {
  const ms = Number(headers?.get("retry-after-ms") || Number.NaN);
  if (ms >= 0) return ms;
  const value = headers?.get("retry-after")?.trim();
  if (!value) return undefined;
  if (/^\d+(\.\d+)?$/.test(value)) return Number(value) * 1000;
  const date = Date.parse(value);
  return Number.isNaN(date) ? undefined : Math.max(0, date - now);
}

/** The wait that a sentence names, in milliseconds: "try again in 2m59.5s", "retry in 31.2s", "in 6ms". */
function retryAfterIn(text: string): number | undefined {
  const found = /(?:try again|retry) in (?:(\d+)h)?(?:(\d+)m(?!s))?(?:([\d.]+)(ms|s))?/i.exec(text);
  if (!found) return undefined;
  const [, hours = 0, minutes = 0, rest = 0, unit] = found;
  const ms =
    Number(hours) * 3_600_000 + Number(minutes) * 60_000 + Number(rest) * (unit === "ms" ? 1 : 1_000);
  return ms > 0 ? ms : undefined;
}
