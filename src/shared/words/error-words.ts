/** Texts for failed requests. They are in their own file because most panels never show them. */
import type { RetryView } from "../event.ts";
import type { ErrorCode, ErrorView } from "../models/request-error.ts";
import { notSavedText, type Translate } from "./task-words.ts";

/** The first action that an error row offers; every error row also offers retry. */
export type ErrorAction = "settings" | "set-key" | "retry";

/** Errors whose sentence contains the detail. */
const IN_SENTENCE: ReadonlySet<ErrorCode> = new Set(["managed-endpoint", "managed-model", "key-of-another"]);

/** What is shown below the sentence: the endpoint's own words, or the cause. "": there is none, or the sentence names it. */
export function errorDetail({ code, detail = "" }: ErrorView): string {
  return IN_SENTENCE.has(code) ? "" : detail;
}

export function errorText(t: Translate, error: ErrorView): { text: string; action: ErrorAction } {
  const subject = error.subject || t("The endpoint");
  switch (error.code) {
    case "no-endpoint":
      return {
        text: t("No endpoint is configured. Set an endpoint and a model in Settings."),
        action: "settings",
      };
    case "managed-endpoint":
      return {
        text: t("{0} does not allow requests to {1}.", error.detail ?? "", subject),
        action: "settings",
      };
    case "managed-model":
      return {
        text: t("{0} does not allow the model {1}.", error.detail ?? "", subject),
        action: "settings",
      };
    case "no-model":
      return { text: t("No model is configured. Set one in Settings."), action: "settings" };
    case "no-editor-models":
      return { text: t("The editor's own models are available only in VS Code."), action: "settings" };
    case "no-consent":
      return {
        text: t(
          "VS Code does not allow Nekode to use this model. Retry to be asked again, or allow it in VS Code: Manage Language Model Access.",
        ),
        action: "retry",
      };
    case "no-key":
      return { text: t("{0} requires an API key.", subject), action: "set-key" };
    case "bad-key":
      return { text: t("{0} rejected the API key.", subject), action: "set-key" };
    case "unusable-key":
      return {
        text: t("The API key contains invalid characters. Copy the key again and set it."),
        action: "set-key",
      };
    case "key-of-another":
      return {
        text: t(
          "The API key for {0} is one of {1}. Set the key of this endpoint, or choose a connection to {1}.",
          subject,
          error.detail ?? "",
        ),
        action: "set-key",
      };
    case "unusable-header":
      return {
        text: t("The header {0} in Settings is not valid and cannot be sent.", subject),
        action: "settings",
      };
    case "bad-address":
      return {
        text: t("{0} is not a valid URL. It must begin with http:// or https://.", subject),
        action: "settings",
      };
    case "wrong-address":
      return {
        text: wrongAddressText(t, subject),
        action: "settings",
      };
    case "web-page":
      return {
        text: t(
          "{0} answers with a web page. Change the base URL to the address of the API, which often ends with /v1. If the page asks you to sign in, a proxy or a network may require that first.",
          subject,
        ),
        action: "settings",
      };
    case "wants-https":
      return {
        text: t("{0} requires encryption. Change http:// to https:// in the base URL.", subject),
        action: "settings",
      };
    case "wants-http":
      return {
        text: t("{0} does not use encryption. Change https:// to http:// in the base URL.", subject),
        action: "settings",
      };
    case "no-such-api":
      return {
        text: t(
          "The API that is set for {0} was not found there. Check the URL, or choose another API in nekode.provider.api (other connections: nekode.connections).",
          subject,
        ),
        action: "settings",
      };
    case "untrusted-certificate":
      return {
        text: t(
          "This computer does not trust the certificate of {0}. Install the certificate of the authority that issued it, or set NODE_EXTRA_CA_CERTS to its file.",
          subject,
        ),
        action: "retry",
      };
    case "unknown-model":
      return {
        text: t(
          "The endpoint has no model named {0}. It may have been removed: choose another model.",
          subject,
        ),
        action: "settings",
      };
    case "unreachable":
      return { text: unreachableText(t, subject), action: "retry" };
    case "rate-limited":
      return { text: t("{0} is limiting requests.", subject), action: "retry" };
    case "server-error":
      return { text: t("{0} had a server error.", subject), action: "retry" };
    case "bad-request":
      return { text: t("{0} rejected the request.", subject), action: "settings" };
    case "bad-response":
      return {
        text: t("{0} returned something other than a model response.", subject),
        action: "settings",
      };
    case "empty-response":
      return { text: t("The model returned an empty response."), action: "retry" };
    case "answer-cut":
      return { text: t("The response was cut off at the model's output limit."), action: "retry" };
    case "content-filtered":
      return { text: t("The endpoint's content filter ended the response."), action: "retry" };
    case "misfit-output":
      return { text: t("The model gave no answer that fits the required schema."), action: "retry" };
    case "context-length":
      return { text: contextLengthText(t, subject), action: "settings" };
    case "request-too-large":
      return {
        text: t(
          "The body of the request is too large for {0}. Start a new session, or use smaller images and files.",
          subject,
        ),
        action: "settings",
      };
    case "first-token-timeout":
      return { text: t("The model did not start to respond in time."), action: "retry" };
    case "idle-timeout":
      return { text: t("The model stopped before its response was complete."), action: "retry" };
    case "connection-lost":
      return { text: t("The connection was lost before the response was complete."), action: "retry" };
    case "redirected":
      return {
        text: t(
          "{0} redirects to another URL. Nekode does not send your API key and conversation there. If you trust that URL, use it as the base URL.",
          subject,
        ),
        action: "settings",
      };
    case "response-too-large":
      return { text: t("The endpoint sent more data in one response than Nekode accepts."), action: "retry" };
    case "not-saved":
      return { text: notSavedText(t), action: "retry" };
    case "internal":
      return { text: t("An internal error occurred in Nekode."), action: "retry" };
  }
}

