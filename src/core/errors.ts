/** The three ways a step ends other than well. Each carries what the next reader needs, never a bare string. */
import type { ErrorView } from "../shared/event.ts";
import { messageOf } from "../shared/message-of.ts";
import { type Fault, reasonOf } from "../shared/reason.ts";

export { messageOf };

/** Thrown by a tool: its message goes to the model, which can act on it. Nothing was changed. */
export class ToolError extends Error {
  override name = "ToolError";

  /** `fault`: the same for the user, where the message may have to be shown. */
  constructor(
    message: string,
    readonly fault?: Fault,
  ) {
    super(message);
  }
}

/** There is a file, and it is not text. */
export class NotTextError extends ToolError {}

/** A model request failed. `view` is what the person sees; `retryAfterMs` is the endpoint's own wish. */
export class ProviderError extends Error {
  override name = "ProviderError";
  readonly view: ErrorView;
  /** Worth another try without anybody's help. */
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

/** The person pressed Stop, or the host is closing: everything under way ends, nothing is an error. */
export class Interrupt extends Error {
  override name = "Interrupt";
  constructor() {
    super("interrupted");
  }
}

export function throwIfAborted(signal: AbortSignal): void {
  if (signal.aborted) throw new Interrupt();
}

/** What went wrong, for the user. */
export function faultOf(error: unknown): Fault {
  const fault = error instanceof ToolError ? error.fault : undefined;
  return fault ?? reasonOf("system-error", messageOf(error));
}
