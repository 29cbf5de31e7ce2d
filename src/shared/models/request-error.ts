/** Why a request to a model failed. */
import * as z from "../zod.ts";

/** Codes of request failures; `task-words.ts` has the words and the actions offered to the user. */
const errorCodeSchema = z.enum([
  "no-endpoint",
  /** The administrator, whom `detail` names, does not allow requests to this address, or this model. */
  "managed-endpoint",
  "managed-model",
  "no-model",
  /** The editor's own models are not available in this host. */
  "no-editor-models",
  /** The user did not allow the use of an editor's model. */
  "no-consent",
  "no-key",
  "bad-key",
  "unusable-key",
  /** The prefix shows that it is the key of another provider, which `detail` names. */
  "key-of-another",
  "unusable-header",
  "bad-address",
  "wrong-address",
  "no-such-api",
  /** The address answers with a web page. */
  "web-page",
  /** The server requires https, or does not have it. */
  "wants-https",
  "wants-http",
  "untrusted-certificate",
  "unknown-model",
  "unreachable",
  "rate-limited",
  "server-error",
  "bad-request",
  "bad-response",
  "empty-response",
  /** The answer reached the model's output limit. */
  "answer-cut",
  /** The endpoint's filter ended the answer. */
  "content-filtered",
  /** No final answer fits the schema that the user requires; `detail` is what did not fit in the last one. */
  "misfit-output",
  "context-length",
  /** The body has more bytes than the endpoint accepts, regardless of its tokens. */
  "request-too-large",
  "first-token-timeout",
  "idle-timeout",
  "connection-lost",
  "redirected",
  "response-too-large",
  "not-saved",
  "internal",
]);
export type ErrorCode = z.infer<typeof errorCodeSchema>;

export const errorViewSchema = z.object({
  code: errorCodeSchema,
  /** The endpoint's own words, or the cause; shown below the sentence. */
  detail: z.optional(z.string()),
  /** The endpoint's address or the model's name. */
  subject: z.optional(z.string()),
});
export type ErrorView = z.infer<typeof errorViewSchema>;