/** The user can start a server of their own network; of another one, their connection is the more probable cause. */
function unreachableText(t: Translate, subject: string): string {
  const { hostname } = URL.canParse(subject) ? new URL(subject) : { hostname: "" };
  return /[a-z]\.[a-z]+$/.test(hostname) && !/\.(?:local|lan|internal|home|test)$/.test(hostname)
    ? t("Could not connect to {0}. Check your internet connection and the URL.", subject)
    : t("Could not connect to {0}. Check that it is running and that the URL is correct.", subject);
}

/** Names the base URL that is probably meant. */
function wrongAddressText(t: Translate, subject: string): string {
  const { origin, pathname } = URL.canParse(subject) ? new URL(subject) : { origin: "", pathname: "" };
  const path = pathname.replace(/\/+$/, "");
  const version = /^.*?\/v\d\w*/.exec(path)?.[0];
  if (origin !== "" && version === undefined)
    return t(
      "No API was found at {0}. Most base URLs end with /v1: try {1}.",
      subject,
      `${origin}${path}/v1`,
    );
  if (origin !== "" && version !== path)
    return t(
      "No API was found at {0}. The base URL ends after the version: try {1}.",
      subject,
      `${origin}${version}`,
    );
  return t("No API was found at {0}. Check the base URL.", subject);
}

/** Why a request failed, and in how many seconds it is retried. */
export function retryText(t: Translate, retry: RetryView, seconds: number): string {
  const { text } = errorText(t, retry.error);
  return seconds > 0
    ? t("{0} Retrying in {1} s ({2} of {3}).", text, seconds, retry.try, retry.of)
    : t("{0} Retrying… ({1} of {2})", text, retry.try, retry.of);
}

/** `subject`: what does not fit: the instructions, the newest message, or the whole request. */
function contextLengthText(t: Translate, subject: string): string {
  switch (subject) {
    case "instructions":
      return t(
        "The instructions, rules and tools leave no room for an answer in the model's context window. Start the model with a larger window, choose another model, or shorten your rules and custom instructions.",
      );
    case "message":
      return t(
        "This message leaves no room for an answer in the model's context window. Shorten it, mention fewer or smaller files, or choose a model with a larger window.",
      );
    default:
      return t(
        "The conversation no longer fits the model's context window. Condense it with /compact, start a new task, or set the size of the context window in Settings.",
      );
  }
}
