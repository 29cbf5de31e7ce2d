/** Why signing in to a server failed, from what the SDK and the network report. */
import { messageOf, ToolError } from "../../../core/errors.ts";
import { quotedValue } from "../../../core/servers/server-error.ts";
import { type Fault, reasonOf } from "../../../shared/reason.ts";
import type * as McpSdk from "../mcp-sdk.ts";
import { Failed, networkFault } from "../server-errors.ts";

/** The SDK has no classes for these; the patterns are the beginnings of its messages. */
const MESSAGES: readonly [pattern: RegExp, fault: (detail: string, match: string) => Fault][] = [
  [/^Protected resource .* does not match/, () => reasonOf("sign-in-other-resource")],
  [/does not support dynamic client registration/, () => reasonOf("sign-in-no-registration")],
  [/^Incompatible auth server/, (detail) => reasonOf("sign-in-unsupported", detail)],
  [/^HTTP (\d+) trying to load/, (_, status) => reasonOf("sign-in-status", status)],
];

export function signInFault(sdk: typeof McpSdk, error: unknown): Fault {
  if (error instanceof Failed) return error.fault;
  if (error instanceof ToolError && error.fault) return error.fault;
  return faultOfSdk(sdk, error) ?? otherFault(error);
}

/** undefined: the error is of none of the SDK's classes. */
function faultOfSdk(sdk: typeof McpSdk, error: unknown): Fault | undefined {
  if (error instanceof sdk.IssuerMismatchError)
    // What was received instead may be an attacker's, so it is not shown.
    return reasonOf(
      error.kind === "metadata" ? "sign-in-other-metadata" : "sign-in-other-issuer",
      quotedValue(error.expected ?? ""),
    );
  if (error instanceof sdk.InsecureTokenEndpointError)
    return reasonOf("sign-in-insecure", quotedValue(error.tokenEndpoint));
  if (error instanceof sdk.RegistrationRejectedError)
    return reasonOf("sign-in-not-registered", quotedValue(`${error.status}: ${error.body}`));
  if (error instanceof sdk.OAuthError) {
    const isGrant = error.code === sdk.OAuthErrorCode.InvalidGrant;
    return reasonOf(
      isGrant ? "sign-in-code-refused" : "sign-in-refused",
      quotedValue(`${error.code}: ${error.message}`),
    );
  }
  return undefined;
}

function otherFault(error: unknown): Fault {
  if (error instanceof DOMException && error.name === "TimeoutError") return reasonOf("sign-in-late");
  if (error instanceof TypeError) return networkFault(error);
  const detail = quotedValue(messageOf(error));
  const isFormat = error instanceof Error && (error.name === "ZodError" || error instanceof SyntaxError);
  if (isFormat) return reasonOf("sign-in-invalid", detail);
  for (const [pattern, fault] of MESSAGES) {
    const match = pattern.exec(messageOf(error));
    if (match) return fault(detail, match[1] ?? "");
  }
  return reasonOf("system-error", detail);
}
