/** What goes to a model and what comes back, whichever API carries it. */
import type { Message, Usage } from "../../shared/message.ts";

export type Protocol = "native" | "xml";

/** A function offered under native calling. `parameters` is a JSON Schema (draft 2020-12) of type object. */
export interface NativeTool {
  name: string;
  description: string;
  parameters: Record<string, unknown>;
}

export interface ModelRequest {
  system: string;
  messages: readonly Message[];
  protocol: Protocol;
  tools: readonly NativeTool[];
}

/** One item of `delta.tool_calls` as endpoints send it: any field may be missing. */
export interface ToolCallDelta {
  index?: number | undefined;
  id?: string | undefined;
  name?: string | undefined;
  arguments?: string | undefined;
  /** What the endpoint wants back with the call, whatever it is. */
  extra?: Record<string, unknown> | undefined;
}

export type StreamPart =
  | { type: "text"; delta: string }
  | { type: "reasoning"; delta: string }
  /** Pieces of what the endpoint wants back with the message: thinking with its signatures. */
  | { type: "reasoning-details"; items: Record<string, unknown>[] }
  | { type: "tool-calls"; deltas: ToolCallDelta[] }
  | { type: "usage"; usage: Usage }
  /** `length`: cut off at the output limit. */
  | { type: "finish"; reason: string };
