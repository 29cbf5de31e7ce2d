/** The three errors that end a step. Each carries what its handler needs, never only a string. */

import en from "zod/v4/locales/en.js";
import { messageOf } from "../shared/message-of.ts";
import type { ErrorView } from "../shared/models/request-error.ts";
import { type Fault, reasonOf } from "../shared/reason.ts";
import * as z from "../shared/zod.ts";

// Without a locale, each message of zod/mini is "Invalid input", and some reach users and models.
z.config(en());

export { messageOf };

/** Thrown by a tool. The message goes to the model, which can act on it. Nothing was changed. */
export class ToolError extends Error {
  override name = "ToolError";

  /** `fault`: the same message for the user, for cases where it is shown to them. */
  constructor(
    message: string,
    readonly fault?: Fault,
  ) {
    super(message);
  }
}

/** A call would change nothing. The message goes to the model. */
export class NothingToDo extends ToolError {}

/** The file exists but is not text. */
export class NotTextError extends ToolError {}

/** A model request failed. `view` is what the user sees; `retryAfterMs` is the delay that the endpoint asks for. */
export class ProviderError extends Error {
  override name = "ProviderError";
  readonly view: ErrorView;
  /** Retrying may succeed without anyone's help. */
  readonly transient: boolean;
  readonly retryAfterMs: number | undefined;

  constructor(
    view: ErrorView,
    options: { transient?: boolean; retryAfterMs?: number | undefined; cause?: unknown } = {},
  ) {
    super(`${view.code}${view.detail ? `: ${view.detail}` : ""}`, { cause: options.cause });
    this.view = view;
    this.transient = options.transient ?? false;
    this.retryAfterMs = options.retryAfterMs;
  }
}

/** The user pressed Stop, or the host is closing: everything in progress ends. This is not an error. */
export class Interrupt extends Error {
  override name = "Interrupt";
  constructor() {
    super("interrupted");
  }
}

/**
 * The reason with which Stop aborts a signal; a host that closes gives none. It is an AbortError like the default
 * reason, because libraries recognize an abort by that name.
 */
export class UserStop extends DOMException {
  constructor() {
    super("stopped by the user", "AbortError");
  }
}

export function isStoppedByUser(signal: AbortSignal): boolean {
  return signal.reason instanceof UserStop;
}

export function throwIfAborted(signal: AbortSignal): void {
  if (signal.aborted) throw new Interrupt();
}

/** Describes an error to the user. */
export function faultOf(error: unknown): Fault {
  const fault = error instanceof ToolError ? error.fault : undefined;
  return fault ?? reasonOf("system-error", messageOf(error));
}

/** An MCP server requires the user to sign in first. */
export class SignInNeeded extends ToolError {
  constructor(readonly server: string) {
    super(
      `The MCP server ${server} requires the user to sign in. Ask them to sign in to it in Nekode's list of servers.`,
      reasonOf("mcp-sign-in"),
    );
  }
}

/** A tool of the editor works only in the editor's own chat. */
export class NeedsEditorChat extends Error {}
