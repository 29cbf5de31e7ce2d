/** Turns what the SDK and the network report into errors that the model and the user can act on. */
import { Interrupt, messageOf, SignInNeeded, ToolError } from "../../core/errors.ts";
import { quotedValue, ServerError } from "../../core/servers/server-error.ts";
import { type Fault, reasonOf } from "../../shared/reason.ts";
import { reasonInEnglish } from "../../shared/words/reasons/reasons.ts";
import type * as McpSdk from "./mcp-sdk.ts";

/** Error codes and messages of connections whose certificate is not trusted. */
const CERTIFICATES = /certificate|CERT_|UNABLE_TO_(?:VERIFY|GET_ISSUER)|ALTNAME/i;
/** Causes of causes of an error. */
const MOST_CAUSES = 5;

/** A local deadline that passed: of a call without a result or progress, or of the start. */
export class Late extends Error {
  override name = "Late";
  constructor(readonly ms: number) {
    super(`timed out after ${ms} ms`);
  }
}

/** Something failed for a known reason. The code that catches this knows the server. */
export class Failed extends Error {
  override name = "Failed";
  constructor(readonly fault: Fault) {
    super(reasonInEnglish(fault));
  }
}

interface About {
  server: string;
  /** Why the connection has ended, if it has. */
  ended?: Fault | undefined;
  /** What a local server printed last. */
  output?: string;
}

export function serverError(
  sdk: typeof McpSdk,
  error: unknown,
  { server, ended, output = "" }: About,
): Error {
  if (error instanceof ToolError || error instanceof Interrupt) return error;
  if (error instanceof sdk.UnauthorizedError || error instanceof sdk.InsufficientScopeError)
    return new SignInNeeded(server);
  if (error instanceof sdk.SdkHttpError && error.data.status === 401) return new SignInNeeded(server);
  if (error instanceof Late) {
    const seconds = Math.max(1, Math.round(error.ms / 1000));
    const note = "The request was cancelled.";
    return new ServerError(server, reasonOf("mcp-timeout", String(seconds)), { output, note });
  }
  const note = ended === undefined ? "" : "It ended before it answered.";
  return new ServerError(server, ended ?? faultIn(sdk, error), { output, note });
}

function faultIn(sdk: typeof McpSdk, error: unknown): Fault {
  const failed = causesOf(error).find((cause) => cause instanceof Failed);
  if (failed) return failed.fault;
  if (error instanceof sdk.SdkHttpError) return httpFault(error);
  if (error instanceof sdk.ProtocolError)
    return reasonOf("mcp-error", quotedValue(`${error.code}: ${error.message}`));
  // The SDK wraps what happened while it asked for the version.
  const isNetwork = causesOf(error)
    .slice(0, 2)
    .some((cause) => cause instanceof TypeError);
  if (isNetwork) return networkFault(error);
  if (error instanceof sdk.SdkError) return sdkFault(sdk, error);
  const text = messageOf(error);
  return /protocol version is not supported/i.test(text)
    ? reasonOf("mcp-version")
    : reasonOf("mcp-failed", quotedValue(text));
}

function httpFault({ data }: McpSdk.SdkHttpError): Fault {
  const { status, statusText, text } = data;
  const named = statusText ? `${status} ${statusText}` : String(status);
  if (status >= 300 && status < 400) return reasonOf("mcp-redirects", String(status));
  const body = typeof text === "string" ? text.trim() : "";
  const said = quotedValue(body === "" ? named : `${named}: ${body}`);
  return reasonOf(status === 403 ? "mcp-denied" : "mcp-status", said);
}

function sdkFault(sdk: typeof McpSdk, error: McpSdk.SdkError): Fault {
  const { SdkErrorCode } = sdk;
  switch (error.code) {
    case SdkErrorCode.ConnectionClosed:
    case SdkErrorCode.NotConnected:
      return reasonOf("mcp-connection-lost");
    case SdkErrorCode.InvalidResult:
    case SdkErrorCode.UnsupportedResultType:
    case SdkErrorCode.ClientHttpUnexpectedContent:
      return reasonOf("mcp-answer-invalid", quotedValue(error.message));
    case SdkErrorCode.EraNegotiationFailed:
      // The cause is what came instead of an answer.
      return error.cause instanceof Error
        ? reasonOf("mcp-answer-invalid", quotedValue(error.cause.message))
        : reasonOf("mcp-version");
    case SdkErrorCode.InputRequiredRoundsExceeded:
      return reasonOf("mcp-too-many-questions");
    default:
      return reasonOf("mcp-failed", quotedValue(error.message));
  }
}

/** Why the connection to a server failed. */
export function networkFault(error: unknown): Fault {
  const causes = causesOf(error);
  const deepest = causes.at(-1);
  const detail = quotedValue(deepest?.message || codeOf(deepest) || messageOf(error));
  switch (codeOf(deepest)) {
    case "ECONNREFUSED":
      return reasonOf("mcp-connection-refused", addressOf(deepest) ?? detail);
    case "ENOTFOUND":
    case "EAI_AGAIN":
      return reasonOf("no-address", hostOf(deepest) ?? detail);
  }
  const isUntrusted = causes.some((cause) => CERTIFICATES.test(`${codeOf(cause)} ${cause.message}`));
  return reasonOf(isUntrusted ? "mcp-certificate" : "mcp-unreachable", detail);
}

/** The error and its causes, the deepest last. Several attempts to connect count as the first one. */
function causesOf(error: unknown): Error[] {
  const causes: Error[] = [];
  let next = error;
  while (next instanceof Error && causes.length <= MOST_CAUSES) {
    causes.push(next);
    next = next instanceof AggregateError && next.message === "" ? next.errors[0] : next.cause;
  }
  return causes;
}

function codeOf(error: Error | undefined): string {
  return error && "code" in error ? String(error.code) : "";
}

function hostOf(error: Error | undefined): string | undefined {
  return error && "hostname" in error ? String(error.hostname) : undefined;
}

function addressOf(error: Error | undefined): string | undefined {
  if (!error || !("address" in error && "port" in error)) return undefined;
  const { address, port } = error;
  return String(address).includes(":") ? `[${address}]:${port}` : `${address}:${port}`;
}
