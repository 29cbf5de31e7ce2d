/** Turns what the SDK and the network report into ToolErrors that the model and the user can act on. */
import { Interrupt, messageOf, SignInNeeded, ToolError } from "../../core/errors.ts";
import { boundedText } from "../../core/servers/server-text.ts";
import type { McpSdk } from "./load-sdk.ts";

/** Characters of a server's error message. */
const MESSAGE = 2_000;

/** A local deadline that passed: of a call without a result or progress, or of the start. */
export class Late extends Error {
  override name = "Late";
  constructor(readonly ms: number) {
    super(`timed out after ${ms} ms`);
  }
}

/** The server ended before it was connected. */
export class Ended extends Error {
  override name = "Ended";
}

/** `ended`: why the connection has ended, if it has. */
export function serverError(
  sdk: McpSdk,
  error: unknown,
  { server, ended }: { server: string; ended: string | undefined },
): Error {
  const says = (text: string) => new ToolError(`MCP server ${server}: ${text}`);
  if (error instanceof ToolError || error instanceof Interrupt) return error;
  if (error instanceof Late) {
    const seconds = Math.max(1, Math.round(error.ms / 1000));
    return says(`it did not answer within ${seconds} s. The request was cancelled.`);
  }
  if (error instanceof Ended) return says(error.message);
  if (error instanceof sdk.UnauthorizedError || error instanceof sdk.InsufficientScopeError)
    return new SignInNeeded(server);
  if (error instanceof sdk.SdkHttpError) return httpError(error, server, says);
  if (ended !== undefined) return says(`it ended before it answered. ${ended}`);
  if (error instanceof sdk.ProtocolError)
    return says(`it answered with error ${error.code}: ${boundedText(error.message, MESSAGE)}`);
  // The SDK wraps what happened while it asked for the version.
  const isNetwork =
    error instanceof TypeError || (error instanceof Error && error.cause instanceof TypeError);
  if (isNetwork) return says(`it cannot be reached: ${networkReason(error)}`);
  if (error instanceof sdk.SdkError) return says(sdkReason(sdk, error));
  return says(boundedText(messageOf(error), MESSAGE));
}

function httpError(
  error: InstanceType<McpSdk["SdkHttpError"]>,
  server: string,
  says: (text: string) => ToolError,
): ToolError {
  const { status, statusText, text } = error.data;
  if (status === 401) return new SignInNeeded(server);
  const reason = statusText ? `${status} ${statusText}` : String(status);
  if (status === 403) return says(`it denied access (${boundedText(reason, 200)}).`);
  const isRedirect = status >= 300 && status < 400;
  if (isRedirect) return says(`it redirects to another address, which is not followed (${reason}).`);
  const detail = typeof text === "string" && text !== "" ? `: ${boundedText(text, 500)}` : "";
  return says(`it responded with ${boundedText(reason, 200)}${detail}`);
}

function sdkReason(sdk: McpSdk, error: InstanceType<McpSdk["SdkError"]>): string {
  const { SdkErrorCode } = sdk;
  switch (error.code) {
    case SdkErrorCode.ConnectionClosed:
    case SdkErrorCode.NotConnected:
      return "the connection to it has ended.";
    case SdkErrorCode.InvalidResult:
    case SdkErrorCode.UnsupportedResultType:
    case SdkErrorCode.ClientHttpUnexpectedContent:
      return `it sent an answer that is not valid: ${boundedText(error.message, 500)}`;
    case SdkErrorCode.EraNegotiationFailed:
      // The cause is what came instead of an answer.
      return error.cause instanceof Error
        ? `it sent an answer that is not valid: ${boundedText(error.cause.message, 500)}`
        : boundedText(error.message, 500);
    case SdkErrorCode.InputRequiredRoundsExceeded:
      return "it asked for more input too many times.";
    case SdkErrorCode.RequestTimeout:
      return "it did not answer in time.";
    default:
      return boundedText(error.message, 500);
  }
}

/** The deepest cause, which names the address and the reason. */
export function networkReason(error: Error): string {
  let deepest: Error = error;
  for (let level = 0; level < 5 && deepest.cause instanceof Error; level++) deepest = deepest.cause;
  const told = deepest.message || ("code" in deepest ? String(deepest.code) : deepest.name);
  return boundedText(told, 500);
}
