/** Maps an endpoint's refusal, however worded, to one of our error codes. */
import { makerOfKey, presetAt } from "../../shared/models/connection-presets.ts";
import type { ErrorCode } from "../../shared/models/request-error.ts";
import * as z from "../../shared/zod.ts";
import { ProviderError } from "../errors.ts";
import { withoutSecrets } from "../secrets.ts";
import { saysTooLong } from "./context-length.ts";
import { retryAfter } from "./refusals/retry-after.ts";

const MODEL_WORDS =
  /model.{0,80}(?:not found|does not exist|not exist|unknown|not available)|no such model|model_not_found|(?:model|engine)\b.{0,80}(?:has been|was|is|been) (?:deprecated|decommissioned|retired|removed|shut down|discontinued)|no endpoints found for|not a valid model/i;
const TOOL_WORDS =
  /(?:does not|doesn't|not) support (?:tools?|function)|tools? (?:is|are) not supported|tool[ _-](?:call(?:s|ing)?|use|choice)\W.{0,30}not.{0,10}support|unsupported.{0,20}(?:tools?|function)|unknown parameter: ?'?tools|no endpoints found that support tool use|tool choice requires|requires? --jinja/i;
/** The path does not exist: LM Studio, Ollama, FastAPI. */
const PATH_WORDS = /unexpected endpoint or method|page not found|invalid url|no (?:matching )?route/i;
/** A server that requires encryption got a request without: nginx, Go. */
const HTTPS_WORDS = /HTTP request (?:was sent )?to (?:an )?HTTPS (?:port|server)|requires (?:https|TLS)/i;
const KEY_WORDS = /api[ _-]?key|credential|unauthori[sz]ed|authenti|token|not logged in|sign in/i;
/** Waiting does not help. */
const MONEY_WORDS = /insufficient[ _](?:quota|balance|credit|funds)|billing_(?:hard_limit|not_active)/i;
/** The model wrote a call that its server could not parse; a retry may succeed (Groq, llama.cpp). */
const FAILED_CALL =
  /tool_use_failed|failed to call a function|produced output that does not match the expected|failed to parse (?:tool call|input at pos)/i;

/** The endpoint has no native tool calling for this model, so the XML protocol is used instead. */
export function saysToolsUnsupported(error: ProviderError): boolean {
  return error.view.code === "bad-request" && TOOL_WORDS.test(error.view.detail ?? "");
}

/** The endpoint could not read a call that the model wrote. */
export function saysFailedCall({ view }: ProviderError): boolean {
  return FAILED_CALL.test(view.detail ?? "");
}

const bodySchema = z.object({
  message: z.catch(z.optional(z.string()), undefined),
  code: z.optional(z.unknown()),
  type: z.optional(z.unknown()),
  /** llama.cpp's server sends the figures next to its message. */
  n_prompt_tokens: z.catch(z.optional(z.number()), undefined),
  n_ctx: z.catch(z.optional(z.number()), undefined),
  /** OpenRouter puts the provider's own message here; its `message` is "Provider returned error". */
  metadata: z.catch(
    z.optional(
      z.object({ raw: z.optional(z.unknown()), provider_name: z.catch(z.optional(z.string()), undefined) }),
    ),
    undefined,
  ),
});
type Body = z.infer<typeof bodySchema>;

export interface FailureContext {
  baseUrl: string;
  model: string;
  apiKey: string | undefined;
  /** Values sent with the request that must never be shown, even if an endpoint repeats them. */
  secrets: readonly string[];
}

/** The response that refuses a request. */
export interface RefusingResponse {
  status: number | undefined;
  headers: Headers | undefined;
  /** Its text, used if the body names no reason. */
  message: string;
}

export function failure(
  body: unknown,
  error: RefusingResponse | undefined,
  context: FailureContext,
): ProviderError {
  const { baseUrl, model, apiKey, secrets } = context;
  const parsed = bodySchema.safeParse(body).data;
  const answer =
    typeof body === "string" ? body : (parsed?.message ?? error?.message ?? JSON.stringify(body));
  const text = `${readableMessage(answer, secrets)}${upstreamMessage(parsed, secrets)}`;
  const { n_ctx: window, n_prompt_tokens: prompt } = parsed ?? {};
  const figures = window === undefined ? "" : ` (n_prompt_tokens: ${prompt ?? "?"}, n_ctx: ${window})`;
  const words = `${text} ${String(parsed?.code ?? "")} ${String(parsed?.type ?? "")}`;
  const status = error?.status ?? statusIn(parsed);
  const code = codeOf(status, words, model, apiKey);
  const maker = code === "bad-key" && apiKey !== undefined ? makerOfKey(apiKey) : undefined;
  if (maker && presetAt(baseUrl)?.id !== maker.id)
    return new ProviderError(
      { code: "key-of-another", subject: baseUrl, detail: maker.title },
      { cause: error },
    );
  const retryAfterMs = retryAfter({ headers: error?.headers, body, text });
  const detail = `${text.slice(0, 700)}${figures}`;
  return new ProviderError(
    { code, subject: code === "unknown-model" ? model : baseUrl, ...(detail ? { detail } : {}) },
    {
      transient:
        FAILED_CALL.test(words) ||
        ((code === "rate-limited" || code === "server-error") && !MONEY_WORDS.test(words)),
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

function upstreamMessage(body: Body | undefined, secrets: readonly string[]): string {
  const { raw, provider_name: name = "" } = body?.metadata ?? {};
  if (raw === undefined || raw === null || raw === "") return "";
  const text = typeof raw === "string" ? raw : JSON.stringify(raw);
  const inner = /"message"\s*:\s*("(?:[^"\\]|\\.)*")/.exec(text)?.[1];
  return ` ${name === "" ? "" : `(${name}) `}${readableMessage(inner === undefined ? text : String(JSON.parse(inner)), secrets)}`;
}

function codeOf(
  status: number | undefined,
  words: string,
  model: string,
  apiKey: string | undefined,
): ErrorCode {
  if (TOOL_WORDS.test(words)) return "bad-request";
  if (HTTPS_WORDS.test(words)) return "wants-https";
  if (status === 401 || status === 403) return keyCodeOf(status, words, apiKey);
  // If the prompt exceeds the limit per minute, waiting does not help.
  if (status === 429)
    return /request too large|reduce your message/i.test(words) ? "context-length" : "rate-limited";
  if (status === 413 || saysTooLong(words)) return isOfBytes(words) ? "request-too-large" : "context-length";
  if (status === 410 || MODEL_WORDS.test(words)) return "unknown-model";
  if (status === 404) return isAboutModel(words, model) ? "unknown-model" : "wrong-address";
  if (status === 405 || PATH_WORDS.test(words)) return "wrong-address";
  return status === undefined || isServerError(status) ? "server-error" : "bad-request";
}

function isAboutModel(words: string, model: string): boolean {
  return model !== "" && (words.includes(model) || /\bmodel\b/i.test(words));
}

/** Includes 408 (the request did not arrive in time) and 425 (it arrived too early), which may succeed later. */
function isServerError(status: number): boolean {
  return status >= 500 || status === 408 || status === 425;
}

/** Some endpoints also use status 413 for too many tokens, and name them. */
function isOfBytes(words: string): boolean {
  const names =
    /entity too large|payload too large|request(?: body)? (?:is )?too large|request_too_large|maximum size/i;
  return names.test(words) && !/token|context|n_ctx|prompt/i.test(words);
}

function keyCodeOf(status: 401 | 403, words: string, apiKey: string | undefined): ErrorCode {
  if (apiKey === undefined) return "no-key";
  // Otherwise a content filter, a country restriction or a plan: the key is not the cause.
  return status === 401 || KEY_WORDS.test(words) ? "bad-key" : "bad-request";
}

/** Maximum characters of an answer that are examined; far fewer are shown. */
const MAX_EXAMINED = 20_000;

/**
 * Returns an endpoint's message in readable form, without secrets. Secrets are masked before the text is truncated. An
 * HTML error page is replaced by its title.
 */
export function readableMessage(text: string, secrets: readonly string[]): string {
  const title = /<title>([^<]*)<\/title>/i.exec(text)?.[1];
  return withoutSecrets((title ?? text).trim().slice(0, MAX_EXAMINED), secrets).slice(0, 500);
}

/** Returns the error for an answer that cannot be read, with its text minus the secrets. */
export function badResponse(text: string, secrets: readonly string[], cause?: unknown): ProviderError {
  const isPage = /^\s*<(?:!doctype\s+html|html|head|body)\b/i.test(text);
  const code = isPage ? "web-page" : "bad-response";
  return new ProviderError({ code, detail: readableMessage(text, secrets).slice(0, 300) }, { cause });
}
